import LarderModel
import Testing

@Suite("Taking, adding and counting")
struct TakingTests {
  private func taken(_ edit: inout Edit, _ quantity: Quantity, partially: Bool = false) throws
    -> [String]
  {
    let change = try edit.take(
      quantity, from: try edit.after.milk, partially: partially, by: writer())
    return change.parts.map { "\($0.key.id.suffix(3)) \($0.quantity)" }
  }

  @Test("the batch that expires first goes first, undated ones follow, loose stock is last")
  func order() throws {
    var edit = Edit(
      household(
        try item(loose: "2"), try batch(1, "1"), try batch(2, "1", expiry: "2026-12-24"),
        try batch(3, "1", expiry: "2026-11-30"), try batch(4, "1", expiry: "2027-01-01")))
    #expect(
      try taken(&edit, pieces(6))
        == ["203 1", "202 1", "204 1", "201 1", "100 2"])
    #expect(try edit.after.stock() == "0")
  }

  @Test("of one expiry the older batch goes first, of one age the smaller id")
  func ties() throws {
    var edit = Edit(
      household(
        try item(), try batch(5, "1", expiry: "2026-12-01", created: 2),
        try batch(4, "1", expiry: "2026-12-01", created: 2),
        try batch(9, "1", expiry: "2026-12-01", created: 1), try batch(8, "1", created: 3),
        try batch(7, "1", created: 2)))
    #expect(
      try taken(&edit, pieces(5)) == ["209 1", "204 1", "205 1", "207 1", "208 1"])
  }

  @Test("of batches without a last day, the one packed or made earlier goes first, then the rest")
  func packed() throws {
    var edit = Edit(
      household(
        try item(), try batch(1, "1", created: 1),
        try batch(2, "1", expiry: "2026-11-20", created: 2, kind: "packaged"),
        try batch(3, "1", expiry: "2026-11-10", created: 3, kind: "manufactured"),
        try batch(4, "1", expiry: "2026-12-24", created: 4)))
    #expect(try taken(&edit, pieces(4)) == ["204 1", "203 1", "202 1", "201 1"])
  }

  @Test("what is of a product that several items name is the one's with the smallest id")
  func contested() throws {
    var known = household(try batch(1, "3", product: "ean_1"))
    for number in [4, 1, 3, 0, 2] {
      let item = try item(number, products: #"["ean_1"]"#)
      known.put(item, at: known.defaultPath(for: item))
    }
    #expect(try (0...4).map { try known.stock(of: $0) } == ["3", "0", "0", "0", "0"])
    var edit = Edit(known)
    #expect(try taken(&edit, pieces(2)) == ["201 2"])
  }

  @Test("batches that are discarded, archived, empty or of another item are left alone")
  func otherBatches() throws {
    var edit = Edit(
      household(
        try item(loose: "1", products: #"["ean_1"]"#), try batch(1, "5", status: "discarded"),
        try batch(2, "5", status: "archived"), try batch(3, "0"),
        try batch(5, "5", product: "ean_2"), try batch(6, "1", product: "ean_1")))
    #expect(try taken(&edit, pieces(2)) == ["206 1", "100 1"])
  }

  @Test("a batch below zero leaves that much less to take")
  func belowZero() throws {
    var edit = Edit(household(try item(loose: "1"), try batch(4, "-2"), try batch(6, "4")))
    #expect(throws: RuleError.notEnough(item: "Item 0", wanted: pieces(4), available: pieces(3))) {
      try edit.take(pieces(4), from: try edit.after.milk, by: writer())
    }
    #expect(try taken(&edit, pieces(3)) == ["206 2", "100 1"])
    #expect(try edit.after.stock() == "0")
  }

  @Test("a count is what there is then, whatever lies loose and in batches, below zero too")
  func counted() throws {
    let numbers = ["-7", "-1", "0", "0.5", "3"]
    for loose in numbers {
      for (first, second) in numbers.flatMap({ one in numbers.map { (one, $0) } }) {
        for number in [0, 1, 4, 12] {
          let known = household(
            try item(loose: loose), try batch(1, first, expiry: "2026-12-01"), try batch(2, second))
          var edit = Edit(known)
          _ = try edit.count(pieces(number), of: try edit.after.milk, by: writer())
          #expect(
            try edit.after.stock() == "\(number)",
            "loose \(loose), batches \(first) and \(second), counted \(number)")
        }
      }
    }
  }

  @Test("an amount goes over several batches, each in its own unit")
  func units() throws {
    var edit = Edit(
      household(
        try item(loose: "1.5", unit: .kilogram),
        try batch(1, "250", unit: .gram, expiry: "2026-12-01"),
        try batch(2, "0.5", unit: .kilogram, expiry: "2026-12-02")))
    #expect(try taken(&edit, amount("800", .gram)) == ["201 250 g", "202 0.5 kg", "100 50 g"])
    #expect(try edit.after.stock() == "1.45")
    #expect(try edit.after.milk.quantity.value == Number("1.45"))
    #expect(try edit.after.milk.ledger.entries.last?.unit == .gram)
  }

  @Test("where there is not enough nothing is touched, and the error says what there is")
  func notEnough() throws {
    let start = household(
      try item(loose: "1"), try batch(1, "2", expiry: "2026-12-01"))
    var edit = Edit(start)
    #expect(
      throws: RuleError.notEnough(item: "Item 0", wanted: pieces(4), available: pieces(3))
    ) { try edit.take(pieces(4), from: edit.after.milk, by: writer()) }
    #expect(edit.changed.isEmpty)
    #expect(edit.after.texts == start.texts)
  }

  @Test("partially takes what there is, and of nothing still nothing")
  func partially() throws {
    var edit = Edit(household(try item(loose: "1"), try batch(1, "2")))
    #expect(try taken(&edit, pieces(9), partially: true) == ["201 2", "100 1"])
    #expect(try edit.after.stock() == "0")
    #expect(throws: RuleError.self) { try taken(&edit, pieces(1), partially: true) }
  }

  @Test("a batch that is named is the only one taken from")
  func namedBatch() throws {
    let second = try batch(2, "3")
    var edit = Edit(
      household(try item(loose: "9"), try batch(1, "1", expiry: "2026-12-01"), second))
    let change = try edit.take(pieces(2), from: edit.after.milk, lot: Lot(second), by: writer())
    #expect(change.parts.map(\.rest) == [pieces(1)])
    #expect(change.total == pieces(11))
    #expect(throws: RuleError.self) {
      try edit.take(
        pieces(2), from: edit.after.milk, lot: edit.after[second.key].map { Lot($0) }, by: writer())
    }
  }

  @Test("a named batch in a unit that does not convert is refused, and keeps what it has")
  func namedBatchOfOtherUnit() throws {
    let odd = try batch(1, "500", unit: .gram)
    var edit = Edit(household(try item(loose: "9"), odd))
    #expect(throws: RuleError.unitsDoNotConvert(of: "Item 0", .piece, .gram)) {
      try edit.take(
        pieces(2), from: edit.after.milk, lot: Lot(odd), partially: true, by: writer())
    }
    #expect(try edit.after.rest(of: 1) == "500")
  }

  @Test("nothing, less than nothing, other units and archived items are refused")
  func refusals() throws {
    var edit = Edit(
      household(try item(loose: "1"), try item(1, other: #", "isArchived": true"#)))
    let archived = try #require(edit.after[.stockItem, uuid(101)])
    #expect(throws: RuleError.notAboveZero(pieces(0))) {
      try edit.take(pieces(0), from: edit.after.milk, by: writer())
    }
    #expect(throws: RuleError.notAboveZero(pieces(-1))) {
      try edit.add(pieces(-1), to: edit.after.milk, by: writer())
    }
    #expect(throws: RuleError.unitsDoNotConvert(of: "Item 0", .gram, .piece)) {
      try edit.take(Quantity(Number(1), .gram), from: edit.after.milk, by: writer())
    }
    #expect(throws: RuleError.itemIsArchived(item: "Item 1")) {
      try edit.add(pieces(1), to: archived, by: writer())
    }
    #expect(edit.changed.isEmpty)
  }

  @Test(
    "a count of the item leaves the batches and sets the loose rest, or lowers what expires first")
  func count() throws {
    var edit = Edit(household(try item(loose: "1"), try batch(1, "2"), try batch(2, "0.5")))
    _ = try edit.count(pieces(6), of: edit.after.milk, by: writer())
    #expect(try edit.after.stock() == "6")
    #expect(try edit.after.milk.quantity.value == Number("3.5"))
    #expect(try edit.after.rest(of: 1) == "2")
    let lowered = try edit.count(pieces(1), of: edit.after.milk, by: writer())
    #expect(lowered.parts.map(\.quantity.value.description) == ["1.5", "3.5"])
    #expect(try edit.after.stock() == "1")
    #expect(try edit.after.milk.quantity.value == .zero)
    #expect(try edit.after.rest(of: 1) == "0.5")
    #expect(try edit.after.rest(of: 2) == "0.5")
    _ = try edit.count(pieces(0), of: edit.after.milk, by: writer())
    #expect(try edit.after.stock() == "0")
    #expect(throws: RuleError.belowZero(pieces(-1))) {
      try edit.count(pieces(-1), of: edit.after.milk, by: writer())
    }
  }

  @Test("a count of a batch is in the batch's unit")
  func countBatch() throws {
    let grams = try batch(1, "250", unit: .gram)
    var edit = Edit(household(try item(unit: .kilogram), grams))
    _ = try edit.count(amount("0.1", .kilogram), of: edit.after.milk, lot: Lot(grams), by: writer())
    #expect(try edit.after.rest(of: 1) == "100")
    #expect(try edit.after.stock() == "0.1")
  }

  @Test("a change is stamped after everything the entity has heard of")
  func stamps() throws {
    var edit = Edit(household(try item(loose: "5")))
    _ = try edit.take(pieces(1), from: edit.after.milk, by: writer(moment(1)))
    _ = try edit.take(pieces(1), from: edit.after.milk, by: writer(moment(1)))
    #expect(
      try edit.after.milk.ledger.entries.map(\.at) == [moment(1, 1), moment(1, 2), moment(1, 3)])
  }
}

@Suite("Requests that are made twice")
struct RequestTests {
  @Test("a request that was served changes nothing and tells the same again")
  func repeated() throws {
    var edit = Edit(household(try item(loose: "1"), try batch(1, "2", expiry: "2026-12-01")))
    let first = try edit.take(
      pieces(3), from: edit.after.milk, request: "r-1", by: writer())
    let before = edit.after.texts
    let again = try edit.take(
      pieces(3), from: edit.after.milk, request: "r-1", by: writer(moment(11), device: "tablet"))
    #expect(again.isRepeated)
    #expect(!first.isRepeated)
    #expect(edit.after.texts == before)
    #expect(Set(again.parts.map(\.key)) == Set(first.parts.map(\.key)))
    #expect(again.total == pieces(0))
  }

  @Test("another request counts, and so does one without an id")
  func others() throws {
    var edit = Edit(household(try item(loose: "9")))
    _ = try edit.take(pieces(1), from: edit.after.milk, request: "r-1", by: writer())
    _ = try edit.take(pieces(1), from: edit.after.milk, request: "r-2", by: writer())
    _ = try edit.add(pieces(1), to: edit.after.milk, by: writer())
    _ = try edit.add(pieces(1), to: edit.after.milk, by: writer())
    #expect(try edit.after.stock() == "9")
  }

  @Test("two devices that serve one request from one file count it once")
  func twoDevices() throws {
    let start = household(try item(loose: "9"))
    var one = Edit(start)
    var two = Edit(start)
    _ = try one.add(pieces(2), to: start.milk, request: "r-1", by: writer(moment(10)))
    _ = try two.add(
      pieces(2), to: start.milk, request: "r-1", by: writer(moment(11), device: "laptop"))
    let joined = one.after.joined(with: two.after)
    #expect(try joined.stock() == "11")
    #expect(joined.texts == two.after.joined(with: one.after).texts)
    let name = "request/r-1/\(uuid(100))"
    #expect(try joined.milk.ledger[Identifier.derived(fromName: name)]?.at == moment(10))
  }
}
