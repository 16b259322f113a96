import LarderKit

/// `larder cloud invite` and `join`: sharing a household with other people.
enum CloudSharing {
  static let hours = Option(
    "hours", value: "N", help: "how many hours the code works, 1 to 720 (72 if left out)")

  private static let codeRecord = Record<String>(("code", { $0 }))

  static let invite = Command("cloud invite", options: [hours], records: [codeRecord.form()]) {
    invocation in
    try invocation.withLarder { larder in
      let cloud = try larder.connectedCloud()
      let hours = try invocation.number(
        String(invocation.most(hours) ?? 72), for: hours.spelling, in: 1...720, "a number of hours")
      let invitation = try cloud.invite(hours: hours)
      let output = invocation.output
      if output.mode == .plain { return output.records([invitation.text], codeRecord) }
      output.confirm(
        invitation.text,
        [
          "code": .string(invitation.text),
          "expiresAt": .string(invitation.expires.description),
        ])
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
    "email", value: "EMAIL", help: "the user who signs in, if nobody is signed in")
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
      try bring(from: address, invocation)
    } else {
      try invocation.withCloud { try accept($0, invocation) }
    }
  }

  private static func accept(_ cloud: Cloud, _ invocation: Invocation) throws {
    guard let code = invocation[code] else {
      throw UsageError([.missingArgument("URL")], in: invocation.path)
    }
    let household = try cloud.accept(invitation: Secret(code))
    invocation.output.confirm(
      "you belong to the household now", ["household": .string(household)])
    invocation.output.hint("'larder sync' brings both sides together")
  }

  /// Fetches a household into a new folder.
  private static func bring(from address: String, _ invocation: Invocation) throws {
    let joining = try CloudJoining(
      from: address, invocation.context(), isKeyKnown: invocation[CloudConnect.keyFile] == nil,
      key: { Secret(try invocation.key()) })
    let email = invocation[email]
    if try !joining.isSignedIn(as: email) {
      let person =
        try email ?? joining.email
        ?? invocation.asked("e-mail address", instead: CloudSharing.email.usage) {
          $0.line("E-mail address:")
        }
      try joining.signIn(as: person, by: try CloudLogin.proof(invocation))
    }
    let (larder, pulled) = try joining.bring(
      invitation: invocation[code].map { Secret($0) }, household: invocation[household]
    ) { place(of: $0, invocation) }
    CloudWords.warnings(about: pulled.refused).forEach { invocation.output.warn($0) }
    try InitCommand.report(larder, pulled.household, invocation.output)
  }

  private static func place(of household: Entity, _ invocation: Invocation) -> String {
    let usual = household.slug.isEmpty ? "household" : household.slug
    return invocation.place(of: invocation.given(folder) ?? usual)
  }
}
