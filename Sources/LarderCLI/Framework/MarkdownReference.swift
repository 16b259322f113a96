/// The reference of all commands and help topics as one Markdown document, made from the tree.
struct MarkdownReference: Sendable {
  let root: Command
  var topics: [HelpTopic] = []
  /// Markdown after the summary, such as a note about the document's origin.
  var introduction = ""

  /// The whole document with a final newline.
  var text: String {
    let nodes = root.nodes().dropFirst()
    var blocks = ["# \(root.name)", inline(root.summary + ".")]
    blocks += paragraphs(root.discussion) + [introduction] + contents
    blocks += nodes.flatMap(section)
    blocks += ["## \(everywhere)", list(GlobalOption.all.map(entry))]
    blocks += topics.flatMap { topic in
      ["## \(topic.summary)"] + paragraphs(topic.text)
    }
    return blocks.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  private let everywhere = "Options of every command"

  /// The table of contents: the headings of the program's help, with their commands and verbs.
  private var contents: [String] {
    var blocks: [String] = []
    for group in root.groups {
      let lines = group.commands.flatMap { command in
        let verbs = command.visibleSubcommands.map { verb in
          "  " + item([root.name, command.name, verb.name], verb.summary)
        }
        return [item([root.name, command.name], command.summary)] + verbs
      }
      blocks += ["**\(group.title)**", lines.joined(separator: "\n")]
    }
    let others = [everywhere] + topics.map(\.summary)
    return blocks + ["**More**", list(others.map { "[\($0)](#\(anchor($0)))" })]
  }

  private func item(_ path: [String], _ summary: String) -> String {
    let title = path.joined(separator: " ")
    return "- [`\(title)`](#\(anchor(title))): \(inline(summary))"
  }

  private func section(_ node: Command.Node) -> [String] {
    let command = node.command
    let level = String(repeating: "#", count: node.path.count)
    var blocks = ["\(level) \(node.title)", inline(command.summary + ".")]
    blocks.append(fence([node.usage], "text"))
    blocks += paragraphs(command.discussion)
    let verbs = command.visibleSubcommands.map { verb in
      "[`\(verb.name)`](#\(anchor("\(node.title) \(verb.name)"))): \(inline(verb.summary))"
    }
    blocks += titled("Commands", list(verbs))
    if let bare = command.defaultSubcommand {
      blocks.append("`\(node.title)` alone is `\(node.title) \(bare)`.")
    }
    blocks += titled(
      "Arguments", list(command.arguments.map { "`\($0.usage)`: \(inline($0.fullHelp))" }))
    blocks += titled("Options", list(command.options.map(entry)))
    blocks += titled(
      inline(RecordForm.heading), list(command.records.map { inline($0.text) }))
    blocks += titled("Examples", fence(command.examples.flatMap(lines), "sh"))
    return blocks
  }

  private func lines(_ example: Example) -> [String] {
    let comment = example.explanation.isEmpty ? [] : ["# \(example.explanation)"]
    return comment + [example.command]
  }

  private func entry(_ option: Option) -> String {
    let short = option.short.map { "`-\($0)`, " } ?? ""
    return "\(short)`\(option.usage)`: \(inline(option.fullHelp))"
  }

  /// Converts paragraphs; lines that begin with a space become a code block.
  private func paragraphs(_ text: String) -> [String] {
    var blocks: [String] = []
    var verbatim: [String] = []
    var prose: [String] = []
    func finish() {
      if !verbatim.isEmpty {
        blocks.append(fence(verbatim.map { String($0.dropFirst(2)) }, "text"))
      }
      if !prose.isEmpty { blocks.append(inline(prose.joined(separator: "\n"))) }
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

  /// Returns a block with its title; without titles, Markdown would join two lists.
  private func titled(_ title: String, _ block: String) -> [String] {
    block.isEmpty ? [] : ["\(title):", block]
  }

  private func fence(_ lines: [String], _ language: String) -> String {
    lines.isEmpty ? "" : (["```\(language)"] + lines + ["```"]).joined(separator: "\n")
  }

  /// Returns the anchor of a heading, for links.
  private func anchor(_ heading: String) -> String {
    String(heading.lowercased().compactMap { $0 == " " ? "-" : isPartOfAnchor($0) ? $0 : nil })
  }

  private func isPartOfAnchor(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "-" || character == "_"
  }

  /// Formats words in single quotes, and options, as code.
  ///
  /// The quotes stay if a shell needs them: around several words that are not a command.
  private func inline(_ text: String) -> String {
    var result = ""
    var end = text.startIndex
    for match in text.matches(of: /(?:^|[\s(])('[^'`]+'(?![\w'])|--[a-z][a-z-]*)/) {
      result += escape(text[end..<match.1.startIndex])
      end = match.1.endIndex
      let words = match.1.filter { $0 != "'" }
      let isCommand = [root.name, "git"].contains { words.hasPrefix("\($0) ") }
      result += "`\(isCommand || !words.contains(" ") ? words : String(match.1))`"
    }
    return result + escape(text[end...])
  }

  /// Escapes the characters that have a meaning in Markdown.
  private func escape(_ text: Substring) -> String {
    var escaped = ""
    for (index, character) in zip(text.indices, text) {
      let next = text[index...].dropFirst().first
      let isMarkup =
        switch character {
        case "\\", "*", "[", "`": true
        case "<": next.map { $0.isLetter || "/!?".contains($0) } ?? false
        // Inside a word, an underscore is not emphasis.
        case "_": !(escaped.last?.isLetter ?? false) || !(next?.isLetter ?? false)
        default: false
        }
      escaped += isMarkup ? "\\\(character)" : "\(character)"
    }
    return escaped
  }
}

/// `larder reference`: the document that `make docs` writes to `docs/commands.md`.
enum ReferenceCommand {
  static let command = Command("reference", group: "Help", isHidden: true) { invocation in
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
