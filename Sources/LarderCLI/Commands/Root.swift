/// The tree of all commands.
enum Root {
  /// The version of this program, which is written nowhere else but in CHANGELOG.md.
  static let version = "0.2.0"

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
      ReferenceCommand.command,
      HelpCommand.make(topics: Topics.all),
      VersionCommand.command,
    ])
}

/// Runs `larder` with the words behind the process's name and gives its exit code.
public func runLarder(environment: Environment = .process) -> Int32 {
  Program.onProcess(
    Root.command, version: Root.version, environment: environment,
    describe: { Prose().commandError(for: $0) }, mends: AutoSync.asks(for:of:)
  ).run(Array(CommandLine.arguments.dropFirst()), damaged: damagedWord)
}

/// The number of the first word that is no UTF-8, from 1, which Swift mends by leaving something out.
private var damagedWord: Int? {
  (1..<max(Int(CommandLine.argc), 1)).first { index in
    CommandLine.unsafeArgv[index].map { String(validatingCString: $0) == nil } ?? false
  }
}
