import LarderKit
import LarderModel

/// The help of one command, made from its declaration.
struct HelpText: Sendable {
  let node: Command.Node
  /// The largest number of columns.
  let width: Int

  private var command: Command { node.command }

  /// The whole help with a final newline.
  var text: String {
    var sections: [[String]] = [usage, wrap(command.summary, width: width)]
    if !command.discussion.isEmpty { sections.append(wrap(command.discussion, width: width)) }
    sections += command.groups.map { group in
      section(group.title, group.commands.map { ($0.name, summary(of: $0)) })
    }
    sections.append(
      section("Arguments", command.arguments.map { ($0.usage, $0.fullHelp) }))
    sections.append(section("Options", command.options.map(entry)))
    sections.append(records)
    sections.append(section("Everywhere", GlobalOption.all.map(entry)))
    sections.append(examples)
    if node.path.count == 1, let topics = command.subcommand("help")?.discussion {
      sections.append(wrap(topics, width: width).filter { !$0.isEmpty })
    }
    if !command.visibleSubcommands.isEmpty {
      let more = "See '\(node.title) COMMAND --help' for more about one of them."
      sections.append(wrap(more, width: width))
    }
    return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
      .joined(separator: "\n\n") + "\n"
  }

  private var usage: [String] {
    let lines = wrap(node.usage, width: width, indent: 7)
    return lines.enumerated().map { index, line in
      index == 0 ? "Usage: " + line.dropFirst(7) : "  " + line
    }
  }

  private func summary(of subcommand: Command) -> String {
    let isDefault = subcommand.name == command.defaultSubcommand
    return subcommand.summary + (isDefault ? " (if no command is named)" : "")
  }

  private func entry(_ option: Option) -> (term: String, text: String) {
    let short = option.short.map { "-\($0), " } ?? "    "
    return (short + option.usage, option.fullHelp)
  }

  private func section(_ title: String, _ entries: [(term: String, text: String)]) -> [String] {
    entries.isEmpty ? [] : ["\(title):"] + definitionList(entries, width: width)
  }

  private var records: [String] {
    guard !command.records.isEmpty else { return [] }
    return ["\(RecordForm.heading):"]
      + command.records.flatMap { wrap($0.text, width: width, indent: 2) }
  }

  private var examples: [String] {
    guard !command.examples.isEmpty else { return [] }
    return ["Examples:"]
      + command.examples.flatMap { example in
        ["  " + example.command] + wrap(example.explanation, width: width, indent: 6)
      }
  }
}

extension Command.Node {
  /// The usage line of the command.
  var usage: String {
    var parts = [title]
    if command.hasSubcommands {
      parts.append(command.defaultSubcommand == nil ? "COMMAND" : "[COMMAND]")
    }
    parts += command.arguments.map(\.usage)
    if command.arguments.last?.arity == .rest { return parts.joined(separator: " ") }
    return (parts + ["[OPTIONS]"]).joined(separator: " ")
  }
}

extension Output {
  /// Prints the help of one command, in the requested form.
  func help(_ node: Command.Node) {
    guard mode == .json else { return write(HelpText(node: node, width: helpWidth).text) }
    let texts = { (list: [String]) in JSON.array(list.map { .string($0) }) }
    let entries = { (list: [(String, String)]) in
      JSON.array(
        list.map {
          ["usage": .string($0.0), "help": .string($0.1)]
        })
    }
    json([
      "command": .string(node.title), "usage": .string(node.usage),
      "summary": .string(node.command.summary), "discussion": .string(node.command.discussion),
      "arguments": entries(node.command.arguments.map { ($0.usage, $0.fullHelp) }),
      "options": entries(node.command.options.map { ($0.usage, $0.help) }),
      "records": .array(
        node.command.records.map { form in
          ["scope": .string(form.scope), "columns": texts(form.columns)]
        }), "commands": texts(node.command.visibleSubcommands.map(\.name)),
    ])
  }
}

/// The command that shows help for a command or a topic.
enum HelpCommand {
  static let subject = Argument(
    "COMMAND", .zeroOrMore, help: "a command with its verb, or a topic; nothing for the overview")

  /// Returns the command, which also knows the topics.
  static func make(topics: [HelpTopic]) -> Command {
    var subject = subject
    subject.values = .commands(topics)
    return Command("help", group: "Help", arguments: [subject], isPaged: true) { invocation in
      try show(invocation, topics: topics)
    }
    .explained { $0.discussion = topics.isEmpty ? "" : contents(topics) }
  }

  private static func contents(_ topics: [HelpTopic]) -> String {
    let list = definitionList(topics.map { ($0.name, $0.summary) }, width: 80)
    return (["Topics:", ""] + list).joined(separator: "\n")
  }

  private static func show(_ invocation: Invocation, topics: [HelpTopic]) throws {
    let output = invocation.output
    let names = invocation.all(subject)
    if let node = invocation.root.node(at: names) {
      output.help(node)
    } else if names.count == 1, let topic = topics.first(where: { $0.name == names[0] }) {
      if output.mode == .json {
        return output.json([
          "topic": .string(topic.name), "summary": .string(topic.summary),
          "text": .string(topic.text),
        ])
      }
      let lines = wrap(topic.text, width: output.helpWidth)
      output.write(lines.joined(separator: "\n") + "\n")
    } else {
      throw unknown(names, in: invocation.root, topics: topics)
    }
  }

  private static func unknown(
    _ names: [String], in root: Command, topics: [HelpTopic]
  ) -> UsageError {
    var parent = Command.Node(path: [root.name], command: root)
    var unknown = ""
    for (index, name) in names.enumerated() {
      unknown = name
      guard let next = root.node(at: Array(names[...index])) else { break }
      parent = next
    }
    let isFirst = parent.path.count == 1
    let candidates =
      parent.command.visibleSubcommands.map(\.name) + (isFirst ? topics.map(\.name) : [])
    // Finds a verb without its noun, such as 'help merge'.
    let verbs = root.nodes().filter {
      $0.path.count > 2 && [$0.command.name, $0.command.formerName].contains(unknown)
    }
    let titles =
      isFirst
      ? verbs.map { ([root.name, "help"] + $0.path.dropFirst()).joined(separator: " ") } : []
    let problem = UsageProblem.unknownCommand(
      unknown, under: parent.path,
      suggestions: titles.isEmpty ? suggestions(for: unknown, among: candidates) : titles)
    return UsageError([problem], in: parent.path)
  }
}

/// What the help says about a command: a section of the Markdown files in `Help`.
///
/// The section's heading is the command as people type it, without the program's name. The first
/// line is the summary; the paragraphs behind it are the discussion; the points are the examples, each
/// with its explanation behind a colon.
struct CommandHelp: Sendable {
  /// One line without a full stop.
  var summary = ""
  /// Paragraphs separated by an empty line; lines that begin with a space stay as they are.
  var discussion = ""
  var examples: [Example] = []

  /// The sections of all files by their headings, read when somebody asks for help.
  static let all: [String: CommandHelp] = {
    let files = [
      PackageResources.cloud_md, PackageResources.exchange_md, PackageResources.files_md,
      PackageResources.help_md, PackageResources.history_md, PackageResources.household_md,
      PackageResources.location_md, PackageResources.product_md, PackageResources.receipt_md,
      PackageResources.reports_md, PackageResources.shop_md, PackageResources.stock_md,
      PackageResources.topics_md,
    ]
    return files.reduce(into: [:]) { all, file in
      for (heading, text) in markdownSections(file) { all[heading] = CommandHelp(section: text) }
    }
  }()
}

extension CommandHelp {
  private init(section: String) {
    let lines = section.split(separator: "\n", omittingEmptySubsequences: false)
    var paragraphs: [String] = []
    for paragraph in lines.split(separator: "") {
      if paragraph.first?.hasPrefix("- `") ?? false {
        examples = paragraph.map(Example.init(point:))
      } else {
        paragraphs.append(Self.joined(paragraph))
      }
    }
    summary = paragraphs.first ?? ""
    discussion = paragraphs.dropFirst().joined(separator: "\n\n")
  }

  /// Returns a paragraph on one line; lines that begin with a space stay apart.
  private static func joined(_ lines: ArraySlice<Substring>) -> String {
    var text = String(lines.first ?? "")
    for (before, line) in zip(lines, lines.dropFirst()) {
      text += (before.hasPrefix(" ") || line.hasPrefix(" ") ? "\n" : " ") + line
    }
    return text
  }
}

extension Example {
  /// Reads an example such as "- `larder use milk 1`: one litre".
  fileprivate init(point: Substring) {
    let parts = point.dropFirst(3).split(separator: "`", maxSplits: 1)
    self.init(String(parts[0]), parts.count > 1 ? String(parts[1].dropFirst(2)) : "")
  }
}

/// A text of `help` that is not about a command, such as the exit codes.
struct HelpTopic: Sendable {
  /// The word after `help`.
  let name: String
  private let writeHelp: @Sendable () -> CommandHelp

  /// Creates a topic whose help has this heading in the files of `Help`; `texts` are put in the
  /// place of words in it.
  init(
    _ name: String, help: CommandHelp? = nil,
    filling texts: @autoclosure @escaping @Sendable () -> [(word: String, text: String)] = []
  ) {
    self.name = name
    writeHelp = {
      var help = help ?? CommandHelp.all[name] ?? CommandHelp()
      for (word, text) in texts() { help.discussion.replace(word, with: text) }
      return help
    }
  }

  /// One line without a full stop.
  var summary: String { writeHelp().summary }
  /// Paragraphs, as in a command's discussion.
  var text: String { writeHelp().discussion }
}

extension HelpTopic: Equatable {
  /// Topics are told apart by their names.
  static func == (left: HelpTopic, right: HelpTopic) -> Bool { left.name == right.name }
}

/// The help topics besides the commands.
enum Topics {
  static let all = [
    amounts, HelpTopic("numbers"), dates, filters, HelpTopic("exit-codes"), HelpTopic("plain"),
    format,
  ]

  static let amounts = HelpTopic("amounts", filling: [("{units}", Unit.choices)])
  static let dates = HelpTopic("dates")
  static let filters = HelpTopic("filters")

  private static let format = HelpTopic(
    "format",
    filling: [
      (
        "{files}",
        definitionList(
          Kind.allCases.map { ($0.folder.map { "\($0)/" } ?? Kind.householdPath.text, $0.content) },
          width: 100
        ).joined(separator: "\n")
      )
    ])
}
