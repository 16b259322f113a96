import LarderJSON
import LarderModel

/// A column of a list: one entry for tables, records, JSON, filters, sorting, `show` and the help.
///
/// The order of the columns is the order in tables, in `show` and in the help.
struct Column<Row>: Sendable {
  /// The format's name, then other names, for filters, `--sort` and the help.
  ///
  /// It is empty for a column that is only displayed.
  let names: [String]
  /// A remark for the help.
  let remark: String?
  let value: @Sendable (Row) -> FilterValue
  /// The heading and the cells; nil if tables leave the column out.
  private(set) var shown: (layout: Table.Layout, cell: @Sendable (Row) -> Table.Cell)?
  /// The place in a record, from 1, with its name in the help, and the text there.
  ///
  /// Scripts rely on the place.
  private(set) var record: (place: Int, name: String, text: @Sendable (Row) -> String)?
  /// The place among the computed values in JSON, from 1, and the value, with its name; nil adds
  /// nothing.
  private(set) var computed: (place: Int, name: String, json: @Sendable (Row) -> JSON?)?
  /// The line of `show`, with its name; nil adds no line.
  private(set) var detail: (name: String, text: @Sendable (Row) -> String?)?

  /// Creates a column that filters, `--sort` and the help know by its names.
  init(_ names: String..., remark: String? = nil, value: @escaping @Sendable (Row) -> FilterValue) {
    self.names = names
    self.remark = remark
    self.value = value
  }

  /// Creates a column that only tables have.
  init(_ layout: Table.Layout, cell: @escaping @Sendable (Row) -> Table.Cell) {
    names = []
    remark = nil
    value = { _ in .none }
    shown = (layout, cell)
  }

  /// Returns the column with a place in tables; the default for `cell` is the value's text.
  func inTable(
    _ heading: String, _ alignment: Table.Alignment = .left, minimumWidth: Int = 8,
    isWhole: Bool = false, need: Table.Need = .some, cell: (@Sendable (Row) -> Table.Cell)? = nil
  ) -> Column {
    var column = self
    let value = value
    column.shown = (
      .init(heading, alignment, minimumWidth: minimumWidth, isWhole: isWhole, need: need),
      cell ?? { .init(value($0).text) }
    )
    return column
  }

  /// Returns the column with a place in records.
  ///
  /// The default for `text` is the value's text; a quantity has no unit there.
  func inRecord(
    _ place: Int, as name: String? = nil, text: (@Sendable (Row) -> String)? = nil
  ) -> Column {
    var column = self
    let value = value
    column.record = (place, name ?? names.first ?? "", text ?? { value($0).recordText })
    return column
  }

  /// Returns the column with a place among the computed JSON values; the default for `json` is the
  /// value.
  func inJSON(_ place: Int, as name: String? = nil, json: (@Sendable (Row) -> JSON?)? = nil)
    -> Column
  {
    var column = self
    let value = value
    column.computed = (place, name ?? names[0], json ?? { value($0).json })
    return column
  }

  /// Returns the column with a line in `show`; the default for `text` is the value's text.
  func inShow(as name: String? = nil, text: (@Sendable (Row) -> String?)? = nil) -> Column {
    var column = self
    let value = value
    column.detail = (name ?? names[0], text ?? { value($0).isNone ? nil : value($0).text })
    return column
  }

  /// The column without its place in tables.
  var hidden: Column {
    var column = self
    column.shown = nil
    return column
  }

  /// The names as in the help, such as `total or stock (loose and in batches)`.
  var helpText: String {
    names.joined(separator: " or ") + (remark.map { " (\($0))" } ?? "")
  }
}

extension Array {
  /// Returns a row of these columns as JSON.
  func object<Row>(of row: Row) -> JSON where Element == Column<Row> {
    let computed = compactMap(\.computed).sorted { $0.place < $1.place }
    return .object(
      computed.compactMap { column in column.json(row).map { JSONMember(column.name, $0) } })
  }

  /// Returns the columns that tables have on a terminal, or without one.
  func shown<Row>(on terminal: Terminal) -> [Column<Row>] where Element == Column<Row> {
    filter { terminal.outputIsTerminal || !($0.shown?.layout.isOnlyForTerminals ?? false) }
  }
}
