/// The tree of all commands.
enum Root {
  /// The version of this program; it is also in CHANGELOG.md and nowhere else.
  static let version = "0.2.0"
  /// The release day of this version, the same as in CHANGELOG.md.
  static let day = "2026-11-22"

  static let command = Command(
    "larder", summary: "Keep a household's stock, shopping list and receipts as files in git",
    examples: [Example("larder help", "all commands")],
    subcommands: ShortWords.commands(of: [StockCommand.command, ShopCommand.command]) + [
      Stocktake.command.withDryRun,
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
      SpendingCommand.command,
      PricesCommand.command,
      WasteCommand.command,
      ReportCommand.command,
      ExportCommand.command,
      ImportCommand.command,
      DoctorCommand.command,
      ConfigCommand.command,
      LogCommand.command,
      DiffCommand.command,
      UndoCommand.undo.withDryRun,
      UndoCommand.redo.withDryRun,
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
      CompleteCommand.complete,
      CompleteCommand.completion,
      ManualCommand.make(version: version, day: day),
      ReferenceCommand.command,
      HelpCommand.make(topics: Topics.all),
      VersionCommand.command,
    ], run: Overview.show)
}

/// Runs `larder` with the process's arguments and returns its exit code.
public func runLarder(environment: Environment = .process) -> Int32 {
  Program.onProcess(
    Root.command, version: Root.version, environment: environment,
    describe: { MessageWords(about: try? $1.open()).commandError(for: $0) },
    tried: TriedWords(environment: environment).meaning,
    expand: { Aliases.expanded($0, Root.command, environment) },
    pager: { line in
      Pager.command(environment) { environment.gitSetting("core.pager", for: line) }
    }, mends: AutoSync.asks(for:of:)
  ).run(Array(CommandLine.arguments.dropFirst()), damaged: damagedWord)
}

/// The position, from 1, of the first argument that is not UTF-8.
///
/// Swift would silently repair such an argument.
private var damagedWord: Int? {
  (1..<max(Int(CommandLine.argc), 1)).first { index in
    CommandLine.unsafeArgv[index].map { String(validatingCString: $0) == nil } ?? false
  }
}
