import LarderKit

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
      throw UsageError([.missingArgument("URL")], in: invocation.path)
    }
    try invocation.withLarder { larder in
      let cloud = try larder.connect(to: address, key: Secret(try invocation.key()))
      invocation.output.confirm(
        "connected to \(cloud.url)", ["project": .string(cloud.url)])
      if try cloud.isSignedIn, let email = try cloud.email {
        invocation.output.note("signed in as \(email)")
        invocation.output.hint("'larder cloud login EMAIL' lets somebody else use this clone")
      } else {
        invocation.output.hint("'larder cloud login EMAIL' signs you in")
      }
    }
  }

  static let disconnect = Command("cloud disconnect", options: [leave]) { invocation in
    try invocation.withCloud { cloud in
      if invocation.has(leave), try !leaves(cloud, invocation) {
        return invocation.output.note("nothing was changed")
      }
      try cloud.disconnect()
      invocation.output.confirm(
        "disconnected from \(cloud.url)", ["project": .string(cloud.url)])
      if try cloud.isSignedIn, let email = try cloud.email {
        invocation.output.note("\(email) stays signed in there, for other households")
      }
    }
  }

  /// Ends the membership, and returns whether it ended; asks first if the user is the last member.
  private static func leaves(_ cloud: Cloud, _ invocation: Invocation) throws -> Bool {
    do {
      try cloud.leave()
    } catch let error as CloudError where error.isAboutLastMember {
      let question =
        "You are its last member: \(cloud.url) then deletes all it has of the household; "
        + "the files stay here. Leave?"
      guard try invocation.agrees(question, "leaving as the last member") else { return false }
      try cloud.leave(deletingRows: true)
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
    guard prompt.isInteractive else {
      throw InputError.nobodyToAsk(what: what, option: option)
    }
    guard let typed = ask(prompt) else { throw InputError.nothingTyped(what: what) }
    guard !typed.isEmpty else { throw InputError.emptyInput(what: what) }
    return typed
  }

}
