extension Command {
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
}
