import LarderJSON
import LarderModel
import Seeded

/// What people have put into a household.
///
/// It has items with ledgers, and for a part of them products, batches, receipts and wishes. The same
/// seed gives the same entities.
struct Life {
  /// The number of items that are made together; receipts are about items of one lot.
  static let atOnce = 500
  private static let day: Int64 = 86_400_000

  private let start: Instant
  private let userID: String
  private var generator: SeededGenerator
  private var locationIDs: [String] = []

  init(seed: UInt64, start: Instant, userID: String) {
    self.start = start
    self.userID = userID
    generator = SeededGenerator(seed: seed)
  }

  /// Adds the locations: six, and one more for each 2,000 items.
  mutating func addLocations(for items: Int, to edit: inout Edit) {
    for number in 0..<(Goods.places.count + items / 2000) {
      let place = Goods.places[number % Goods.places.count]
      let round = number / Goods.places.count
      let location = edit.new(
        .storageLocation,
        [
          (.name, .string(round == 0 ? place : "\(place) \(round + 1)")),
          (.isColdStorage, .bool(number % Goods.places.count < 2)),
        ], by: writer(at: start))
      locationIDs.append(location.id)
      edit.put(location)
    }
  }

  /// Adds items with these numbers, and what belongs to them.
  mutating func addItems(_ numbers: Range<Int>, to edit: inout Edit) throws {
    var added: [String] = []
    for number in numbers { added.append(try addItem(number, to: &edit)) }
    for _ in 0..<((numbers.count + 24) / 25) { try addReceipt(of: added, to: &edit) }
    for id in added {
      guard let item = edit.after[.stockItem, id] else { continue }
      let total = Stock(edit.after).total(of: item)
      guard total <= .zero else { continue }
      let entry = ShoppingEntry.ensured(
        for: item, at: .usedUp, in: Stock(edit.after), over: nil, item.updatedAt)
      if let entry { edit.put(entry) }
    }
  }

  private mutating func addItem(_ number: Int, to edit: inout Edit) throws -> String {
    let goods = Goods.all[number % Goods.all.count]
    let created = start.adding(milliseconds: Int64(generator.number(1...(30 * 86_400_000))))
    let writer = writer(at: created)
    let full = goods.portion * generator.number(2...8)
    let product = generator.happens(30) ? self.product(number, goods, in: edit, writer) : nil
    var item = edit.new(
      .stockItem,
      [
        (.name, .string("\(goods.name) \(number)")), (.category, .string(goods.category)),
        (.unit, .string(goods.unit.rawValue)), (.quantityFullStock, Number(full).json),
        (.products, product.map { .array([.string($0.id)]) }),
      ], by: writer)
    let isEmpty = generator.happens(4)
    use(&item, goods, isEmpty: isEmpty)
    if let product { edit.put(product) }
    edit.put(item)
    if !isEmpty, generator.happens(25) { addBatch(of: item, product, goods, to: &edit) }
    if generator.happens(3) {
      edit.put(
        edit.new(
          .shoppingListEntry,
          [
            (.name, .string("Wish \(number)")),
            (.desiredQuantity, Number(generator.number(1...3)).json),
          ], by: self.writer(at: created)))
    }
    return item.id
  }

  /// Counts the item, then takes and adds a few times.
  private mutating func use(_ item: inout Entity, _ goods: Goods, isEmpty: Bool) {
    var stock = goods.portion * generator.number(2...9)
    record(.set(Number(stock)), .count, in: &item, after: 0)
    for _ in 0..<generator.number(0...9) {
      let isUsed = stock >= 2 * goods.portion && generator.happens(75)
      stock += isUsed ? -goods.portion : goods.portion
      record(
        .delta(Number(isUsed ? -goods.portion : goods.portion)), isUsed ? .consume : .add, in: &item
      )
    }
    if isEmpty { record(.delta(Number(-stock)), .consume, in: &item) }
  }

  /// Records many events, as of something that is used many times a day.
  mutating func lengthenLedger(of item: inout Entity, to entries: Int) {
    let portion = Number(1)
    while item.ledger.entries.count < entries {
      let isFull = item.quantity.value > Number(50)
      record(
        .delta(isFull ? -portion : portion), isFull ? .consume : .add, in: &item,
        after: 600_000)
    }
  }

  private mutating func record(
    _ event: LedgerEntry.Event, _ why: LedgerEntry.Reason, in item: inout Entity,
    after pause: Int64? = nil
  ) {
    let wait = pause ?? Int64(generator.number(3_600_000...(30 * 86_400_000)))
    let moment = item.updatedAt.adding(milliseconds: max(wait, 0))
    item.record(
      LedgerEntry(
        id: generator.id(at: moment), at: moment, event, unit: item.unit, why: why, by: device()))
  }

  private mutating func product(
    _ number: Int, _ goods: Goods, in edit: Edit, _ writer: Writer
  ) -> Entity {
    let digits = String(5_000_000_00000 + number)
    let check = Barcode(digits + "0")?.checkDigit ?? 0
    let code = digits + String(check)
    return edit.new(
      .product, id: "ean_\(code)",
      [
        (.title, .string("\(goods.name) \(number)")),
        (.brand, generator.pick(Goods.brands).map { .string($0) }),
        (.barcodes, .array([.string(code)])), (.unit, .string(goods.unit.rawValue)),
        (.packSize, Number(goods.portion).json),
      ], by: writer)
  }

  private mutating func addBatch(
    of item: Entity, _ product: Entity?, _ goods: Goods, to edit: inout Edit
  ) {
    let bought = item.createdAt.adding(milliseconds: Int64(generator.number(1...200)) * Self.day)
    let best = Day(bought, in: "UTC").adding(days: generator.number(30...2200))
    var batch = edit.new(
      .inventoryItem,
      [
        (.productRef, .object([JSONMember(.productID, .string(product?.id ?? item.id))])),
        (.quantity, .object([JSONMember(.unit, .string(goods.unit.rawValue))])),
        (.expiryInfo, DateInfo(.bestBefore, best).json),
        (.storageLocationID, .string(generator.pick(locationIDs) ?? "")),
      ], by: writer(at: bought))
    let count = goods.portion * generator.number(1...6)
    record(.delta(Number(count)), .add, in: &batch, after: 0)
    if count > goods.portion, generator.happens(40) {
      record(.delta(Number(-goods.portion)), .consume, in: &batch)
    }
    edit.put(batch)
  }

  private mutating func addReceipt(of ids: [String], to edit: inout Edit) throws {
    let moment = start.adding(
      milliseconds: Int64(generator.number(500...700)) * Self.day
        + Int64(generator.number(0...86_399_999)))
    let writer = writer(at: moment)
    var purchase = Edit.Purchase(shop: generator.pick(Goods.shops) ?? "")
    purchase.currency = "GBP"
    var amount = 0
    for id in Set((0..<8).compactMap { _ in generator.pick(ids) }).sorted() {
      guard let item = edit.after[.stockItem, id], item.quantity.value > .zero else { continue }
      let price = generator.number(80...900)
      amount += price
      var line = ReceiptLine(
        id: generator.id(at: moment), itemName: item.title,
        quantity: Number(generator.number(1...3)), unit: item.unit, itemID: id)
      line.price = Self.money(price)
      purchase.lines.append(line)
    }
    guard !purchase.lines.isEmpty else { return }
    purchase.amount = Self.money(amount)
    _ = try edit.save(purchase, by: writer)
  }

  private static func money(_ pence: Int) -> Number? {
    Number("\(pence / 100).\(String(pence % 100 + 100).suffix(2))")
  }

  /// Uses a portion of one of the items; nil if there is not enough.
  mutating func useOne(of ids: [String], at moment: Instant, _ edit: inout Edit) throws -> String? {
    guard let id = generator.pick(ids), let item = edit.after[.stockItem, id] else { return nil }
    do {
      _ = try edit.take(Quantity(Number(1), item.unit), from: item, by: writer(at: moment))
    } catch .notEnough {
      return nil
    }
    edit.ensureShoppingForLowStock()
    return item.title
  }

  private mutating func device() -> String { generator.happens(60) ? "phone" : "laptop" }

  private mutating func writer(at moment: Instant) -> Writer {
    let newID = generator.ids(8, at: moment)
    return Writer(now: moment, device: "laptop", userID: userID, newID: newID)
  }
}
