import LarderJSON
import LarderKit
import LarderModel

/// `larder log`: the history, newest first.
enum LogCommand {
  static let reference = Argument(
    "REF", .optional(standard: nil), values: .named(.item),
    help: "a thing, to see only its commits, or the commit to begin at, as git names it")
  static let limit = Option(
    "limit", short: "n", value: "N", isBareNumber: true,
    help: "show at most N commits, as -N does; 0 shows all (30 if left out, or all since a day)")

  private static let oneline = Option("oneline", help: "a line for each commit")
  private static let since = Option(
    "since", value: "DAY", help: "only what was done on this day and later")

  private static let by = Option(
    "by", value: "NAME", help: "only what a person or a device did, by a part of the name")

  fileprivate static let record = Record<LogEntryWords>(
    ("commit", { $0.commit.id.hex }), ("time", { $0.commit.at.description }),
    ("author", { $0.commit.author.name }), ("device", { $0.commit.device ?? "" }),
    ("subject", { $0.commit.subject }))

  static let command = Command(
    "log", summary: "Show who did what, newest first",
    discussion: """
      An item's commits include those of its batches. For each commit, it shows the changes in \
      words, with the quantity before and after; for a merge, the values that lost. The history \
      follows renamed files.
      """,
    group: "History",
    examples: [
      Example("larder log"), Example("larder log 'oat milk'", "who used the last one?"),
      Example("larder log --by anna", "what Anna did"),
      Example("larder log HEAD~10 --limit 5"), Example("larder log --oneline --since mon"),
    ],
    arguments: [reference], options: [limit, oneline, since, by], records: [record.form()],
    isPaged: true
  ) { invocation in
    let limit = try invocation.most(limit)
    try invocation.withLarder { larder in
      let reference = invocation.given(reference)
      // A name that nobody has committed yet may be meant.
      let household = try reference == nil ? larder.committed() : larder.read().household
      let start = try beginning(reference, larder, household)
      let words = DifferenceWords(before: household, after: household)
      let first = try since(invocation, HouseholdCalendar(of: household, now: larder.context.now()))
      let author = invocation.trimmed(by)
      let telling = Telling(
        words: words, output: invocation.output, isShort: invocation.has(oneline))
      let isCut = try larder.history(
        of: start.keys, from: start.commit, in: household, since: first, by: author,
        most: limit ?? (first == nil ? 30 : .max), mostFiles: telling.mostFiles
      ) { entry in
        telling.tell(LogEntryWords(entry, in: household, words))
        return true
      }
      telling.finish()
      if let author, telling.count == 0 {
        invocation.output.note("no commit here is by '\(author)'")
      }
      if isCut { invocation.output.note("older commits are left out; --limit 0 shows all") }
    }
  }

  /// Returns the first moment of the day of `--since`.
  private static func since(
    _ invocation: Invocation, _ calendar: HouseholdCalendar
  ) throws -> Instant? {
    guard let text = invocation[since] else { return nil }
    return calendar.instant(of: try invocation.day(text, for: since.spelling, calendar, .since))
  }

  /// The commit to begin at, nil for the newest, and the entities to look for, nil for all.
  private struct Start {
    var commit: ObjectID?
    var keys: Set<EntityKey>?
  }

  private static func beginning(
    _ reference: String?, _ larder: Larder, _ household: Household
  ) throws -> Start {
    guard let reference else { return Start() }
    let subject = LogSubject(household)
    if let keys = subject.exactly(reference) { return Start(keys: keys) }
    if let commit = try larder.commit(named: reference) { return Start(commit: commit.id) }
    return Start(keys: try subject.like(reference))
  }
}

/// Prints entries one by one, or all together as JSON.
private final class Telling {
  private static let mostLines = 12

  private let words: DifferenceWords
  private let output: Output
  /// Whether each commit is one line, without what changed.
  private let isShort: Bool
  private var commits: [JSON] = []
  /// The number of commits told.
  private(set) var count = 0

  init(words: DifferenceWords, output: Output, isShort: Bool) {
    self.words = words
    self.output = output
    self.isShort = isShort
  }

  /// The largest number of a commit's new files that are told.
  var mostFiles: Int {
    switch output.mode {
    case .json: .max
    case .plain: 0
    case .human: isShort ? 0 : Self.mostLines
    }
  }

  func tell(_ entry: LogEntryWords) {
    count += 1
    switch output.mode {
    case .json: commits.append(entry.json)
    case .plain: output.records([entry], LogCommand.record)
    case .human: write(entry)
    }
  }

  func finish() {
    if output.mode == .json { output.json([JSONMember("commits", .array(commits))]) }
  }

  private func write(_ entry: LogEntryWords) {
    let time = words.words.time.text(of: entry.commit.at)
    if isShort {
      let id = output.paint(entry.commit.id.short, .dim)
      return output.write(
        "\(id)  \(output.paint("\(time)  \(entry.commit.who)", .dim))  "
          + "\(output.paint(entry.commit.subject, nil))\n")
    }
    let place = output.paint("\(time)  \(entry.commit.id.short)  \(entry.commit.who)", .dim)
    output.write(place + "\n  " + output.paint(entry.commit.subject, .bold) + "\n")
    let lines = entry.lines
    for line in lines.prefix(Self.mostLines) { output.line("    " + line) }
    let rest = max(0, lines.count - Self.mostLines) + entry.unread
    if rest > 0 { output.line("    and \(rest) more") }
  }
}
