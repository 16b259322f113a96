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
    "cloud login", arguments: [email], options: [passwordStdin, signUp, code]
  ) { invocation in
    try invocation.withCloud { cloud in
      try cloud.signIn(as: invocation[email], by: try proof(invocation))
      let exchange = try exchange(cloud, invocation)
      invocation.output.confirm(
        "signed in as \(invocation[email])",
        ["project": .string(cloud.url), "email": .string(invocation[email])]
          + (exchange?.member ?? [:]))
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

  static let logout = Command("cloud logout") { invocation in
    try invocation.withCloud { cloud in
      if try !cloud.signOut() {
        invocation.output.warn(
          "the project could not be reached; the session there ends by itself, and nobody here can use it"
        )
      }
      invocation.output.confirm("signed out", ["project": .string(cloud.url)])
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

/// `larder cloud password` and `delete-account`: the user's own account in the project.
enum CloudAccount {
  static let password = Command("cloud password", options: [CloudLogin.passwordStdin]) {
    invocation in
    try invocation.withCloud { cloud in
      try cloud.change(password: try CloudLogin.password(invocation, "New password:"))
      invocation.output.confirm("the password is changed")
    }
  }

  static let reset = Command("cloud reset", arguments: [CloudLogin.email]) { invocation in
    try invocation.withCloud { cloud in
      let email = invocation[CloudLogin.email]
      try cloud.resetPassword(email: email)
      invocation.output.confirm(
        "if the project has a user \(email), a mail is on its way", ["email": .string(email)])
      invocation.output.hint(
        "'larder cloud login \(shellWord(email)) --code CODE' signs in with the code in it; then 'larder cloud password'"
      )
    }
  }

  static let delete = Command("cloud delete-account") { invocation in
    try invocation.withCloud { cloud in
      let url = cloud.url
      let name = try cloud.email ?? "you"
      guard
        try invocation.agrees(
          "Delete the account of \(name) in \(url), and the households there that nobody else has?",
          "deleting an account")
      else { return invocation.output.note("nothing was changed") }
      try cloud.deleteAccount()
      invocation.output.confirm(
        "the account of \(name) is deleted; the files stay", ["project": .string(url)])
    }
  }
}

extension Invocation {
  /// Asks for confirmation of something that can't be undone.
  func agrees(_ question: String, _ deed: String) throws -> Bool {
    guard let answer = prompt.confirm(question) else {
      throw CommandError(.usage, "\(deed) needs a yes, and nobody can be asked", "--yes says yes")
    }
    return answer
  }
}
