import LarderKit

/// The options for the period of a report.
enum Period {
  static let argument = Argument(
    "PERIOD", .zeroOrMore,
    help: "a year, a month, 'last month', 'this week', a day or 30d; all days if left out")
  static let since = Option("since", value: "DAY", help: "from this day on")
  static let until = Option("until", value: "DAY", help: "up to this day")
}

extension Invocation {
  /// Returns the days of PERIOD, or of `--since` and `--until`; `named` are those of another
  /// argument.
  ///
  /// Throws if the last day is before the first, or if both name days.
  func period(
    _ calendar: HouseholdCalendar, named: ClosedRange<Day>? = nil
  ) throws -> (since: Day?, until: Day?) {
    let words = all(Period.argument).joined(separator: " ")
    if named != nil || !words.isEmpty { try refuseOptionsBesidePeriod() }
    if let named { return (named.lowerBound, named.upperBound) }
    if !words.isEmpty { return try period(words, calendar) }
    let since = try day(Period.since, calendar, .since)
    let until = try day(Period.until, calendar, .until)
    if let since, let until, until < since {
      throw unreadable(
        self[Period.until] ?? "", for: Period.until.spelling,
        "\(until) is before \(since), which \(Period.since.spelling) says")
    }
    return (since, until)
  }

  private func refuseOptionsBesidePeriod() throws {
    for option in [Period.since, Period.until] where has(option) {
      throw UsageError([.conflictingOptions(Period.argument.name, option.spelling)], in: path)
    }
  }

  private func period(
    _ words: String, _ calendar: HouseholdCalendar
  ) throws -> (since: Day?, until: Day?) {
    do throws(DayMistake) {
      let days = try calendar.period(reading: words)
      return (days.lowerBound, days.upperBound)
    } catch {
      throw CommandError(
        .usage, "'\(words)' is no period",
        "a period is a year, a month like 2026-11 or november, 'last month', a day, or 30d; "
          + "'larder help dates' has more",
        "'larder prices \(shellWord(words))' tells what one thing cost")
    }
  }

  /// Whether a table for a spreadsheet is wanted; throws if another form is wanted too.
  func wantsCSV() throws -> Bool {
    guard has(.csv) else { return false }
    let other = output.mode == .json ? "--json" : output.mode == .plain ? "--plain" : nil
    if let other { throw UsageError([.conflictingOptions(Option.csv.spelling, other)], in: path) }
    return true
  }
}

/// Returns the JSON members with the period of a report.
func members(of period: (since: Day?, until: Day?)) -> JSON {
  [
    "since": period.since.map { .string($0.description) },
    "until": period.until.map { .string($0.description) },
  ]
}

extension Invocation {
  /// Prints the rows of a report: as a table for a spreadsheet, as JSON between other members, as
  /// records, or as `tell` does for people.
  func report<Row: Sendable>(
    _ rows: [Row], _ columns: [Column<Row>], below head: JSON, above more: JSON = [:],
    tell: () -> Void
  ) throws {
    if try wantsCSV() { return output.csv(rows, columns) }
    switch output.mode {
    case .json: output.json(head + ["items": columns.objects(of: rows)] + more)
    case .plain: output.records(rows, columns)
    case .human: tell()
    }
  }
}

extension Option {
  /// The option for a report as a table for spreadsheets.
  static let csv = Option(
    "csv", help: "write a table for a spreadsheet, with the columns of --plain")
}

extension Output {
  /// Prints rows as comma-separated values, with the names and the order of the columns of records.
  func csv<Row>(_ rows: [Row], _ columns: [Column<Row>]) {
    let recorded = columns.compactMap { column in column.record.map { (column, $0) } }
      .sorted { $0.1.place < $1.1.place }
    var writer = CSVWriter(recorded.map(\.1.name))
    for row in rows {
      writer.row(
        recorded.map { column, record in
          let text = record.text(row)
          return column.value(row).isMeasure ? .value(text) : .text(text)
        })
    }
    write(writer.bytes)
  }
}
