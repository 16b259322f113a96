import Foundation
import LarderKit

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
    blocks += topics.flatMap { topic in ["## \(topic.summary)"] + paragraphs(topic.text) }
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

  private func list(_ items: [String]) -> String { items.map { "- \($0)" }.joined(separator: "\n") }

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

/// The manual page of one command, in the man macros of roff.
struct ManualPage {
  let node: Command.Node
  /// The version of the program and its day, for the page's footer.
  let version: String
  let day: String
  /// All pages; this page lists the related ones.
  let others: [Command.Node]

  /// The page's name, such as `larder-stock-consume`.
  var name: String { Self.name(of: node) }

  private static func name(of node: Command.Node) -> String { node.path.joined(separator: "-") }

  private var command: Command { node.command }

  /// The whole page.
  var text: String {
    var lines = [
      ".TH \(name.uppercased()) 1 \(day) \"larder \(version)\" \"Larder\"",
      ".SH NAME", "\(Self.escaped(name)) \\- \(Self.escaped(command.summary))",
      ".SH SYNOPSIS", ".B \(Self.escaped(node.usage))",
    ]
    if !command.discussion.isEmpty {
      lines += [".SH DESCRIPTION"] + Self.paragraphs(command.discussion)
    }
    for group in command.groups {
      let entries = group.commands.map { ($0.name, $0.summary) }
      lines += section(group.title.uppercased(), entries)
    }
    lines += section("ARGUMENTS", command.arguments.map { ($0.usage, $0.fullHelp) })
    lines += section("OPTIONS", command.options.map(Self.entry))
    if !command.records.isEmpty {
      lines.append(".SH \(Self.escaped(RecordForm.heading.uppercased()))")
      lines.append(command.records.map { Self.escaped($0.text) }.joined(separator: "\n.PP\n"))
    }
    lines += section("OPTIONS OF EVERY COMMAND", GlobalOption.all.map(Self.entry))
    lines += examples
    lines += related
    return lines.joined(separator: "\n") + "\n"
  }

  private static func entry(_ option: Option) -> (String, String) {
    let short = option.short.map { "-\($0), " } ?? ""
    return (short + option.usage, option.fullHelp)
  }

  private func section(_ title: String, _ entries: [(term: String, text: String)]) -> [String] {
    guard !entries.isEmpty else { return [] }
    return [".SH \(title)"]
      + entries.flatMap { entry in
        [".TP", ".B \(Self.escaped(entry.term))", Self.escaped(entry.text)]
      }
  }

  private var examples: [String] {
    guard !command.examples.isEmpty else { return [] }
    return [".SH EXAMPLES"]
      + command.examples.flatMap { example in
        [".TP", ".B \(Self.escaped(example.command))"]
          + [example.explanation.isEmpty ? "\\&" : Self.escaped(example.explanation)]
      }
  }

  private var related: [String] {
    let near = others.filter { other in
      other.path != node.path
        && (other.path.dropLast() == node.path.dropLast()[...]
          || other.path == Array(node.path.dropLast())
          || Array(other.path.dropLast()) == node.path)
    }
    guard !near.isEmpty else { return [] }
    let names = near.map { "\\fB\(Self.escaped(Self.name(of: $0)))\\fR(1)" }
    return [".SH SEE ALSO", names.joined(separator: ",\n")]
  }

  /// Returns the paragraphs of a text; lines that begin with a space stay as they are.
  private static func paragraphs(_ text: String) -> [String] {
    var lines: [String] = []
    var isBlock = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let staysAsItIs = line.hasPrefix(" ")
      if staysAsItIs != isBlock, !line.isEmpty {
        lines.append(isBlock ? ".EE" : ".EX")
        isBlock = staysAsItIs
      }
      if line.isEmpty {
        if !isBlock { lines.append(".PP") }
      } else {
        lines.append(escaped(String(line)))
      }
    }
    if isBlock { lines.append(".EE") }
    while lines.last == ".PP" { lines.removeLast() }
    return lines.enumerated().filter { index, line in
      line != ".PP" || (index > 0 && lines[index - 1] != ".PP" && lines[index + 1] != ".EX")
    }.map(\.element)
  }

  /// Returns a text with the characters escaped that have a meaning in roff.
  private static func escaped(_ text: String) -> String {
    var plain = ""
    for character in text {
      switch character {
      case "\\": plain += "\\e"
      case "-": plain += "\\-"
      case "'": plain += "\\(aq"
      case "`": plain += "\\(ga"
      case "^": plain += "\\(ha"
      case "~": plain += "\\(ti"
      default: plain.append(character)
      }
    }
    return plain.hasPrefix(".") ? "\\&" + plain : plain
  }
}

/// The command that writes the manual pages, for the installation.
enum ManualCommand {
  private static let folder = Argument(
    "DIR", values: .directory, help: "the folder, which must exist")

  /// Returns the command, which knows the version and its day.
  static func make(version: String, day: String) -> Command {
    Command("manual", arguments: [folder], isHidden: true) { invocation in
      let nodes = invocation.root.nodes()
      for node in nodes {
        let page = ManualPage(node: node, version: version, day: day, others: nodes)
        let path = "\(invocation[folder])/\(page.name).1"
        do {
          try Data(page.text.utf8).write(to: URL(fileURLWithPath: path))
        } catch {
          throw ErrorWords(.failed, "can't write \(path): \(error.localizedDescription)")
        }
      }
      invocation.output.line("\(nodes.count) pages are in \(invocation[folder])")
    }
  }
}
