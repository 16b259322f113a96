internal import LarderModel

extension Change {
  /// Imports what Grocy has: products as items, with their stock and the shopping list.
  ///
  /// Importing the same answers again adds nothing. An item that had the same name already keeps
  /// its own stock. Throws all mistakes, including references to things that no answer has; then
  /// nothing may be committed.
  public mutating func take(_ answers: GrocyAnswers) throws(ImportMistakes) -> GrocyReport {
    var importer = GrocyImporter(answers, self)
    importer.run()
    guard importer.mistakes.isEmpty else {
      throw ImportMistakes(importer.mistakes, count: importer.mistakeCount)
    }
    edit = importer.edit
    return importer.report
  }
}

struct GrocyImporter {
  typealias Part = GrocyAnswers.Part

  let answers: GrocyAnswers
  let survey: Survey
  let writer: Writer
  var edit: Edit
  var report = GrocyReport()
  var mistakes: [ImportMistake] = []
  var mistakeCount = 0
  var names: ImportNames
  private var locations: [String: String] = [:]
  private var items: [String: EntityKey] = [:]
  private var places: [String: String] = [:]
  /// The units in which Grocy counts products.
  private var units: [String: Unit] = [:]
  /// The items that had the same name already and are not from Grocy.
  private var own: Set<EntityKey> = []
  /// The items that come from Grocy.
  private var made: Set<EntityKey> = []
  /// The amount of each item on Grocy's lists, which may have an item twice.
  private var wanted: [EntityKey: Quantity] = [:]

  init(_ answers: GrocyAnswers, _ change: Change) {
    self.answers = answers
    survey = change.survey
    writer = change.writer
    edit = change.edit
    names = ImportNames(change.survey)
  }

  mutating func run() {
    report.others = answers.others
    for part in answers.all(.locations) { takeLocation(part) }
    made = Set(answers.all(.products).map(key)).filter { edit.before[$0] != nil }
    for part in answers.all(.products) { takeProduct(part) }
    let entries = answers.all(.stock).filter { $0.json["stock_id"] != nil }
    // The overview has the same stock, but without locations.
    for part in entries.isEmpty ? answers.all(.stock) : entries { takeStock(part) }
    for part in answers.all(.shoppingList) { takeEntry(part) }
  }

  private mutating func note(_ reason: ImportMistake.Reason, _ part: Part, _ key: String? = nil) {
    mistakeCount += 1
    guard mistakes.count < ImportMistakes.most else { return }
    mistakes.append(answers.mistake(reason, part.place, key))
  }

  /// Returns the text of a key; nil, with a mistake, if it is missing.
  mutating func needed(_ key: String, _ part: Part) -> String? {
    if let text = part.text(key) { return text }
    if part.isEmpty(key) {
      report.empty.append(.init(sort: part.sort, id: part.text("id") ?? "", key: key))
    } else {
      note(.grocyMissing(key), part)
    }
    return nil
  }

  private mutating func takeLocation(_ part: Part) {
    guard let id = needed("id", part), let name = needed("name", part).map(spaced) else { return }
    let derived = Identifier.derived(from: "grocy", "location", part.identity)
    if edit.after[.storageLocation, derived] != nil {
      locations[id] = derived
    } else if let known = names.location(name) {
      locations[id] = known.id
    } else {
      let location = edit.new(
        .storageLocation, id: derived,
        [(.name, .string(name)), (.isColdStorage, .bool(part.flag("is_freezer")))], by: writer)
      edit.put(location)
      names.note(location)
      locations[id] = derived
      report.locations += 1
    }
  }

  private func key(ofProduct part: Part) -> EntityKey {
    EntityKey(.stockItem, Identifier.derived(from: "grocy", "product", part.identity))
  }

  private mutating func takeProduct(_ part: Part) {
    guard let id = needed("id", part), let name = needed("name", part).map(spaced) else { return }
    guard units[id] == nil else { return note(.twice(name, line: 0), part, "id") }
    places[id] = place(part)
    let unit = unit(part)
    units[id] = unit
    let key = key(ofProduct: part)
    if edit.after[key] != nil {
      items[id] = key
    } else if let known = names.item(name) {
      items[id] = known
      // In Grocy, the names of two products may differ in case alone.
      let isOwn = edit.before[known] != nil && !made.contains(known)
      if isOwn, own.insert(known).inserted { report.known.append(name) }
    } else if part.text("active") != "0" {
      let item = edit.new(.stockItem, id: key.id, fields(of: part, name, unit), by: writer)
      edit.put(item)
      made.insert(key)
      names.note(item)
      items[id] = key
      report.items += 1
    }
  }

  private mutating func fields(of part: Part, _ name: String, _ unit: Unit) -> [FieldValue] {
    let minimum =
      part.text("min_stock_amount") == nil
      ? nil : amount(part, "min_stock_amount").flatMap { $0 > .zero ? $0 : nil }
    let days = part.number("default_best_before_days")
      .flatMap { $0.isWhole && $0 > .zero && $0 <= Number(36_500) ? $0 : nil }
    let note = part.text("description").map { spaced($0.replacing(/<[^>]*>/, with: " ")) }
    let products = barcodes(of: part, name, unit)
    return [
      (.name, .string(name)), (.unit, .string(unit.rawValue)),
      (.category, group(part).map { .string($0) }), (.quantityFullStock, minimum?.json),
      (.quantityMinimum, minimum?.json), (.keepsDays, days?.json),
      (.products, products.isEmpty ? nil : .array(products.map { .string($0) })),
      (.note, note.flatMap { $0.isEmpty ? nil : .string($0) }),
    ]
  }

  private mutating func unit(_ part: Part) -> Unit {
    guard let id = part.text("qu_id_stock") else { return .piece }
    guard let name = unitName(id) else {
      if answers.has(.units) {
        note(.grocyUnknownID(id, .units), part, "qu_id_stock")
      } else if !report.unknownUnits.contains(id) {
        report.unknownUnits.append(id)
      }
      return .piece
    }
    if let unit = Self.unit(named: name) { return unit }
    if !report.unknownUnits.contains(name) { report.unknownUnits.append(name) }
    return .piece
  }

  private func group(_ part: Part) -> String? {
    guard let id = part.text("product_group_id") else { return nil }
    return answers.all(.groups).first { $0.text("id") == id }?.text("name").map(spaced)
  }

  /// Returns the id of the location that a part names.
  private mutating func place(_ part: Part) -> String? {
    guard let id = part.text("location_id"), id != "0" else { return nil }
    if let known = locations[id] { return known }
    if answers.all(.locations).contains(where: { $0.text("id") == id }) { return nil }
    note(.grocyUnknownID(id, .locations), part, "location_id")
    return nil
  }

  /// Returns the item of a part; nil for an inactive product, and for an unknown one with a
  /// mistake.
  private mutating func item(_ part: Part) -> Entity? {
    guard let id = needed("product_id", part) else { return nil }
    if let item = items[id].flatMap({ edit.after[$0] }) { return item }
    if !answers.all(.products).contains(where: { $0.text("id") == id }) {
      note(.grocyUnknownID(id, .products), part, "product_id")
    }
    return nil
  }

  /// Returns the number of a key; nil, with a mistake, if it is missing or not an amount.
  private mutating func amount(_ part: Part, _ key: String) -> Number? {
    guard let text = needed(key, part) else { return nil }
    guard let number = part.number(key), number >= .zero else {
      note(.amount(text, .noNumber), part, key)
      return nil
    }
    return number
  }

  /// Returns an amount in Grocy's unit of the product.
  private func quantity(_ amount: Number, _ part: Part, of item: Entity) -> Quantity {
    Quantity(amount, part.text("product_id").flatMap { units[$0] } ?? item.unit)
  }

  /// Returns an amount plus what Grocy's other lists want of the same item.
  private func wanted(_ amount: Quantity, of item: Entity) -> Quantity {
    guard let known = wanted[item.key], let more = amount.converted(to: known.unit) else {
      return amount
    }
    return Quantity(known.value + more, known.unit)
  }

  private mutating func takeStock(_ part: Part) {
    guard let item = item(part), !own.contains(item.key) else { return }
    guard let amount = amount(part, "amount") else { return }
    guard amount > .zero else { return }
    var details = BatchDetails(productID: item.id)
    details.expiry = part.day("best_before_date").map { ExpiryInfo(.bestBefore, $0) }
    details.locationID = place(part) ?? part.text("product_id").flatMap { places[$0] ?? nil }
    if part.flag("open"), let day = part.day("opened_date") {
      let noon = survey.calendar.instant(of: day, minutes: 12 * 60)
      details.opened = OpenedInfo(.opened, noon)
    }
    details.notes = part.text("note")
    let name = part.text("stock_id").map { "\($0)/\(part.identity)" } ?? "of/\(item.id)"
    do throws(RuleError) {
      let before = edit.changed.count
      _ = try edit.add(
        quantity(amount, part, of: item), details, request: "grocy/\(name)", by: writer)
      if edit.changed.count > before { report.stock += 1 }
    } catch {
      // What an earlier import took is the household's own now, whatever became of it in Grocy.
      if case .requestIsTaken = error { return }
      note(.rule(error), part)
    }
  }

  private mutating func takeEntry(_ part: Part) {
    let amount =
      part.text("amount") == nil ? nil : amount(part, "amount").flatMap { $0 > .zero ? $0 : nil }
    do throws(RuleError) {
      let entry: Entity?
      if part.text("product_id") != nil {
        guard let item = item(part), !isSettled(edit.before.entry(of: item), part) else { return }
        let all = amount.map { wanted(quantity($0, part, of: item), of: item) }
        wanted[item.key] = all
        try edit.want(all, of: item, note: part.text("note"), by: writer)
        entry = edit.after.entry(of: item)
      } else {
        guard let name = needed("note", part).map(spaced) else { return }
        let known = edit.before.freeEntry(named: name)
        let own = edit.before[.shoppingListEntry, ShoppingEntry.id(named: name)]
        guard !isSettled(known ?? own, part) else { return }
        try edit.want(amount.map { Quantity($0, .piece) }, named: name, by: writer)
        entry = edit.after.freeEntry(named: name)
      }
      guard let entry else { return }
      if part.flag("done") {
        edit.write([(.isCompleted, .bool(true))], to: entry.key, now: writer.now)
      }
      report.listed += 1
    } catch {
      note(.rule(error), part)
    }
  }

  /// Whether an entry is on the list already, or was bought meanwhile.
  ///
  /// It was bought if it left the list after Grocy had the part.
  private func isSettled(_ entry: Entity?, _ part: Part) -> Bool {
    guard let entry, entry.isTombstone else { return entry != nil }
    let begun = part.text("row_created_timestamp").flatMap { survey.calendar.instant(typed: $0) }
    return begun.map { entry.updatedAt >= $0 } ?? true
  }
}

/// The numbers of things that an import of Grocy's answers made.
public struct GrocyReport: Equatable, Sendable {
  public internal(set) var items = 0
  public internal(set) var locations = 0
  /// The stock entries that were added.
  public internal(set) var stock = 0
  public internal(set) var listed = 0
  /// Names of products whose items were here already; these items stay as they are.
  public internal(set) var known: [String] = []
  /// Grocy's units that became pieces, because their name is no unit or their answer is missing.
  public internal(set) var unknownUnits: [String] = []
  /// The answers that were left out, by their names: nothing here is like them.
  public internal(set) var others: [String] = []
  /// The things that were left out, as they lack what they need.
  public internal(set) var empty: [Empty] = []
  /// The barcodes that were left out, as they are no numbers of GS1.
  public internal(set) var oddBarcodes: [String] = []
  /// The barcodes of packs whose content no answer has.
  public internal(set) var unknownPacks: [UnknownPack] = []

  /// A thing of Grocy's with an empty value.
  public struct Empty: Equatable, Sendable {
    public let sort: GrocyAnswers.Sort
    public let id: String
    public let key: String
  }

  /// A pack whose content is not known in the unit of its item.
  public struct UnknownPack: Equatable, Sendable {
    public let barcode: String
    public let product: String
    /// Grocy's name of the pack's unit.
    public let unit: String
  }
}
