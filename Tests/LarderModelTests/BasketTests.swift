import LarderJSON
import LarderModel
import TestSupport
import Testing

@Suite("One basket that is saved apart, once with a date")
struct BasketTests {
  private static let receipt = EntityKey(
    .receipt, Identifier.derived(fromName: "receipt/\(lineID)"))
  private static let lineID = Identifier.derived(fromName: "line/\(uuid(400))/\(moment(2))")
  private static let batchID = Identifier.derived(fromName: "batch/\(lineID)/\(uuid(100))")

  /// What somebody does after saving the basket, and what that makes of the item's total.
  struct Deed: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var brings = 0
    var isVoiding = false
    var isRestoring = false
    let run: @Sendable (inout Household, Writer) throws -> Void

    init(
      _ name: String, brings: Int = 0, isVoiding: Bool = false, isRestoring: Bool = false,
      run: @escaping @Sendable (inout Household, Writer) throws -> Void
    ) {
      testDescription = name
      self.brings = brings
      self.isVoiding = isVoiding
      self.isRestoring = isRestoring
      self.run = run
    }
  }

  private func start() throws -> Household {
    household(
      try home(), try item(loose: "9"), try item(1), try place(), try place(1),
      try entity(
        .shoppingListEntry,
        #"""
        "id": #400, "itemId": #100, "desiredQuantity": 2, "unit": "piece", "isCompleted": true,
        "updatedAt": @2, "edited": {"isCompleted": @2}
        """#))
  }

  private func saved(_ household: Household, _ writer: Writer, dated: Bool) throws -> Household {
    var edit = Edit(household)
    var purchase = Edit.Purchase(shop: "Shop")
    purchase.entries = household.all(.shoppingListEntry)
    if dated {
      var line = ReceiptLine(
        id: uuid(1), itemName: "Milk", quantity: Number(2), unit: .piece, itemID: uuid(100))
      line.expiry = Day("2026-12-01")
      purchase.lines = [line]
    }
    let receipt = try edit.save(purchase, by: writer)
    #expect(receipt.key == Self.receipt)
    return edit.after
  }

  private static func edited(
    _ home: inout Household, _ body: (inout Edit) throws -> Void
  ) rethrows {
    var edit = Edit(home)
    try body(&edit)
    home = edit.after
  }

  private static func rewrite(
    _ home: inout Household, _ writer: Writer, _ field: FieldName, _ value: JSON
  ) throws {
    try edited(&home) { edit in
      let old = try #require(edit.after[receipt])
      edit.write([(field, value)], to: receipt, now: writer.now)
      edit.replenish(
        from: old, to: try #require(edit.after[receipt]), at: writer.now, device: writer.device)
    }
  }

  private static func correct(
    _ home: inout Household, _ writer: Writer, _ change: (inout [ReceiptLine]) -> Void
  ) throws {
    var lines = try #require(home[receipt]).lines
    change(&lines)
    try rewrite(&home, writer, "items", .array(lines.map(\.json)))
  }

  /// Takes back what led from one household to another, as `undo` does.
  private static func takeBack(
    _ home: inout Household, _ writer: Writer, _ after: Household, from before: Household
  ) {
    edited(&home) { $0.takeBack(after.differences(from: before), by: writer) }
  }

  private static let common: [Deed] = [
    Deed("nothing") { _, _ in },
    Deed("uses one", brings: -1) { home, writer in
      try edited(&home) { edit in
        _ = try edit.take(pieces(1), from: edit.after.milk, by: writer)
      }
    },
    Deed("voids it", isVoiding: true) { home, writer in
      try rewrite(&home, writer, "isDeleted", .bool(true))
    },
    Deed("voids and restores it", isRestoring: true) { home, writer in
      try rewrite(&home, writer, "isDeleted", .bool(true))
      try rewrite(&home, writer, "isDeleted", .bool(false))
    },
    Deed("corrects it to four", brings: 2) { home, writer in
      try correct(&home, writer) { $0[0].quantity = Number(4) }
    },
    Deed("takes the line off", brings: -2) { home, writer in
      try correct(&home, writer) { $0 = [] }
    },
    Deed("takes the line off and puts it back") { home, writer in
      let lines = try #require(home[receipt]).lines
      try correct(&home, writer) { $0 = [] }
      try correct(&home, writer) { $0 = lines }
    },
    Deed("names another item", brings: -2) { home, writer in
      try correct(&home, writer) { $0[0].itemID = uuid(101) }
    },
  ]

  private static let loose: [Deed] =
    common + [
      Deed("says a date too") { home, writer in
        try correct(&home, writer) { $0[0].expiry = Day("2026-12-03") }
      }
    ]

  private static let dated: [Deed] =
    common + [
      Deed("uses up and archives it", brings: -2) { home, writer in
        try edited(&home) { edit in
          _ = try edit.take(pieces(2), from: edit.after.milk, by: writer)
          edit.archiveConsumed(now: writer.now)
        }
      },
      Deed("throws the batch out", brings: -2) { home, writer in
        let batch = try #require(home[.inventoryItem, batchID])
        try edited(&home) { try $0.discard(batch, by: writer) }
      },
      Deed("moves it") { home, writer in
        let batch = try #require(home[.inventoryItem, batchID])
        try edited(&home) { _ = try $0.move(batch, to: uuid(301), by: writer) }
      },
      Deed("moves one of it") { home, writer in
        let batch = try #require(home[.inventoryItem, batchID])
        try edited(&home) {
          _ = try $0.move(batch, to: uuid(301), quantity: pieces(1), by: writer)
        }
      },
    ]

  /// What all have in the end, joined in every order, by whole households and file by file.
  private func joined(_ devices: [Household]) throws -> Household {
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    let results = orders.flatMap { order in
      let all = order.map { devices[$0] }
      return [
        all[0].joined(with: all[1], base: nil).joined(with: all[2], base: nil),
        all[0].joined(with: all[1].joined(with: all[2], base: nil), base: nil),
        all[0].joined(with: all[1]).joined(with: all[2]),
      ]
    }
    let first = try #require(results.first)
    let again = results.map { $0.joined(with: devices[1], base: nil) }
    #expect((results + again).allSatisfy { $0.texts == first.texts })
    return first
  }

  @Test("whatever both do then, it is counted once", arguments: loose, dated)
  private func once(_ one: Deed, _ other: Deed) throws {
    // Whoever voids what another one voids and restores has it restored, whoever is later.
    guard !(one.isVoiding && other.isRestoring), !(one.isRestoring && other.isVoiding) else {
      return
    }
    var laptop = try saved(start(), writer(moment(3), device: "laptop"), dated: false)
    var phone = try saved(start(), writer(moment(4)), dated: true)
    let tablet = try saved(start(), writer(moment(5), device: "tablet"), dated: false)
    try one.run(&laptop, writer(moment(14), device: "laptop"))
    try other.run(&phone, writer(moment(15)))
    let all = try joined([laptop, phone, tablet])
    let bought = one.isVoiding || other.isVoiding ? 0 : 2
    #expect(try all.stock() == "\(9 + bought + one.brings + other.brings)")
    // Voided where all is known, none of it counts, and restored, it is as the receipt says.
    guard bought > 0, one.brings == 0, other.brings == 0 else { return }
    var later = all
    try Self.rewrite(&later, writer(moment(20)), "isDeleted", .bool(true))
    #expect(try later.stock() == "9")
    try Self.rewrite(&later, writer(moment(21)), "isDeleted", .bool(false))
    #expect(try later.stock() == "11")
    #expect(HouseholdCheck.findings(in: later, now: moment(29)).isEmpty)
  }

  @Test(
    "who undoes the saving, before or after a join, leaves nothing of it; a redo brings it back once",
    arguments: [false, true], [false, true])
  func undone(dated: Bool, afterwards: Bool) throws {
    let start = try start()
    let laptop = try saved(start, writer(moment(3), device: "laptop"), dated: false)
    let phone = try saved(start, writer(moment(4)), dated: true)
    let (own, other) = dated ? (phone, laptop) : (laptop, phone)
    let known = afterwards ? own.joined(with: other, base: start) : own
    var home = known
    Self.takeBack(&home, writer(moment(14)), own, from: start)
    let undone = home
    #expect(try undone.joined(with: other, base: start).stock() == "9")
    Self.takeBack(&home, writer(moment(15)), undone, from: known)
    #expect(try home.joined(with: other, base: start).stock() == "11")
    var both = other
    Self.takeBack(&both, writer(moment(16)), other, from: start)
    #expect(try undone.joined(with: both, base: start).stock() == "9")
  }

  @Test("a date that is said and taken back leaves it loose, counted once")
  func dateTakenBack() throws {
    let start = try start()
    let laptop = try saved(start, writer(moment(3), device: "laptop"), dated: false)
    let phone = try saved(start, writer(moment(4)), dated: true)
    var home = laptop
    try Self.correct(&home, writer(moment(14))) { $0[0].expiry = Day("2026-12-03") }
    let said = home
    #expect(try said.milk.quantity == pieces(9))
    Self.takeBack(&home, writer(moment(15)), said, from: laptop)
    #expect(try home.milk.quantity == pieces(11))
    #expect(try home.stock() == "11")
    #expect(try home.joined(with: phone, base: start).stock() == "11")
  }

  @Test("what was corrected before a date was said comes along into the batch, once")
  func correctedThenDated() throws {
    let start = try start()
    var laptop = try saved(start, writer(moment(3), device: "laptop"), dated: false)
    let phone = try saved(start, writer(moment(4)), dated: true)
    try Self.correct(&laptop, writer(moment(14))) { $0[0].quantity = Number(4) }
    try Self.correct(&laptop, writer(moment(15))) { $0[0].expiry = Day("2026-12-03") }
    for home in [laptop, laptop.joined(with: phone, base: start)] {
      #expect(try home.milk.quantity == pieces(9))
      #expect(home[.inventoryItem, Self.batchID]?.quantity == pieces(4))
      #expect(HouseholdCheck.findings(in: home, now: moment(29)).isEmpty)
    }
  }

  @Test("a count has it among all there is, before it was put away and after")
  func counted() throws {
    let start = try start()
    let phone = try saved(start, writer(moment(10)), dated: true)
    for day in [8, 12] {
      var edit = Edit(try saved(start, writer(moment(3), device: "laptop"), dated: false))
      _ = try edit.count(pieces(15), of: edit.after.milk, by: writer(moment(day), device: "laptop"))
      let joined = edit.after.joined(with: phone, base: start)
      #expect(try joined.stock() == "15")
      #expect(joined.texts == phone.joined(with: edit.after, base: start).texts)
    }
  }
}
