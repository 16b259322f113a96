import LarderCloud
import LarderJSON
import LarderStore

/// `larder cloud login` and `logout`: who this device's user is in the project.
enum CloudLogin {
  static let email = Argument("EMAIL", help: "the e-mail address of the user")
  static let passwordStdin = Option(
    "password-stdin", help: "read the password from standard input, one line")
  static let signUp = Option("sign-up", help: "make the user first, where the project lets people")

  static let code = Option(
    "code", value: "CODE", help: "the code of a mail from the project, in the password's place")

  static let login = Command(
    "login", summary: "Sign in to the project",
    discussion: """
      The password is asked for at the terminal, or read from standard input; it is never an \
      argument, and not kept. What is kept, in your credentials file that only you can read, are \
      tokens that end when you log out. Other clones on this device keep the user that they have. \
      Then both sides are brought together, as by 'larder sync'.
      """,
    examples: [
      Example("larder cloud login anna@example.org"),
      Example("larder cloud login anna@example.org --password-stdin", "behind a password manager"),
      Example("larder cloud login anna@example.org --code 123456", "after 'larder cloud reset'"),
    ],
    arguments: [email], options: [passwordStdin, signUp, code]
  ) { invocation in
    try invocation.withStore { store in
      let connection = try CloudConnection.needed(of: store, invocation)
      try signIn(to: connection.session, invocation[email], invocation)
      try connection.remember(in: store, invocation)
      let members = [
        JSONMember("project", .string(connection.session.project.url)),
        JSONMember("email", .string(invocation[email])),
      ]
      let exchange = try exchange(store, invocation)
      invocation.output.confirm(
        "signed in as \(invocation[email])", members + [exchange?.member].compactMap(\.self))
    }
  }

  /// Whoever has signed in wants what is there, and others what is here; that they are signed in does
  /// not depend on it.
  private static func exchange(_ store: Store, _ invocation: Invocation) throws
    -> CloudExchangeOutcome?
  {
    guard let exchange = try CloudRoad(of: store, invocation)?.exchange() else { return nil }
    exchange.note(invocation.output)
    if let failure = exchange.failure {
      invocation.output.warn("nothing was exchanged yet: \(failure.message)")
      failure.hints.forEach(invocation.output.hint)
    }
    return exchange
  }

  static let logout = Command(
    "logout", summary: "Sign out of the project",
    discussion: "Ends the session and removes its tokens from this device. The files stay.",
    examples: [Example("larder cloud logout")]
  ) { invocation in
    try invocation.withStore { store in
      let connection = try CloudConnection.needed(of: store, invocation)
      let session = connection.session
      let wasTold = try waited { try await session.signOut() }
      if !wasTold {
        invocation.output.warn(
          "the project could not be told; the session there ends by itself, nobody here has it")
      }
      invocation.output.confirm(
        "signed out", [JSONMember("project", .string(session.project.url))])
    }
  }

  /// Signs in with a password from the terminal or from standard input.
  static func signIn(to session: Session, _ email: String, _ invocation: Invocation) throws {
    if let code = invocation[code] {
      return try waited { try await session.signIn(email: email, code: Secret(code)) }
    }
    let password = try password(invocation, "Password:")
    let isNew = invocation.has(signUp)
    let isConfirmed = try waited {
      if isNew { return try await session.signUp(email: email, password: password) }
      try await session.signIn(email: email, password: password)
      return true
    }
    guard isConfirmed else { throw CloudUseError.signUpUnconfirmed(email: email) }
  }

  /// A password from standard input, where that was asked for, else from the terminal.
  static func password(_ invocation: Invocation, _ question: String) throws -> Secret {
    if invocation.has(passwordStdin) {
      guard let line = invocation.prompt.input.readLine(), !line.isEmpty else {
        throw CloudUseError.emptyInput(what: "password")
      }
      return Secret(line)
    }
    return Secret(
      try invocation.asked("password", instead: passwordStdin.spelling) { $0.secret(question) })
  }
}
