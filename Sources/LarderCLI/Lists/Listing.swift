import LarderKit
import LarderModel

/// A row of a list.
protocol ListRow: Sendable {
  /// The entities of the row: one, or several for a lot with several files.
  var entities: [Entity] { get }
  static var kind: Kind { get }
  static var listing: Listing<Self> { get }
}

/// The common parts of one kind of list: the columns, the texts that words search, and the states
/// for `is:`.
struct Listing<Row: ListRow> {
  struct State {
    let name: String
    /// A remark for the help.
    let remark: String?
    let holds: (Row) -> Bool

    init(_ name: String, remark: String? = nil, holds: @escaping (Row) -> Bool) {
      self.name = name
      self.remark = remark
      self.holds = holds
    }
  }

  let columns: [Column<Row>]
  /// The texts that words search, and their names for the help.
  let searched: (names: String, texts: (Row, Survey) -> [String?])
  let states: [State]

  /// The columns for filters and sorting.
  var fields: [Column<Row>] { columns.filter { !$0.names.isEmpty } }

  /// Returns the field with a name, including fields of some files that the format does not know.
  ///
  /// Nil if no row has the field.
  func field(_ name: String, in rows: [Row]) -> Column<Row>? {
    let wanted = fold(name)
    if let field = fields.first(where: { $0.names.contains { fold($0) == wanted } }) {
      return field
    }
    let unknown = Set(rows.flatMap { $0.entities[0].registers.map(\.name.text) })
    guard let key = unknown.sorted().first(where: { fold($0) == wanted }) else { return nil }
    return Column(key) { FilterValue($0.entities[0][FieldName(key)]) }
  }

  /// The names that are suggested for a mistyped field.
  var fieldNames: [String] { fields.flatMap(\.names) }
}

extension Listing {
  /// The help's text about filters, with the fields and states of this list.
  var discussion: String {
    """
    Words match \(searched.names), without regard to case and accents. \
    'field:value' compares a field, named as in the files; 'field>value' compares a number or a day, \
    also with >=, < and <=, in quotes for the shell. 'field:' matches if there is no value, and '-field:value' if it is anything else. \
    A row must match all filters. If none has all of several words, those with one of them are listed.

    \(fieldsText())
    """
  }

  /// Returns the help's text about the fields and the states; `rows` says which rows have them.
  func fieldsText(of rows: String? = nil) -> String {
    let rows = rows.map { " of \($0)" } ?? ""
    let states = states.map { "is:\($0.name)" + ($0.remark.map { " (\($0))" } ?? "") }
    return """
      Fields\(rows): \(fields.map(\.helpText).joined(separator: ", ")), and any other field of your \
      files.

      States\(rows): \(states.joined(separator: ", ")).
      """
  }
}

extension Column where Row: ListRow {
  /// Returns the columns at the end of every list; `record` is the place of the id in a record.
  static func identity(record: Int) -> [Column] {
    [
      Column("id") { .text($0.entities[0].id) }.inRecord(record),
      Column("createdAt", "created") { .instant($0.entities[0].createdAt) },
      Column("updatedAt", "updated") { .instant($0.entities[0].updatedAt) },
    ]
  }
}
