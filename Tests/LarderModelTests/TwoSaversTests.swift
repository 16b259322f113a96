import LarderJSON
import LarderModel
import TestSupport
import Testing

@Suite("Two people who save one basket")
struct TwoSaversTests {
  /// What somebody says of the basket; what is nil, a form filled in.
  private struct Said {
    var shop: String?
    var amount: Number?
    var price: Number?
    var quantity: Number?
    var expiry: Day?
    var extras: [String] = []

    init(_ generator: inout SeededGenerator) {
      func some<Value>(_ values: [Value]) -> Value? {
        generator.happens(50) ? generator.pick(values) : nil
      }
      shop = some(["Aldi", "Corner shop"])
      amount = some([Number(10), Number(33)])
      price = some([Number(3), Number(4)])
      quantity = some([Number(3), Number(1)])
      expiry = some(["2026-12-01", "2026-12-05"].compactMap { Day($0) })
      extras = ["Pomegranate", "Bags"].filter { _ in generator.happens(40) }
    }
  }

  private func start() throws -> Household {
    household(
      try home(), try item(loose: "9", other: #", "keepsDays": 5"#), try item(1), try place(),
      try entity(
        .shoppingListEntry,
        #"""
        "id": #400, "itemId": #100, "desiredQuantity": 2, "unit": "piece", "isCompleted": true,
        "updatedAt": @2, "edited": {"isCompleted": @2}
        """#),
      try entity(
        .shoppingListEntry,
        #"""
        "id": #401, "itemId": null, "name": "Candles", "desiredQuantity": 1, "unit": "piece", "isCompleted": true,
        "updatedAt": @3, "edited": {"isCompleted": @3}
        """#))
  }

  private func saved(_ household: Household, _ said: Said, _ writer: Writer) throws -> Household {
    var edit = Edit(household)
    var purchase = Edit.Purchase(shop: said.shop ?? "Usual shop")
    if said.shop == nil { purchase.guessed = ["shopName"] }
    purchase.amount = said.amount
    purchase.currency = "GBP"
    purchase.entries = household.all(.shoppingListEntry)
    var line = ReceiptLine(
      id: writer.newID(), itemName: "Item 0", quantity: said.quantity ?? Number(2), unit: .piece,
      itemID: uuid(100))
    line.price = said.price
    line.expiry = said.expiry
    purchase.lines = [line]
    for name in said.extras {
      purchase.lines.append(
        ReceiptLine(
          id: writer.newID(), itemName: name, quantity: Number(1), unit: nil, itemID: nil))
    }
    _ = try edit.save(purchase, by: writer)
    return edit.after
  }

  @Test("what somebody said stands, the lines of both are there, and the stock has it once")
  func joins() throws {
    for number in 0..<400 {
      let seed = Seed.ofRun &+ UInt64(number)
      var generator = SeededGenerator(seed: seed)
      let said = [Said(&generator), Said(&generator)]
      let start = try start()
      let sides = try said.enumerated().map { index, said in
        try saved(start, said, writer(moment(10 + index), device: "device \(index)"))
      }
      let joined = sides[0].joined(with: sides[1])
      #expect(joined.texts == sides[1].joined(with: sides[0]).texts, "LARDER_SEED=\(seed)")
      try expect(joined, sides, said, "LARDER_SEED=\(seed)")
    }
  }

  private func expect(
    _ joined: Household, _ sides: [Household], _ said: [Said], _ seed: String
  ) throws {
    let found = joined.all(.receipt)
    try #require(found.count == 1)
    let receipt = Receipt(entity: found[0])
    let milk = try #require(receipt.lines.first { $0.itemName == "Item 0" })
    let comment = Comment(rawValue: seed)
    func last<Value>(_ values: [Value?]) -> Value? { values.last { $0 != nil } ?? nil }
    #expect(receipt.shop == last(said.map(\.shop)) ?? "Usual shop", comment)
    #expect(receipt.amount == last(said.map(\.amount)), comment)
    #expect(receipt.amount == nil || receipt.currency == "GBP", comment)
    #expect(milk.price == last(said.map(\.price)), comment)
    #expect(milk.quantity == last(said.map(\.quantity)) ?? Number(2), comment)
    let batch = joined.all(.inventoryItem).first
    if let day = last(said.map(\.expiry)) {
      #expect(milk.expiry == day, comment)
      #expect(batch?.expiry?.date == day, comment)
      #expect(batch?.expiry?.confidence == Number(1), comment)
    }
    #expect(
      Set(receipt.lines.map(\.itemName)) == Set(said.flatMap(\.extras) + ["Item 0", "Candles"]),
      comment)
    #expect(receipt.lines.count == Set(receipt.lines.map(\.itemName)).count, comment)
    let quantities = said.compactMap(\.quantity)
    if Set(quantities).count < 2 {
      let total = Number(9) + (quantities.first ?? Number(2))
      let there = StockItem(entity: try #require(joined[.stockItem, uuid(100)]))
      #expect(Stock(joined).total(of: there).value == total, comment)
      #expect(HouseholdCheck.findings(in: joined, now: moment(29)).isEmpty, comment)
    }
    let lost = [(0, 1), (1, 0)].flatMap { mine, theirs in
      sides[mine].all(.receipt).flatMap {
        $0.losses(to: sides[theirs].all(.receipt)[0], since: nil, in: receipt.entity)
      }.flatMap(\.names)
    }
    func differs<Value: Hashable>(_ values: [Value?]) -> Bool {
      Set(values.compactMap(\.self)).count > 1
    }
    let isDifferent =
      differs(said.map(\.price)) || differs(said.map(\.quantity)) || differs(said.map(\.expiry))
    if !isDifferent { #expect(!lost.contains("items"), comment) }
    #expect(lost.contains("shopName") == differs(said.map(\.shop)), comment)
    #expect(lost.contains("amount") == differs(said.map(\.amount)), comment)
    #expect(!lost.contains("timestamp"), comment)
  }
}
