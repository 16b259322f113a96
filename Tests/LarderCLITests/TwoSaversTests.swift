import TestSupport
import Testing

@Suite("One basket, saved on two devices")
struct TwoSaversTests {
  private static let whole =
    "receipt save --shop Aldi --amount 33.10 --line milk=3@4.20 --line Pomegranate=1@1.20 --no-new"
  private static let bare = "receipt save --shop Aldi"

  private func pair() throws -> Pair {
    try Pair(
      "stock new Milk --unit liter --in-stock 1", "stock new Eggs", "buy milk 2, eggs 12",
      "got --all")
  }

  private func expectWhole(_ pair: Pair, on device: String) throws {
    let receipts = try pair(device, "receipt --json").array("items")
    try #require(receipts.count == 1)
    #expect(receipts[0]["amount"] as? Double == 33.1)
    let shown = try pair.output(device, "receipt show aldi")
    for words in ["Eggs   ", "3 l  12.60", "Pomegranate", "1.20"] {
      #expect(shown.contains(words), "\(shown)")
    }
    #expect(try pair.total("Milk", on: device) == 4)
    #expect(try pair.total("Eggs", on: device) == 12)
    #expect(try pair.conflicts(device) == [])
  }

  @Test(
    "what one of them typed is on the receipt, whoever was first and whoever syncs first",
    arguments: [true, false], [["laptop", "phone"], ["phone", "laptop"]])
  func apart(isWholeFirst: Bool, order: [String]) throws {
    let pair = try pair()
    try pair.prepare("laptop", isWholeFirst ? Self.whole : Self.bare)
    try pair.prepare("phone", isWholeFirst ? Self.bare : Self.whole)
    for device in order { try pair.prepare(device, "sync") }
    try pair.settle()
    for device in order { try expectWhole(pair, on: device) }
  }

  @Test("who comes after a sync is told who saved it, and how to say more")
  func after() throws {
    let pair = try pair()
    try pair.prepare("laptop", Self.bare, "sync")
    try pair.prepare("phone", "sync")
    let late = try pair("phone", "receipt save --shop Aldi --amount 33.10 --line milk=3@4.20")
    #expect(late.code == 1)
    #expect(late.errors.contains(" saved this basket at 12:0"), "\(late.errors)")
    let hint = try #require(late.errors.split(separator: "'").first { $0.contains("receipt edit") })
    try pair.prepare("phone", String(hint.dropFirst("larder ".count)))
    #expect(try pair.total("Milk", on: "phone") == 4)
    #expect(try pair("phone", "receipt --json").array("items").count == 1)
  }

  @Test(
    "another purchase is saved without a word: of another shop, of another thing, by who saved it",
    arguments: [
      ("phone", "--shop Rewe --line milk=1"), ("phone", "--shop Aldi --line Figs=1 --no-new"),
      ("laptop", "--shop Aldi --line milk=1"), ("phone", "--shop Aldi --line milk=1 --yes"),
    ])
  func another(device: String, words: String) throws {
    let pair = try pair()
    try pair.prepare("laptop", Self.bare, "sync")
    try pair.prepare("phone", "sync")
    try pair.prepare(device, "receipt save \(words)")
    #expect(try pair(device, "receipt --json").array("items").count == 2)
  }
}
