internal import LarderModel

/// The import of a spreadsheet's table.
///
/// It applies the rows of a file in order, and notes all mistakes.
struct CSVImporter {
  let file: CSVFile
  let survey: Survey
  let writer: Writer
  /// The id that a file of these bytes has on every device.
  let fileID: String
  var edit: Edit
  var names: ImportNames
  var report = ImportReport()
  /// The rows of receipts, grouped by receipt.
  var receipts = ReceiptRows()
  /// Whether what is on a receipt and no item becomes one.
  var keepsNewThings = false
  /// The cells about an item that rows of its batches have.
  var itemCells: [EntityKey: [FieldName: ImportCell]] = [:]
  /// The items that have a new batch.
  var withNewBatch: Set<EntityKey> = []
  /// The offset of the row about each entity.
  private(set) var places: [EntityKey: Int] = [:]
  var mistakes = ImportMistakes()
  /// The table's dates.
  var dates: TableDays
  /// The number of mistakes before the row, or the receipt, that is taken.
  private var earlierMistakes = 0
  /// The household's own units, as its files spell them.
  lazy var ownUnits: Set<Unit> = {
    var units: Set<Unit> = []
    for entity in survey.household.entities {
      units.insert(entity.unit)
      units.formUnion(entity.lines.compactMap(\.unit))
    }
    return units
  }()
  /// Reads an earlier version of the household.
  let readVersion: (String) -> Survey?
  /// The versions that rows named; nil for those that are not here.
  var versions: [String: Survey?] = [:]

  init(_ file: CSVFile, order: DayOrder?, _ change: Change) {
    self.file = file
    dates = TableDays(file, order: order)
    readVersion = change.survey(ofVersion:)
    survey = change.survey
    writer = change.writer
    fileID = Identifier.derived(fromName: String(decoding: file.text, as: UTF8.self))
    edit = change.edit
    names = ImportNames(change.survey)
  }

  /// Applies all rows; throws all mistakes.
  mutating func run(
    _ progress: (_ rows: Int, _ percent: Int) -> Void
  ) throws(ImportMistakes) {
    try refuseSize()
    var reader = CSVReader(file.text, separator: file.separator, from: file.start)
    var rows = 0
    while let fields = reader.next() {
      rows += 1
      if rows.isMultiple(of: 100) { progress(rows, reader.position * 100 / file.text.count) }
      if let extra = fields.dropFirst(file.columns.count).first(where: { !$0.text.isEmpty }) {
        note(.tooManyCells(fields.count, columns: file.columns.count), at: extra.offset)
      }
      let row = ImportRow(fields, file.columns)
      if !row.isEmpty {
        begin()
        take(row)
      }
      guard report.made + receipts.newCount <= file.mostNew else {
        throw ImportMistakes(.tooManyNew(most: file.mostNew))
      }
    }
    finishReceipts()
    reportLoose()
    for (offset, reason) in reader.mistakes { note(reason, at: offset) }
    if let (text, other, offset) = dates.contradiction {
      note(.daysDiffer(text, other: other), at: offset)
    }
    if dates.hasDecided, let order = dates.order, let witness = dates.witness {
      report.dayOrder = .init(order: order, witness: witness)
    }
    for (key, error) in survey.takenNames(in: edit) { note(.rule(error), at: places[key] ?? 0) }
    try mistakes.refuse()
  }

  private mutating func take(_ row: ImportRow) {
    report.rows += 1
    if file.table == .receipts { return group(row) }
    let known = subject(of: row)
    guard isSound else { return }
    if let known { return change(known, row) }
    switch file.table {
    case .stock:
      if let item = makeItem(row) { place(row, at: item) }
    case .batches: takeBatch(row)
    case .shopping: want(row)
    case .locations: makeLocation(row)
    case .products: makeProduct(row)
    case .receipts: break
    }
  }
}

/// Noting mistakes.
extension CSVImporter {
  mutating func note(_ reason: ImportMistake.Reason, at offset: Int) {
    mistakes.note(ImportMistake(reason).at(offset, in: file.text))
  }

  /// Notes a mistake in a cell, or in the whole row if it lacks the column.
  mutating func note(_ reason: ImportMistake.Reason, _ row: ImportRow, at field: FieldName? = nil) {
    note(reason, at: row.offset(of: field))
  }

  /// Begins a row, or the rows of a receipt.
  mutating func begin() { earlierMistakes = mistakes.count }

  /// Whether there is no mistake so far in the row, or in the rows of a receipt.
  ///
  /// With one, nothing of the file is taken, so the rest of the row is only read on where that can
  /// show other mistakes.
  var isSound: Bool { mistakes.count == earlierMistakes }

  /// Returns what a rule makes of a row; nil, with a mistake, if it refuses.
  @discardableResult
  mutating func obey<Value>(
    _ result: Result<Value, RuleError>, _ row: ImportRow, at field: FieldName? = nil
  ) -> Value? {
    switch result {
    case .success(let value): return value
    case .failure(let error):
      note(.rule(error), row, at: field)
      return nil
    }
  }

  /// Returns the line of an offset; 0 if no more mistakes are kept.
  func line(of offset: Int) -> Int {
    mistakes.isFull ? 0 : ImportMistake(.empty).at(offset, in: file.text).line
  }

  /// Whether a row is about an entity.
  func isPlaced(_ key: EntityKey) -> Bool { places[key] != nil }

  /// Notes the entity that a row is about; false, with a mistake, if another row is about it too.
  @discardableResult
  mutating func place(_ row: ImportRow, at entity: Entity) -> Bool {
    if let other = places[entity.key] {
      note(.twice(edit.title(of: entity), line: line(of: other)), row)
      return false
    }
    places[entity.key] = row.offset
    return true
  }
}

/// Finding the things that rows name.
extension CSVImporter {
  /// Returns the writer of a new thing, which is made because of `cause`.
  ///
  /// The thing's id is derived from the file, so two devices that import the same file make one
  /// thing. If the id is taken, a new one is used.
  func writer(of kind: Kind, _ cause: String) -> Writer {
    let id = Identifier.derived(from: "import", fileID, kind.rawValue, cause)
    return edit.after[kind, id] == nil ? writer.making(id) : writer
  }

  func writer(of kind: Kind, _ row: ImportRow) -> Writer { writer(of: kind, String(row.offset)) }

  /// Returns the item, location or product with a name; nil if none has it.
  func named(_ name: String, _ kind: Kind) -> Entity? {
    names[kind, name].flatMap { edit.after[$0] }
  }

  /// Returns the thing that a row is about; nil if it is a new one, or none of its table.
  private mutating func subject(of row: ImportRow) -> Entity? {
    switch file.table {
    case .products: return product(of: row)
    case _ where row.hasID: return subject(byID: row)
    case .stock: return item(of: row, named: .name)
    case .locations:
      guard let name = needed(.name, row) else { return nil }
      return named(name, .storageLocation)
    case .batches, .shopping, .receipts: return nil
    }
  }

  /// Returns the text of a cell; nil, with a mistake in the row or in its cell `place`, if there is
  /// none.
  @discardableResult
  mutating func needed(
    _ field: FieldName, _ row: ImportRow, at place: FieldName? = nil
  ) -> String? {
    if let text = row.text(field) { return text }
    note(.needed(field), row, at: place)
    return nil
  }

  /// Returns the thing that a row names by its id; nil without an id.
  mutating func subject(byID row: ImportRow) -> Entity? {
    guard let cell = row.cell(.id) else { return nil }
    let kind = file.table.kind
    let id = kind == .product ? cell.text : cell.text.lowercased()
    guard let entity = edit.after[kind, id] else {
      let actual = Kind.allCases.first { edit.after[$0, id] != nil }
      note(.unknownID(cell.text, kind, actual: actual), at: cell.offset)
      return nil
    }
    if !survey.stock.isOurs(entity) {
      let owner = entity.householdID ?? ""
      note(.rule(.otherHousehold(edit.title(of: entity), household: owner)), at: cell.offset)
    }
    return entity
  }

  /// Returns the item that a row names by `itemId` or its name; nil if no item has the name.
  mutating func item(of row: ImportRow, named field: FieldName) -> Entity? {
    guard let cell = row.cell(.itemID) else {
      return needed(field, row).flatMap { named($0, .stockItem) }
    }
    let item = edit.after[.stockItem, cell.text.lowercased()]
    if item == nil { note(.unknownID(cell.text, .stockItem, actual: nil), at: cell.offset) }
    return item
  }

  /// Returns the id of the location with a name, and makes the location if it is new; nil for no
  /// name.
  mutating func location(_ name: String) -> String? {
    guard !name.isEmpty else { return nil }
    if let known = names[.storageLocation, name] { return known.id }
    let made = edit.addLocation(name, by: writer(of: .storageLocation, fold(name)))
    let known = edit.after.all(.storageLocation).filter { !$0.isTombstone && $0.id != made.id }
      .map(\.title)
    names.note(made.entity)
    report.made += 1
    // 'Freezer 2' beside 'Freezer' is no typing mistake.
    let near = suggestions(for: name, among: known)
      .first { $0.filter(\.isNumber) == name.filter(\.isNumber) }
    report.newLocations.append(.init(name: name, near: near))
    return made.id
  }
}

/// Returns what a rule makes, or its refusal.
func tried<Value, Failure: Error>(
  _ value: @autoclosure () throws(Failure) -> Value
) -> Result<Value, Failure> {
  do throws(Failure) { return .success(try value()) } catch { return .failure(error) }
}

extension Change {
  /// Imports the rows of a spreadsheet's table.
  ///
  /// A row with an id changes the thing with this id. A row without one changes the thing that it
  /// names, or makes a new one. Different quantities become counts. A thing without a row stays as
  /// it is.
  ///
  /// A row may name an earlier version of the household; see ``Larder/survey(ofVersion:)``. Then only
  /// what was changed in the table since that version counts. `progress` is called after each hundred rows with the number of rows, and the part of the
  /// file that was read, in percent.
  ///
  /// With `keepingNew`, what is on a receipt and no item becomes one. `order` is that of the table's
  /// dates, if its rows don't say it.
  ///
  /// Throws all mistakes at once; then nothing may be committed.
  public mutating func take(
    _ file: CSVFile, keepingNew: Bool = false, order: DayOrder? = nil,
    progress: (_ rows: Int, _ percent: Int) -> Void = { _, _ in }
  ) throws(ImportMistakes) -> ImportReport {
    var importer = CSVImporter(file, order: order, self)
    importer.keepsNewThings = keepingNew
    try importer.run(progress)
    edit = importer.edit
    return importer.report
  }
}
