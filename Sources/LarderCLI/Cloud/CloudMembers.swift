import LarderKit

/// `larder cloud members`, `remove`, `invites` and `revoke`: the members of the household.
enum CloudMembers {
  private static func memberColumns(_ time: LocalTime) -> [Column<HouseholdMember>] {
    [
      Column("id") { .text($0.id) }.inRecord(1).inJSON(1),
      Column("email") { FilterValue($0.email) }
        .inRecord(2).inJSON(2, json: \.email.json),
      Column("joinedAt") { .instant($0.joined) }.inRecord(3).inJSON(3),
      Column(.init("Member")) { .init($0.name) },
      Column(.init("Since")) { .init(time.text(of: $0.joined)) },
      Column("isYou") { .flag($0.isYou) }.inTable("") { .init($0.isYou ? "you" : "") }.inJSON(4),
    ]
  }

  private static func invitationColumns(_ time: LocalTime) -> [Column<KnownInvitation>] {
    [
      Column("id") { .text($0.id) }
        .inTable("Id") { .init(String($0.id.prefix(8))) }.inRecord(1).inJSON(1),
      Column("state") { .text($0.state.rawValue) }.inTable("State").inRecord(2).inJSON(2),
      Column("createdBy") { FilterValue($0.createdBy) }
        .inTable("Made by").inRecord(3).inJSON(3, json: \.createdBy.json),
      Column("expiresAt") { .instant($0.expires) }.inRecord(4).inJSON(4),
      Column(.init("Until")) { .init(time.text(of: $0.expires)) },
      Column("acceptedBy") { FilterValue($0.acceptedBy) }
        .inTable("Used by").inRecord(5).inJSON(5, json: \.acceptedBy.json),
    ]
  }

  /// The clock of the forms for the help, which have no times.
  private static let noTime = LocalTime(zone: "UTC")

  static let members = Command(
    "cloud members", records: [memberColumns(noTime).form()]
  ) { invocation in
    try invocation.withLarder { larder in
      let members = try larder.connectedCloud().members()
      let time = LocalTime(of: try larder.read().household)
      invocation.output.rows(members, memberColumns(time), as: "members")
    }
  }

  static let member = Argument(
    "MEMBER", help: "the member's e-mail address or id, or the beginning of the id")

  static let remove = Command("cloud remove", arguments: [member]) { invocation in
    try invocation.withCloud { cloud in
      let one = try cloud.remove(member: invocation[member])
      invocation.output.confirm(
        "\(one.name) does not belong to the household any more",
        ["member": .string(one.id)])
    }
  }

  static let invites = Command(
    "cloud invites", records: [invitationColumns(noTime).form()]
  ) { invocation in
    try invocation.withLarder { larder in
      let invitations = try larder.connectedCloud().invitations()
      let time = LocalTime(of: try larder.read().household)
      invocation.output.rows(
        invitations, invitationColumns(time), as: "invites", none: "there is no invitation")
    }
  }

  static let invitation = Argument("INVITE", help: "its id, or the beginning of it")

  static let revoke = Command("cloud revoke", arguments: [invitation]) { invocation in
    try invocation.withCloud { cloud in
      let one = try cloud.revoke(invitation: invocation[invitation])
      invocation.output.confirm(
        "the invitation is revoked", ["invite": .string(one.id)])
    }
  }
}
