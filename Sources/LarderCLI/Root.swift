import Libc

/// The tree of all commands.
enum Root {
  /// The version of this program; it is also in CHANGELOG.md and nowhere else.
  static let version = "0.2.0"
  /// The release day of this version, the same as in CHANGELOG.md.
  static let day = "2026-11-22"

  static let command = Command(
    "larder",
    parts: ShortWords.parts + [
      .init("stocktake") { Stocktake.command.withDryRun },
      .init("init") { InitCommand.command },
      .init("join") { JoinCommand.command },
      .init("status") { StatusCommand.command },
      .init("sync") { SyncCommand.command },
      .init("watch") { WatchCommand.command },
      .init("cloud") { CloudCommand.command },
      .init("stock") { StockCommand.command },
      .init("shop") { ShopCommand.command },
      .init("receipt") { ReceiptCommand.command },
      .init("location") { LocationCommand.command },
      .init("product") { ProductCommand.command },
      .init("spending") { SpendingCommand.command },
      .init("prices") { PricesCommand.command },
      .init("waste") { WasteCommand.command },
      .init("report") { ReportCommand.command },
      .init("export") { ExportCommand.command },
      .init("import") { ImportCommand.command },
      .init("doctor") { DoctorCommand.command },
      .init("config") { ConfigCommand.command },
      .init("log") { LogCommand.command },
      .init("diff") { DiffCommand.command },
      .init("undo") { UndoCommand.undo.withDryRun },
      .init("redo") { UndoCommand.redo.withDryRun },
      .init("conflicts") { ConflictsCommand.command },
      .init("check") { CheckCommand.command },
      .init("fmt") { FmtCommand.command },
      .init("adopt") { AdoptCommand.command },
      .init("git") { GitCommand.command },
      .init("schema") { SchemaCommand.command },
      .init("merge-driver") { MergeDriverCommand.command },
      .init("textconv") { TextconvCommand.command },
      .init("tidy") { TidyCommand.command },
      .init("pre-commit") { PreCommitCommand.command },
      .init("complete") { CompleteCommand.complete },
      .init("completion") { CompleteCommand.completion },
      .init("manual") { ManualCommand.make(version: version, day: day) },
      .init("reference") { ReferenceCommand.command },
      .init("help") { HelpCommand.make(topics: Topics.all) },
      .init("version") { VersionCommand.command },
    ], run: Overview.show)
}

/// Runs `larder` with the process's arguments and returns its exit code.
public func runLarder(environment: Environment = .process) -> Int32 {
  Program(
    root: Root.command, version: Root.version, environment: environment,
    terminal: .detect(environment), standardInput: .standardInput,
    standardOutput: ByteSink(descriptor: STDOUT_FILENO),
    standardError: ByteSink(descriptor: STDERR_FILENO),
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
