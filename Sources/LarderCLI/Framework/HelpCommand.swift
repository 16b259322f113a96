import LarderJSON
import LarderModel

/// The command that shows help for a command or a topic.
enum HelpCommand {
  static let subject = Argument(
    "COMMAND", .zeroOrMore, help: "a command with its verb, or a topic; nothing for the overview")

  /// Returns the command, which also knows the topics.
  static func make(topics: [HelpTopic]) -> Command {
    var subject = subject
    subject.values = .commands(topics)
    return Command(
      "help", summary: "Show help for a command or a topic",
      discussion: topics.isEmpty ? "" : contents(topics),
      group: "Help",
      examples: [Example("larder help help", "how to ask for help")],
      arguments: [subject], isPaged: true
    ) { invocation in
      try show(invocation, topics: topics)
    }
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
          JSONMember("topic", .string(topic.name)), JSONMember("summary", .string(topic.summary)),
          JSONMember("text", .string(topic.text)),
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
