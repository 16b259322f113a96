import LarderJSON
import LarderModel
import Seeded

/// What people do in a household, in a realistic mix: mostly using things, weekly shopping, lots with
/// dates, and now and then a correction.
struct Life {
  private static let items = 300

  private let userID: String
  private var generator = SeededGenerator(seed: 2026)
  private var itemIDs: [String] = []
  private(set) var device = "laptop"

  init(userID: String) {
    self.userID = userID
  }

  /// One command; gives its name and the subject of its commit.
  mutating func live(_ number: Int, at moment: Instant, _ edit: inout Edit) throws -> (
    command: String, subject: String
  ) {
    device = chance(2, in: 3) ? "phone" : "laptop"
    let newID = generator.ids(16, at: moment)
    let writer = Writer(now: moment, device: device, userID: userID, newID: newID)
    guard itemIDs.count == Self.items else { return newItem(number, &edit, writer) }
    guard let item = edit.after[.stockItem, anItem()] else { return ("stock edit", "nothing") }
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<58: return use(item, &edit, writer)
    case 58..<66: return count(item, &edit, writer)
    case 66..<74: return newBatch(of: item, &edit, writer)
    case 74..<80: return wish(number, &edit, writer)
    case 80..<90: return try shop(&edit, writer)
    default: return note(number, item, &edit, writer)
    }
  }

  private mutating func chance(_ one: Int, in all: Int) -> Bool {
    Int.random(in: 0..<all, using: &generator) < one
  }

  /// Some things are used daily, most of them now and then.
  private mutating func anItem() -> String {
    let place = Double.random(in: 0..<1, using: &generator)
    return itemIDs[Int(place * place * Double(itemIDs.count))]
  }

  private mutating func newItem(_ number: Int, _ edit: inout Edit, _ writer: Writer) -> (
    String, String
  ) {
    let item = edit.new(
      .stockItem,
      [
        (.name, .string("Item \(number)")), (.category, .string("Shelf \(number % 20)")),
        (.unit, .string("piece")), (.quantityFullStock, .number("6")),
      ], by: writer)
    edit.put(item)
    itemIDs.append(item.id)
    return ("stock new", "new item \(item.title)")
  }

  private func use(_ item: Entity, _ edit: inout Edit, _ writer: Writer) -> (String, String) {
    let one = Quantity(Number(1), item.unit)
    do {
      _ = try edit.take(one, from: item, by: writer)
      return ("stock use", "use 1 of \(item.title)")
    } catch {
      // There is none left, so somebody has brought some.
      return add(6, to: item, &edit, writer)
    }
  }

  private func add(_ number: Int, to item: Entity, _ edit: inout Edit, _ writer: Writer) -> (
    String, String
  ) {
    var item = item
    item.record(
      LedgerEntry(
        id: writer.newID(), at: item.stamp(now: writer.now), .delta(Number(number)),
        unit: item.unit, why: .add, by: writer.device))
    edit.put(item)
    return ("stock put", "put \(number) of \(item.title)")
  }

  private mutating func count(_ item: Entity, _ edit: inout Edit, _ writer: Writer) -> (
    String, String
  ) {
    var item = item
    let number = Int.random(in: 0..<8, using: &generator)
    item.record(
      LedgerEntry(
        id: writer.newID(), at: item.stamp(now: writer.now), .set(Number(number)),
        unit: item.unit, why: .count, by: writer.device))
    edit.put(item)
    return ("stock count", "count \(number) of \(item.title)")
  }

  private mutating func newBatch(of item: Entity, _ edit: inout Edit, _ writer: Writer) -> (
    String, String
  ) {
    let month = Int.random(in: 1...9, using: &generator)
    var batch = edit.new(
      .inventoryItem,
      [
        (.productRef, .object([JSONMember("productId", .string(item.id))])),
        (.quantity, .object([JSONMember(.unit, .string(item.unit.rawValue))])),
        (
          .expiryInfo,
          .object([
            JSONMember("kind", .string("bestBefore")), JSONMember("confidence", .number("1")),
            JSONMember("isoDate", .string("2027-0\(month)-15")),
          ])
        ), (.storageLocationID, .string("")),
      ], by: writer)
    batch.record(
      LedgerEntry(
        id: writer.newID(), at: writer.now, .set(Number(4)), unit: item.unit, why: .add,
        by: writer.device))
    edit.put(batch)
    return ("stock put", "put 4 of \(item.title)")
  }

  private func wish(_ number: Int, _ edit: inout Edit, _ writer: Writer) -> (String, String) {
    let entry = edit.new(
      .shoppingListEntry,
      [(.name, .string("Wish \(number)")), (.desiredQuantity, .number("1"))], by: writer)
    edit.put(entry)
    return ("shop buy", "buy Wish \(number)")
  }

  /// What is on the list is bought, a few things at a time.
  private func shop(_ edit: inout Edit, _ writer: Writer) throws -> (String, String) {
    let open = edit.after.all(.shoppingListEntry).filter { $0[.isDeleted] != .bool(true) }
      .sorted { $0.id < $1.id }.prefix(8)
    for entry in open { edit.write([(.isCompleted, .bool(true))], to: entry.key, now: writer.now) }
    var purchase = Edit.Purchase(shop: "Greenway Market")
    purchase.entries = open.compactMap { edit.after[$0.key] }
    guard !purchase.entries.isEmpty else { return ("receipt save", "nothing") }
    _ = try edit.save(purchase, by: writer)
    return ("receipt save", "save the receipt of Greenway Market")
  }

  private func note(_ number: Int, _ item: Entity, _ edit: inout Edit, _ writer: Writer) -> (
    String, String
  ) {
    edit.write(
      [(.category, .string("Shelf \(number % 20)"))], to: item.key, now: writer.now)
    return ("stock edit", "edit \(item.title)")
  }
}
