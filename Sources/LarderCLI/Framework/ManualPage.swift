import Foundation

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
          throw CommandError(.failed, "can't write \(path): \(error.localizedDescription)")
        }
      }
      invocation.output.line("\(nodes.count) pages are in \(invocation[folder])")
    }
  }
}
