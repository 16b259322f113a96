import LarderModel

/// What the help says about a command: a section of the Markdown files in `Help`.
///
/// The section's heading is the command as people type it, without the program's name. The first
/// line is the summary; the paragraphs behind it are the discussion; the points are the examples, each
/// with its explanation behind a colon.
struct CommandHelp: Sendable {
  /// One line without a full stop.
  var summary = ""
  /// Paragraphs separated by an empty line; lines that begin with a space stay as they are.
  var discussion = ""
  var examples: [Example] = []

  /// The sections of all files by their headings, read when somebody asks for help.
  static let all: [String: CommandHelp] = {
    let files = [
      PackageResources.cloud_md, PackageResources.exchange_md, PackageResources.files_md,
      PackageResources.help_md, PackageResources.history_md, PackageResources.household_md,
      PackageResources.location_md, PackageResources.product_md, PackageResources.receipt_md,
      PackageResources.reports_md, PackageResources.shop_md, PackageResources.stock_md,
      PackageResources.topics_md,
    ]
    return files.reduce(into: [:]) { all, file in
      for (heading, text) in markdownSections(file) { all[heading] = CommandHelp(section: text) }
    }
  }()
}

extension CommandHelp {
  private init(section: String) {
    let lines = section.split(separator: "\n", omittingEmptySubsequences: false)
    var paragraphs: [String] = []
    for paragraph in lines.split(separator: "") {
      if paragraph.first?.hasPrefix("- `") ?? false {
        examples = paragraph.map(Example.init(point:))
      } else {
        paragraphs.append(Self.joined(paragraph))
      }
    }
    summary = paragraphs.first ?? ""
    discussion = paragraphs.dropFirst().joined(separator: "\n\n")
  }

  /// Returns a paragraph on one line; lines that begin with a space stay apart.
  private static func joined(_ lines: ArraySlice<Substring>) -> String {
    var text = String(lines.first ?? "")
    for (before, line) in zip(lines, lines.dropFirst()) {
      text += (before.hasPrefix(" ") || line.hasPrefix(" ") ? "\n" : " ") + line
    }
    return text
  }
}

extension Example {
  /// Reads an example such as "- `larder use milk 1`: one litre".
  fileprivate init(point: Substring) {
    let parts = point.dropFirst(3).split(separator: "`", maxSplits: 1)
    self.init(String(parts[0]), parts.count > 1 ? String(parts[1].dropFirst(2)) : "")
  }
}

/// A text of `help` that is not about a command, such as the exit codes.
struct HelpTopic: Sendable {
  /// The word after `help`.
  let name: String
  private let writeHelp: @Sendable () -> CommandHelp

  /// Creates a topic whose help has this heading in the files of `Help`; `texts` are put in the
  /// place of words in it.
  init(
    _ name: String, help: CommandHelp? = nil,
    filling texts: @autoclosure @escaping @Sendable () -> [(word: String, text: String)] = []
  ) {
    self.name = name
    writeHelp = {
      var help = help ?? CommandHelp.all[name] ?? CommandHelp()
      for (word, text) in texts() { help.discussion.replace(word, with: text) }
      return help
    }
  }

  /// One line without a full stop.
  var summary: String { writeHelp().summary }
  /// Paragraphs, as in a command's discussion.
  var text: String { writeHelp().discussion }
}

extension HelpTopic: Equatable {
  /// Topics are told apart by their names.
  static func == (left: HelpTopic, right: HelpTopic) -> Bool { left.name == right.name }
}

/// The help topics besides the commands.
enum Topics {
  static let all = [amounts, dates, filters, HelpTopic("exit-codes"), HelpTopic("plain"), format]

  static let amounts = HelpTopic("amounts", filling: [("{units}", Unit.choices)])
  static let dates = HelpTopic("dates")
  static let filters = HelpTopic("filters")

  private static let format = HelpTopic(
    "format",
    filling: [
      (
        "{files}",
        definitionList(
          Kind.allCases.map { ($0.folder.map { "\($0)/" } ?? Kind.householdPath.text, $0.content) },
          width: 100
        ).joined(separator: "\n")
      )
    ])
}
