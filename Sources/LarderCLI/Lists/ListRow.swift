import LarderJSON
import LarderKit
import LarderModel
internal import LarderText

extension Output {
  /// Prints a list; `none` is the text for people if it is empty.
  ///
  /// `columns` are other columns than the list's own, and `members` follow the items in JSON.
  func list<Row: ListRow>(
    _ rows: [Row], in survey: Survey, none: String? = nil,
    columns: [Column<Row>] = Row.listing.columns, members: [JSONMember] = []
  ) {
    let columns = columns + survey.cloudColumns()
    switch mode {
    case .json:
      let items = rows.flatMap { $0.json(columns, survey) }
      json([JSONMember("items", .array(items))] + members)
    case .plain: records(rows, columns)
    case .human:
      if rows.isEmpty { note(none ?? "no \(Row.kind.pluralNoun) to show") }
      table(Table(rows, columns.shown(on: terminal)))
    }
  }

  /// Prints rows as records.
  func records<Row: Sendable>(_ rows: [Row], _ columns: [Column<Row>]) {
    records(rows, Record(columns))
  }
}

extension Record {
  /// Creates the records of a list, of those columns that have a place in them.
  init(_ columns: [Column<Row>]) {
    self.init(
      columns: columns.compactMap(\.record).sorted { $0.place < $1.place }
        .map { ($0.name, $0.text) })
  }
}

extension Array {
  /// Returns the form of these columns' records, for the help.
  func form<Row>(_ scope: String = "") -> RecordForm where Element == Column<Row> {
    Record(self).form(scope)
  }
}

extension ListRow {
  /// The forms of the list's records, with and without `--sync`, for the help.
  static var forms: [RecordForm] { forms() }

  /// Returns the forms of the records, for the help; `other` are the forms with an option.
  static func forms(
    of columns: [Column<Self>] = listing.columns, _ other: RecordForm...
  ) -> [RecordForm] {
    [columns.form()] + other
      + [RecordForm(scope: "with \(ListOptions.sync.spelling), at the end", columns: [syncColumn])]
  }

  fileprivate static var syncColumn: String { ListOptions.sync.name }
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

extension ListRow {
  /// Returns the entities as JSON, with computed values.
  fileprivate func json(_ columns: [Column<Self>], _ survey: Survey) -> [JSON] {
    let computed = computed(columns)
    return entities.map { survey.listed($0, computed) }
  }

  /// Returns the computed values of columns as JSON.
  func computed(_ columns: [Column<Self>]) -> [JSONMember] {
    columns.compactMap(\.computed).sorted { $0.place < $1.place }.compactMap { column in
      column.json(self).map { JSONMember(column.name, $0) }
    }
  }

  /// The computed values of what `show` shows.
  var shownComputed: [JSONMember] { computed(Self.listing.columns.filter { $0.detail != nil }) }

  /// Returns the lines of `show`: the columns, the fields that the format does not know, and the
  /// path.
  func details(in survey: Survey) -> [NamedText] {
    let entity = entities[0]
    let columns = Self.listing.columns.compactMap(\.detail).map { ($0.name, $0.text(self)) }
    let known = Set(Schema.of(entity.kind).fields.map(\.name))
    let unknown = entity.registers.filter { !known.contains($0.name) }
      .map { ($0.name.text, $0.value?.plainText) }
    let place = [
      ("archived", entity.isTombstone ? "yes" : nil),
      ("file", survey.household.path(of: entity.key)?.text), ("id", entity.id),
    ]
    return (columns + unknown + place).compactMap { name, text in text.map { (name, $0) } }
  }
}

extension Survey {
  /// Returns the column of the sync state; none if it was not requested.
  fileprivate func cloudColumns<Row: ListRow>() -> [Column<Row>] {
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

extension ListRow {
  /// Returns the sync state, which is the worst of its entities.
  fileprivate func standing(in cloud: CloudState) -> CloudState.Standing? {
    let standings = entities.map { cloud[$0.key] }
    return CloudState.Standing.allCases.last { standings.contains($0) }
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
