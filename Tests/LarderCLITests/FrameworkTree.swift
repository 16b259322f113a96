import LarderKit
import Synchronization

@testable import LarderCLI

extension Command {
  /// Creates a command whose help is here, from its subcommands, which are made already.
  init(
    _ name: String, formerly formerName: String? = nil, summary: String, discussion: String = "",
    group: String = "Commands", examples: [Example] = [], arguments: [Argument] = [],
    options: [Option] = [], records: [RecordForm] = [], isPaged: Bool = false,
    subcommands: [Command] = [], parts: [Part]? = nil, defaultSubcommand: String? = nil,
    isHidden: Bool = false, run: Run? = nil
  ) {
    self.init(
      name, formerly: formerName,
      help: CommandHelp(summary: summary, discussion: discussion, examples: examples),
      group: group, arguments: arguments, options: options, records: records, isPaged: isPaged,
      parts: parts ?? subcommands.map { made in Part(made.name) { made } },
      defaultSubcommand: defaultSubcommand, isHidden: isHidden, run: run)
  }
}

/// A small tree in which every kind of argument and option occurs, and a program around it.
enum Sample {
  static let item = Argument("ITEM", help: "what is used")
  static let amount = Argument("N", .optional(standard: "1"), help: "how much")
  static let unit = Option("unit", short: "u", value: "U", help: "the unit of N")
  static let batch = Option("batch", short: "b", value: "B", help: "from this batch only")
  static let partial = Option("partial", short: "p", help: "take what there is")
  static let set = Option(
    "set", short: "s", value: "KEY=VALUE", isRepeatable: true, help: "a field and its value")
  static let name = Option("name", value: "NAME", help: "another name")
  static let filters = Argument("FILTER", .zeroOrMore, values: .filters, help: "what to show")
  static let limit = Option("limit", short: "n", value: "N", help: "show at most N")
  static let all = Option("all", short: "a", help: "show archived ones too")
  static let sort = Option(
    "sort", value: "KEY", values: .oneOf(["name", "expiry", "quantity"]), help: "the order")
  static let items = Argument("ITEM", .oneOrMore, help: "what is changed")
  static let shell = Argument("SHELL", values: .oneOf(["bash", "zsh", "fish"]), help: "the shell")
  static let rest = Argument("ARGS", .rest, help: "what git is given")
  static let places = [
    Argument("BATCH", help: "the batch"), Argument("LOCATION", help: "where to"),
    Argument("N", .optional(standard: nil), help: "how much of it"),
  ]
  static let copied = [
    Argument("FROM", .oneOrMore, help: "the files"), Argument("TO", help: "the folder"),
  ]

  static let consume = Command(
    "consume", summary: "Use some of an item",
    discussion: """
      Takes from the batch that expires first, then from what is loose, and says what came from \
      where and what is left.

        oldest batch, next batch, loose
      """,
    examples: [
      Example("larder stock consume milk", "one of it"),
      Example("larder stock consume 'oat milk' 0.5 --unit l"),
    ],
    arguments: [item, amount], options: [unit, batch, partial]
  ) { invocation in
    let unit = invocation[Sample.unit].map { " \($0)" } ?? ""
    invocation.output.line("used \(invocation[amount])\(unit) of \(invocation[item])")
  }

  static let stock = Command(
    "stock", summary: "What is in the house", group: "Household",
    examples: [Example("larder stock", "list all")],
    subcommands: [
      Command(
        "list", summary: "List the stock", examples: [Example("larder stock list is:low")],
        arguments: [filters], options: [limit, all, sort], run: { $0.output.line("listed") }),
      consume,
      Command(
        "edit", summary: "Change fields", examples: [Example("larder stock edit milk --name M")],
        arguments: [items], options: [set, name], run: { _ in }),
      Command(
        "move", summary: "Move a batch", group: "Places",
        examples: [Example("larder stock move b1 fridge")], arguments: places, run: { _ in }),
    ], defaultSubcommand: "list")

  static let root = Command(
    "larder", summary: "Keep a household's stock as files",
    examples: [Example("larder stock")],
    subcommands: [
      stock,
      Command(
        "cloud", summary: "Sync with the cloud", group: "Household",
        examples: [Example("larder cloud push")],
        subcommands: [
          Command(
            "push", summary: "Send what is new", examples: [Example("larder cloud push")],
            run: { _ in throw ErrorWords(.unreachable, "can't reach the cloud") }),
          Command(
            "pull", summary: "Fetch what is new", examples: [Example("larder cloud pull")],
            run: { _ in throw Unforeseen() }),
        ]),
      Command(
        "git", summary: "Run git", group: "Tools", examples: [Example("larder git -- log -3")],
        arguments: [rest], run: { _ in }),
      Command(
        "copy", summary: "Copy files", group: "Tools", examples: [Example("larder copy a b")],
        arguments: copied, run: { _ in }),
      Command(
        "completion", summary: "Print a completion script", group: "Tools",
        examples: [Example("larder completion zsh")], arguments: [shell], run: { _ in }),
      Command(
        "textconv", summary: "What git calls", group: "Tools", arguments: [item], isHidden: true,
        run: { _ in }),
      HelpCommand.make(topics: [
        HelpTopic(
          "exit-codes",
          help: CommandHelp(summary: "What exit codes mean", discussion: "0 is success."))
      ]),
    ])
}

/// An error that no description was written for.
struct Unforeseen: Error {}

/// What a sink was given.
final class Recorder: Sendable {
  private let bytes = Mutex<[UInt8]>([])

  var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }

  var sink: ByteSink {
    ByteSink(attempt: { buffer in
      self.bytes.withLock { $0 += buffer }
      return buffer.count
    })
  }
}

extension Terminal {
  /// No stream is a terminal.
  static let none = Terminal(
    inputIsTerminal: false, outputIsTerminal: false, errorIsTerminal: false, width: 80,
    allowsColor: true)

  /// Every stream is a terminal of a width.
  static func full(width: Int = 80, allowsColor: Bool = false) -> Terminal {
    Terminal(
      inputIsTerminal: true, outputIsTerminal: true, errorIsTerminal: true, width: width,
      allowsColor: allowsColor)
  }
}

/// What a run printed and how it ended.
struct Outcome: Equatable {
  var code: Int32
  var output: String
  var errors: String
}

extension Sample {
  /// Runs a line of the sample tree, or of another, with answers for its questions.
  static func run(
    _ line: String, _ root: Command = Sample.root, terminal: Terminal = .none,
    answers: [String] = [], output: ByteSink? = nil
  ) -> Outcome {
    let written = Recorder()
    let errors = Recorder()
    let input = Answers(answers)
    let program = Program(
      root: root, version: "1.2.3", environment: Environment([:]), terminal: terminal,
      standardInput: LineSource(readLine: { input.next() }, readHiddenLine: { input.next() }),
      standardOutput: output ?? written.sink, standardError: errors.sink,
      describe: { error, _ in ErrorWords(.failed, "unforeseen: \(error)") })
    let code = program.run(shellWords(line))
    return Outcome(code: code, output: written.text, errors: errors.text)
  }
}

/// Lines that a person types, one after the other.
final class Answers: Sendable {
  private let lines: Mutex<[String]>

  init(_ lines: [String]) { self.lines = Mutex(lines) }

  func next() -> String? {
    lines.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }
}
