import LarderKit

/// `larder cloud`: the household in a Supabase project.
enum CloudCommand {
  static let command = Command(
    "cloud", group: "Household",
    parts: [
      .init("connect") { CloudConnect.connect },
      .init("disconnect") { CloudConnect.disconnect },
      .init("login") { CloudLogin.login },
      .init("logout") { CloudLogin.logout },
      .init("status") { CloudStatusCommand.command },
      .init("push") { CloudExchange.push },
      .init("pull") { CloudExchange.pull },
      .init("retry") { CloudExchange.retry },
      .init("invite") { CloudSharing.invite },
      .init("join") { CloudSharing.join },
      .init("members") { CloudMembers.members },
      .init("remove") { CloudMembers.remove },
      .init("invites") { CloudMembers.invites },
      .init("revoke") { CloudMembers.revoke },
      .init("password") { CloudAccount.password },
      .init("reset") { CloudAccount.reset },
      .init("delete-account") { CloudAccount.delete },
      .init("auto") { AutoSync.command },
    ], defaultSubcommand: "status")
}

/// `larder cloud connect` and `disconnect`: the project of a household.
enum CloudConnect {
  static let url = Argument(
    "URL", .optional(standard: nil), help: "the project's address: https://abc.supabase.co")
  static let keyFile = Option(
    "anon-key-file", value: "FILE", values: .file,
    help: "a file with the project's anon key and nothing else (larder asks if left out)")
  static let example = Option(
    "example", help: "print an example with everything that connecting needs")

  static let connect = Command("cloud connect", arguments: [url], options: [keyFile, example]) {
    invocation in
    if invocation.has(example) { return showExample(invocation.output) }
    guard let address = invocation.given(url) else {
      throw invocation.usage(.missingArgument("URL"))
    }
    try await invocation.withLarder { larder in
      let cloud = try await larder.connect(to: address, key: Secret(try invocation.key()))
      invocation.output.confirm("connected to \(cloud.url)", ["project": .string(cloud.url)])
      if try cloud.isSignedIn, let email = try cloud.email {
        invocation.output.note("signed in as \(email)")
        invocation.output.hint("'larder cloud login EMAIL' lets somebody else use this clone")
      } else {
        invocation.output.hint("'larder cloud login EMAIL' signs you in")
      }
    }
  }

  static let disconnect = Command("cloud disconnect", options: [leave]) { invocation in
    try await invocation.withCloud { cloud in
      if invocation.has(leave), try await !leaves(cloud, invocation) {
        return invocation.output.note("nothing was changed")
      }
      try await cloud.disconnect()
      invocation.output.confirm("disconnected from \(cloud.url)", ["project": .string(cloud.url)])
      if try cloud.isSignedIn, let email = try cloud.email {
        invocation.output.note("\(email) stays signed in there, for other households")
      }
    }
  }

  /// Ends the membership, and returns whether it ended; asks first if the user is the last member.
  private static func leaves(_ cloud: Cloud, _ invocation: Invocation) async throws -> Bool {
    do {
      try await cloud.leave()
    } catch let error as CloudError where error.isAboutLastMember {
      let question =
        "You are its last member: \(cloud.url) then deletes all it has of the household; "
        + "the files stay here. Leave?"
      guard try invocation.agrees(question, "leaving as the last member") else { return false }
      try await cloud.leave(deletingRows: true)
    }
    return true
  }

  static let leave = Option("leave", help: "also end your membership in the household there")

  private static func showExample(_ output: Output) {
    output.write(
      """
      # What 'larder cloud connect' needs, from the project's API settings:
      #   the address          https://PROJECT.supabase.co
      #   the anon key         eyJhbGciOi...  or  sb_publishable_...   (never the service key)
      # The key in a file of its own, here called anon-key:
      larder cloud connect https://PROJECT.supabase.co --anon-key-file anon-key
      larder cloud login you@example.org
      # The tables, once, with the Supabase command line in a checkout of Larder:
      #   supabase link --project-ref PROJECT && supabase db push

      """)
  }
}

extension Invocation {
  /// Returns the project's key from the file, otherwise from the terminal.
  func key() throws -> String {
    if let path = self[CloudConnect.keyFile] {
      let text = String(decoding: try FileBytes.read(path), as: UTF8.self)
      guard let line = text.split(whereSeparator: \.isNewline).first else {
        throw InputError.emptyInput(what: "key")
      }
      return String(line)
    }
    return try asked("key", instead: CloudConnect.keyFile.usage) { $0.secret("Anon key:") }
  }

  /// Asks for a text at the terminal; throws if there is no terminal, and names `option` instead.
  func asked(_ what: String, instead option: String, _ ask: (Prompt) -> String?) throws -> String {
    guard prompt.isInteractive else { throw InputError.nobodyToAsk(what: what, option: option) }
    guard let typed = ask(prompt) else { throw InputError.nothingTyped(what: what) }
    guard !typed.isEmpty else { throw InputError.emptyInput(what: what) }
    return typed
  }

  /// Asks for confirmation of something that can't be undone.
  func agrees(_ question: String, _ deed: String) throws -> Bool {
    guard let answer = prompt.confirm(question) else {
      throw ErrorWords(.usage, "\(deed) needs a yes, and nobody can be asked", "--yes says yes")
    }
    return answer
  }
}

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
    try await invocation.withCloud { cloud in
      try await cloud.signIn(as: invocation[email], by: try proof(invocation))
      let exchange = try await exchange(cloud, invocation)
      invocation.output.confirm(
        "signed in as \(invocation[email])",
        ["project": .string(cloud.url), "email": .string(invocation[email])]
          + (exchange?.member ?? [:]))
    }
  }

  /// Syncs with the project after a sign-in; the sign-in is valid even if that fails.
  private static func exchange(_ cloud: Cloud, _ invocation: Invocation) async throws
    -> CloudOutcome?
  {
    guard let exchange = try await cloud.visit() else { return nil }
    exchange.note(invocation.output)
    if let refusal = exchange.refusal {
      invocation.output.warn("nothing was exchanged with this sign-in: \(refusal.message)")
      refusal.hints.forEach(invocation.output.hint)
    }
    return exchange
  }

  static let logout = Command("cloud logout") { invocation in
    try await invocation.withCloud { cloud in
      if try await !cloud.signOut() {
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
    try await invocation.withCloud { cloud in
      try await cloud.change(password: try CloudLogin.password(invocation, "New password:"))
      invocation.output.confirm("the password is changed")
    }
  }

  static let reset = Command("cloud reset", arguments: [CloudLogin.email]) { invocation in
    try await invocation.withCloud { cloud in
      let email = invocation[CloudLogin.email]
      try await cloud.resetPassword(email: email)
      invocation.output.confirm(
        "if the project has a user \(email), a mail is on its way", ["email": .string(email)])
      invocation.output.hint(
        "'larder cloud login \(shellWord(email)) --code CODE' signs in with the code in it; then 'larder cloud password'"
      )
    }
  }

  static let delete = Command("cloud delete-account") { invocation in
    try await invocation.withCloud { cloud in
      let url = cloud.url
      let name = try cloud.email ?? "you"
      guard
        try invocation.agrees(
          "Delete the account of \(name) in \(url), and the households there that nobody else has?",
          "deleting an account")
      else { return invocation.output.note("nothing was changed") }
      try await cloud.deleteAccount()
      invocation.output.confirm(
        "the account of \(name) is deleted; the files stay", ["project": .string(url)])
    }
  }
}
