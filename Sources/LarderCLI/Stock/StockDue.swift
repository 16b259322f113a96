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
    "stock due", arguments: [filters.choosing(from: LotRow.listing)],
    options: [days] + ListOptions.all,
    records: LotRow.forms(of: LotRow.listing.columns + [LotRow.leftOverColumn]), isPaged: true
  ) { invocation in
    let survey = try await invocation.survey()
    let count = try daysAhead(invocation, survey)
    let batches = survey.stock.due(from: survey.calendar.today, days: count)
    let dayWords =
      typedDay(invocation, survey)?.words ?? (typedDays(invocation) == nil ? 0 : 1)
    let words = Array(invocation.all(filters).dropFirst(dayWords))
    var rows = try chosen(batches, by: words, survey, invocation)
    for (row, rest) in zip(rows.indices, survey.leftOvers(of: rows.map(\.lot))) {
      rows[row].leftOver = rest
    }
    let today = survey.calendar.today
    let past = Past(
      expired: try chosen(survey.stock.expired(on: today), by: words, survey, invocation),
      pastBest: try chosen(survey.stock.pastBest(on: today), by: words, survey, invocation))
    let isApart =
      invocation.output.mode == .human && invocation.output.terminal.outputIsTerminal
    if isApart { past.show(in: survey, invocation.output) }
    let timeline = Timeline(days: count, today: survey.calendar.today)
    invocation.list(rows, by: words, in: survey, columns: timeline.columns)
    guard invocation.output.mode == .human else { return }
    if rows.isEmpty, !batches.isEmpty {
      let lots = counted(Lot.grouped(batches).count, "batch", "batches")
      invocation.output.note("without these words, 'larder due \(count)' lists \(lots)")
    }
    if !isApart { past.note(invocation.output) }
  }
  .explained("{batches}", LotRow.listing.discussion)

  static let expired = Command.list("stock expired", of: LotRow.self, explaining: "{batches}") {
    invocation in
    let survey = try await invocation.survey()
    let today = survey.calendar.today
    let rows = try chosen(
      survey.stock.expired(on: today) + survey.stock.pastBest(on: today),
      by: invocation.all(ListOptions.filters), survey, invocation)
    invocation.list(rows, in: survey)
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

  private static func chosen(
    _ batches: [Entity], by filters: [String], _ survey: Survey, _ invocation: Invocation
  ) throws -> [LotRow] {
    let rows = Lot.grouped(batches).map { LotRow($0, in: survey) }
    return try invocation.choose(rows, by: filters, in: survey)
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
      Column(.init("Batch", .right, need: .most)) { .init($0.lot.quantity.description) },
      LotRow.leftOverColumn,
      Column(.init("Place")) { .init($0.place ?? "") },
    ]
    return shown + LotRow.listing.columns.map(\.hidden)
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
    guard let last = row.batch.batchDay else { return "" }
    return "\(last.day.shortWeekday) \(last)"
  }

  private func left(of row: LotRow) -> String {
    guard let left = row.daysLeft else { return "" }
    return left == 0 ? "today" : counted(left, "day")
  }
}

/// A lot as a row of a list; batches that people can't tell apart are one row.
struct LotRow {
  let lot: Lot
  let title: String
  let item: Entity?
  let place: String?
  /// The path of the first batch.
  private let path: String
  /// The day on which it was opened, in the household's time zone.
  private let openedDay: Day?
  /// The number of days until it expires, below zero after that; nil without a date.
  let daysLeft: Int?
  /// What it means that its last day has passed, and that in words; nil if it has not.
  let passed: PassedDay?
  private let passedWords: String
  /// The quantity that will be left after its last day, at the current pace.
  ///
  /// Nil if nothing will be left, or if it was not computed.
  var leftOver: Quantity?

  init(_ lot: Lot, in survey: Survey) {
    self.lot = lot
    title = survey.naming.title(of: lot.first)
    item = survey.stock.item(of: lot.first)
    place = survey.place(of: lot.first)
    path = survey.household.path(of: lot.first.key)?.text ?? lot.first.id
    openedDay = lot.first.openedAt.map { survey.calendar.day(of: $0) }
    let today = survey.calendar.today
    passed = lot.first.hasSomethingLeft ? lot.first.passedDay(on: today) : nil
    passedWords = passed == nil ? "" : survey.passedWords(for: lot.first) ?? ""
    daysLeft = lot.first.lastDay.map { $0.daysSinceEpoch - today.daysSinceEpoch }
  }

  var batch: Entity { lot.first }

  /// The colour of the date: expired, past its best, or within three days.
  var style: Style? {
    if let passed { return passed.style }
    return daysLeft.map { $0 <= 3 } ?? false ? .yellow : nil
  }

  /// Returns the rows of all lots that count, by item, in the order of use.
  ///
  /// With `isWhole`, it includes lots that were used up, thrown away or archived.
  static func all(in survey: Survey, isWhole: Bool) -> [LotRow] {
    let gone = isWhole ? survey.stock.all(.inventoryItem).filter { !$0.makesDifference } : []
    return (Lot.grouped(survey.countingBatches) + Stock.inUseOrder(gone).map { Lot($0) })
      .map { LotRow($0, in: survey) }.sorted(byText: \.title)
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
}

extension LotRow: ListRow {
  var entities: [Entity] { lot.batches }
  static var kind: Kind { .inventoryItem }

  static var listing: Listing<LotRow> {
    Listing(
      columns: columns,
      searched: (
        "the names, the notes, the category, the lot code, and the product's title and barcodes",
        {
          [$0.title, $0.batch.snapshot?.title, $0.notes, $0.item?.category, $0.batch.lotCode]
            + ($0.item?.aliases ?? [])
            + $1.words(ofProducts: ($0.item?.productIDs ?? []) + [$0.batch.productID])
        }
      ),
      states: [
        .init("expired") { $0.passed == .expired },
        .init("past", remark: "past its best") { $0.passed == .pastBest },
        .init("open") { $0.batch.openedAt != nil },
      ])
  }

  /// The columns for the batches of one item, without its name.
  static var columnsOfOneItem: [Column<LotRow>] {
    columns.dropFirst() + [
      Column(.init("Date", need: .little)) { .init($0.dateWords) },
      Column(.init("Notes")) { .init($0.notes ?? "") },
    ]
  }

  /// The column for the quantity that will not be used in time, for `due`.
  static var leftOverColumn: Column<LotRow> {
    Column("leftOver") { FilterValue($0.leftOver) }
      .inTable("Left over", .right) { row in .init(row.leftOver.map { "about \($0)" } ?? "", .red) }
      .inRecord(9).inJSON(5)
  }

  private static var columns: [Column<LotRow>] {
    [
      Column("name", "item") { .text($0.title) }
        .inTable("Item", minimumWidth: 12).inRecord(1).inJSON(1),
      Column("itemId") { FilterValue($0.item?.id) }.inJSON(2),
      Column("quantity", "total", "stock") { .quantity($0.lot.quantity) }
        .inTable("Batch", .right, need: .most) {
          .init($0.lot.quantity.description, $0.lot.quantity.value < .zero ? .boldRed : nil)
        }.inRecord(2),
      Column("unit") { .texts([$0.batch.unit.rawValue, $0.batch.unit.shortName]) }
        .inRecord(3, text: \.batch.unit.rawValue),
      Column("category") { FilterValue($0.item?.category) },
      Column("expiry", "expiryInfo") { FilterValue($0.batch.lastDay) }
        .inTable("Keeps until", need: .most) {
          .init($0.batch.batchDay?.description ?? "", $0.style)
        }
        .inRecord(4),
      Column("passed", remark: "expired or pastBest, once its day has passed") {
        FilterValue($0.passed?.name)
      }
      .inTable("Passed", need: .little) { .init($0.passedWords, $0.style) }
      .inRecord(11).inJSON(6),
      Column("daysLeft") { FilterValue($0.daysLeft.map { Number($0) }) }.inJSON(4),
      Column("location", "place", "storageLocationId") { FilterValue($0.place) }
        .inTable("Place").inRecord(5).inJSON(3),
      Column("opened", "openedInfo") { FilterValue($0.batch.openedAt) }
        .inTable("Opened", need: .little) { .init($0.openedText) }.inRecord(7, text: \.openedText),
      Column("lotOrBatchCode", "lot") { FilterValue($0.batch.lotCode) }
        .inTable("Lot code", need: .little).inRecord(6),
      Column("product", "productRef") { .text($0.batch.productID) },
      Column("notes", "note") { FilterValue($0.notes) },
      Column("status") { FilterValue(Batch(entity: $0.batch).status.rawValue) }.inRecord(10),
      Column(.init("Now")) { .init($0.end ?? "", .dim) },
      Column(.init("File", isWhole: true, need: .least)) { .init($0.file, .dim) },
    ] + Column.identity(record: 8)
  }

  private var notes: String? { batch[.notes]?.string }

  /// What people said of the date besides the day: its kind, and the text on the package.
  private var dateWords: String {
    guard let date = batch.expiry else { return "" }
    let kind: String? = [.bestBefore: "best before", .useBy: "use by"][date.kind]
    return [kind, date.rawText.map { "\"\($0)\"" }].compactMap(\.self).joined(separator: " ")
  }

  private var openedText: String { openedDay?.description ?? "" }

  /// The path of the first batch, and the number of the others.
  private var file: String { lot.batches.count > 1 ? "\(path) (+\(lot.batches.count - 1))" : path }
}

extension PassedDay {
  /// The colour of a day that has passed.
  var style: Style { self == .expired ? .red : .yellow }
}
