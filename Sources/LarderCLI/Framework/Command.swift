/// A command as data; parsing, help, the reference and completion are all made from this tree.
///
/// A command has either subcommands or arguments. The declaration follows the concepts of
/// swift-argument-parser, so the tree could be converted to it.
struct Command: Sendable {
  typealias Run = @Sendable (Invocation) throws -> Void

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
  /// One line without a full stop.
  var summary: String
  private var writeDiscussion: @Sendable () -> String
  /// The heading under which the parent's help lists the command.
  var group: String
  var examples: [Example]
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

  init(
    _ name: String, formerly formerName: String? = nil, summary: String,
    discussion: @autoclosure @escaping @Sendable () -> String = "",
    group: String = "Commands", examples: [Example] = [], arguments: [Argument] = [],
    options: [Option] = [], records: [RecordForm] = [], isPaged: Bool = false,
    parts: @autoclosure @escaping @Sendable () -> [Part] = [],
    defaultSubcommand: String? = nil, isHidden: Bool = false,
    run: Run? = nil
  ) {
    self.name = name
    self.formerName = formerName
    self.summary = summary
    writeDiscussion = discussion
    self.group = group
    self.examples = examples
    self.arguments = arguments
    self.options = options
    self.records = records
    self.isPaged = isPaged
    self.parts = parts
    self.defaultSubcommand = defaultSubcommand
    self.isHidden = isHidden
    self.run = run
  }

  /// Paragraphs separated by an empty line; lines that begin with a space stay as they are.
  ///
  /// They are written when somebody reads them.
  var discussion: String { writeDiscussion() }

  /// All subcommands, made when somebody asks for them.
  var subcommands: [Command] { parts().map { $0.make() } }

  /// Whether it is a noun, with verbs.
  var hasSubcommands: Bool { !parts().isEmpty }

  /// Returns the command with other paragraphs, made from its own.
  func discussed(_ change: @escaping @Sendable (String) -> String) -> Command {
    var command = self
    command.writeDiscussion = { [writeDiscussion] in change(writeDiscussion()) }
    return command
  }

  /// Returns the subcommand with exactly this name, or with this earlier one.
  func subcommand(_ name: String) -> Command? {
    parts().first { $0.name == name }?.make() ?? subcommands.first { $0.formerName == name }
  }

  /// The subcommands in help and completion.
  var visibleSubcommands: [Command] {
    subcommands.filter { !$0.isHidden }
  }

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
}
