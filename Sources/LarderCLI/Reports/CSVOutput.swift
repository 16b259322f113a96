import LarderKit

extension Option {
  /// The option for a report as a table for spreadsheets.
  static let csv = Option(
    "csv", help: "write a table for a spreadsheet, with the columns of --plain")
}

extension Invocation {
  /// Whether a table for a spreadsheet is wanted; throws if another form is wanted too.
  func wantsCSV() throws -> Bool {
    guard has(.csv) else { return false }
    let other = output.mode == .json ? "--json" : output.mode == .plain ? "--plain" : nil
    if let other { throw UsageError([.conflictingOptions(Option.csv.spelling, other)], in: path) }
    return true
  }
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
