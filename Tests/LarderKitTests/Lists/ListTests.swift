import Foundation
import LarderKit
import TestSupport
import Testing

@Suite("The lists of a household", .timeLimit(.minutes(5)))
struct ListTests {
  @Test(
    "take the rows that match all words of a filter",
    arguments: [
      ("", "Crème Eggs Flour Rice Salt Sugar"), ("category:baking", "Flour Sugar"),
      ("-category:baking", "Crème Eggs Rice Salt"), ("category:baking total<1kg", "Sugar"),
      ("total>=6", "Eggs Flour Sugar"), ("is:low", "Crème Salt"), ("total<=0 is:low", "Crème Salt"),
      ("category:", "Crème Eggs Rice Salt"), ("expiry<2026-12-25", "Rice"), ("created=today", "*"),
      ("is:batched", "Rice"), ("is:archived", "Tea"), ("place:cellar", "Rice"),
    ])
  func filters(words: String, names: String) async throws {
    let survey = try await Self.kitchen.value
    let words = words.split(separator: " ").map(String.init)
    let found = Self.names(try survey.list(StockRow.self, matching: words))
    #expect(found == (names == "*" ? "Crème Eggs Flour Rice Salt Sugar" : names))
  }

  @Test(
    "find words in names, other names, notes, and the titles and barcodes of products",
    arguments: [
      (["FLOUR"], "Flour"), (["creme"], "Crème"), (["mehl"], "Flour"), (["windowsill"], "Eggs"),
      (["basmati"], "Rice"), (["5032987400110"], "Rice"), (["e", "mehl"], "Flour"),
      (["mehl", "basmati"], "Flour Rice"), (["nothing"], ""), (["nothing", "salt"], "Salt"),
    ])
  func words(words: [String], names: String) async throws {
    let survey = try await Self.kitchen.value
    #expect(Self.names(try survey.list(StockRow.self, matching: words)) == names)
  }

  @Test("prefer what is a text in full to what has it in it")
  func exact() async throws {
    let survey = try await Self.kitchen.value
    let places = try survey.list(LocationRow.self, matching: ["name:freezer"])
    #expect(places.map(\.location.title) == ["Freezer"])
    let parts = try survey.list(LocationRow.self, matching: ["name:freez"])
    #expect(parts.map(\.location.title) == ["Chest freezer", "Freezer"])
  }

  @Test(
    "are sorted by any field, what has no value last either way, and equals by name",
    arguments: [
      ("total", "Crème Salt Sugar Rice Eggs Flour"), ("-total", "Eggs Flour Rice Sugar Crème Salt"),
      ("total-", "Eggs Flour Rice Sugar Crème Salt"),
      ("category", "Flour Sugar Crème Eggs Rice Salt"),
      ("-expiry", "Rice Crème Eggs Flour Salt Sugar"),
      ("NAME-", "Sugar Salt Rice Flour Eggs Crème"),
    ])
  func sorting(key: String, names: String) async throws {
    let survey = try await Self.kitchen.value
    #expect(Self.names(try survey.list(StockRow.self, by: key)) == names)
  }

  @Test("tell all words that they can't follow, with what may be meant")
  func mistakes() async throws {
    let survey = try await Self.kitchen.value
    let error = #expect(throws: ListMistakes.self) {
      try survey.list(
        StockRow.self, matching: ["categry:x", "is:lo", "total>much", "name>a", "rice"])
    }
    #expect(error?.all.map(\.word) == ["categry:x", "is", "total>much", "name>a"])
    let hints = ["did you mean 'category'?", "did you mean 'low'?"]
    #expect(error?.all.prefix(2).flatMap { ErrorWords($0).hints } == hints)
    #expect(error?.localizedDescription == "4 words of the filter can't be followed")
    let key = #expect(throws: ListMistakes.self) { try survey.list(StockRow.self, by: "-totl") }
    #expect(key?.all.map(\.value) == ["totl"])
    #expect(key?.localizedDescription.hasSuffix("found 'totl'") == true)
  }

  @Test("say how much lies in the locations that a filter names")
  func there() async throws {
    let survey = try await Self.kitchen.value
    let all = StockRow.all(in: survey)
    let words = ["location:cellar"]
    let chosen = try StockRow.listing.choose(words, from: all, in: survey)
    let rows = StockRow.lying(chosen, at: words, among: all, in: survey)
    #expect(rows.map(\.total.description) == ["1.5 kg"])
    #expect(rows.map(\.there?.description) == ["0.5 kg"])
    #expect(rows.map(\.places) == [["Cellar"]])
    let anywhere = StockRow.lying(all, at: ["rice"], among: all, in: survey)
    #expect(anywhere.allSatisfy { $0.there == nil })
    #expect(StockRow.listing.filter(meantBy: "cellar", in: survey) == "location:Cellar")
    #expect(StockRow.listing.filter(meantBy: "Low", in: survey) == "is:low")
    #expect(StockRow.listing.filter(meantBy: "rice", in: survey) == nil)
  }

  @Test("of lots have the next to expire first, those whose day has passed apart")
  func lots() async throws {
    let survey = try await Self.kitchen.value
    #expect(LotRow.due(in: survey, days: 40).map(\.daysLeft) == [33])
    #expect(LotRow.due(in: survey).isEmpty)
    let all = LotRow.all(in: survey)
    #expect(all.map(\.quantity.description) == ["0.5 kg", "1 kg"])
    #expect(all.map(\.place) == ["Cellar", "Freezer"])
    let later = Survey(survey.household, now: survey.calendar.now.adding(milliseconds: 40 * day))
    #expect(LotRow.due(in: later, days: 40).isEmpty)
    #expect(LotRow.expired(in: later).map(\.daysLeft) == [-7])
    #expect(try later.list(LotRow.self, matching: ["is:expired"]).map(\.place) == ["Cellar"])
    #expect(StockRow.all(in: later).compactMap(\.expired?.description) == ["0.5 kg"])
  }

  @Test("of what to buy have what is open first, by category, and then the basket")
  func shopping() async throws {
    let survey = try await Self.kitchen.value
    let rows = ShopRow.all(in: survey)
    #expect(rows.map(\.title) == ["Flour", "Salt", "Candles"])
    #expect(rows.map(\.state) == [.open, .open, .done])
    #expect(try survey.list(ShopRow.self, matching: ["is:done"]).map(\.title) == ["Candles"])
    #expect(try survey.list(ShopRow.self, matching: ["mehl"]).map(\.title) == ["Flour"])
  }

  @Test("of receipts have the newest first, what tells twins apart, and what they cost together")
  func receipts() async throws {
    let larder = try await Self.makeKitchen()
    for (amount, shop) in [("2.5", "Corner shop"), ("4", "Market"), ("1.5", "Market")] {
      try await larder.commit("buy bread") { try $0.want(named: "Bread") }
      try await larder.commit("save a receipt") { change in
        var purchase = Edit.Purchase(shop: shop)
        purchase.amount = Number(amount)
        purchase.currency = shop == "Market" ? "GBP" : "EUR"
        let bread = try change.survey.find(ShoppingListEntry.self, "Bread")
        try change.saveReceipt(of: [bread], purchase)
      }
    }
    let survey = try await larder.survey()
    let rows = ReceiptRow.all(in: survey)
    #expect(rows.count == 3)
    for row in rows { #expect((row.digits != nil) == (row.receipt.title == "Market")) }
    #expect(ReceiptRow.sums(of: rows).map(\.currency) == ["EUR", "GBP"])
    #expect(ReceiptRow.sums(of: rows).map(\.amount) == [Number("2.5"), Number("5.5")])
    #expect(ReceiptRow.sums(of: []).isEmpty)
    let yesterday = survey.calendar.today.adding(days: -1)
    #expect(ReceiptRow.all(in: survey, from: nil, to: yesterday).isEmpty)
    #expect(ReceiptRow.all(in: survey, from: yesterday, to: nil).count == 3)
  }

  @Test("of the sample can be sorted and filtered by every field and state that they name")
  func everyField() async throws {
    let folder = try Folder()
    try FileManager.default.copyItem(atPath: Checkout.sample.path(), toPath: folder("home"))
    let survey = try await Larder.open(from: folder("home")).survey()
    func check<Row: ListRow>(_ row: Row.Type) throws {
      let all = Row.all(in: survey)
      #expect(!all.isEmpty)
      for name in Row.listing.fieldNames {
        #expect(try survey.list(row, by: name).count == all.count, "\(name)")
        let with = try survey.list(row, matching: ["-\(name):"])
        let without = try survey.list(row, matching: ["\(name):"])
        #expect(with.count + without.count == all.count, "\(name)")
      }
      for state in Row.listing.states where state.name != "archived" {
        let count = try survey.list(row, matching: ["is:\(state.name)"]).count
        #expect(try survey.list(row, matching: ["-is:\(state.name)"]).count == all.count - count)
      }
    }
    try check(StockRow.self)
    try check(LotRow.self)
    try check(ShopRow.self)
    try check(ReceiptRow.self)
    try check(LocationRow.self)
    try check(ProductRow.self)
  }

  @Test("of 200 items are there within a second, searched, filtered and sorted")
  func speed() async throws {
    let larder = try await Larder.inMemory()
    try await larder.commit("new items") { change in
      for number in 0..<200 {
        var item = NewItem("Thing \(number)")
        item.category = number.isMultiple(of: 2) ? "even" : "odd"
        item.inStock = Quantity(Number(number), .piece)
        item.products = ["ean_\(number)"]
        let made = try change.add(item)
        var batch = BatchDetails(productID: made.id)
        batch.expiry = ExpiryInfo(.bestBefore, Day("2027-01-01").map { $0.adding(days: number) })
        try change.add(Quantity(Number(1), .piece), batch)
      }
    }
    let household = try await larder.survey().household
    let clock = ContinuousClock()
    let start = clock.now
    let survey = Survey(household, now: Instant.current)
    #expect(try survey.list(StockRow.self).count == 200)
    #expect(try survey.list(StockRow.self, matching: ["thing", "19"]).count == 12)
    #expect(try survey.list(StockRow.self, matching: ["category:odd", "total>150"]).count == 25)
    #expect(try survey.list(StockRow.self, by: "-total").first?.title == "Thing 199")
    #expect(try survey.list(LotRow.self, by: "-expiry").first?.title == "Thing 199")
    #expect(clock.now - start < .seconds(1))
  }

  private let day: Int64 = 86_400_000

  private static let kitchen = Task { try await makeKitchen().survey() }

  /// A household of six items, one of which has batches, and an archived one.
  private static func makeKitchen() async throws -> Larder {
    let now = try #require(Instant("2026-11-21T12:00:00Z"))
    var context = LarderContext(environment: [:])
    context.now = { now }
    let larder = try await Larder.inMemory(Household(), context)
    try await larder.commit("a kitchen") { change in
      var flour = NewItem("Flour")
      (flour.category, flour.unit, flour.aliases) = ("Baking", .kilogram, ["Mehl"])
      flour.inStock = Quantity(Number(6), .kilogram)
      var sugar = NewItem("Sugar")
      (sugar.category, sugar.unit) = ("Baking", .gram)
      sugar.inStock = Quantity(Number(400), .gram)
      var eggs = NewItem("Eggs")
      (eggs.note, eggs.inStock) = ("on the windowsill", Quantity(Number(6), .piece))
      var rice = NewItem("Rice")
      (rice.unit, rice.products) = (.kilogram, ["ean_5032987400110"])
      _ = try change.addProduct("5032987400110", title: "Basmati")
      let salt = try change.add(NewItem("Salt"))
      let made = [try change.add(flour), try change.add(rice), salt]
      for item in [sugar, eggs, NewItem("Crème")] { try change.add(item) }
      let tea = try change.add(NewItem("Tea"))
      change.edit.write([(.isArchived, .bool(true))], to: tea.entity.key, now: change.writer.now)
      change.addLocation("Chest freezer", isColdStorage: true)
      for (place, kilos, expiry) in [("Freezer", 1.0, nil), ("Cellar", 0.5, "2026-12-24")] {
        var batch = BatchDetails(productID: made[1].id)
        batch.locationID = change.addLocation(place).id
        batch.expiry = expiry.map { ExpiryInfo(.expiry, Day($0)) }
        try change.add(Quantity(try #require(Number("\(kilos)")), .kilogram), batch)
      }
      try change.want(of: made[0])
      try change.want(of: salt)
      try change.want(named: "Candles")
      for entry in change.edit.after.all(.shoppingListEntry) where entry.name == "Candles" {
        change.edit.write([(.isCompleted, .bool(true))], to: entry.key, now: change.writer.now)
      }
    }
    return larder
  }

  private static func names(_ rows: [StockRow]) -> String {
    rows.map(\.title).joined(separator: " ")
  }
}
