/// `larder reference`: the document that `make docs` writes to `docs/commands.md`.
enum ReferenceCommand {
  static let command = Command(
    "reference", summary: "Print the reference of all commands as Markdown", group: "Help",
    isHidden: true
  ) { invocation in
    invocation.output.write(reference(of: invocation.root))
  }

  /// Returns the reference of all commands and help topics.
  static func reference(of root: Command) -> String {
    MarkdownReference(
      root: root, topics: Topics.all,
      introduction: """
        `larder help COMMAND` shows the same in a terminal. `make docs` writes this file from what \
        the program declares.
        """
    ).text
  }
}
