import LarderJSON
import LarderModel
import TestSupport
import Testing

@Suite("Where the lines of receipts go")
struct ReceiptLineTests {
  private static let key = EntityKey(.receipt, uuid(500))

  private func line(_ quantity: Int, expiry: String? = nil, item: Int = 100) -> ReceiptLine {
    var line = ReceiptLine(
      id: uuid(9), itemName: "Milk", quantity: Number(quantity), unit: nil, itemID: uuid(item))
    line.expiry = expiry.flatMap { Day($0) }
    return line
  }

  /// A household with a receipt of these lines, as it is after it was saved.
  private func saved(_ lines: ReceiptLine...) throws -> Household {
    var edit = Edit(household(try item(), try item(1)))
    var purchase = Edit.Purchase(shop: "FairPrice")
    (purchase.id, purchase.lines) = (Self.key.id, lines)
    _ = try edit.save(purchase, by: writer(moment(2)))
    return edit.after
  }

  private func rewritten(_ start: Household, _ name: FieldName, _ value: JSON, day: Int) throws
    -> Household
  {
    var edit = Edit(start)
    let old = try #require(start[Self.key])
    edit.write([(name, value)], to: old.key, now: moment(day))
    edit.replenish(
      from: old, to: try #require(edit.after[Self.key]), at: moment(day), device: "phone")
    return edit.after
  }

  private func with(_ lines: ReceiptLine..., of start: Household, day: Int) throws -> Household {
    try rewritten(start, "items", .array(lines.map(\.json)), day: day)
  }

  private func batches(_ household: Household) -> [String] {
    household.all(.inventoryItem)
      .map { "\($0.quantity.value) until \($0.expiryDay?.description ?? "any day")" }.sorted()
  }

  @Test("a line with a date that a voided receipt was given is a batch once it is restored")
  func restored() throws {
    var home = try saved(line(2))
    home = try rewritten(home, "isDeleted", .bool(true), day: 3)
    var other = ReceiptLine(
      id: uuid(8), itemName: "Rye", quantity: Number(3), unit: nil, itemID: uuid(101))
    other.expiry = Day("2026-12-24")
    home = try with(line(2), other, of: home, day: 4)
    home = try rewritten(home, "isDeleted", .bool(false), day: 5)
    #expect(batches(home) == ["3 until 2026-12-24"])
    #expect(try home.stock(of: 0) == "2")
    #expect(try home.stock(of: 1) == "3")
  }

  @Test(
    "a line that comes back to an item with another date comes back to its batch with that date")
  func backAgain() throws {
    var home = try saved(line(2, expiry: "2026-12-24"))
    home = try with(line(2, expiry: "2027-01-06", item: 101), of: home, day: 3)
    #expect(batches(home) == ["0 until 2026-12-24", "2 until 2027-01-06"])
    home = try with(line(2, expiry: "2027-01-06"), of: home, day: 4)
    #expect(batches(home) == ["0 until 2027-01-06", "2 until 2027-01-06"])
  }

  @Test("check tells of a line that names a place nobody has")
  func unknownPlace() throws {
    var gone = line(2)
    gone.locationID = uuid(399)
    let home = try with(gone, of: try saved(line(2)), day: 3)
    let places = HouseholdCheck.findings(in: home, now: moment(4))
      .filter { $0.kind == .unknownReference(to: .storageLocation, id: uuid(399)) }.map(\.place)
    #expect(places.contains(.value([.key("items"), .index(0), .key("location")])))
  }

  @Test("a line of nothing with a date makes a batch when there is something of it")
  func ofNothing() throws {
    var home = try saved(line(0, expiry: "2026-12-24"))
    #expect(batches(home).isEmpty)
    home = try with(line(2, expiry: "2026-12-24"), of: home, day: 3)
    #expect(batches(home) == ["2 until 2026-12-24"])
    #expect(try home.stock() == "2")
  }

  @Test(
    "a request that is repeated is told of what lay there then, though it was voided and restored")
  func repeatedAfterRestore() throws {
    let start = try saved(line(4))
    var edit = Edit(start)
    let first = try edit.take(
      pieces(1), from: start.milk, request: "r-1", by: writer(moment(3)))
    var home = edit.after
    home = try rewritten(home, "isDeleted", .bool(true), day: 4)
    home = try rewritten(home, "isDeleted", .bool(false), day: 5)
    var repeated = Edit(home)
    var again = try repeated.take(
      pieces(1), from: home.milk, request: "r-1", by: writer(moment(6)))
    #expect(again.isRepeated)
    again.isRepeated = false
    #expect(again == first)
  }
}
