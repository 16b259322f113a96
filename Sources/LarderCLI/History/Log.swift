import LarderKit

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

  fileprivate static let record = Column<LogEntryWords>.records(
    ("commit", { $0.commit.id.hex }), ("time", { $0.commit.at.description }),
    ("author", { $0.commit.author.name }), ("device", { $0.commit.device ?? "" }),
    ("subject", { $0.commit.subject }))

  static let command = Command(
    "log", group: "History", arguments: [reference], options: [limit, oneline, since, by],
    records: [record.form()], isPaged: true
  ) { invocation in
    let limit = try invocation.most(limit)
    try await invocation.withLarder { larder in
      let reference = invocation.given(reference)
      // A name that nobody has committed yet may be meant.
      let household = try reference == nil ? larder.committed() : larder.read().household
      let start = try beginning(reference, larder, household)
      let words = DifferenceWords(before: household, after: household)
      let calendar = HouseholdCalendar(of: household, now: larder.context.now())
      let first = try invocation.day(since, calendar, .since).map { calendar.instant(of: $0) }
      let author = invocation.trimmed(by)
      let begun = Telling(
        words: words, output: invocation.output, isShort: invocation.has(oneline))
      let (telling, isCut) = try larder.history(
        into: begun, of: start.keys, from: start.commit, in: household, since: first, by: author,
        most: limit ?? (first == nil ? 30 : .max), mostFiles: begun.mostFiles
      ) { telling, entry in
        let losses = LossWords.all(entry.losses, in: household)
        telling.tell(LogEntryWords(entry: entry, losses: losses, words: words))
        return true
      }
      telling.finish()
      if let author, telling.count == 0 {
        invocation.output.note("no commit here is by '\(author)'")
      }
      if isCut { invocation.output.note("older commits are left out; --limit 0 shows all") }
    }
  }

  /// Returns the commit to begin at, nil for the newest, and the entities to look for, nil for all.
  private static func beginning(
    _ reference: String?, _ larder: isolated Larder, _ household: Household
  ) throws -> (commit: ObjectID?, keys: Set<EntityKey>?) {
    guard let reference else { return (nil, nil) }
    let subject = LogSubject(household)
    if let keys = subject.exactly(reference) { return (nil, keys) }
    if let commit = try larder.commit(named: reference) { return (commit.id, nil) }
    return (nil, try subject.like(reference))
  }
}

/// Prints entries one by one, or all together as JSON.
private struct Telling {
  private static let mostLines = 12

  let words: DifferenceWords
  let output: Output
  /// Whether each commit is one line, without what changed.
  let isShort: Bool
  var commits: [JSON] = []
  /// The number of commits told.
  var count = 0

  /// The largest number of a commit's new files that are told.
  var mostFiles: Int {
    switch output.mode {
    case .json: .max
    case .plain: 0
    case .human: isShort ? 0 : Self.mostLines
    }
  }

  mutating func tell(_ entry: LogEntryWords) {
    count += 1
    switch output.mode {
    case .json: commits.append(entry.json)
    case .plain: output.records([entry], LogCommand.record)
    case .human: write(entry)
    }
  }

  func finish() {
    if output.mode == .json { output.json(["commits": .array(commits)]) }
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
    let rest = max(0, lines.count - Self.mostLines) + entry.entry.unread
    if rest > 0 { output.line("    and \(rest) more") }
  }
}

/// A commit of the history in words and as JSON.
struct LogEntryWords {
  let entry: HistoryEntry
  let losses: [LossWords]
  let words: DifferenceWords

  var commit: Commit { entry.commit }
  /// One line for each changed entity and each value that lost.
  var lines: [String] { entry.differences.map(words.summary) + losses.map(\.summary) }

  /// The commit's part of JSON output.
  var json: JSON {
    commit.json + ["differences": .array(entry.differences.map(words.json))]
      + LossWords.member(losses)
  }
}

/// The search for the entities whose history is requested.
struct LogSubject {
  private let household: Household
  private let stock: Stock
  private let names: NameBook

  init(_ household: Household) {
    self.household = household
    stock = Stock(household)
    names = NameBook([household])
  }

  /// Returns the entities with exactly this name, path or id; nil if there are none.
  func exactly(_ words: String) -> Set<EntityKey>? {
    let wanted = fold(words)
    let found = household.entities.filter { entity in
      entity.id == words || household.path(of: entity.key)?.text == words
        || fold(title(entity)) == wanted
    }
    return keys(found)
  }

  /// Returns the entity with this part of a name or beginning of an id; throws if several match.
  func like(_ words: String) throws(ErrorWords) -> Set<EntityKey> {
    let wanted = fold(words)
    let found = household.entities.filter { entity in
      entity.kind != .inventoryItem
        && (fold(title(entity)).contains(wanted)
          || (words.count >= 4 && entity.id.hasPrefix(words)))
    }
    let titles = Set(found.map(title)).sorted()
    if titles.count > 1 {
      throw ErrorWords(
        .ambiguous, "'\(words)' could be \(titles.count) things",
        "write more of the name, or the file's path", problems: candidates(found))
    }
    if let keys = keys(found) { return keys }
    if words.allSatisfy(\.isHexDigit), words.contains(where: \.isNumber) {
      var error = MessageWords().unknownCommit(words)
      if Int(words) != nil {
        error.hints.insert("'larder log -n \(words)' shows the last ones", at: 0)
      }
      throw error
    }
    let near = near(words)
    throw ErrorWords(
      .notFound, "no thing and no commit is called '\(words)'",
      hints: near.isEmpty
        ? ["'larder log' without it shows everything"]
        : ["did you mean \(near.map { "'\($0)'" }.joined(separator: " or "))?"])
  }

  /// Returns titles that are similar to the words, or have a similar word.
  private func near(_ words: String) -> [String] {
    titleSuggestions(for: words, among: Set(household.entities.map(title)).sorted())
  }

  private func candidates(_ found: [Entity]) -> [Problem] {
    found.map { Problem(title($0), path: household.path(of: $0.key)?.text) }
      .sorted { ($0.path ?? "") < ($1.path ?? "") }.prefix(12).map { $0 }
  }

  /// Returns the keys of some entities, and of the batches of items among them.
  private func keys(_ found: [Entity]) -> Set<EntityKey>? {
    guard !found.isEmpty else { return nil }
    let batches = found.filter { $0.kind == .stockItem }.flatMap { stock.batches(of: $0) }
    return Set((found + batches).map(\.key))
  }

  private func title(_ entity: Entity) -> String { names.title(of: entity) }
}

/// A commit's facts as JSON.
extension Commit {
  /// The commit's part of JSON output.
  var json: JSON {
    [
      "commit": .string(id.hex), "at": .string(at.description), "author": .string(author.name),
      "email": .string(author.email), "device": device.map { .string($0) },
      "command": command.map { .string($0) }, "subject": .string(subject),
      "undoes": undoes.map { .string($0) }, "redoes": redoes.map { .string($0) },
    ]
  }
}

/// `larder diff`: the differences between two versions of the household, in words.
enum DiffCommand {
  static let from = Argument(
    "FROM", .optional(standard: "HEAD"),
    help: "the commit to compare with, as git names it, or a day, as it was when that began")
  static let to = Argument(
    "TO", .optional(standard: nil),
    help: "the commit to compare, or a day, as it was at its end; the current files if left out")

  private static let record = Column<(path: String, change: String)>.records(
    ("path", { $0.path }), ("change", { $0.change }))

  static let command = Command(
    "diff", group: "History", arguments: [from, to], records: [record.form()], isPaged: true
  ) { invocation in
    try await invocation.withLarder { larder in
      let before = try household(invocation[from], .since, larder)
      let after =
        try invocation.given(to).map { try household($0, .until, larder) }
        ?? now(larder, invocation)
      show(
        after.toldDifferences(from: before), DifferenceWords(before: before, after: after),
        invocation)
    }
  }

  /// Returns the household of a commit, or as it was when a day began or ended.
  private static func household(
    _ revision: String, _ direction: HouseholdCalendar.Direction, _ larder: isolated Larder
  ) throws -> Household {
    if let household = try larder.household(at: revision) { return household }
    // Before the first commit, everything is new.
    if revision == "HEAD" { return Household() }
    let calendar = HouseholdCalendar(of: try larder.committed(), now: larder.context.now())
    guard let day = calendar.day(typed: revision, direction) else {
      throw MessageWords().unknownCommit(revision)
    }
    let first = direction == .since ? day : day.adding(days: 1)
    return try larder.household(before: calendar.instant(of: first)) ?? Household()
  }

  private static func now(_ larder: isolated Larder, _ invocation: Invocation) throws -> Household {
    let reading = try larder.read()
    invocation.warn(about: reading.notes, in: reading.household, root: larder.root)
    return reading.household
  }

  private static func show(
    _ differences: [EntityDifference], _ words: DifferenceWords, _ invocation: Invocation
  ) {
    let output = invocation.output
    switch output.mode {
    case .json: output.json(["differences": .array(differences.map(words.json))])
    case .plain:
      for difference in differences {
        let path = difference.anyPath
        let lines = [words.heading(difference)] + words.lines(difference)
        output.records(lines.map { (path.text, $0) }, record)
      }
    case .human:
      for difference in differences {
        let path = difference.anyPath
        output.write(
          output.paint(words.heading(difference), .bold) + "  " + output.paint(path.text, .dim)
            + "\n")
        for line in words.lines(difference) { output.line("  " + line) }
      }
    }
  }
}
