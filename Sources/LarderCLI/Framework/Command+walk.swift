extension Command {
  /// A command of the tree together with the names that lead to it.
  struct Node: Sendable {
    /// From the program's name to the command's own.
    let path: [String]
    let command: Command

    /// The path as it is typed.
    var title: String { path.joined(separator: " ") }

    /// Its own options and, behind them, the global ones.
    var allOptions: [Option] { command.options + GlobalOption.all }
  }

  /// This command and all below it, parents first; hidden ones and what is below them on demand.
  func nodes(includingHidden: Bool = false) -> [Node] {
    nodes(under: [], includingHidden: includingHidden)
  }

  private func nodes(under parents: [String], includingHidden: Bool) -> [Node] {
    let path = parents + [name]
    let children = includingHidden ? subcommands : visibleSubcommands
    return [Node(path: path, command: self)]
      + children.flatMap { $0.nodes(under: path, includingHidden: includingHidden) }
  }

  /// The node that the names lead to from here; nil when one of them is unknown.
  func node(at names: [String]) -> Node? {
    var command = self
    for name in names {
      guard let next = command.subcommand(name) else { return nil }
      command = next
    }
    return Node(path: [name] + names, command: command)
  }
}
