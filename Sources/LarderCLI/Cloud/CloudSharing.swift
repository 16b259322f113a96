import LarderKit

/// `larder cloud invite` and `join`: sharing a household with other people.
enum CloudSharing {
  static let hours = Option(
    "hours", value: "N", help: "how many hours the code works, 1 to 720 (72 if left out)")

  private static let codeRecord = Column<String>.records(("code", { $0 }))

  static let invite = Command("cloud invite", options: [hours], records: [codeRecord.form()]) {
    invocation in
    try await invocation.withLarder { larder in
      let cloud = try larder.connectedCloud()
      let hours = try invocation.number(
        invocation[hours] ?? "72", for: hours.spelling, in: 1...720, "a number of hours")
      let invitation = try await cloud.invite(hours: hours)
      let output = invocation.output
      if output.mode == .plain { return output.records([invitation.text], codeRecord) }
      output.confirm(
        invitation.text,
        ["code": .string(invitation.text), "expiresAt": .string(invitation.expires.description)])
      guard output.mode == .human else { return }
      let time = LocalTime(of: try larder.read().household)
      output.note("good once, until \(time.text(of: invitation.expires))")
      output.hint(
        "they join with 'larder cloud join \(shellWord("\(cloud.url)")) --invite CODE'; with --sign-up it creates a new user"
      )
    }
  }

  static let url = Argument(
    "URL", .optional(standard: nil),
    help: "the project's address; not needed in a household that is already connected")
  static let folder = Argument(
    "DIR", .optional(standard: nil), values: .directory,
    help: "the new folder (named after the household if left out)")
  static let email = Option(
    "email", value: "EMAIL",
    help: "who joins: the user who is signed in, or who signs in (larder asks if left out)")
  static let code = Option("invite", value: "CODE", help: "the code of an invitation")
  static let household = Option(
    "household", value: "ID", help: "which of several households, by its id or name")

  static let join = Command(
    "cloud join", arguments: [url, folder],
    options: [
      email, code, household, CloudConnect.keyFile, CloudLogin.passwordStdin, CloudLogin.signUp,
    ], records: [InitCommand.record.form("with \(url.name)")]
  ) { invocation in
    if let address = invocation.given(url) {
      try await bring(from: address, invocation)
    } else {
      try await invocation.withCloud { try await accept($0, invocation) }
    }
  }

  private static func accept(_ cloud: Cloud, _ invocation: Invocation) async throws {
    guard let code = invocation[code] else { throw invocation.usage(.missingArgument("URL")) }
    let known = try cloud.email
    if try cloud.isSignedIn, invocation[email] == nil || invocation[email] == known {
      guard try agrees(known, invocation) else { return }
    } else {
      try await cloud.signIn(
        as: try person(known, invocation), by: try CloudLogin.proof(invocation))
    }
    let household = try await cloud.accept(invitation: Secret(code))
    invocation.output.confirm("you belong to the household now", ["household": .string(household)])
    invocation.output.hint("'larder sync' brings both sides together")
  }

  /// Asks whether an invitation is meant for the user who is signed in, as it is good once.
  private static func agrees(_ known: String?, _ invocation: Invocation) throws -> Bool {
    guard let known, invocation[code] != nil, invocation[email] == nil else { return true }
    guard let answer = invocation.prompt.confirm("Join with this invitation as \(known)?") else {
      throw ErrorWords(
        .usage, "an invitation is good once, for one person, and \(known) is signed in here",
        "'--email \(shellWord(known))' or --yes joins as this user, '--email EMAIL' as another one")
    }
    if !answer {
      invocation.output.note("nothing was changed")
      invocation.output.hint("'--email EMAIL' joins as somebody else")
    }
    return answer
  }

  /// Returns the address of who joins: that of the line, or the one that is known here.
  private static func person(_ known: String?, _ invocation: Invocation) throws -> String {
    try invocation[email] ?? known
      ?? invocation.asked("e-mail address", instead: email.usage) { $0.line("E-mail address:") }
  }

  /// Fetches a household into a new folder.
  private static func bring(from address: String, _ invocation: Invocation) async throws {
    let joining = try await CloudJoining(
      from: address, invocation.context(), isKeyKnown: invocation[CloudConnect.keyFile] == nil,
      key: { Secret(try invocation.key()) })
    if try joining.isSignedIn(as: invocation[email]) {
      guard try agrees(joining.email, invocation) else { return }
    } else {
      try await joining.signIn(
        as: try person(joining.email, invocation), by: try CloudLogin.proof(invocation))
    }
    let (larder, pulled) = try await joining.bring(
      invitation: invocation[code].map { Secret($0) }, household: invocation[household]
    ) { place(of: $0, invocation) }
    CloudWords.warnings(about: pulled.refused).forEach { invocation.output.warn($0) }
    try await InitCommand.report(larder, pulled.household, invocation.output)
  }

  private static func place(of household: Entity, _ invocation: Invocation) -> String {
    let usual = household.slug.isEmpty ? "household" : household.slug
    return invocation.place(of: invocation.given(folder) ?? usual)
  }
}

/// `larder cloud members`, `remove`, `invites` and `revoke`: the members of the household.
enum CloudMembers {
  private static func memberColumns(_ time: LocalTime) -> [Column<HouseholdMember>] {
    [
      Column("id") { .text($0.id) }.inRecord(1).inJSON(1),
      Column("email") { ListValue($0.email) }
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
      Column("createdBy") { ListValue($0.createdBy) }
        .inTable("Made by").inRecord(3).inJSON(3, json: \.createdBy.json),
      Column("expiresAt") { .instant($0.expires) }.inRecord(4).inJSON(4),
      Column(.init("Until")) { .init(time.text(of: $0.expires)) },
      Column("acceptedBy") { ListValue($0.acceptedBy) }
        .inTable("Used by").inRecord(5).inJSON(5, json: \.acceptedBy.json),
    ]
  }

  /// The clock of the forms for the help, which have no times.
  private static let noTime = LocalTime(zone: "UTC")

  static let members = Command("cloud members", records: [memberColumns(noTime).form()]) {
    invocation in
    try await invocation.withLarder { larder in
      let members = try await larder.connectedCloud().members()
      let time = LocalTime(of: try larder.read().household)
      invocation.output.rows(members, memberColumns(time), as: "members")
    }
  }

  static let member = Argument(
    "MEMBER", help: "the member's e-mail address or id, or the beginning of the id")

  static let remove = Command("cloud remove", arguments: [member]) { invocation in
    try await invocation.withCloud { cloud in
      let one = try await cloud.remove(member: invocation[member])
      invocation.output.confirm(
        "\(one.name) does not belong to the household any more", ["member": .string(one.id)])
      invocation.output.note(
        "all codes that were open are revoked: 'larder cloud invite' makes a new one")
    }
  }

  static let invites = Command("cloud invites", records: [invitationColumns(noTime).form()]) {
    invocation in
    try await invocation.withLarder { larder in
      let invitations = try await larder.connectedCloud().invitations()
      let time = LocalTime(of: try larder.read().household)
      invocation.output.rows(
        invitations, invitationColumns(time), as: "invites", none: "there is no invitation")
    }
  }

  static let invitation = Argument("INVITE", help: "its id, or the beginning of it")

  static let revoke = Command("cloud revoke", arguments: [invitation]) { invocation in
    try await invocation.withCloud { cloud in
      let one = try await cloud.revoke(invitation: invocation[invitation])
      invocation.output.confirm("the invitation is revoked", ["invite": .string(one.id)])
    }
  }
}
