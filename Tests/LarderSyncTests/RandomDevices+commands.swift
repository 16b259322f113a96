import LarderJSON
import LarderModel
import LarderStore

/// What people do with the program.
extension RandomDevices {
  func command(on device: RandomDevice) throws {
    counter += 1
    let number = counter
    let choice = Int.random(in: 0..<15, using: &random)
    let names = [
      "new", "consume", "consume", "add", "count", "edit", "archive", "shop add", "shop done",
      "shop remove", "receipt", "void", "batch", "unset", "undo",
    ]
    note(device, "\(names[choice]) \(number)")
    var random = random
    let before = try device.store.read().household
    do {
      let writing = try device.store.write(names[choice]) { edit, writer in
        var act = RandomCommand(edit: edit, writer: writer, number: number, random: random)
        defer { random = act.random }
        try act.run(choice)
        edit = act.edit
        return "\(names[choice]) \(number)"
      }
      self.random = random
      noteEntries(of: writing, before)
    } catch let error as RuleError {
      self.random = random
      note(device, "refused: \(error)")
    }
    try device.settleEdits()
  }

  private func noteEntries(of writing: Writing, _ before: Household) {
    for key in writing.changed {
      for entry in writing.household[key]?.ledger.entries ?? []
      where before[key]?.ledger[entry.id] == nil {
        guard let other = entries[key]?[entry.id] else {
          entries[key, default: [:]][entry.id] = entry
          continue
        }
        // The earlier one stands where two devices did the same thing.
        if entry.at < other.at { entries[key]?[entry.id] = entry }
      }
    }
  }
}

/// One command, chosen at random.
struct RandomCommand {
  var edit: Edit
  let writer: Writer
  let number: Int
  var random: SeededGenerator

  mutating func run(_ choice: Int) throws {
    switch choice {
    case 0: newItem()
    case 1, 2: try consume()
    case 3: try add()
    case 4: try count()
    case 5: write("name", .string("Named \(number)"), to: one(.stockItem))
    case 6: flip("isArchived", of: one(.stockItem))
    case 7: shopAdd()
    case 8: flip("isCompleted", of: one(.shoppingListEntry))
    case 9: flip("isDeleted", of: one(.shoppingListEntry))
    case 10: try receipt()
    case 11: void()
    case 12: batch()
    case 13:
      write("category", random.happens(50) ? nil : .string("Kind \(number)"), to: one(.stockItem))
    default: undo()
    }
  }

  private mutating func one(_ kind: Kind) -> Entity? {
    edit.after.all(kind).sorted { $0.id < $1.id }.randomElement(using: &random)
  }

  private mutating func quantity(_ unit: Unit) -> Quantity {
    Quantity(Number(Int.random(in: 1...5, using: &random)), unit)
  }

  private mutating func write(_ field: String, _ value: JSON?, to entity: Entity?) {
    guard let entity else { return }
    edit.write([(field, value)], to: entity.key, now: writer.now)
  }

  private mutating func flip(_ field: String, of entity: Entity?) {
    guard let entity else { return }
    write(field, .bool(!entity.flag(field)), to: entity)
  }

  private mutating func newItem() {
    let unit = random.happens(70) ? Unit.piece : .kilogram
    let full = Int.random(in: 0...6, using: &random)
    let item = edit.new(
      .stockItem,
      [
        ("name", .string("Item \(number)")), ("unit", .string(unit.rawValue)),
        ("quantityFullStock", Number(full).json),
      ], by: writer)
    edit.put(item)
    if random.happens(70) { _ = try? edit.count(quantity(unit), of: item, by: writer) }
  }

  private mutating func consume() throws {
    guard let item = one(.stockItem) else { return newItem() }
    _ = try edit.take(
      quantity(item.unit), from: item, partially: random.happens(70),
      request: random.happens(20) ? "request-\(number)" : nil, by: writer)
  }

  private mutating func add() throws {
    guard let item = one(.stockItem) else { return newItem() }
    let unit = item.unit == .kilogram && random.happens(50) ? Unit.gram : item.unit
    _ = try edit.add(quantity(unit), to: item, by: writer)
  }

  private mutating func count() throws {
    guard let item = one(.stockItem) else { return newItem() }
    _ = try edit.count(quantity(item.unit), of: item, by: writer)
  }

  private mutating func shopAdd() {
    var fields: [(name: String, value: JSON?)] = [
      ("desiredQuantity", Number(2).json), ("note", .string("note \(number)")),
    ]
    if let item = one(.stockItem), random.happens(60) {
      fields.append(("itemId", .string(item.id)))
      fields.append(("unit", .string(item.unit.rawValue)))
    } else {
      fields.append(("name", .string("Thing \(number)")))
    }
    edit.put(edit.new(.shoppingListEntry, fields, by: writer))
  }

  /// Often of what is in the basket, so that two people may save the same one.
  private mutating func receipt() throws {
    var purchase = Edit.Purchase(shop: "Shop \(number)")
    purchase.entries = edit.after.all(.shoppingListEntry)
      .filter { !$0.isTombstone && $0.isCompleted }.sorted { $0.id < $1.id }
    if purchase.entries.isEmpty || random.happens(30) {
      guard let item = one(.stockItem) else { return }
      purchase.entries = []
      purchase.lines = [
        ReceiptLine(
          id: writer.newID(), itemName: item.title, quantity: Number(3), unit: item.unit,
          itemID: item.id)
      ]
    }
    _ = try edit.save(purchase, by: writer)
  }

  private mutating func void() {
    guard let old = one(.receipt) else { return }
    flip("isDeleted", of: old)
    guard let new = edit.after[old.key] else { return }
    edit.replenish(from: old, to: new, at: writer.now, device: writer.device)
  }

  private mutating func batch() {
    guard let item = one(.stockItem) else { return newItem() }
    let day = Day(daysSinceEpoch: 20_700 + Int.random(in: 0...300, using: &random))
    var batch = edit.new(
      .inventoryItem,
      [
        ("productRef", .object([JSONMember("productId", .string(item.id))])),
        ("quantity", .object([JSONMember("unit", .string(item.unit.rawValue))])),
        (
          "expiryInfo",
          .object([
            JSONMember("kind", .string("expiry")), JSONMember("confidence", .number("1")),
            JSONMember("isoDate", .string(day.description)),
          ])
        ),
      ], by: writer)
    batch.record(
      LedgerEntry(
        id: writer.newID(), at: batch.createdAt, .set(quantity(item.unit).value), unit: item.unit,
        why: .count, by: writer.device))
    edit.put(batch)
  }

  private mutating func undo() {
    guard var item = one(.stockItem),
      let entry = item.ledger.entries.last(where: { item.ledger.counts($0) })
    else { return }
    item.record(
      LedgerEntry(
        id: Identifier.derived(from: "undo", entry.id), at: item.stamp(now: writer.now),
        .undoes(entry.id), unit: entry.unit, why: .undo, by: writer.device))
    edit.put(item)
  }
}
