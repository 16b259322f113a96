import LarderKit

extension Output {

  /// Prints rows in the requested form, in JSON under a name; `none` is the note for people if there
  /// are none.
  func rows<Row: Sendable>(
    _ rows: [Row], _ columns: [Column<Row>], as name: String, none: String? = nil
  ) {
    switch mode {
    case .json: json([name: columns.objects(of: rows)])
    case .plain: records(rows, columns)
    case .human:
      if rows.isEmpty, let none { note(none) }
      table(Table(rows, columns))
    }
  }

}

extension Array {
  /// Returns those columns that have a place in records, in their order.
  func recorded<Row>() -> [(place: Int, name: String, text: @Sendable (Row) -> String)]
  where Element == Column<Row> {
    compactMap(\.record).sorted { $0.place < $1.place }
  }

  /// Returns the form of these columns' records, for the help; `scope` says when a command writes
  /// them.
  func form<Row>(_ scope: String = "") -> RecordForm where Element == Column<Row> {
    RecordForm(scope: scope, columns: recorded().map(\.name))
  }

  /// Returns the computed values of a row of these columns as JSON.
  func object<Row>(of row: Row) -> JSON where Element == Column<Row> {
    let computed = compactMap(\.computed).sorted { $0.place < $1.place }
    return .object(
      computed.compactMap { column in column.json(row).map { JSONMember(column.name, $0) } })
  }

  /// Returns rows of these columns as JSON.
  func objects<Row>(of rows: [Row]) -> JSON where Element == Column<Row> {
    .array(rows.map { object(of: $0) })
  }

  /// Returns the columns that tables have on a terminal, or without one.
  func shown<Row>(on terminal: Terminal) -> [Column<Row>] where Element == Column<Row> {
    filter { terminal.outputIsTerminal || !($0.shown?.layout.isOnlyForTerminals ?? false) }
  }
}

extension ListedRow {
  /// The forms of the list's records, with and without `--sync`, for the help.
  static var forms: [RecordForm] { forms() }

  /// Returns the forms of the records, for the help; `other` are the forms with an option.
  static func forms(
    of columns: [Column<Self>] = columns, _ other: RecordForm...
  ) -> [RecordForm] {
    [columns.form()] + other
      + [RecordForm(scope: "with \(ListOptions.sync.spelling), at the end", columns: [syncColumn])]
  }

  static var syncColumn: String { ListOptions.sync.name }

  /// The computed values of what `show` shows.
  var shownComputed: JSON { Self.columns.filter { $0.detail != nil }.object(of: self) }

  /// Returns the lines of `show`: the columns, the fields that the format does not know, and the
  /// path.
  func details(in survey: Survey) -> [NamedText] {
    let entity = entities[0]
    let columns = Self.columns.compactMap(\.detail).map { ($0.name, $0.text(self, survey)) }
    let ofFormat = Set(Schema.of(entity.kind).fields.map(\.name))
    let unknown = entity.registers.filter { !ofFormat.contains($0.name) }
      .map { ($0.name.text, $0.value?.plainText) }
    let place = [
      ("archived", entity.isTombstone ? "yes" : nil),
      ("file", survey.household.path(of: entity.key)?.text), ("id", entity.id),
    ]
    return known(columns + unknown + place)
  }
}

extension Table {
  /// Creates a table with those columns that tables have and that some row fills.
  init<Row: Sendable>(_ rows: [Row], _ columns: [Column<Row>]) {
    let shown = columns.filter { $0.shown != nil }
    let cells = shown.compactMap(\.shown?.cell)
    let layouts = shown.compactMap { column in
      var layout = column.shown?.layout
      let known = rows.lazy.map(column.value).first { !$0.isNone }
      if known?.isMeasure ?? false { layout?.isWhole = true }
      return layout
    }
    self =
      Table(columns: layouts, rows: rows.map { row in cells.map { $0(row) } }).withoutEmptyColumns
  }
}

extension Survey {
  /// Returns the column of the sync state; none if it was not requested.
  func cloudColumns<Row: ListedRow>() -> [Column<Row>] {
    guard let cloud else { return [] }
    return [
      Column(.init("Sync")) { row in
        let standing = row.standing(in: cloud)
        return .init(standing?.rawValue ?? "", standing?.style)
      }
      .inRecord(.max, as: Row.syncColumn) { $0.standing(in: cloud)?.rawValue ?? "" }
    ]
  }
}

extension CloudState.Standing {
  fileprivate var style: Style {
    switch self {
    case .synced: .dim
    case .pending, .syncing: .yellow
    case .failed, .parked: .red
    }
  }
}

/// The options and the argument that all lists share.
enum ListOptions {
  static let filters = Argument(
    "FILTER", .zeroOrMore, values: .filters,
    help: "words to look for, field:value, field>n, -field:value, is:STATE")
  static let sort = Option(
    "sort", short: "s", value: "KEY", takesHyphen: true,
    help: "sort by a field; with '-' before or after it, in reverse")
  static let limit = Option("limit", short: "n", value: "N", help: "show at most N; 0 shows all")
  static let sync = Option("sync", help: "show each one's state in the cloud")
  static let all = [sort, limit, sync]
}

extension Argument {
  /// Returns the argument for the filters of a list.
  func choosing<Row: ListRow>(_ row: Row.Type) -> Argument {
    var copy = self
    copy.fields = Row.listing.fieldNames
    copy.states = Row.listing.states.map(\.name)
    return copy
  }
}

extension Invocation {
  /// Returns the rows that match the filters, sorted and limited as the options say.
  func choose<Row: ListRow>(
    _ rows: [Row], by filters: [String]? = nil, in survey: Survey
  ) throws -> [Row] {
    let listing = Row.listing
    let words = filters ?? all(ListOptions.filters)
    var chosen = try mapError(try listing.choose(words, from: rows, in: survey), usage)
    for completed in listing.completedDays(in: words, rows, survey.calendar) {
      output.warn(completed.words)
    }
    if let key = self[ListOptions.sort] {
      chosen = try mapError(try listing.sort(chosen, by: key), usage)
    }
    guard let limit = try most(ListOptions.limit) else { return chosen }
    return Array(chosen.prefix(limit))
  }

  /// Returns the error of words that a list can't follow.
  func usage(_ mistakes: ListMistakes) -> UsageError {
    let isFilter = mistakes.all.contains { $0.word != nil }
    return UsageError(
      mistakes.all.map(UsageProblem.init), in: path, topic: isFilter ? Topics.filters : nil)
  }

  /// Whether archived or deleted entities are wanted too, by `--all` or by a filter.
  func wantsDeleted(_ flag: Option) -> Bool {
    has(flag) || Filter.wantsArchived(all(ListOptions.filters))
  }
}

/// A column of a list: one entry for tables, records, JSON and `show`.
///
/// The order of the columns is the order in tables and in `show`.
struct Column<Row>: Sendable {
  /// The name of the value; empty for a column that is only displayed.
  let name: String
  let value: @Sendable (Row) -> ListValue
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
  private(set) var detail: (name: String, text: @Sendable (Row, Survey) -> String?)?

  /// Creates a column with a value of its own.
  init(_ name: String, value: @escaping @Sendable (Row) -> ListValue) {
    self.name = name
    self.value = value
  }

  /// Creates a column with the value of the list's field of this name.
  init(_ name: String) where Row: ListRow {
    let field = Row.listing.fields.first { $0.has(name) }
    self.init(name) { row in field?.value(row) ?? .none }
  }

  /// Creates a column that only tables have.
  init(_ layout: Table.Layout, cell: @escaping @Sendable (Row) -> Table.Cell) {
    name = ""
    value = { _ in .none }
    shown = (layout, cell)
  }

  /// Returns columns that only records have.
  ///
  /// Scripts count columns. So a new one comes after the others, and none of them moves.
  static func records(
    _ columns: (name: String, text: @Sendable (Row) -> String)...
  ) -> [Column] {
    columns.enumerated().map { place, column in
      Column(column.name) { .text(column.text($0)) }.inRecord(place + 1)
    }
  }

  /// Returns the column with a place in tables; the default for `cell` is the value's text.
  func inTable(
    _ heading: String, _ alignment: Table.Alignment = .left, minimumWidth: Int = 8,
    isWhole: Bool = false, need: Table.Need = .some, cell: (@Sendable (Row) -> Table.Cell)? = nil
  ) -> Column {
    changed { [value] in
      $0.shown = (
        .init(heading, alignment, minimumWidth: minimumWidth, isWhole: isWhole, need: need),
        cell ?? { .init(value($0).text) }
      )
    }
  }

  /// Returns the column with a place in records.
  ///
  /// The default for `text` is the value's text; a quantity has no unit there.
  func inRecord(
    _ place: Int, as name: String? = nil, text: (@Sendable (Row) -> String)? = nil
  ) -> Column {
    changed { [value] in
      $0.record = (place, name ?? self.name, text ?? { value($0).recordText })
    }
  }

  /// Returns the column with a place among the computed JSON values; the default for `json` is the
  /// value.
  func inJSON(_ place: Int, as name: String? = nil, json: (@Sendable (Row) -> JSON?)? = nil)
    -> Column
  {
    changed { [value] in $0.computed = (place, name ?? self.name, json ?? { value($0).json }) }
  }

  /// Returns the column with a line in `show`; the default for `text` is the value's text.
  func inShow(as name: String? = nil, text: (@Sendable (Row) -> String?)? = nil) -> Column {
    let text = text ?? { [value] in value($0).isNone ? nil : value($0).text }
    return inShow(as: name) { row, _ in text(row) }
  }

  /// Returns the column with a line in `show` that needs the household.
  func inShow(as name: String? = nil, text: @escaping @Sendable (Row, Survey) -> String?) -> Column
  {
    changed { $0.detail = (name ?? self.name, text) }
  }

  /// The column without its place in tables.
  var hidden: Column { changed { $0.shown = nil } }

  private func changed(_ change: (inout Column) -> Void) -> Column {
    var column = self
    change(&column)
    return column
  }
}
