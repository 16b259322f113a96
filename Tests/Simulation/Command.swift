import LarderJSON
import LarderModel
import TestSupport

/// One command, with random arguments from the existing entities.
struct Command {
  /// The command's report, and a text that it wrote into a field.
  struct Said {
    let key: EntityKey
    let text: String
    var field: (name: String, text: String)?
  }

  var edit: Edit
  let writer: Writer
  let number: Int
  var random: SeededGenerator
  private(set) var said: Said?

  var now: Instant { writer.now }

  init(edit: Edit, writer: Writer, number: Int, random: SeededGenerator) {
    self.edit = edit
    self.writer = writer
    self.number = number
    self.random = random
  }

  mutating func run(_ action: Action) throws {
    switch action {
    case .newItem: newItem()
    case .newLocation: newLocation()
    case .newProduct: newProduct()
    case .consume, .spoil: try take(action == .spoil ? .spoil : .consume)
    case .add: try add()
    case .count: try count()
    case .writeField: writeField()
    case .unsetField: unsetField()
    case .unknownKey: unknownKey()
    case .flipTombstone: flipTombstone()
    case .shopAdd: shopAdd()
    case .shopMark: flip("isCompleted", of: one(.shoppingListEntry))
    case .receiptSave: try saveReceipt()
    case .receiptEdit: editReceipt()
    case .receiptVoid: voidReceipt()
    case .undoEntry: undoEntry()
    default: try runOnBatches(action)
    }
  }

  mutating func one(_ kind: Kind) -> Entity? {
    random.pick(edit.after.all(kind).sorted { $0.id < $1.id })
  }

  private mutating func one(of kinds: [Kind]) -> Entity? {
    random.pick(kinds.flatMap { edit.after.all($0) }.sorted { $0.id < $1.id })
  }

  mutating func quantity(_ unit: Unit) -> Quantity {
    Quantity(Number(random.number(1...5) * (unit == .gram ? 250 : 1)), unit)
  }

  private mutating func write(_ field: String, _ value: JSON?, to entity: Entity) {
    edit.write([(FieldName(field), value)], to: entity.key, now: now)
    say(entity, "\(field) \(value.map { String(decoding: $0.compact(), as: UTF8.self) } ?? "gone")")
    if let text = value?.string { said?.field = (field, text) }
  }

  mutating func say(_ entity: Entity, _ text: String) {
    said = Said(key: entity.key, text: "\(entity.title) (\(entity.key.kind)): \(text)")
  }

  private mutating func flip(_ field: String, of entity: Entity?) {
    guard let entity else { return }
    write(field, .bool(!entity.flag(FieldName(field))), to: entity)
  }

  private mutating func put(_ entity: Entity) {
    edit.put(entity)
    say(entity, "new")
  }
}

extension Command {
  mutating func newItem() {
    let unit = random.happens(70) ? Unit.piece : .kilogram
    let id = writer.newID()
    let item = edit.new(
      .stockItem, id: id,
      [
        ("name", .string("Item \(number)")), ("unit", .string(unit.rawValue)),
        ("quantityFullStock", Number(random.number(0...6)).json),
        ("quantityMinimum", random.happens(40) ? Number(random.number(0...4)).json : nil),
        (
          "storageLocationId",
          random.happens(20) ? one(.storageLocation).map { .string($0.id) } : nil
        ),
        ("keepsDays", random.happens(20) ? Number(random.number(1...9)).json : nil),
        ("products", random.happens(30) ? .array([.string("own_\(id)")]) : nil),
      ], by: writer)
    put(item)
    if random.happens(80) { _ = try? edit.count(quantity(unit), of: item, by: writer) }
  }

  mutating func newLocation() {
    put(
      edit.new(
        .storageLocation,
        [("name", .string("Place \(number)")), ("isColdStorage", .bool(random.happens(50)))],
        by: writer))
  }

  private mutating func newProduct() {
    // Two devices may scan the same barcode.
    let id = "ean_400638133393\(random.number(0...4))"
    guard edit.after[.product, id] == nil else { return }
    put(
      edit.new(
        .product, id: id,
        [
          ("title", .string("Product \(number)")),
          ("bestAfterOpeningDays", Number(random.number(1...200)).json),
        ], by: writer))
  }

  private mutating func take(_ why: LedgerEntry.Reason) throws {
    guard let item = one(.stockItem) else { return newItem() }
    let change = try edit.take(
      quantity(item.unit), from: item, partially: random.happens(80), why: why, by: writer)
    say(item, "\(why) of \(change.parts.map { "\($0.quantity.value)" }.joined(separator: " + "))")
  }

  private mutating func add() throws {
    guard let item = one(.stockItem) else { return newItem() }
    let unit = item.unit == .kilogram && random.happens(50) ? Unit.gram : item.unit
    let quantity = quantity(unit)
    _ = try edit.add(quantity, to: item, by: writer)
    say(item, "\(quantity.value) more")
  }

  private mutating func count() throws {
    guard let item = one(.stockItem) else { return newItem() }
    let quantity = Quantity(Number(random.number(0...8)), item.unit)
    _ = try edit.count(quantity, of: item, by: writer)
    if random.happens(30), var counted = edit.after[item.key], let last = counted.ledger.latest {
      // As the count of a long ledger does.
      counted.openPage(at: last)
      edit.put(counted)
      return say(item, "\(quantity.value) counted on a new page")
    }
    say(item, "\(quantity.value) counted")
  }

  private mutating func undoEntry() {
    guard var item = one(of: [.stockItem, .inventoryItem]),
      let entry = random.pick(item.ledger.entries.filter { item.ledger.counts($0) })
    else { return }
    item.record(
      LedgerEntry(
        id: Identifier.derived(from: "undo", entry.id), at: item.stamp(now: now),
        .undoes(entry.id), unit: entry.unit, why: .undo, by: writer.device))
    edit.put(item)
    say(item, "undo \(entry.event)")
  }
}

extension Command {
  private mutating func writeField() {
    guard let entity = one(of: Kind.allCases) else { return newItem() }
    let field = entity.kind.textField
    guard field != "name" || entity[FieldName(field)] != nil else { return }
    write(field, .string("By command \(number)"), to: entity)
  }

  private mutating func unsetField() {
    guard let item = one(.stockItem) else { return newItem() }
    if random.happens(50) {
      let minimum = item.minimum == nil ? Number(random.number(0...4)) : nil
      write("quantityMinimum", minimum?.json, to: item)
    } else if item.category == nil {
      write("category", .string("Category \(number)"), to: item)
    } else {
      write("category", nil, to: item)
    }
  }

  private mutating func unknownKey() {
    guard let entity = one(of: [.stockItem, .product, .receipt]) else { return newItem() }
    write("colour", random.happens(30) ? nil : .string("colour \(number)"), to: entity)
  }

  private mutating func flipTombstone() {
    guard let entity = one(of: Kind.allCases.filter { $0 != .household && $0 != .receipt })
    else { return }
    switch entity.kind {
    case .inventoryItem:
      write("status", .string(entity.isActive ? "discarded" : "active"), to: entity)
    case .shoppingListEntry: flip("isDeleted", of: entity)
    default: flip("isArchived", of: entity)
    }
  }

  private mutating func shopAdd() {
    var fields: [FieldValue] = [
      ("desiredQuantity", Number(2).json), ("note", .string("note \(number)")),
    ]
    if let item = one(.stockItem), random.happens(60) {
      fields.append(("itemId", .string(item.id)))
      fields.append(("unit", .string(item.unit.rawValue)))
    } else {
      fields.append(("name", .string("Thing \(number)")))
    }
    put(edit.new(.shoppingListEntry, fields, by: writer))
  }
}

extension Command {
  /// Saves a receipt, often of the basket, so two people may save the same one.
  private mutating func saveReceipt() throws {
    var purchase = Edit.Purchase(shop: "Shop \(number)")
    purchase.entries = edit.after.all(.shoppingListEntry)
      .filter { !$0.isTombstone && $0.isCompleted }.sorted { $0.id < $1.id }
    if purchase.entries.isEmpty || random.happens(30) {
      guard let item = one(.stockItem) else { return newItem() }
      purchase.entries = []
      purchase.lines = [line(item)]
    } else if let item = purchase.entries.first?.itemID.flatMap({ edit.after[.stockItem, $0] }) {
      purchase.lines = [line(item)]
    }
    let receipt = try edit.save(purchase, by: writer)
    say(receipt, "saved with \(receipt.lines.count) lines")
  }

  private mutating func line(_ item: Entity) -> ReceiptLine {
    var line = ReceiptLine(
      id: writer.newID(), itemName: item.title, quantity: Number(random.number(1...4)),
      unit: random.happens(50) ? item.unit : nil, itemID: item.id)
    if random.happens(40) { describe(&line) }
    return line
  }

  /// Adds details that make the line a batch.
  private mutating func describe(_ line: inout ReceiptLine) {
    line.expiry = random.happens(70) ? anyDay() : nil
    line.locationID = random.happens(30) ? one(.storageLocation)?.id : nil
    line.lotCode = random.happens(20) ? "L\(random.number(1...2))" : nil
  }

  private mutating func editReceipt() {
    guard let old = one(.receipt) else { return newItem() }
    var lines = old.lines
    let index = lines.isEmpty ? nil : random.number(0...lines.count - 1)
    switch (random.number(0...5), index) {
    case (0, let index?): lines.remove(at: index)
    case (1, let index?), (2, let index?): lines[index].quantity = Number(random.number(0...6))
    case (3, let index?): describe(&lines[index])
    case (4, let index?): lines[index].itemID = one(.stockItem)?.id
    default: if let item = one(.stockItem) { lines.append(line(item)) }
    }
    write("items", .array(lines.map(\.json)), to: old)
    replenish(from: old)
  }

  private mutating func voidReceipt() {
    guard let old = one(.receipt) else { return newItem() }
    flip("isDeleted", of: old)
    replenish(from: old)
  }

  private mutating func replenish(from old: Entity) {
    guard let new = edit.after[old.key], new != old else { return }
    edit.replenish(from: old, to: new, at: now, device: writer.device)
  }
}

extension Kind {
  /// A field for texts.
  var textField: String {
    switch self {
    case .receipt: "shopName"
    case .shoppingListEntry: "note"
    case .inventoryItem: "notes"
    case .product: "title"
    default: "name"
    }
  }
}
