import LarderJSON
import LarderKit
import LarderModel

/// `larder cloud members`, `remove`, `invites` and `revoke`: the members of the household.
enum CloudMembers {
  private static let memberRecord = Record<HouseholdMember>(
    ("id", { $0.id }), ("email", { $0.email ?? "" }), ("joinedAt", { $0.joined.description }))

  private static let invitationRecord = Record<KnownInvitation>(
    ("id", { $0.id }), ("state", { $0.state.rawValue }), ("createdBy", { $0.createdBy ?? "" }),
    ("expiresAt", { $0.expires.description }), ("acceptedBy", { $0.acceptedBy ?? "" }))

  static let members = Command(
    "members", summary: "List who belongs to the household in the project",
    discussion: "All members can read and write the whole household.",
    examples: [Example("larder cloud members")], records: [memberRecord.form()]
  ) { invocation in
    try invocation.withLarder { larder in
      let members = try larder.connectedCloud().members()
      let time = LocalTime(of: try larder.read().household)
      let output = invocation.output
      switch output.mode {
      case .json: output.json([JSONMember("members", .array(members.map(\.json)))])
      case .plain: output.records(members, memberRecord)
      case .human:
        output.table(
          Table(
            columns: [.init("Member"), .init("Since"), .init("")],
            rows: members.map { member in
              [
                .init(member.name), .init(time.text(of: member.joined)),
                .init(member.isYou ? "you" : ""),
              ]
            }))
      }
    }
  }

  static let member = Argument(
    "MEMBER", help: "the member's e-mail address or id, or the beginning of the id")

  static let remove = Command(
    "remove", summary: "Remove a member from the household in the project",
    discussion: """
      From then on, they can't read or write anything of the household, and their invitations no \
      longer work. What they wrote stays, and their device keeps its files. You can't remove \
      somebody who joined before you.
      """,
    examples: [Example("larder cloud remove jonas@example.org")],
    arguments: [member]
  ) { invocation in
    try invocation.withCloud { cloud in
      let one = try cloud.remove(member: invocation[member])
      invocation.output.confirm(
        "\(one.name) does not belong to the household any more",
        [JSONMember("member", .string(one.id))])
    }
  }

  static let invites = Command(
    "invites", summary: "List the invitations into the household",
    discussion: """
      Shows which are open, until when, and who used which. Nobody can read their codes again: \
      'larder cloud revoke' takes the id, and 'larder cloud invite' makes a new code.
      """,
    examples: [Example("larder cloud invites")], records: [invitationRecord.form()]
  ) { invocation in
    try invocation.withLarder { larder in
      let invitations = try larder.connectedCloud().invitations()
      let time = LocalTime(of: try larder.read().household)
      let output = invocation.output
      switch output.mode {
      case .json: output.json([JSONMember("invites", .array(invitations.map(\.json)))])
      case .plain: output.records(invitations, invitationRecord)
      case .human:
        if invitations.isEmpty { output.note("there is no invitation") }
        output.table(
          Table(
            columns: [
              .init("Id"), .init("State"), .init("Made by"), .init("Until"), .init("Used by"),
            ],
            rows: invitations.map { invitation in
              [
                .init(String(invitation.id.prefix(8))), .init(invitation.state.rawValue),
                .init(invitation.createdBy ?? ""), .init(time.text(of: invitation.expires)),
                .init(invitation.acceptedBy ?? ""),
              ]
            }
          ).withoutEmptyColumns)
      }
    }
  }

  static let invitation = Argument("INVITE", help: "its id, or the beginning of it")

  static let revoke = Command(
    "revoke", summary: "Revoke an invitation",
    discussion: "Somebody who has already used it stays a member, until 'larder cloud remove'.",
    examples: [Example("larder cloud revoke 3f2a", "as 'larder cloud invites' shows it")],
    arguments: [invitation]
  ) { invocation in
    try invocation.withCloud { cloud in
      let one = try cloud.revoke(invitation: invocation[invitation])
      invocation.output.confirm(
        "the invitation is revoked", [JSONMember("invite", .string(one.id))])
    }
  }
}

extension HouseholdMember {
  fileprivate var json: JSON {
    .object([
      JSONMember("id", .string(id)), JSONMember("email", email.map { .string($0) } ?? .null),
      JSONMember("joinedAt", .string(joined.description)), JSONMember("isYou", .bool(isYou)),
    ])
  }
}

extension KnownInvitation {
  fileprivate var json: JSON {
    .object([
      JSONMember("id", .string(id)), JSONMember("state", .string(state.rawValue)),
      JSONMember("createdBy", createdBy.map { .string($0) } ?? .null),
      JSONMember("expiresAt", .string(expires.description)),
      JSONMember("acceptedBy", acceptedBy.map { .string($0) } ?? .null),
    ])
  }
}
