import LarderKit
import Libc

/// `larder report`.
enum ReportCommand {
  private static let file = Option(
    "output", short: "o", value: "FILE", values: .file, help: "write to FILE; - is standard output")
  private static let open = Option("open", help: "open it in the browser")
  private static let picture = Option(
    "svg", value: "NAME",
    values: .suggested([
      "due", "runs-out", "months", "categories", "shops", "prices", "waste", "stock",
    ]),
    help: "only one picture, as SVG: due, runs-out, months, categories, shops, prices, waste, stock"
  )

  static let command = Command(
    "report", group: "Costs", arguments: [Period.argument],
    options: [Period.since, Period.until, file, open, picture]
  ) { invocation in
    let survey = try await invocation.survey()
    let period = try invocation.period(survey)
    let report = HouseholdReport(survey, since: period.since, until: period.until)
    let text = try text(of: report, invocation)
    let place = try await write(text, invocation)
    guard let place else { return invocation.output.write(text) }
    switch invocation.output.mode {
    case .json:
      invocation.output.json(["file": .string(place), "bytes": .number(text.utf8.count)])
    case .plain, .human: invocation.output.line(place)
    }
    if invocation.has(open) { try show(place) }
  }

  private static func text(of report: HouseholdReport, _ invocation: Invocation) throws -> String {
    guard let name = invocation[picture] else { return report.page }
    let pictures = report.pictures.filter(\.isDrawn)
    if let found = pictures.first(where: { $0.name == fold(name) }) { return found.file }
    guard !pictures.isEmpty else {
      throw ErrorWords(
        .failed, "there is nothing to draw yet: no receipts, no dates and no uses are known")
    }
    throw invocation.usage(.notAmong(name, name: picture.spelling, pictures.map(\.name)))
  }

  /// Writes the text to a file and returns its path; nil if the text belongs on standard output.
  private static func write(_ text: String, _ invocation: Invocation) async throws -> String? {
    if let path = invocation[file] {
      guard path != "-" else {
        guard !invocation.has(open), invocation.output.mode != .json else {
          throw invocation.unreadable(
            path, for: file.spelling, "a file is needed with \(open.spelling) and --json")
        }
        return nil
      }
      try replace(path, with: text)
      return path
    }
    let output = invocation.output
    let isKept =
      invocation.has(open) || output.mode == .json
      || output.terminal.outputIsTerminal && !invocation.has(picture)
    guard isKept else { return nil }
    guard !invocation.has(picture) else {
      throw ErrorWords(
        .usage, "a picture needs a file",
        "\(file.usage) names it: larder report --svg \(invocation[picture] ?? "") -o FILE")
    }
    return try await invocation.withLarder { try $0.keep(report: text) }
  }

  /// Writes a file; throws if the path has another file than a report.
  private static func replace(_ path: String, with text: String) throws {
    let there = try FileBytes.already(at: path) ?? []
    guard there.isEmpty || HouseholdReport.isReport(there) else {
      throw ErrorWords(
        .failed, "\(path) is there already and is no report, so it stays as it is",
        "'\(file.usage)' with another name writes the report there")
    }
    try FileBytes.write(Array(text.utf8), to: path)
  }

  /// Opens a file with the system's program for it, and does not wait.
  private static func show(_ path: String) throws {
    #if canImport(Darwin)
      let program = "open"
    #else
      let program = "xdg-open"
    #endif
    let started = ChosenProgram(command: program).start([path])
    guard let started, ChildProcess.end(of: started) == 0 else {
      throw ErrorWords(
        .failed, "the report is written, but '\(program)' could not open it",
        "open it in a browser: \(path)")
    }
  }
}

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
  /// argument, and `words` those of PERIOD that say the days.
  ///
  /// Throws if the last day is before the first, or if both name days.
  func period(
    _ survey: Survey, in words: [String]? = nil, named: ClosedRange<Day>? = nil
  ) throws -> (since: Day?, until: Day?) {
    let words = (words ?? all(Period.argument)).joined(separator: " ")
    if named != nil || !words.isEmpty { try refuseOptionsBesidePeriod() }
    if let named { return (named.lowerBound, named.upperBound) }
    if !words.isEmpty { return try period(words, survey) }
    let since = try day(Period.since, survey.calendar, .since)
    let until = try day(Period.until, survey.calendar, .until)
    if let since, let until, until < since {
      throw unreadable(
        self[Period.until] ?? "", for: Period.until.spelling,
        "\(until) is before \(since), which \(Period.since.spelling) says")
    }
    return (since, until)
  }

  private func refuseOptionsBesidePeriod() throws {
    for option in [Period.since, Period.until] where has(option) {
      throw usage(.conflictingOptions(Period.argument.name, option.spelling))
    }
  }

  private func period(
    _ words: String, _ survey: Survey
  ) throws -> (since: Day?, until: Day?) {
    do throws(DayMistake) {
      let days = try survey.calendar.period(reading: words)
      return (days.lowerBound, days.upperBound)
    } catch {
      let isThing = (try? survey.prices(of: words, in: Purchases(in: survey))) != nil
      throw ErrorWords(
        .usage, "'\(words)' is no period",
        hints: [
          "a period is a year, a month like 2026-11 or november, 'last month', a day, or 30d; "
            + "'larder help dates' has more",
          isThing ? "'larder prices \(shellWord(words))' tells what one thing cost" : nil,
        ].compactMap(\.self))
    }
  }

  /// Whether a table for a spreadsheet is wanted; throws if another form is wanted too.
  func wantsCSV() throws -> Bool {
    guard has(.csv) else { return false }
    let other = output.mode == .json ? "--json" : output.mode == .plain ? "--plain" : nil
    if let other { throw usage(.conflictingOptions(Option.csv.spelling, other)) }
    return true
  }

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

/// Returns the JSON members with the period of a report.
func members(of period: (since: Day?, until: Day?)) -> JSON {
  [
    "since": period.since.map { .string($0.description) },
    "until": period.until.map { .string($0.description) },
  ]
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
