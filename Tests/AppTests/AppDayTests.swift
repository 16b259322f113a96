import Foundation
import LarderKit
import Synchronization
import Testing
import TestSupport

@Suite("An app's day with LarderKit alone")
struct AppDayTests {
  @Test("an item is made, used up, wanted, bought and on a receipt, and each step can be undone")
  func day() async throws {
    let flat = try Flat()
    let larder = try await flat.laptop()
    let milk = try await larder.commit("new item Oat milk") { change in
      var item = NewItem("Oat milk")
      item.category = "Dairy"
      item.unit = .liter
      item.inStock = liters(4)
      item.full = liters(6)
      return try change.add(item)
    }.value
    let (used, outcome) = try await larder.commit("use 4 l of Oat milk") { change in
      try change.use(liters(4), of: milk)
    }
    #expect(used.total == liters(0))
    #expect(outcome.consequences.map(\.desired) == [liters(6)])
    try await larder.commit("want candles") { try $0.want(named: "Birthday candles") }
    let survey = try await larder.survey()
    let list = survey.shoppingList
    #expect(list.map { survey.title(of: $0) } == ["Birthday candles", "Oat milk"])
    try await larder.commit("into the basket") { change in
      for entry in list { change.update(entry) { $0.isCompleted = true } }
    }
    let receipt = try await larder.commit("save a receipt") { change in
      var purchase = Edit.Purchase(shop: "Greenway Market")
      purchase.amount = Number("14.2")
      purchase.currency = "GBP"
      return try change.saveReceipt(of: change.survey.shoppingList, purchase) { basket in
        try basket.add(
          TypedLine("Oat milk", quantity: TypedQuantity(value: Number(3)), price: Number("9.9")))
      }
    }.value
    #expect(receipt.lines.map(\.itemName).sorted() == ["Birthday candles", "Oat milk"])
    #expect(try await larder.total("milk") == liters(3))
    #expect(try await larder.survey().shoppingList.isEmpty)
    try await larder.commit("correct") { change in
      change.edit.correct(receipt, by: change.writer) { $0.shop = "Corner shop" }
    }
    #expect(try await larder.survey().receipts.map(\.shop) == ["Corner shop"])
    #expect(try await larder.undo().command.subject == "correct")
    #expect(try await larder.undo().command.subject == "save a receipt")
    #expect(try await larder.total("milk") == liters(0))
    #expect(try await larder.redo().command.subject == "save a receipt")
    #expect(try await larder.total("milk") == liters(3))
  }

  @Test("places, products, batches, dates and a diagnosis")
  func batches() async throws {
    let flat = try Flat()
    let larder = try await flat.laptop()
    try await larder.commit("set up") { change in
      let fridge = change.addLocation("Fridge", isColdStorage: true)
      var item = NewItem("Milk")
      item.unit = .liter
      let milk = try change.add(item)
      let product = try change.addProduct("5032987400110", title: "Whole Milk")
      change.update(product) { $0.bestAfterOpeningDays = 3 }
      change.update(milk) { $0.productIDs = [product.id] }
      var details = BatchDetails(productID: product.id)
      details.expiry = ExpiryInfo(.useBy, Day("2026-12-24"))
      details.locationID = fridge.id
      try change.add(liters(2), details)
    }
    let survey = try await larder.survey()
    let milk = try survey.find(StockItem.self, "5032987400110")
    let batch = try #require(survey.batches(of: milk).first)
    #expect(survey.total(of: milk) == liters(2))
    #expect(batch.expiry?.date == Day("2026-12-24"))
    #expect(batch.locationID == survey.locations.first?.id)
    try await larder.commit("notes") { $0.update(batch) { $0.notes = "top shelf" } }
    #expect(try await larder.survey().batches(of: milk).first?.notes == "top shelf")
    await #expect(throws: RuleError.self) {
      try await larder.commit("too much") { try $0.use(liters(3), of: milk) }
    }
    #expect(try await larder.total("Milk") == liters(2))
    #expect(try await larder.diagnose().isEmpty)
    let status = try await larder.status()
    #expect(status.stock.usedUp == 0)
    #expect(status.upstream == nil)
  }

  @Test("what no file may say is refused, and changes nothing")
  func badValues() async throws {
    let flat = try Flat()
    let larder = try await flat.laptop()
    let milk = try await larder.commit("new item") { try $0.add(NewItem("Milk")) }.value
    let wrong: [(String, @Sendable (inout Change) throws -> Void)] = [
      ("an empty name", { $0.update(milk) { $0.name = "" } }),
      ("less than nothing", { $0.update(milk) { $0.fullStock = Number(-1) } }),
      ("a new item without a name", { try $0.add(NewItem("")) }),
      ("a location without a name", { $0.addLocation("") }),
      (
        "too many days",
        {
          let product = try $0.addProduct("shop-7", title: "Honey")
          $0.update(product) { $0.bestAfterOpeningDays = 40_000 }
        }
      ),
      (
        "no currency",
        { change in
          try change.want(named: "Bread")
          let bread = change.edit.after.all(ShoppingListEntry.self)
          var purchase = Edit.Purchase(shop: "Market")
          purchase.currency = "pounds"
          try change.saveReceipt(of: bread, purchase)
        }
      ),
    ]
    let before = try await larder.status().commit
    for (what, act) in wrong {
      let error = await #expect(throws: StoreError.self, "\(what)") {
        try await larder.commit(what) { try act(&$0) }
      }
      guard case .badValues? = error else {
        Issue.record("\(what): \(String(describing: error))")
        continue
      }
    }
    #expect(try await larder.status().commit == before)
    #expect(try await larder.status().untaken == [])
    #expect(try await larder.survey().items.map(\.name) == ["Milk"])
  }

  @Test("no two items or locations get one name, however it is written")
  func names() async throws {
    let flat = try Flat()
    let larder = try await flat.laptop()
    let (milk, fridge) = try await larder.commit("new") {
      (try $0.add(NewItem("Milk")), $0.addLocation("Fridge"))
    }.value
    let wrong: [(String, @Sendable (inout Change) throws -> Void)] = [
      ("new", { try $0.add(NewItem("MILK")) }),
      ("two at once", { change in for _ in 0..<2 { try change.add(NewItem("Tea")) } }),
      (
        "renamed",
        { change in
          let tea = try change.add(NewItem("Tea"))
          change.update(tea) { $0.name = "milk" }
        }
      ),
      ("a location", { $0.addLocation(" fridge") }),
    ]
    for (what, act) in wrong {
      await #expect(throws: RuleError.self, "\(what)") {
        try await larder.commit(what) { try act(&$0) }
      }
    }
    try await larder.commit("archive") { $0.update(milk) { $0.isArchived = true } }
    try await larder.commit("new") { try $0.add(NewItem("Milk")) }
    await #expect(throws: RuleError.self) {
      try await larder.commit("restore") { $0.update(milk) { $0.isArchived = false } }
    }
    #expect(try await larder.survey().items.map(\.name) == ["Milk"])
    #expect(try await larder.survey().locations.map(\.id) == [fridge.id])
  }

  @Test("two devices meet through git, and both uses of the last carton count")
  func git() async throws {
    let flat = try Flat()
    let laptop = try await flat.laptop()
    try await laptop.commit("new item") { change in
      var item = NewItem("Milk")
      item.unit = .liter
      item.inStock = liters(1)
      try change.add(item)
    }
    try await laptop.addRemote(url: try flat.server())
    #expect(try await laptop.sync().git?.get().sent ?? 0 > 0)
    let phone = try await Larder.join(
      flat.folder("server.git"), into: flat.folder("phone"), flat.context("phone"))
    for device in [laptop, phone] {
      try await device.commit("use") { change in
        try change.use(liters(1), of: change.survey.find(StockItem.self, "milk"))
      }
    }
    try await laptop.sync().check()
    #expect(try await phone.sync().git?.get().hasJoined == true)
    try await laptop.sync().check()
    #expect(try await laptop.total("milk") == liters(-1))
    #expect(try await phone.total("milk") == liters(-1))
    #expect(try await laptop.status().stock.belowZero == ["Milk"])
    let devices = try await laptop.history(into: [String?](), in: laptop.read().household) {
      $0.append($1.commit.device)
      return true
    }.value
    #expect(Set(devices.compactMap(\.self)) == ["laptop", "phone"])
  }

  @Test(
    "a watch adopts an edited file and syncs it, until it is stopped", .timeLimit(.minutes(10)))
  func watch() async throws {
    let flat = try Flat()
    let laptop = try await flat.laptop()
    try await laptop.addRemote(url: try flat.server())
    try await laptop.sync().check()
    let stop = WatchStop()
    var adopted: [String] = []
    for try await event in laptop.watch(every: .seconds(3600), until: stop) {
      switch event {
      case .began: try flat.folder.write(#"{ "name": "Soy milk" }"#, to: "laptop/stock/soy.json")
      case .adopted(_, let household):
        adopted += household.all(StockItem.self).map(\.name)
      case .synced: if !adopted.isEmpty { stop.stop() }
      case .looking, .waiting, .failed, .signedIn, .exchanged, .syncFailed: break
      }
    }
    #expect(adopted == ["Soy milk"])
    #expect(try await laptop.status().upstream?.ahead == 0)
  }

  @Test("changes tell of edits by hand and of other programs", .timeLimit(.minutes(10)))
  func changes() async throws {
    let flat = try Flat()
    let larder = try await flat.laptop()
    let window = try await Larder.open(from: larder.root, flat.context("laptop"))
    var changes = try await window.changes().makeAsyncIterator()
    try flat.folder.write(#"{ "name": "Rice" }"#, to: "laptop/stock/rice.json")
    let edits = await changes.next()
    #expect(edits?.cause == .edits)
    #expect(edits?.differences.map(\.path) == ["stock/rice.json"])
    let tea = try await larder.commit("new item Tea") { try $0.add(NewItem("Tea")) }.value
    var other = await changes.next()
    while let next = other, !next.differences.contains(where: { $0.key == tea.key }) {
      other = await changes.next()
    }
    #expect(other?.cause == .otherProgram)
  }
}
