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
    try importer.mistakes.refuse()
    edit = importer.edit
    return importer.report
  }
}

/// The import of Grocy's answers.
struct GrocyImporter {
  typealias Part = GrocyAnswers.Part

  let answers: GrocyAnswers
  let survey: Survey
  let writer: Writer
  var edit: Edit
  var names: ImportNames
  private(set) var mistakes = ImportMistakes()
  var report = GrocyReport()
  private var locations: [String: String] = [:]
  private(set) var products: [String: Known] = [:]
  /// The ids of the products that have others below them, by these products' ids.
  private(set) var families: [String: [Part]] = [:]
  /// The items that had the same name already and are not from Grocy.
  private var own: Set<EntityKey> = []
  /// The items that come from Grocy.
  private var made: Set<EntityKey> = []
  /// The amount of each item on Grocy's lists, which may have an item twice.
  private var wanted: [EntityKey: Quantity] = [:]

  /// What is known of a product.
  struct Known {
    /// The unit in which Grocy counts it.
    let unit: Unit
    /// The id of its usual location.
    let place: String?
    var item: EntityKey?
  }

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
    for part in answers.all(.products) where part.text("active") != "0" {
      if let parent = part.text("parent_product_id") { families[parent, default: []].append(part) }
    }
    made = Set(answers.all(.products).map(key)).filter { edit.before[$0] != nil }
    for part in answers.all(.products) { takeProduct(part) }
    let entries = answers.all(.stock).filter { $0.json["stock_id"] != nil }
    // The overview has the same stock, but without locations.
    for part in entries.isEmpty ? answers.all(.stock) : entries { takeStock(part) }
    for part in answers.all(.shoppingList) { takeEntry(part) }
    wantParents()
    report.leftOut = leftOut()
  }

  private mutating func note(_ reason: ImportMistake.Reason, _ part: Part, _ key: String? = nil) {
    mistakes.note(answers.mistake(reason, part.place, key))
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
    let isNew = edit.after[.storageLocation, derived] == nil
    let known = isNew ? names[.storageLocation, name]?.id : derived
    locations[id] = known ?? derived
    guard known == nil else { return }
    let location = edit.addLocation(
      name, isColdStorage: part.flag("is_freezer"), by: writer.making(derived))
    names.note(location.entity)
    report.locations += 1
  }

  private func key(ofProduct part: Part) -> EntityKey {
    EntityKey(.stockItem, Identifier.derived(from: "grocy", "product", part.identity))
  }

  private mutating func takeProduct(_ part: Part) {
    guard let id = needed("id", part), let name = needed("name", part).map(spaced) else { return }
    guard products[id] == nil else { return note(.twice(name, line: 0), part, "id") }
    var known = Known(unit: unit(part), place: place(part))
    known.item = item(of: part, name, known.unit)
    products[id] = known
  }

  /// Returns the item of a product, which it makes if there is none and the product is in use.
  private mutating func item(of part: Part, _ name: String, _ unit: Unit) -> EntityKey? {
    let key = key(ofProduct: part)
    if edit.after[key] != nil { return key }
    if let known = names[.stockItem, name] {
      // In Grocy, the names of two products may differ in case alone.
      let isOwn = edit.before[known] != nil && !made.contains(known)
      if isOwn, own.insert(known).inserted { report.known.append(name) }
      return known
    }
    guard part.text("active") != "0" else { return nil }
    do throws(RuleError) {
      names.note(try edit.add(newItem(part, name, unit), by: writer.making(key.id)))
    } catch {
      note(.rule(error), part)
      return nil
    }
    made.insert(key)
    report.items += 1
    return key
  }

  private mutating func newItem(_ part: Part, _ name: String, _ unit: Unit) -> NewItem {
    var item = NewItem(name)
    item.unit = unit
    item.category = part.text("product_group_id").flatMap { id in
      answers.part(.groups, id)?.text("name").map(spaced)
    }
    let minimum = part.text("min_stock_amount") == nil ? nil : amount(part, "min_stock_amount")
    item.minimum = minimum.flatMap { $0 > .zero && !sharesMinimum(part) ? Quantity($0, unit) : nil }
    item.full = item.minimum
    item.keepsDays = part.days("default_best_before_days")
    item.products = barcodes(of: part, name, unit)
    if let days = part.days("default_best_before_days_after_open") {
      item.products = keeping(days, item.products, part, name)
    }
    let note = part.text("description").map { spaced($0.replacing(/<[^>]*>/, with: " ")) }
    item.note = note.flatMap { $0.isEmpty ? nil : $0 }
    return item
  }

  private mutating func unit(_ part: Part) -> Unit {
    guard let id = part.text("qu_id_stock") else { return .piece }
    let name = unitName(id)
    if name == nil, answers.has(.units) {
      note(.grocyUnknownID(id, .units), part, "qu_id_stock")
      return .piece
    }
    if let unit = name.flatMap(Self.unit) { return unit }
    let told = name ?? id
    if !report.unknownUnits.contains(told) { report.unknownUnits.append(told) }
    return .piece
  }

  /// Returns the id of the location that a part names.
  private mutating func place(_ part: Part) -> String? {
    guard let id = part.text("location_id"), id != "0" else { return nil }
    let known = locations[id]
    if known == nil, answers.part(.locations, id) == nil {
      note(.grocyUnknownID(id, .locations), part, "location_id")
    }
    return known
  }

  /// Returns the item of a part; nil for an inactive product, and for an unknown one with a
  /// mistake.
  private mutating func item(_ part: Part) -> Entity? {
    guard let id = needed("product_id", part) else { return nil }
    if let item = products[id]?.item.flatMap({ edit.after[$0] }) { return item }
    if answers.part(.products, id) == nil {
      note(.grocyUnknownID(id, .products), part, "product_id")
    }
    return nil
  }

  /// Returns the number of a key; nil, with a mistake, if it is missing or not an amount.
  private mutating func amount(_ part: Part, _ key: String) -> Number? {
    guard let text = needed(key, part) else { return nil }
    if let number = part.number(key), number >= .zero { return number }
    note(.amount(text, .noNumber), part, key)
    return nil
  }

  /// Returns what is known of the product that a part is about.
  private func product(of part: Part) -> Known? {
    part.text("product_id").flatMap { products[$0] }
  }

  /// Returns an amount in Grocy's unit of the product.
  private func quantity(_ amount: Number, _ part: Part, of item: Entity) -> Quantity {
    Quantity(amount, product(of: part)?.unit ?? item.unit)
  }

  private mutating func takeStock(_ part: Part) {
    guard let item = item(part), !own.contains(item.key), let amount = amount(part, "amount"),
      amount > .zero
    else { return }
    var arrival = Arrival(item: item, note: part.text("note"))
    let kind = dueType(of: part) == "2" ? DateKind.useBy : .bestBefore
    arrival.expiry = part.day("best_before_date").map { ExpiryInfo(kind, $0) }
    arrival.locationID = place(part) ?? product(of: part)?.place
    if part.flag("open"), let day = part.day("opened_date") {
      let noon = survey.calendar.instant(of: day, minutes: 12 * 60)
      arrival.opened = OpenedInfo(.opened, noon)
    }
    let name = part.text("stock_id").map { "\($0)/\(part.identity)" } ?? "of/\(item.id)"
    do throws(RuleError) {
      let before = edit.changed.count
      _ = try edit.add(
        quantity(amount, part, of: item), arrival.details, request: "grocy/\(name)", by: writer)
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
    var arrival = Arrival(isDone: part.flag("done") ? true : nil)
    if part.text("product_id") != nil {
      guard let item = item(part) else { return }
      arrival.item = item
      arrival.note = part.text("note")
      arrival.quantity = amount.map { wanted(quantity($0, part, of: item), of: item) }
    } else {
      guard let name = needed("note", part) else { return }
      arrival.name = spaced(name)
      arrival.quantity = amount.map { Quantity($0, .piece) }
    }
    guard !isSettled(edit.before.entry(for: arrival), part) else { return }
    if let item = arrival.item { wanted[item.key] = arrival.quantity }
    do throws(RuleError) {
      if try edit.want(arrival, by: writer) != nil { report.listed += 1 }
    } catch {
      note(.rule(error), part)
    }
  }

  /// Returns an amount plus what Grocy's other lists want of the same item.
  private func wanted(_ amount: Quantity, of item: Entity) -> Quantity {
    guard let known = wanted[item.key], let more = amount.converted(to: known.unit) else {
      return amount
    }
    return Quantity(known.value + more, known.unit)
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
