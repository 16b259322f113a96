import Foundation
import LarderJSON
import LarderModel
import TestSupport
import Testing

@Suite("Two phones that save one basket")
struct SavedBasketTests {
  private struct Basket {
    let home: ServedHousehold
    let milk: JSON
    let entry: JSON

    var total: Number? {
      get throws { try home.item("Milk")["quantityInStock"]?.number.flatMap { Number($0) } }
    }

    /// What a form filled in, and nobody changed.
    var untouched: JSON {
      [
        "kind": "bought", "shop": "Corner shop", "guessed": .array(["shop"]),
        "entries": .array([entry]),
      ]
    }

    func typed(joining receipt: JSON? = nil) -> JSON {
      [
        "kind": "bought", "shop": "Greenway Market", "entries": .array([entry]),
        "amount": .number("33.1"), "joins": receipt,
        "lines": .array([
          ["entry": entry, "quantity": .number("3"), "price": .number("4.2")],
          ["name": "Pomegranate", "quantity": .number("1"), "price": .number("1.2")],
        ]),
      ]
    }

    func expectWhole(_ receipt: JSON?, _ before: Number, _ comment: Comment) throws {
      let id = try #require(receipt?.string, comment)
      let shown = try #require(try home.ask("receipt/\(id)").1["receipt"], comment)
      #expect(shown["shopName"] == "Greenway Market", comment)
      #expect(shown["amount"]?.number == "33.1", comment)
      let lines = shown["items"]?.array ?? []
      #expect(Set(lines.compactMap { $0["itemName"]?.string }) == ["Milk", "Pomegranate"], comment)
      let bought = lines.first { $0["itemName"] == "Milk" }
      #expect(bought?["quantity"]?.number == "3", comment)
      #expect(bought?["price"]?.number == "4.2", comment)
      #expect(try total == before + Number(3), comment)
      let receipts = try home.ask("state").1["receipts"]?.array ?? []
      #expect(receipts.count { $0["id"] == .string(id) } == 1, comment)
      #expect(try home.larder.run(["conflicts", "--plain"], in: "home").output == "", comment)
    }
  }

  private func basket() async throws -> Basket {
    let home = try await ServedHousehold()
    let milk = try #require(try home.item("Milk")["id"])
    let wished = try home.act([
      "kind": "want", "item": milk, "quantity": .number("2"), "unit": "liter",
    ])
    let entry = try #require(wished.first?["made"], "\(wished)")
    #expect(try home.act(["kind": "got", "entry": entry]).first?["answer"] == "done")
    home.pass(minutes: 10)
    return Basket(home: home, milk: milk, entry: entry)
  }

  @Test(
    "without a connection: what was typed stands, whoever is first and whichever arrives first",
    arguments: [true, false], [true, false])
  func apart(isPutAway: Bool, isTypedLast: Bool) async throws {
    let basket = try await basket()
    let before = try #require(try basket.total)
    // The second to arrive was made earlier, so it could not know of the first.
    let (first, second) =
      isTypedLast ? (basket.untouched, basket.typed()) : (basket.typed(), basket.untouched)
    let made = try basket.home.act(first)
    #expect(made.first?["answer"] == "done", "\(made)")
    if isPutAway {
      // The first one has put it away meanwhile, which writes the lines.
      let receipt = try #require(made.first?["made"])
      let line = try #require(
        try basket.home.ask("receipt/\(receipt.string ?? "")").1["receipt"]?["items"]?.array?
          .first { $0["itemName"] == "Milk" }?["id"])
      basket.home.pass(minutes: 1)
      let away = try basket.home.act([
        "kind": "correct", "receipt": receipt,
        "lines": .array([["line": line, "fields": ["expiry": "2026-12-12"]]]),
      ])
      #expect(away.first?["answer"] == "done", "\(away)")
    }
    let late = try basket.home.act(second, minutesAgo: 3)
    #expect(late.first?["answer"] != "refused", "\(late)")
    try basket.expectWhole(made.first?["made"], before, "\(late)")
    await basket.home.stop()
  }

  @Test("with a connection the second is told who saved it, and can add to it, once, and undo that")
  func joined() async throws {
    let basket = try await basket()
    let before = try #require(try basket.total)
    let made = try basket.home.act(basket.untouched).first?["made"]
    basket.home.pass(minutes: 2)
    let refused = try #require(try basket.home.act(basket.typed()).first)
    #expect(refused["answer"] == "refused")
    #expect(refused["because"]?["kind"] == "saved", "\(refused)")
    #expect(refused["because"]?["receipt"] == made, "\(refused)")
    #expect(refused["say"]?.string?.contains("saved this basket at ") == true, "\(refused)")
    #expect(refused["because"]?["by"]?.string != nil, "\(refused)")
    let id = JSON.string(UUID().uuidString)
    let joins = JSON.object((basket.typed(joining: made).members ?? []) + [JSONMember("id", id)])
    #expect(try basket.home.act(joins).first?["answer"] == "done")
    #expect(try basket.home.act(joins).first?["answer"] == "repeated")
    try basket.expectWhole(made, before, "joined")
    #expect(try basket.home.act(["kind": "undo", "act": id]).first?["answer"] == "done")
    #expect(try basket.total == before + Number(2))
    await basket.home.stop()
  }

  @Test("who says that it is another one makes a second receipt, and its stock")
  func another() async throws {
    let basket = try await basket()
    let before = try #require(try basket.total)
    let made = try basket.home.act(basket.untouched).first?["made"]
    let other = try basket.home.act([
      "kind": "bought", "shop": "Aldi",
      "lines": .array([["item": basket.milk, "quantity": .number("1")]]),
    ])
    #expect(other.first?["answer"] == "done")
    #expect(other.first?["made"] != made)
    #expect(try basket.total == before + Number(3))
    await basket.home.stop()
  }
}
