/// The tree of all commands.
enum Root {
  /// What `larder version` prints.
  static let version = "0.1.0"

  static let command = Command(
    "larder", summary: "Keep a household's stock, shopping list and receipts as files in git",
    examples: [Example("larder help", "what there is")],
    subcommands: [
      StockCommand.command,
      ShopCommand.command,
      ReceiptCommand.command,
      HelpCommand.make(topics: []),
      Command(
        "version", summary: "Show the version", group: "Help",
        examples: [Example("larder version --json")]
      ) { invocation in
        invocation.output.version(version, of: "larder")
      },
    ])
}

/// Runs `larder` with the words behind its name and gives the process's exit code.
public func runLarder(arguments: [String], environment: Environment = .process) -> Int32 {
  Program.onProcess(
    Root.command, version: Root.version, environment: environment,
    describe: { Prose().commandError(for: $0) }
  ).run(arguments)
}
