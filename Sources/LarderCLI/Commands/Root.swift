/// The tree of all commands.
enum Root {
  /// What `larder version` prints.
  static let version = "0.1.0"

  static let command = Command(
    "larder", summary: "Keep a household's stock, shopping list and receipts as files in git",
    examples: [Example("larder help", "what there is")],
    subcommands: [
      InitCommand.command,
      JoinCommand.command,
      StatusCommand.command,
      SyncCommand.command,
      WatchCommand.command,
      CloudCommand.command,
      StockCommand.command,
      ShopCommand.command,
      ReceiptCommand.command,
      LocationCommand.command,
      ProductCommand.command,
      DoctorCommand.command,
      ConfigCommand.command,
      LogCommand.command,
      DiffCommand.command,
      UndoCommand.undo,
      UndoCommand.redo,
      ConflictsCommand.command,
      CheckCommand.command,
      FmtCommand.command,
      AdoptCommand.command,
      GitCommand.command,
      SchemaCommand.command,
      MergeDriverCommand.command,
      TextconvCommand.command,
      TidyCommand.command,
      PreCommitCommand.command,
      HelpCommand.make(topics: Topics.all),
      VersionCommand.command,
    ])
}

/// Runs `larder` with the words behind its name and gives the process's exit code.
public func runLarder(arguments: [String], environment: Environment = .process) -> Int32 {
  Program.onProcess(
    Root.command, version: Root.version, environment: environment,
    describe: { Prose().commandError(for: $0) }, mends: AutoSync.asks(for:of:)
  ).run(arguments)
}
