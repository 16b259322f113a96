import LarderModel

/// The columns of a command's records: `--plain` writes them, and the help lists them.
///
/// Scripts count columns. So a new one comes after the others, and none of them moves.
struct Record<Row>: Sendable {
  private let columns: [(name: String, text: @Sendable (Row) -> String)]

  init(columns: [(name: String, text: @Sendable (Row) -> String)]) {
    self.columns = columns
  }

  init(_ columns: (name: String, text: @Sendable (Row) -> String)...) {
    self.init(columns: columns)
  }

  /// Returns the fields of a row.
  func fields(of row: Row) -> [String] { columns.map { $0.text(row) } }

  /// Returns the form of the records, for the help; `scope` says when a command writes them.
  func form(_ scope: String = "") -> RecordForm {
    RecordForm(scope: scope, columns: columns.map(\.name))
  }
}

/// The form of a command's records, for its help.
struct RecordForm: Sendable, Equatable {
  /// The condition under which a command writes them, such as `with --batches`; empty for always.
  var scope: String
  /// The names of the columns, in their order.
  var columns: [String]

  /// The line of the help.
  var text: String {
    (scope.isEmpty ? "" : scope + ": ") + columns.joined(separator: ", ")
  }

  /// The heading of the lines in the help.
  static let heading = "Columns with --plain"
}

/// A name with a value, such as a setting.
typealias NamedText = (name: String, text: String)

extension Record where Row == NamedText {
  /// The records of commands that write named values.
  static var named: Record { Record(("name", { $0.name }), ("value", { $0.text })) }
}

extension Output {
  /// Prints rows as records.
  func records<Row: Sendable>(_ rows: [Row], _ record: Record<Row>) {
    write(rows.map { plainRecord(record.fields(of: $0)) }.joined())
  }

  /// Prints named values as records.
  func records(_ rows: [NamedText]) { records(rows, .named) }
}

/// Returns one line of plain output: the fields separated by tabs, with a final newline.
///
/// A backslash, tab, newline or carriage return in a field is written as `\\`, `\t`, `\n` or `\r`.
/// Other control characters are written as `\u` and four digits. So a line is always one record,
/// and a field can be read back exactly.
func plainRecord(_ fields: [String]) -> String {
  fields.map(plainField).joined(separator: "\t") + "\n"
}

private func plainField(_ text: String) -> String {
  if plainWidth(text) != nil, !text.utf8.contains(UInt8(ascii: "\\")) { return text }
  var escaped = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\\": escaped.append(contentsOf: "\\\\".unicodeScalars)
    case "\t": escaped.append(contentsOf: "\\t".unicodeScalars)
    case "\n": escaped.append(contentsOf: "\\n".unicodeScalars)
    case "\r": escaped.append(contentsOf: "\\r".unicodeScalars)
    case _ where scalar.isObeyed: escaped.append(contentsOf: scalar.jsonEscape.unicodeScalars)
    default: escaped.append(scalar)
    }
  }
  return String(escaped)
}
