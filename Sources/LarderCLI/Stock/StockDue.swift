import LarderKit

/// `larder stock due` and `larder stock expired`.
enum StockDue {
  private static let filters = Argument(
    "DAYS-or-FILTER", .zeroOrMore, values: .filters,
    help:
      "how many days ahead, or until which day; words to look for, field:value, field:>n, -field:value, is:STATE"
  )
  private static let days = Option(
    "days", short: "d", value: "N",
    help: "how many days ahead; if left out, the household's expiringWithinDays")

  static let due = Command(
    "stock due", arguments: [filters.choosing(LotRow.self)],
    options: [days] + ListOptions.all,
    records: LotRow.forms(of: LotRow.columns + [LotRow.leftOverColumn]), isPaged: true
  ) { invocation in
    let survey = try await invocation.survey()
    let count = try daysAhead(invocation, survey)
    let due = LotRow.due(in: survey, days: count)
    let dayWords =
      typedDay(invocation, survey)?.words ?? (typedDays(invocation) == nil ? 0 : 1)
    let words = Array(invocation.all(filters).dropFirst(dayWords))
    let rows = try invocation.choose(due, by: words, in: survey)
    let past = Past(
      expired: try invocation.choose(LotRow.expired(in: survey), by: words, in: survey),
      pastBest: try invocation.choose(LotRow.pastBest(in: survey), by: words, in: survey))
    let isApart =
      invocation.output.mode == .human && invocation.output.terminal.outputIsTerminal
    if isApart { past.show(in: survey, invocation.output) }
    let timeline = Timeline(days: count, today: survey.calendar.today)
    await invocation.list(rows, by: words, in: survey, columns: timeline.columns)
    guard invocation.output.mode == .human else { return }
    if rows.isEmpty, !due.isEmpty {
      let lots = counted(due.count, "batch", "batches")
      invocation.output.note("without these words, 'larder due \(count)' lists \(lots)")
    }
    if !isApart { past.note(invocation.output) }
  }
  .explained("{batches}", LotRow.listing.discussion)

  static let expired = Command.list("stock expired", of: LotRow.self, explaining: "{batches}") {
    invocation in
    let survey = try await invocation.survey()
    let rows = try invocation.choose(
      LotRow.expired(in: survey) + LotRow.pastBest(in: survey), in: survey)
    await invocation.list(rows, in: survey)
    guard invocation.output.mode == .human, !rows.isEmpty else { return }
    invocation.output.note("'larder stock discard ITEM --batch B' takes out what was thrown away")
  }

  private static func daysAhead(_ invocation: Invocation, _ survey: Survey) throws -> Int {
    if let (day, _) = typedDay(invocation, survey) {
      return max(0, day.daysSinceEpoch - survey.calendar.today.daysSinceEpoch)
    }
    if let word = invocation.given(filters), typedDays(invocation) == nil,
      word.drop(while: { "+-".contains($0) }).first?.isNumber ?? false
    {
      _ = try invocation.day(word, for: filters.name, survey.calendar)
      throw invocation.unreadable(
        word, for: filters.name, "\(days.spelling) says the number of days already")
    }
    return try invocation.daysAhead(days, or: typedDays(invocation))
      ?? survey.household.own?.expiringWithinDays ?? 14
  }

  /// Returns the number of days in the first word.
  private static func typedDays(_ invocation: Invocation) -> String? {
    invocation.given(filters).flatMap { word in
      word.allSatisfy { $0.isASCII && $0.isNumber } ? word : nil
    }
  }

  /// Returns the day in the first words, such as `fri`, `week`, `10d` or `3 days`.
  private static func typedDay(
    _ invocation: Invocation, _ survey: Survey
  ) -> (day: Day, words: Int)? {
    guard invocation[days] == nil else { return nil }
    let words = invocation.all(filters)
    let lengths = ["week": "1w", "month": "1m", "year": "1y"]
    for count in stride(from: min(3, words.count), through: 1, by: -1) {
      let text = words.prefix(count).joined(separator: " ")
      guard let day = survey.calendar.day(typed: lengths[fold(text)] ?? text) else { continue }
      if let completed = survey.calendar.completed(text) { invocation.output.warn(completed.words) }
      return (day, count)
    }
    return nil
  }
}

/// What is listed apart from what is due, because its day has passed.
private struct Past {
  let expired: [LotRow]
  let pastBest: [LotRow]

  /// Prints it on a terminal, what has expired first.
  func show(in survey: Survey, _ output: Output) {
    for (meaning, rows) in [(PassedDay.expired, expired), (.pastBest, pastBest)] where !rows.isEmpty
    {
      output.line(meaning.heading, .bold)
      for row in rows { output.line("  " + survey.line(about: row.lot)) }
      output.line("")
    }
  }

  /// Says how much it is where the list is read by another program.
  func note(_ output: Output) {
    if !expired.isEmpty {
      output.note(
        "\(counted(expired.count, "batch has", "batches have")) already expired: 'larder stock expired'"
      )
    }
    if !pastBest.isEmpty {
      output.note(
        counted(pastBest.count, "batch is past its best", "batches are past their best")
          + ": 'larder stock expired is:past'")
    }
  }
}

/// A chart of days, with a line from today to the expiry day.
private struct Timeline {
  let days: Int
  let today: Day

  /// The list's columns, with different ones in the table.
  var columns: [Column<LotRow>] {
    let shown: [Column<LotRow>] = [
      Column(.init("Keeps until", isWhole: true, need: .most)) { .init(day(of: $0), $0.style) },
      Column(.init("Left", .right, need: .little)) { .init(left(of: $0), $0.style) },
      Column(.init(heading, minimumWidth: days + 1, isOnlyForTerminals: true)) {
        .init(line(to: $0), $0.style)
      },
      Column(.init("Item", minimumWidth: 12, need: .most)) { .init($0.title) },
      Column(.init("Batch", .right, need: .most)) { .init($0.quantity.description) },
      LotRow.leftOverColumn,
      Column(.init("Place")) { .init($0.place ?? "") },
    ]
    return shown + LotRow.columns.map(\.hidden)
  }

  /// Whether the chart is drawn; more than 31 days would not fit.
  private var isDrawn: Bool { days <= 31 }

  /// The first letters of the weekdays, from today on.
  private var heading: String {
    guard isDrawn else { return "" }
    let letters = ["M", "T", "W", "T", "F", "S", "S"]
    let first = today.weekday - 1
    return (0...days).map { letters[(first + $0) % 7] }.joined()
  }

  private func line(to row: LotRow) -> String {
    guard isDrawn, let left = row.daysLeft, (0...days).contains(left) else { return "" }
    return String(repeating: "─", count: left) + "●"
  }

  /// Returns the expiry day, such as `Mon 2026-11-23`.
  private func day(of row: LotRow) -> String {
    guard let last = row.expiry else { return "" }
    return "\(last.day.shortWeekday) \(last)"
  }

  private func left(of row: LotRow) -> String {
    guard let left = row.daysLeft else { return "" }
    return left == 0 ? "today" : counted(left, "day")
  }
}

extension LotRow {
  /// The colour of the date: expired, past its best, or within three days.
  var style: Style? {
    if let passed { return passed.style }
    return daysLeft.map { $0 <= 3 } ?? false ? .yellow : nil
  }

  /// The columns for the batches of one item, without its name.
  static var columnsOfOneItem: [Column<LotRow>] {
    columns.dropFirst() + [
      Column(.init("Date", need: .little)) { .init($0.dateWords) },
      Column(.init("Notes")) { .init($0.notes ?? "") },
    ]
  }

  /// The column for the quantity that will not be used in time, for `due`.
  static let leftOverColumn = Column<LotRow>("leftOver") { ListValue($0.leftOver) }
    .inTable("Left over", .right) { row in .init(row.leftOver.map { "about \($0)" } ?? "", .red) }
    .inRecord(9).inJSON(5)

  /// What people said of the date besides the day: its kind, and the text on the package.
  private var dateWords: String {
    guard let date = batch.expiry else { return "" }
    var kind: String? = [.bestBefore: "best before", .useBy: "use by"][date.kind]
    if batch.isKeptFrozen, let day = date.date {
      kind = "\(kind ?? "until") \(day) before it was frozen"
    }
    return [kind, date.rawText.map { "\"\($0)\"" }].compactMap(\.self).joined(separator: " ")
  }

  private var openedText: String { openedDay?.description ?? "" }

  /// What it means in words that its last day has passed.
  private var passedWords: String {
    passed.flatMap { passed in daysLeft.map { passed.words(after: -$0) } } ?? ""
  }

  /// The way in which the batch ended, such as used up; nil for one that is still there.
  private var end: String? {
    switch Batch(entity: batch).status {
    case .active: nil
    case .consumed: batch.quantity.value == .zero ? "used up" : nil
    case .discarded: "thrown away"
    case .archived: "archived"
    }
  }

  /// The path of the first batch, and the number of the others.
  private var file: String { lot.batches.count > 1 ? "\(path) (+\(lot.batches.count - 1))" : path }
}

extension LotRow: ListedRow {
  static let columns: [Column<LotRow>] = [
    Column("name").inTable("Item", minimumWidth: 12).inRecord(1).inJSON(1),
    Column("itemId").inJSON(2),
    Column("quantity")
      .inTable("Batch", .right, need: .most) {
        .init($0.quantity.description, $0.quantity.value < .zero ? .boldRed : nil)
      }.inRecord(2),
    Column("unit").inRecord(3, text: \.batch.unit.rawValue),
    Column("expiry")
      .inTable("Keeps until", need: .most) { .init($0.expiry?.description ?? "", $0.style) }
      .inRecord(4),
    Column("passed")
      .inTable("Passed", need: .little) { .init($0.passedWords, $0.style) }
      .inRecord(11).inJSON(6),
    Column("daysLeft").inJSON(4),
    Column("location").inTable("Place").inRecord(5).inJSON(3),
    Column("opened")
      .inTable("Opened", need: .little) { .init($0.openedText) }.inRecord(7, text: \.openedText),
    Column("lotOrBatchCode").inTable("Lot code", need: .little).inRecord(6),
    Column("status").inRecord(10),
    Column(.init("Now")) { .init($0.end ?? "", .dim) },
    Column(.init("File", isWhole: true, need: .least)) { .init($0.file, .dim) },
    Column("id").inRecord(8),
  ]
}

extension PassedDay {
  /// The colour of a day that has passed.
  var style: Style { self == .expired ? .red : .yellow }
}
