/// A command as data; parsing, help, the reference and completion are all made from this tree.
///
/// A command has either subcommands or arguments. The declaration follows the concepts of
/// swift-argument-parser, so the tree could be converted to it.
struct Command: Sendable {
  typealias Run = @Sendable (Invocation) async throws -> Void

  /// A subcommand by its name, so that a start makes only the one that is called.
  struct Part: Sendable {
    let name: String
    let make: @Sendable () -> Command

    init(_ name: String, make: @escaping @Sendable () -> Command) {
      self.name = name
      self.make = make
    }
  }

  /// One lower-case word.
  var name: String
  /// An earlier name, which still works and which no help mentions.
  var formerName: String?
  private var writeHelp: @Sendable () -> CommandHelp
  /// The heading under which the parent's help lists the command.
  var group: String
  var arguments: [Argument]
  var options: [Option]
  /// The columns of its `--plain` records; empty if `--plain` changes nothing.
  var records: [RecordForm]
  /// Whether its output is long, so a pager shows it.
  ///
  /// Only a command that changes nothing and asks nothing may have a pager.
  var isPaged: Bool
  private let parts: @Sendable () -> [Part]
  /// The subcommand that runs if none is named.
  var defaultSubcommand: String?
  /// Whether help and completion omit it, as for commands that git calls.
  var isHidden: Bool
  var run: Run?

  /// Creates a command, such as `stock use`, whose help has this heading in the files of `Help`.
  init(
    _ title: String, formerly formerName: String? = nil, help: CommandHelp? = nil,
    group: String = "Commands", arguments: [Argument] = [], options: [Option] = [],
    records: [RecordForm] = [], isPaged: Bool = false,
    parts: @autoclosure @escaping @Sendable () -> [Part] = [], defaultSubcommand: String? = nil,
    isHidden: Bool = false, run: Run? = nil
  ) {
    name = String(title.drop { $0 != " " }.dropFirst())
    if name.isEmpty { name = title }
    self.formerName = formerName
    writeHelp = { help ?? CommandHelp.all[title] ?? CommandHelp() }
    self.group = group
    self.arguments = arguments
    self.options = options
    self.records = records
    self.isPaged = isPaged
    self.parts = parts
    self.defaultSubcommand = defaultSubcommand
    self.isHidden = isHidden
    self.run = run
  }

  /// The summary, the discussion and the examples, read when somebody asks for them.
  var help: CommandHelp { writeHelp() }
  var summary: String { help.summary }
  var discussion: String { help.discussion }
  var examples: [Example] { help.examples }

  /// All subcommands, made when somebody asks for them.
  var subcommands: [Command] { parts().map { $0.make() } }

  /// Whether it is a noun, with verbs.
  var hasSubcommands: Bool { !parts().isEmpty }

  /// Returns the command with another help, made from its own.
  func explained(_ change: @escaping @Sendable (inout CommandHelp) -> Void) -> Command {
    var command = self
    command.writeHelp = { [writeHelp] in
      var help = writeHelp()
      change(&help)
      return help
    }
    return command
  }

  /// Returns the command with a text in the place of a word in its discussion.
  func explained(_ word: String, _ text: @autoclosure @escaping @Sendable () -> String) -> Command {
    explained { $0.discussion.replace(word, with: text()) }
  }

  /// Returns the subcommand with exactly this name, or with this earlier one.
  func subcommand(_ name: String) -> Command? {
    parts().first { $0.name == name }?.make() ?? subcommands.first { $0.formerName == name }
  }

  /// The subcommands in help and completion.
  var visibleSubcommands: [Command] { subcommands.filter { !$0.isHidden } }

  /// The visible subcommands by their headings, in order of first appearance.
  var groups: [(title: String, commands: [Command])] {
    var groups: [(title: String, commands: [Command])] = []
    for command in visibleSubcommands {
      if let index = groups.firstIndex(where: { $0.title == command.group }) {
        groups[index].commands.append(command)
      } else {
        groups.append((command.group, [command]))
      }
    }
    return groups
  }

  /// A command of the tree with its path of names.
  struct Node: Sendable {
    /// The names from the program's name to the command's own.
    let path: [String]
    let command: Command

    /// The path as people type it.
    var title: String { path.joined(separator: " ") }
  }

  /// Returns this command and all commands below it, parents first; hidden ones only on request.
  func nodes(includingHidden: Bool = false) -> [Node] {
    nodes(under: [], includingHidden: includingHidden)
  }

  private func nodes(under parents: [String], includingHidden: Bool) -> [Node] {
    let path = parents + [name]
    let children = includingHidden ? subcommands : visibleSubcommands
    return [Node(path: path, command: self)]
      + children.flatMap { $0.nodes(under: path, includingHidden: includingHidden) }
  }

  /// Returns the node for names from here on; nil if a name is unknown.
  func node(at names: [String]) -> Node? {
    var node = Node(path: [name], command: self)
    for name in names {
      guard let next = node.command.subcommand(name) else { return nil }
      node = Node(path: node.path + [next.name], command: next)
    }
    return node
  }

  /// A copy of a command that changes the household, with `--dry-run` and records of its changes.
  var withDryRun: Command {
    var command = self
    command.options.append(Rehearsal.option)
    command.records = [ChangedEntity.record.form()]
    return command
  }
}

/// A valid command line and its purpose.
struct Example: Sendable, Equatable {
  /// The whole line, beginning with the program's name.
  var command: String
  /// One phrase without a full stop; empty if the line needs no explanation.
  var explanation: String

  init(_ command: String, _ explanation: String = "") {
    self.command = command
    self.explanation = explanation
  }
}

/// The option that shows what a command would change.
enum Rehearsal {
  static let option = Option("dry-run", help: "tell what would change, and change nothing")
  /// The line above the changes that would be made.
  static let heading = "nothing is changed; without --dry-run it would be so:"
}
