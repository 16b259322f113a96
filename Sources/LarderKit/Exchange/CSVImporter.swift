internal import LarderModel

/// An import in progress.
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
  private var mistakes: [ImportMistake] = []
  private var mistakeCount = 0
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

  init(_ file: CSVFile, _ change: Change, _ readVersion: @escaping (String) -> Survey?) {
    self.file = file
    self.readVersion = readVersion
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
    var reader = CSVReader(file.text, separator: file.separator, from: file.start)
    var rows = 0
    while let fields = reader.next() {
      rows += 1
      guard rows <= CSVFile.mostRows else {
        throw ImportMistakes(.tooManyRows(most: CSVFile.mostRows))
      }
      if rows.isMultiple(of: 100) { progress(rows, reader.position * 100 / file.text.count) }
      if let extra = fields.dropFirst(file.columns.count).first(where: { !$0.text.isEmpty }) {
        note(.tooManyCells(fields.count, columns: file.columns.count), at: extra.offset)
      }
      let row = ImportRow(fields, file.columns)
      if !row.isEmpty { attempt { importer throws(RowMistakes) in try importer.take(row) } }
      guard report.made + receipts.newCount <= file.mostNew else {
        throw ImportMistakes(.tooManyNew(most: file.mostNew))
      }
    }
    finishReceipts()
    reportLoose()
    for (offset, reason) in reader.mistakes { note(reason, at: offset) }
    for (key, error) in survey.takenNames(in: edit) { note(.rule(error), at: places[key] ?? 0) }
    guard mistakes.isEmpty else { throw ImportMistakes(mistakes, count: mistakeCount) }
  }

  private mutating func take(_ row: ImportRow) throws(RowMistakes) {
    report.rows += 1
    switch file.table {
    case .stock: try takeItem(row)
    case .batches: try takeBatch(row)
    case .shopping: try takeEntry(row)
    case .receipts:
      let moment = row.text(.timestamp)
      let amount = row.text(.amount)
      receipts.add(
        row,
        [
          row.text(.shopName) ?? "", row.text(.currency) ?? "",
          moment.flatMap { survey.calendar.instant(typed: $0)?.description } ?? moment ?? "",
        ], amount: amount.map { Number(plain($0))?.description ?? $0 })
    case .locations: try takeLocation(row)
    case .products: try takeProduct(row)
    }
  }
}

/// Noting mistakes.
extension CSVImporter {
  mutating func note(_ reason: ImportMistake.Reason, at offset: Int) {
    mistakeCount += 1
    guard mistakes.count < ImportMistakes.most else { return }
    mistakes.append(ImportMistake(reason).at(offset, in: file.text))
  }

  /// Runs a part of the import, and notes its mistakes.
  mutating func attempt(_ body: (inout CSVImporter) throws(RowMistakes) -> Void) {
    do throws(RowMistakes) {
      try body(&self)
    } catch {
      for (reason, offset) in error.all { note(reason, at: offset) }
    }
  }

  /// Returns the line of an offset; 0 if no more mistakes are kept.
  func line(of offset: Int) -> Int {
    guard mistakes.count < ImportMistakes.most else { return 0 }
    return ImportMistake(.empty).at(offset, in: file.text).line
  }

  /// Whether a row is about an entity.
  func isPlaced(_ key: EntityKey) -> Bool { places[key] != nil }

  /// Notes the entity that a row is about; throws if another row is about it too.
  mutating func place(_ row: ImportRow, at entity: Entity) throws(RowMistakes) {
    if let other = places[entity.key] {
      throw RowMistakes(.twice(edit.title(of: entity), line: line(of: other)), at: row.offset)
    }
    places[entity.key] = row.offset
  }
}

/// Making new things.
extension CSVImporter {
  /// Returns the writer of a new thing, which is made because of `cause`.
  ///
  /// The thing's id is derived from the file, so two devices that import the same file make one
  /// thing. If the id is taken, a new one is used.
  func writer(of kind: Kind, _ cause: String) -> Writer {
    let id = Identifier.derived(from: "import", fileID, kind.rawValue, cause)
    guard edit.after[kind, id] == nil else { return writer }
    return Writer(
      now: writer.now, device: writer.device, userID: writer.userID, newID: { id })
  }

  func writer(of kind: Kind, _ row: ImportRow) -> Writer { writer(of: kind, String(row.offset)) }
}

/// Finding the things that rows name.
extension CSVImporter {
  /// Returns the thing that a row names by its id; nil without an id.
  func subject(byID row: ImportRow) throws(RowMistakes) -> Entity? {
    guard let cell = row.cell(.id) else { return nil }
    let kind = file.table.kind
    let id = kind == .product ? cell.text : cell.text.lowercased()
    guard let entity = edit.after[kind, id] else {
      let actual = Kind.allCases.first { edit.after[$0, id] != nil }
      throw RowMistakes(.unknownID(cell.text, kind, actual: actual), at: cell.offset)
    }
    guard survey.stock.isOurs(entity) else {
      let owner = entity.householdID ?? ""
      throw RowMistakes(
        .rule(.otherHousehold(edit.title(of: entity), household: owner)), at: cell.offset)
    }
    return entity
  }

  /// Returns the item that a row names by `itemId` or its name; nil if no item has the name.
  func item(of row: ImportRow, named field: FieldName) throws(RowMistakes) -> Entity? {
    if let cell = row.cell(.itemID) {
      guard let item = edit.after[.stockItem, cell.text.lowercased()] else {
        throw RowMistakes(.unknownID(cell.text, .stockItem, actual: nil), at: cell.offset)
      }
      return item
    }
    guard let name = row.text(field) else { throw RowMistakes(.needed(field), at: row.offset) }
    return names.item(name).flatMap { edit.after[$0] }
  }

  /// Returns the id of the location with a name, and makes the location if it is new; nil for no
  /// name.
  mutating func location(_ name: String) -> String? {
    guard !name.isEmpty else { return nil }
    if let key = names.location(name) { return key.id }
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

/// The mistakes in a row, each with the offset of its cell.
struct RowMistakes: Error {
  private(set) var all: [(reason: ImportMistake.Reason, offset: Int)] = []

  init() {}

  init(_ reason: ImportMistake.Reason, at offset: Int) { all = [(reason, offset)] }

  init(_ reason: ImportMistake.Reason, at cell: ImportCell?, of row: ImportRow) {
    self.init(reason, at: cell?.offset ?? row.offset)
  }

  mutating func note(_ reason: ImportMistake.Reason, at offset: Int) {
    all.append((reason, offset))
  }

  /// Returns a value; if it throws, keeps the mistakes and returns nil.
  @discardableResult
  mutating func value<Value>(
    _ value: @autoclosure () throws(RowMistakes) -> Value?
  ) -> Value? {
    do throws(RowMistakes) {
      return try value()
    } catch {
      all += error.all
      return nil
    }
  }

  /// Throws the mistakes, if there are any.
  func refuse() throws(RowMistakes) {
    if !all.isEmpty { throw self }
  }
}

/// Returns what a rule makes of a row, or throws the rule's refusal, at a column if it is about one.
@discardableResult
func obey<Value>(
  _ row: ImportRow, at field: FieldName? = nil,
  _ value: @autoclosure () throws(RuleError) -> Value
) throws(RowMistakes) -> Value {
  do throws(RuleError) {
    return try value()
  } catch {
    throw RowMistakes(.rule(error), at: field.flatMap { row[$0] }, of: row)
  }
}

/// An index of the household's names and barcodes.
struct ImportNames {
  private var keys: [Kind: [String: EntityKey]] = [:]
  private var numbers: [Barcode: String] = [:]

  init(_ survey: Survey) {
    for kind in [Kind.stockItem, .storageLocation, .product] {
      for entity in survey.naming.all(kind).sorted(by: { $0.id < $1.id }) where !entity.isTombstone
      {
        note(entity)
      }
    }
  }

  /// Adds the names of an entity; a name that is taken keeps its first entity.
  mutating func note(_ entity: Entity) {
    for name in entity.ownNames.map(fold) where keys[entity.kind]?[name] == nil {
      keys[entity.kind, default: [:]][name] = entity.key
    }
    for number in entity.kind == .stockItem ? entity.productIDs : entity.numbers {
      guard let barcode = Barcode(written: number) else { continue }
      numbers[barcode] = numbers[barcode] ?? (entity.kind == .product ? entity.id : number)
    }
  }

  func item(_ name: String) -> EntityKey? { keys[.stockItem]?[fold(name)] }
  func location(_ name: String) -> EntityKey? { keys[.storageLocation]?[fold(name)] }
  func product(_ title: String) -> EntityKey? { keys[.product]?[fold(title)] }

  /// Returns the id of the product with a barcode; nil if nobody knows it.
  func product(with barcode: Barcode) -> String? { numbers[barcode] }
}

extension Change {
  /// Imports the rows of a spreadsheet's table.
  ///
  /// A row with an id changes the thing with this id. A row without one changes the thing that it
  /// names, or makes a new one. Different quantities become counts. A thing without a row stays as
  /// it is.
  ///
  /// A row may name an earlier version of the household, which `version` returns; see
  /// ``Larder/survey(ofVersion:)``. Then only what was changed in the table since that version
  /// counts. `progress` is called after each hundred rows with the number of rows, and the part of the
  /// file that was read, in percent.
  ///
  /// With `keepingNew`, what is on a receipt and no item becomes one.
  ///
  /// Throws all mistakes at once; then nothing may be committed.
  public mutating func take(
    _ file: CSVFile, keepingNew: Bool = false,
    at version: @escaping (String) -> Survey? = { _ in nil },
    progress: (_ rows: Int, _ percent: Int) -> Void = { _, _ in }
  ) throws(ImportMistakes) -> ImportReport {
    var importer = CSVImporter(file, self, version)
    importer.keepsNewThings = keepingNew
    try importer.run(progress)
    edit = importer.edit
    return importer.report
  }
}
