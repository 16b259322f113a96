import Foundation
import LarderKit
import TestSupport
import Testing

func shop(at folder: String) async throws {
  let larder = try await Larder.open(from: folder)
  let survey = try await larder.survey()
  for item in survey.items { print(item.name, survey.total(of: item)) }
  // One commit, after adopting what people edited by hand.
  let (used, outcome) = try await larder.commit("use some milk") { change in
    let milk = try change.survey.find(StockItem.self, "milk")
    return try change.use(Quantity(Number(1), .liter), of: milk)
  }
  print("\(used.total) left, \(outcome.consequences.count) more on the list")
  try await larder.commit("fill the list") { $0.wantAllThatIsLow() }
  try await larder.commit("save a receipt") { change in
    var purchase = Edit.Purchase(shop: "Greenway Market")
    purchase.amount = Number("14.2")
    try change.saveReceipt(of: change.survey.shoppingList, purchase)
  }
  // By git, by the project, or by both; if one fails, the other is still used.
  try await larder.sync().check()
}

func show(_ larder: Larder) async {
  for await survey in larder.surveys() {
    for row in ShopRow.all(in: survey) { print(row.title, row.entry.desired, row.state) }
    for row in LotRow.due(in: survey, days: 7) { print(row.title, row.quantity) }
    if survey.shoppingList.isEmpty { break }
  }
}

func stockUp(_ larder: Larder) async throws {
  var milk = BatchDetails(productID: "ean_5411188110835")
  milk.expiry = ExpiryInfo(.useBy, Day("2026-11-28"))
  // Repeating the request, after a crash or from another device, adds nothing more.
  try await larder.add(Quantity(Number(2), .liter), milk, request: "delivery-0815")
  do {
    let used = try await larder.consume(
      Quantity(Number(500), .milliliter), ofProduct: milk.productID)
    print("\(used.total) left")
  } catch RuleError.notEnough(_, _, let available) {
    print("only \(available) left")
  }
}

@Suite("The examples of LarderKit's article")
struct ArticleTests {
  @Test("are the functions above, word for word")
  func words() throws {
    let article = "Sources/LarderKit/LarderKit.docc/LarderKit.md"
    let examples = try text(Checkout.root.appending(path: article)).split(separator: "```swift\n")
      .dropFirst()
      .compactMap { $0.split(separator: "```").first }
    #expect(examples.count == 3)
    let source = try text(URL(filePath: #filePath))
    for example in examples {
      let function = try #require(example.firstRange(of: "func "))
      #expect(source.contains(example[function.lowerBound...]))
    }
  }

  @Test("do what they say")
  func deeds() async throws {
    let flat = try Flat()
    let larder = try await flat.laptop()
    try await larder.commit("set up") { change in
      var item = NewItem("Milk")
      item.unit = .liter
      item.inStock = liters(1)
      item.full = liters(3)
      try change.add(item)
    }
    try await larder.addRemote(url: try flat.server())
    try await shop(at: larder.root)
    #expect(try await larder.total("Milk") == liters(3))
    #expect(try await larder.survey().receipts.map(\.shop) == ["Greenway Market"])
    #expect(try await larder.status().upstream?.ahead == 0)
    // The receipt took everything off the list.
    await show(larder)
    for _ in 0..<5 { try await stockUp(larder) }
    let summary = try await larder.survey().summary(of: "ean_5411188110835")
    #expect(summary?.total == Quantity(.zero, .liter))
    #expect(summary?.batchCount == 1)
  }

  private func text(_ file: URL) throws -> String {
    String(decoding: try Data(contentsOf: file), as: UTF8.self)
  }
}
