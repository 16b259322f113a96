/// The columns of a command's records: `--plain` writes them, and the help lists them.
///
/// Scripts count columns. So a new one comes after the others, and none of them moves.
struct Record<Row>: Sendable {
  private let columns: [(name: String, text: @Sendable (Row) -> String)]

  init(_ columns: (name: String, text: @Sendable (Row) -> String)...) {
    self.columns = columns
  }

  /// Returns the fields of a row.
  func fields(of row: Row) -> [String] { columns.map { $0.text(row) } }

  /// Returns what the help says about the records; `scope` says when a command writes them.
  func form(_ scope: String = "") -> RecordForm {
    RecordForm(scope: scope, columns: columns.map(\.name))
  }
}

/// What a command's help says about records.
struct RecordForm: Sendable, Equatable {
  /// When a command writes them, such as `with --batches`; empty for always.
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
  /// The records of commands that tell values by their names.
  static var named: Record { Record(("name", { $0.name }), ("value", { $0.text })) }
}

extension Output {
  /// Prints rows as records.
  func records<Row>(_ rows: [Row], _ record: Record<Row>) {
    for row in rows { self.record(record.fields(of: row)) }
  }

  /// Prints values by their names as records.
  func records(_ rows: [NamedText]) { records(rows, .named) }
}
