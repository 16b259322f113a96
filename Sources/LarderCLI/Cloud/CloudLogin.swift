import LarderJSON
import LarderKit

/// `larder cloud login` and `logout`: this device's user in the project.
enum CloudLogin {
  static let email = Argument("EMAIL", help: "the e-mail address of the user")
  static let passwordStdin = Option(
    "password-stdin", help: "read the password from standard input, one line")
  static let signUp = Option("sign-up", help: "create the user first, if the project allows it")

  static let code = Option(
    "code", value: "CODE", help: "the code from a mail of the project, instead of the password")

  static let login = Command(
    "login", summary: "Sign in to the project",
    discussion: """
      Larder asks for the password at the terminal, or reads it from standard input; it is never \
      an argument, and it is not stored. Your credentials file, which only you can read, stores \
      tokens that end when you log out. Other clones on this device keep their user. Then both \
      sides are synced, as by 'larder sync'.
      """,
    examples: [
      Example("larder cloud login anna@example.org"),
      Example("larder cloud login anna@example.org --password-stdin", "from a password manager"),
      Example("larder cloud login anna@example.org --code 123456", "after 'larder cloud reset'"),
    ],
    arguments: [email], options: [passwordStdin, signUp, code]
  ) { invocation in
    try invocation.withCloud { cloud in
      try cloud.signIn(as: invocation[email], by: try proof(invocation))
      let members = [
        JSONMember("project", .string(cloud.url)), JSONMember("email", .string(invocation[email])),
      ]
      let exchange = try exchange(cloud, invocation)
      invocation.output.confirm(
        "signed in as \(invocation[email])", members + [exchange?.member].compactMap(\.self))
    }
  }

  /// Syncs with the project after a sign-in; the sign-in is valid even if that fails.
  private static func exchange(_ cloud: Cloud, _ invocation: Invocation) throws -> CloudOutcome? {
    guard let exchange = try cloud.visit() else { return nil }
    exchange.note(invocation.output)
    if let refusal = exchange.refusal {
      invocation.output.warn("nothing was exchanged yet: \(refusal.message)")
      refusal.hints.forEach(invocation.output.hint)
    }
    return exchange
  }

  static let logout = Command(
    "logout", summary: "Sign out of the project",
    discussion: "Ends the session and removes its tokens from this device. The files stay.",
    examples: [Example("larder cloud logout")]
  ) { invocation in
    try invocation.withCloud { cloud in
      if try !cloud.signOut() {
        invocation.output.warn(
          "the project could not be reached; the session there ends by itself, and nobody here can use it"
        )
      }
      invocation.output.confirm("signed out", [JSONMember("project", .string(cloud.url))])
    }
  }

  /// Returns the code of a mail, otherwise a password from the terminal or standard input.
  static func proof(_ invocation: Invocation) throws -> SignInProof {
    if let code = invocation[code] { return .code(Secret(code)) }
    let password = try password(invocation, "Password:")
    return invocation.has(signUp) ? .newAccount(password: password) : .password(password)
  }

  /// Returns a password from standard input if the option asks for it, otherwise from the terminal.
  static func password(_ invocation: Invocation, _ question: String) throws -> Secret {
    if invocation.has(passwordStdin) {
      guard let line = invocation.prompt.input.readLine(), !line.isEmpty else {
        throw InputError.emptyInput(what: "password")
      }
      return Secret(line)
    }
    return Secret(
      try invocation.asked("password", instead: passwordStdin.spelling) { $0.secret(question) })
  }
}
