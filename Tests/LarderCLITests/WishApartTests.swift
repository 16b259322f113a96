import Foundation
import TestSupport
import Testing

@Suite("Wishes, removals and purchases that did not know of each other")
struct WishApartTests {
  private func apart() throws -> Pair {
    let pair = try Pair("stock new Rice 2", "buy rice 1", "buy candles 1", "sync")
    try pair.prepare("phone", "sync")
    return pair
  }

  /// The list and the values that lost, on both devices once they are alike.
  private func outcome(_ pair: Pair) throws -> (list: [String], lost: [String]) {
    try pair.settle()
    let lists = try ["laptop", "phone"].map { device in
      try pair(device, "shop --json").array("items").map { entry in
        let isInBasket = entry["isCompleted"] as? Bool ?? false
        return "\(isInBasket ? "+" : "")\(entry["name"] ?? "") \(entry["desiredQuantity"] ?? "")"
      }.sorted()
    }
    #expect(lists[0] == lists[1])
    let lost = try pair("laptop", "conflicts --plain").records.map {
      "\($0[1]): \($0[2]): \($0[3]), not \($0[4])"
    }
    return (lists[0], lost.sorted())
  }

  @Test(
    "the later wish stands, and what it beats is listed",
    arguments: [
      (["shop remove rice"], "buy rice 3", "rice 3"),
      (["shop remove rice"], "buy rice 1", "rice 1"),
      (["shop remove rice"], "shop edit rice 4", "rice 4"),
      (["shop remove rice"], "shop edit rice --note basmati", "rice 1"),
      (["got rice"], "buy rice 3", "rice 3"),
      (["got rice", "receipt save --shop Aldi"], "buy rice 3", "rice 3"),
      (["receipt save --shop Aldi --line rice=1"], "buy rice 1", "rice 1"),
      (["shop remove candles"], "buy candles 2", "candles 2"),
      (["shop remove candles"], "buy candles", "candles 1"),
      (["shop remove rice"], "got rice", "+rice 1"),
    ])
  func wish(_ first: [String], _ later: String, _ wanted: String) throws {
    let pair = try apart()
    for line in first { try pair.prepare("phone", line) }
    try pair.prepare("laptop", later)
    let (list, lost) = try outcome(pair)
    #expect(list.map { $0.lowercased() }.contains(wanted), "\(list)")
    #expect(lost.contains { $0.contains(": shopping list: ") }, "\(lost)")
  }

  @Test("of a pack and of grams, wished apart, the later one stands whole, and the other is listed")
  func otherUnit() throws {
    let pair = try apart()
    try pair.prepare("phone", "buy rice 200g")
    try pair.prepare("laptop", "buy rice '1 pack'")
    let (_, lost) = try outcome(pair)
    let rice = try pair("phone", "shop --plain").records.first { $0[1] == "Rice" }
    #expect(rice.map { Array($0[2...3]) } == ["1", "pack"])
    #expect(lost.contains { $0.contains("1 pack") && $0.contains("200 g") }, "\(lost)")
    try pair.prepare("laptop", "conflicts restore rice")
    #expect(try outcome(pair).list.contains("Rice 200"))
  }

  @Test("a later removal or purchase stands, and the wish is listed, and can be restored whole")
  func removal() throws {
    for line in ["shop remove rice", "receipt save --shop Aldi --line rice=1"] {
      let pair = try apart()
      try pair.prepare("laptop", "buy rice 3")
      try pair.prepare("phone", line)
      let (list, lost) = try outcome(pair)
      #expect(list == ["candles 1"])
      #expect(lost.contains("Rice: shopping list: off the list, not on the list"), "\(lost)")
      try pair.prepare("laptop", "conflicts restore rice")
      #expect(try outcome(pair).list.contains("Rice 3"))
    }
  }

  @Test(
    "what ran out after somebody took it off the list elsewhere is on it; what was bought is not")
  func low() throws {
    let pair = try apart()
    try pair.prepare("phone", "shop remove rice")
    try pair.prepare("laptop", "use rice all")
    #expect(try outcome(pair).list == ["Rice 2", "candles 1"])
    let other = try apart()
    try other.prepare("phone", "receipt save --shop Aldi --line rice=5")
    try other.prepare("laptop", "use rice all")
    #expect(try outcome(other).list == ["candles 1"])
    let known = try apart()
    try known.prepare("laptop", "use rice all")
    try known.prepare("phone", "shop remove rice")
    #expect(try outcome(known).list == ["candles 1"])
  }

  @Test("buying the same again says so, and an undo passes over it")
  func again() throws {
    let pair = try apart()
    try pair.prepare("laptop", "buy rice 3")
    #expect(try pair.output("laptop", "buy rice 3").contains("on the shopping list already: 3"))
    try pair.prepare("laptop", "undo")
    #expect(try pair.list() == ["Rice", "candles"])
    #expect(try outcome(pair).list == ["Rice 1", "candles 1"])
  }
}
