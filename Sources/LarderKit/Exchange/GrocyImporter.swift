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
  private(set) var edit: Edit
  private var names: ImportNames
  private(set) var mistakes = ImportMistakes()
  private(set) var report = GrocyReport()
  private var locations: [String: String] = [:]
  private var products: [String: Known] = [:]
  /// The items that had the same name already and are not from Grocy.
  private var own: Set<EntityKey> = []
  /// The items that come from Grocy.
  private var made: Set<EntityKey> = []
  /// The amount of each item on Grocy's lists, which may have an item twice.
  private var wanted: [EntityKey: Quantity] = [:]

  /// What is known of a product.
  private struct Known {
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
    made = Set(answers.all(.products).map(key)).filter { edit.before[$0] != nil }
    for part in answers.all(.products) { takeProduct(part) }
    let entries = answers.all(.stock).filter { $0.json["stock_id"] != nil }
    // The overview has the same stock, but without locations.
    for part in entries.isEmpty ? answers.all(.stock) : entries { takeStock(part) }
    for part in answers.all(.shoppingList) { takeEntry(part) }
  }

  private mutating func note(_ reason: ImportMistake.Reason, _ part: Part, _ key: String? = nil) {
    mistakes.note(answers.mistake(reason, part.place, key))
  }

  /// Returns the text of a key; nil, with a mistake, if it is missing.
  private mutating func needed(_ key: String, _ part: Part) -> String? {
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
    item.minimum =
      part.text("min_stock_amount") == nil
      ? nil : amount(part, "min_stock_amount").flatMap { $0 > .zero ? Quantity($0, unit) : nil }
    item.full = item.minimum
    item.keepsDays = part.number("default_best_before_days")
      .flatMap { $0 > .zero && $0 <= Number(36_500) ? Int($0.description) : nil }
    item.products = barcodes(of: part, name, unit)
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
    arrival.expiry = part.day("best_before_date").map { ExpiryInfo(.bestBefore, $0) }
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

/// Grocy's barcodes, and how much of a product each of them stands for.
extension GrocyImporter {
  /// Returns the product ids of a product's barcodes, without those that an item has already.
  ///
  /// A barcode that stands for more than one of the item's unit gets a product with that pack size.
  /// If no answer says how much a pack is, its size stays in Grocy's unit, so that it is asked about.
  private mutating func barcodes(of product: Part, _ name: String, _ unit: Unit) -> [String] {
    let id = product.text("id")
    var ids: [String] = []
    for part in answers.all(.barcodes) where part.text("product_id") == id {
      guard let number = needed("barcode", part) else { continue }
      guard let barcode = Barcode(written: number), barcode.isSound else {
        report.oddBarcodes.append("\(number) of \(name)")
        continue
      }
      let known = names.product(with: barcode)
      let productID = known ?? barcode.productID
      guard Stock(edit.after).item(ofProduct: productID) == nil, !ids.contains(productID) else {
        continue
      }
      ids.append(productID)
      guard let pack = pack(of: part, product, unit), edit.after[.product, productID] == nil else {
        continue
      }
      if !pack.isKnown {
        report.unknownPacks.append(.init(barcode: number, product: name, unit: pack.unitName))
      }
      put(pack.size, number, productID, name)
    }
    return ids
  }

  private mutating func put(_ size: Quantity, _ number: String, _ id: String, _ name: String) {
    let fields: [FieldValue] = [
      (.title, .string(name)), (.barcodes, .array([.string(Barcode.digits(of: number))])),
      (.packSize, size.value.json), (.unit, .string(size.unit.rawValue)),
    ]
    let product = edit.new(.product, id: id, fields, by: writer)
    edit.put(product)
    names.note(product)
  }

  private typealias Pack = (size: Quantity, unitName: String, isKnown: Bool)

  /// Returns the content of what a barcode stands for; nil if it is one of the item's unit.
  ///
  /// Without a unit of its own, a barcode is in the one that the product is bought in.
  private func pack(of barcode: Part, _ product: Part, _ unit: Unit) -> Pack? {
    let stock = product.text("qu_id_stock") ?? ""
    let bought = barcode.text("qu_id") ?? product.text("qu_id_purchase") ?? stock
    let written = barcode.number("amount").flatMap { $0 > .zero ? $0 : nil }
    let amount = written ?? Number(1)
    let name = unitName(bought) ?? bought
    let boughtUnit = Self.unit(named: name) ?? .pack
    var content = factor(from: bought, to: stock, of: product).flatMap { amount.multiplied(by: $0) }
    if content == nil {
      let quantity = edit.after.counted(Quantity(amount, boughtUnit), in: unit)
      content = quantity.converted(to: unit)
    }
    guard let content else { return (Quantity(amount, boughtUnit), name, boughtUnit.isMeasured) }
    let isOne = content == Number(1) && (written == nil || !unit.isTiny)
    return isOne ? nil : (Quantity(content.rounded, unit), name, true)
  }

  /// Returns the number of one unit in another for a product; nil if no answer says it.
  ///
  /// Its own conversions go before the general ones; several may lead there one after the other.
  private func factor(from: String, to: String, of product: Part) -> Number? {
    let id = product.text("id")
    let own = answers.all(.conversions).filter { $0.text("product_id") == id }
    let general = answers.all(.conversions).filter { $0.text("product_id") == nil }
    var open = [(unit: from, factor: Number(1))]
    var known: Set = [from]
    while !open.isEmpty {
      let (here, factor) = open.removeFirst()
      if here == to { return factor }
      for step in (own + general).compactMap({ $0.step(from: here) }) {
        let next =
          step.isBack ? factor.divided(by: step.factor) : factor.multiplied(by: step.factor)
        if let next, known.insert(step.unit).inserted { open.append((step.unit, next)) }
      }
    }
    // Before version 4, a product had the one factor that it needs.
    guard from == product.text("qu_id_purchase"),
      let old = product.number("qu_factor_purchase_to_stock"), old > .zero
    else { return nil }
    return old
  }

  private func unitName(_ id: String) -> String? { answers.part(.units, id)?.text("name") }

  /// Returns the unit with a name of Grocy's.
  private static func unit(named name: String) -> Unit? {
    Unit(typed: spaced(name)) ?? Unit(typed: name.lowercased().filter(\.isLetter))
  }
}

extension GrocyAnswers.Part {
  /// Returns where a conversion leads from a unit; nil if it is not about that unit.
  fileprivate func step(from unit: String) -> (unit: String, factor: Number, isBack: Bool)? {
    guard let one = text("from_qu_id"), let other = text("to_qu_id"), let factor = number("factor"),
      factor > .zero
    else { return nil }
    if one == unit { return (other, factor, false) }
    return other == unit ? (one, factor, true) : nil
  }
}
