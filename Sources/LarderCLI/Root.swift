internal import Ccommit
import LarderKit
import Libc

/// The tree of all commands.
enum Root {
  /// The version of this program; it is also in CHANGELOG.md and nowhere else.
  static let version = "0.3.0"
  /// The release day of this version, the same as in CHANGELOG.md.
  static let day = "2026-11-28"

  static let command = Command(
    "larder",
    parts: ShortWords.parts + [
      .init("stocktake") { Stocktake.command.withDryRun },
      .init("init") { InitCommand.command },
      .init("join") { JoinCommand.command },
      .init("status") { StatusCommand.command },
      .init("sync") { SyncCommand.command },
      .init("watch") { WatchCommand.command },
      .init("serve") { ServeCommand.command },
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
    describe: { await MessageWords.errorWords(for: $0, of: $1) },
    tried: TriedWords(environment: environment).meaning,
    expand: { Aliases.expanded($0, Root.command, environment) },
    pager: { line in
      Pager.command(environment) { environment.gitSetting("core.pager", for: line) }
    }, mends: AutoSync.asks(for:of:)
  ).run(ProcessArguments.all.map(\.text), damaged: ProcessArguments.damaged)
}

/// The arguments of this process.
private enum ProcessArguments {
  /// Each argument without the program's name, with damaged bytes replaced.
  static let all: [(text: String, isUTF8: Bool)] = {
    var count: Int32 = 0
    guard let words = larder_arguments(&count) else {
      return CommandLine.arguments.dropFirst().enumerated().map { index, text in
        let word = CommandLine.unsafeArgv[index + 1]
        return (text, word.map { String(validatingCString: $0) != nil } ?? true)
      }
    }
    return (1..<max(Int(count), 1)).compactMap { index in
      words[index].map { (String(cString: $0), String(validatingCString: $0) != nil) }
    }
  }()

  /// The position, from 1, of the first argument that is not UTF-8.
  static var damaged: Int? { all.firstIndex { !$0.isUTF8 }.map { $0 + 1 } }
}

/// The one-word forms of everyday commands.
enum ShortWords {
  /// The words in the order of the help; each is a verb of the stock or of the shopping list.
  private static let words = [
    "use", "put", "count", "buy", "got", "due", "low", "show", "move", "open", "discard",
  ]

  /// The short commands.
  static var parts: [Command.Part] {
    words.map { word in
      Command.Part(word) {
        let noun = ["buy", "got"].contains(word) ? ShopCommand.command : StockCommand.command
        let long = noun.subcommand(word) ?? noun
        return long.shortened(to: word, from: "larder \(noun.name) \(word)")
      }
    }
  }
}

extension Command {
  /// Returns the command as one word, with examples that begin with this word.
  fileprivate func shortened(to word: String, from title: String) -> Command {
    let about = "The same as '\(title)'."
    var short = explained { help in
      help.discussion = help.discussion.isEmpty ? about : "\(about)\n\n\(help.discussion)"
      help.examples = help.examples.filter { $0.command.hasPrefix(title) }.map { example in
        Example("larder \(word)" + example.command.dropFirst(title.count), example.explanation)
      }
    }
    short.name = word
    short.formerName = nil
    short.group = "Every day"
    return short
  }
}

/// The user's own words for commands, as in git.
enum Aliases {
  /// Returns a line with its alias replaced by the alias's words; a command is never replaced.
  static func expanded(_ words: [String], _ root: Command, _ environment: Environment) -> [String] {
    guard let first = words.first, !first.hasPrefix("-"), root.subcommand(first) == nil else {
      return words
    }
    // A file that can't be read has no aliases; 'larder config' reports the error.
    guard let text = try? UserSettings(environment: environment.forHouseholds)?.alias(first),
      let meant = split(text)
    else { return words }
    return meant + words.dropFirst()
  }

  /// Splits a text at its spaces, except in quotes; nil if a quote is not closed.
  static func split(_ text: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in text {
      switch character {
      case quote: quote = nil
      case "'", "\"":
        if quote == nil { quote = character } else { word = (word ?? "") + String(character) }
        word = word ?? ""
      case _ where character.isWhitespace && quote == nil:
        words += word.map { [$0] } ?? []
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    return quote == nil ? words + (word.map { [$0] } ?? []) : nil
  }
}

/// `larder version`: the versions of this program, of its format and of git.
enum VersionCommand {
  static let command = Command("version", group: "Help", records: [Column.named.form()]) {
    invocation in
    let git = GitVersion.program()
    let commit = SourceCommit.ofThisProgram
    let output = invocation.output
    switch output.mode {
    case .json:
      output.json([
        "larder": .string(Root.version), "commit": (commit?.id).json,
        "commitDay": (commit?.day).json, "format": .number(Schema.format),
        "libgit2": .string(GitVersion.library), "git": git.json,
      ])
    case .plain:
      output.records([
        ("larder", Root.version), ("commit", commit?.id ?? "unknown"),
        ("commitDay", commit?.day ?? "unknown"), ("format", Schema.format),
        ("libgit2", GitVersion.library), ("git", git ?? "none"),
      ])
    case .human:
      for (name, value) in [
        ("larder", Root.version), ("commit", commit.map { "\($0.id) of \($0.day)" } ?? "unknown"),
        ("format", Schema.format), ("libgit2", GitVersion.library), ("git", git ?? "none"),
      ] { output.line("\(name) \(value)") }
    }
  }
}

/// A commit of the source, as `scripts/commit-object` writes it.
struct SourceCommit: Equatable {
  let id: String
  let day: String

  /// The one that this program is built from; nil if nobody knows.
  static var ofThisProgram: SourceCommit? { SourceCommit(String(cString: larder_commit())) }

  /// Reads the id and the day with a space between; nil for anything else.
  init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 2 else { return nil }
    (id, day) = (String(words[0]), String(words[1]))
  }
}
