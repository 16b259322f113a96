/// The reference of all commands as one Markdown document, made from the tree.
struct MarkdownReference: Sendable {
  let root: Command

  /// The whole document with a final newline.
  var text: String {
    let nodes = root.nodes()
    var blocks = ["# \(root.name)", escape(sentence(root.summary))]
    if !root.discussion.isEmpty { blocks += discussion(root.discussion) }
    blocks.append(contents(nodes.dropFirst().filter { $0.command.subcommands.isEmpty }))
    blocks += ["## Options of every command", list(GlobalOption.all.map(entry))]
    blocks += nodes.dropFirst().flatMap(section)
    return blocks.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  private func contents(_ nodes: [Command.Node]) -> String {
    list(
      nodes.map { node in
        let anchor = node.path.joined(separator: "-")
        return "[`\(node.title)`](#\(anchor)): \(escape(node.command.summary))"
      })
  }

  private func section(_ node: Command.Node) -> [String] {
    let command = node.command
    var blocks = ["## \(node.title)", escape(sentence(command.summary))]
    blocks.append(fence([node.usage]))
    blocks += discussion(command.discussion)
    blocks += titledList(
      "Commands", command.visibleSubcommands.map { "`\($0.name)`: \(escape($0.summary))" })
    if let bare = command.defaultSubcommand {
      blocks.append("`\(node.title)` alone is `\(node.title) \(bare)`.")
    }
    blocks += titledList(
      "Arguments", command.arguments.map { "`\($0.usage)`: \(escape($0.fullHelp))" })
    blocks += titledList("Options", command.options.map(entry))
    blocks.append(fence(command.examples.flatMap(lines)))
    return blocks
  }

  private func lines(_ example: Example) -> [String] {
    let comment = example.explanation.isEmpty ? [] : ["# \(example.explanation)"]
    return comment + [example.command]
  }

  private func entry(_ option: Option) -> String {
    let short = option.short.map { "`-\($0)`, " } ?? ""
    return "\(short)`\(option.usage)`: \(escape(option.fullHelp))"
  }

  /// Paragraphs stay paragraphs; lines that begin with a space become a block of their own.
  private func discussion(_ text: String) -> [String] {
    var blocks: [String] = []
    var verbatim: [String] = []
    var prose: [String] = []
    func finish() {
      if !verbatim.isEmpty { blocks.append(fence(verbatim.map { String($0.dropFirst(2)) })) }
      if !prose.isEmpty { blocks.append(escape(prose.joined(separator: "\n"))) }
      verbatim = []
      prose = []
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let isVerbatim = line.hasPrefix(" ")
      if line.isEmpty || isVerbatim != !verbatim.isEmpty { finish() }
      if isVerbatim { verbatim.append(String(line)) }
      if !isVerbatim, !line.isEmpty { prose.append(String(line)) }
    }
    finish()
    return blocks
  }

  private func list(_ items: [String]) -> String {
    items.map { "- \($0)" }.joined(separator: "\n")
  }

  /// A list under its title; without the title, Markdown would join it to a list before it.
  private func titledList(_ title: String, _ items: [String]) -> [String] {
    items.isEmpty ? [] : ["\(title):", list(items)]
  }

  private func fence(_ lines: [String]) -> String {
    lines.isEmpty ? "" : (["```sh"] + lines + ["```"]).joined(separator: "\n")
  }

  private func sentence(_ summary: String) -> String { summary + "." }

  /// The text with the characters escaped that Markdown would take for its own.
  private func escape(_ text: String) -> String {
    var escaped = ""
    for character in text {
      if "\\*_<[`".contains(character) { escaped.append("\\") }
      escaped.append(character)
    }
    return escaped
  }
}
