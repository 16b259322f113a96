import TestSupport
import Testing

@testable import LarderCLI

@Suite("What an item says of itself")
struct ItemDetailsTests {
  @Test("what is no item has one entry for its name, which is opened again")
  func looseEntries() throws {
    let nest = try Nest()
    try nest.prepare("buy crisps 2", "got crisps", "receipt save --shop Mill", "buy 'Crìsps '")
    let entries = try nest("shop list --all --json").array("items")
    #expect(entries.map { $0["id"] as? String } == [ShoppingEntryID.crisps])
    #expect(entries.first?["desiredQuantity"] as? Int == 1)
    try nest.prepare("shop edit crisps --name Chips", "buy crisps")
    #expect(try nest("shop --plain").records.map { $0[1] }.sorted() == ["Chips", "crisps"])
  }
}

private enum ShoppingEntryID {
  /// The version 5 id of `name/crisps` in the format's namespace.
  static let crisps = "e14c431e-16f1-5fa1-9226-442b24b39eaa"
}
