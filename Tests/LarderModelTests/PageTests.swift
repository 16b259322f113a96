import LarderJSON
import LarderModel
import TestSupport
import Testing

@Suite("A count of a long ledger begins a new page")
struct PageTests {
  /// An item with 20 in stock, by a count and many uses and additions of one.
  private func used(_ times: Int, request: String? = nil) throws -> Household {
    var edit = Edit(household(try item(loose: "20")))
    for number in 0..<times {
      let writer = writer(moment(2, number))
      if number % 2 == 0 {
        _ = try edit.take(
          pieces(1), from: edit.after.milk, request: request.map { "\($0)\(number)" }, by: writer)
      } else {
        _ = try edit.add(pieces(1), to: edit.after.milk, by: writer)
      }
    }
    return edit.after
  }

  private func counted(_ number: Int, _ household: Household, day: Int = 10) throws -> Household {
    var edit = Edit(household)
    _ = try edit.count(pieces(number), of: household.milk, by: writer(moment(day)))
    return edit.after
  }

  @Test("with more than 100 entries, and no request that may still come again")
  func opens() throws {
    let long = try counted(7, used(100))
    #expect(try long.milk.ledger.entries.count == 1)
    #expect(try long.milk.pageFrom == moment(10))
    #expect(try long.milk.quantity == pieces(7))
    #expect(try long.milk.reread() == long.milk)
    let short = try counted(7, used(99))
    #expect(try short.milk.pageFrom == nil)
    #expect(try short.milk.ledger.entries.count == 101)
    #expect(try counted(7, used(101, request: "r")).milk.pageFrom == nil)
    #expect(try counted(7, used(101, request: "r"), day: 40).milk.pageFrom == moment(40))
  }

  @Test("what comes late from before it does not count, as with any count")
  func lateNews() throws {
    let start = try used(100)
    var late = Edit(start)
    _ = try late.take(pieces(3), from: start.milk, by: writer(moment(9), device: "laptop"))
    let counted = try counted(7, start)
    let joined = try counted.milk.joined(with: late.after.milk)
    #expect(joined == (try late.after.milk.joined(with: counted.milk)))
    #expect(joined.ledger.entries.count == 1)
    #expect(joined.quantity == pieces(7))
    var later = Edit(start)
    _ = try later.take(pieces(3), from: start.milk, by: writer(moment(11), device: "laptop"))
    #expect(try counted.milk.joined(with: later.after.milk).quantity == pieces(4))
  }

  @Test("what came late is told as lost, and may be counted on the page, once")
  func told() throws {
    let start = try used(100)
    var late = Edit(start)
    _ = try late.take(pieces(3), from: start.milk, by: writer(moment(9), device: "laptop"))
    let counted = try counted(7, start)
    let joined = counted.joined(with: late.after, base: start)
    #expect(try counted.milk.losses(to: late.after.milk, since: start.milk, in: joined.milk) == [])
    let lost = try late.after.milk.losses(to: counted.milk, since: start.milk, in: joined.milk)
    #expect(lost.map(\.names) == [["changes"]])
    #expect(lost.first?.late.count == 1)
    let value = try #require(lost.first)
    #expect(try value.isKept(in: joined.milk))
    var again = Edit(joined)
    try again.restore(value, by: writer(moment(12)))
    try again.restore(value, by: writer(moment(13)))
    #expect(try again.after.milk.quantity == pieces(4))
    #expect(try value.isLost(in: again.after.milk))
  }

  @Test("undone, it leaves what there was, and what was used since still counts")
  func undone() throws {
    let before = try used(100)
    let counted = try counted(7, before)
    var other = Edit(counted)
    _ = try other.take(pieces(2), from: counted.milk, by: writer(moment(11), device: "laptop"))
    var undo = Edit(counted)
    undo.takeBack(counted.differences(from: before), by: writer(moment(12)))
    #expect(try undo.after.milk.quantity == pieces(20))
    #expect(try undo.after.milk.joined(with: other.after.milk).quantity == pieces(18))
    var redo = Edit(undo.after)
    redo.takeBack(undo.after.differences(from: counted), by: writer(moment(13)))
    #expect(try redo.after.milk.quantity == pieces(7))
    let line = LedgerEntry(
      id: uuid(77), at: moment(12), .undoes(try #require(counted.milk.ledger.entries.first?.id)),
      unit: .piece, why: .undo, by: "laptop")
    var withUndoing = try counted.milk
    withUndoing.record(line)
    #expect(withUndoing.quantity == pieces(7))
  }

  @Test("a receipt that two people save counts once, on whichever side of the page they saved it")
  func receipts() throws {
    let start = try used(100)
    func saved(_ day: Int, _ device: String, in household: Household) throws -> Household {
      var edit = Edit(household)
      var purchase = Edit.Purchase(shop: "Mill")
      purchase.id = uuid(500)
      purchase.lines = [
        ReceiptLine(
          id: uuid(501), itemName: "Milk", quantity: Number(3), unit: nil,
          itemID: try household.milk.id)
      ]
      _ = try edit.save(purchase, by: writer(moment(day), device: device))
      return edit.after
    }
    let counted = try counted(23, saved(9, "phone", in: start))
    let later = try saved(11, "laptop", in: start)
    let joined = counted.joined(with: later, base: start)
    #expect(try joined.milk.quantity == pieces(23))
    #expect(try later.joined(with: counted, base: start).milk == joined.milk)
    #expect(HouseholdCheck.findings(in: joined, now: moment(12)) == [])
    // Voided, and brought back, it is in the count as before.
    let receipt = try #require(joined[.receipt, uuid(500)])
    var void = Edit(joined)
    void.correct(receipt.key, [(.isDeleted, .bool(true))], by: writer(moment(12)))
    #expect(try void.after.milk.quantity == pieces(23))
    void.correct(receipt.key, [(.isDeleted, .bool(false))], by: writer(moment(13)))
    #expect(try void.after.milk.quantity == pieces(23))
    #expect(HouseholdCheck.findings(in: void.after, now: moment(14)) == [])
  }

  @Test("a hand that removes or changes it changes nothing, and a number is still a count")
  func byHand() throws {
    let counted = try counted(7, used(100)).milk
    let text = String(decoding: counted.fileBytes, as: UTF8.self)
    func adopted(_ edit: (String) -> String) throws -> Entity {
      let after = try EntityFile(.stockItem, parsing: Array(edit(text).utf8))
      let before = try EntityFile(.stockItem, parsing: counted.fileBytes)
      return try FileAdoption(
        after: after, befores: [before], known: counted, id: counted.id, at: moment(11),
        userID: uuid(801), householdID: uuid(700), history: { [OlderFile(before)] }
      ).outcome().entity
    }
    let line = try #require(text.split(separator: "\n").first { $0.contains("pageFrom") })
    #expect(try adopted { $0.replacing(line + "\n", with: "") } == counted)
    #expect(
      try adopted {
        $0.replacing("\(moment(10))\",\n  \"changes", with: "\(moment(20))\",\n  \"changes")
      } == counted)
    let changed = try adopted {
      $0.replacing("\"quantityInStock\": 7", with: "\"quantityInStock\": 4")
    }
    #expect(changed.quantity == pieces(4))
    #expect(changed.pageFrom == moment(10))
    // An editor saves what it had before the count.
    let old = try used(100).milk
    #expect(
      try adopted { _ in String(decoding: old.fileBytes, as: UTF8.self) }.quantity == pieces(7))
  }
}
