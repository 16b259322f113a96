import LarderCloud
import LarderJSON
import LarderModel
import LarderStore
import LarderSync

/// `larder cloud invite` and `join`: a household that several people have.
enum CloudSharing {
  static let hours = Option("hours", value: "N", help: "how long the code is good, 1 to 720 (72)")

  static let invite = Command(
    "invite", summary: "Let somebody else into the household",
    discussion: """
      Prints a code that is good once. Whoever has it and an account in the project can come in with \
      'larder cloud join URL --invite CODE', and then reads and writes all of the household.
      """,
    examples: [Example("larder cloud invite"), Example("larder cloud invite --hours 2")],
    options: [hours]
  ) { invocation in
    try invocation.withStore { store in
      let connection = try CloudConnection.needed(of: store, invocation)
      let hours = try invocation.most(hours) ?? 72
      guard (1...720).contains(hours) else {
        throw invocation.unreadable(
          String(hours), for: CloudSharing.hours.spelling,
          "a number of hours from 1 to 720 is needed")
      }
      let household = try store.read().household
      guard let id = household.own?.id else { return }
      let client = connection.client
      let invitation = try waited { try await client.createInvite(household: id, hours: hours) }
      let output = invocation.output
      guard output.mode == .human else {
        return output.confirm(
          invitation.text,
          [
            JSONMember("code", .string(invitation.text)),
            JSONMember("expiresAt", .string(invitation.expires.description)),
          ])
      }
      output.line(invitation.text)
      output.note("good once, until \(LocalTime(of: household).text(of: invitation.expires))")
      output.hint(
        "they come in with 'larder cloud join \(connection.session.project.url) --invite CODE'; --sign-up behind it makes a new user"
      )
    }
  }

  static let url = Argument(
    "URL", .optional(standard: nil),
    help: "the project's address; left out in a household that is connected already")
  static let folder = Argument(
    "DIR", .optional(standard: nil), values: .directory,
    help: "where it is to be (named after the household if left out)")
  static let email = Option("email", value: "EMAIL", help: "who signs in, where nobody is")
  static let code = Option("invite", value: "CODE", help: "the code that somebody sent")
  static let household = Option(
    "household", value: "ID", help: "which of several households, by its id or name")

  static let join = Command(
    "join", summary: "Bring a household from a project to this device",
    discussion: """
      With an invitation somebody else's, without one a household that you belong to already. Makes \
      a new folder, connected and signed in. In a household that is connected and has other roads, \
      'larder cloud join --invite CODE' only accepts the invitation.
      """,
    examples: [
      Example("larder cloud join https://abc.supabase.co --email jonas@example.org --invite CODE"),
      Example("larder cloud join https://abc.supabase.co home --email anna@example.org"),
      Example("larder cloud join --invite CODE", "in a clone that came by git"),
    ],
    arguments: [url, folder],
    options: [
      email, code, household, CloudConnect.keyFile, CloudLogin.passwordStdin, CloudLogin.signUp,
    ]
  ) { invocation in
    do {
      if let address = invocation.given(url) {
        try CloudJoining(invocation).bring(from: address)
      } else {
        try invocation.withStore { try accept(in: $0, invocation) }
      }
    } catch {
      throw Prose().commandError(for: error)
    }
  }

  private static func accept(in store: Store, _ invocation: Invocation) throws {
    guard let code = invocation[code] else {
      throw UsageError([.missingArgument("URL")], in: invocation.path)
    }
    let connection = try CloudConnection.needed(of: store, invocation)
    let own = try store.read().household.own?.id ?? ""
    let client = connection.client
    let secret = Secret(code)
    let invited = try waited { try await client.acceptInvite(secret) }
    guard invited == own else {
      throw CloudUseError.otherHousehold(invited: invited, own: own)
    }
    try store.forgetMembership(in: connection.session.project.url)
    invocation.output.confirm(
      "you belong to the household now", [JSONMember("household", .string(own))])
    invocation.output.hint("'larder sync' brings both sides together")
  }
}

/// A household on its way from a project to a new folder.
private struct CloudJoining {
  let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  func bring(from address: String) throws {
    let file = try CredentialsFile(invocation)
    let context = try invocation.storeContext()
    let connection = try connect(to: address, file)
    try signIn(connection.session)
    let client = connection.client
    let code = invocation[CloudSharing.code].map { Secret($0) }
    let invited = try waited { () -> String? in
      guard let code else { return nil }
      return try await client.acceptInvite(code)
    }
    let household = try chosen(try waited { try await client.households() }, invited)
    let directory = place(of: household)
    let store = try Store.create(
      at: directory, of: household, program: OwnProgram.word(invocation.environment),
      context: context)
    try connection.remember(in: store, invocation)
    let here = try CloudConnection(connection.session.project, file, of: store, invocation)
    let outcome: PullOutcome
    do {
      outcome = try invocation.exchange(here, store) { try await $0.pull() }
    } catch {
      // The invitation is spent and the folder made: the same command would not do.
      var failure = Prose().commandError(for: error)
      let isAboutSchema = if case CloudError.schemaMismatch = error { true } else { false }
      failure.hints = isAboutSchema ? Array(failure.hints.prefix(1)) : []
      failure.hints.append(
        "the household is in \(directory) and connected: 'larder sync' there brings the rest")
      throw failure
    }
    CloudWords.warn(about: outcome.refused, invocation.output)
    try InitCommand.report(store, outcome.household, invocation.output)
  }

  private func connect(to address: String, _ file: CredentialsFile) throws -> CloudConnection {
    // What is known of the project need not be asked for again.
    let plain = try CloudProject(url: address, key: "unknown").url
    let known = invocation[CloudConnect.keyFile] == nil ? try file.read(plain)?.anonKey : nil
    let project =
      try known.map { try CloudProject(url: plain, key: .some($0)) }
      ?? CloudProject(url: address, key: invocation.key())
    let connection = try CloudConnection(project, file, account: nil, root: "", invocation)
    let session = connection.session
    try waited { try await session.connect() }
    return connection
  }

  private func signIn(_ session: Session) throws {
    let known = try session.credentials()
    let email = invocation[CloudSharing.email]
    if known?.tokens != nil, email == nil || email == known?.email { return }
    if let email, try session.use(email: email) { return }
    let person =
      try email ?? known?.email
      ?? invocation.asked("e-mail address", instead: CloudSharing.email.usage) {
        $0.line("E-mail address:")
      }
    try CloudLogin.signIn(to: session, person, invocation)
  }

  private func chosen(_ households: [Entity], _ invited: String?) throws -> Entity {
    let wanted = invocation[CloudSharing.household].map(fold)
    let matching = households.filter { household in
      if let invited { return household.id == invited }
      guard let wanted else { return true }
      return fold(household.id).hasPrefix(wanted) || fold(household.title) == wanted
    }
    guard let household = matching.first, matching.count == 1 else {
      throw CloudUseError.whichHousehold(
        (matching.isEmpty ? households : matching).map { ($0.id, $0.title) })
    }
    return household
  }

  private func place(of household: Entity) -> String {
    let usual = household.slug.isEmpty ? "household" : household.slug
    let name = invocation.given(CloudSharing.folder) ?? usual
    return name.hasPrefix("/") || invocation.directory == "."
      ? name : "\(invocation.directory)/\(name)"
  }
}
