import Foundation
import LarderKit
import Seeded
import TestSupport
import Testing

@testable import LarderCLI

@Suite("Numbers of what was just shown")
struct ShownNumberTests {
  private func kitchen() throws -> Nest {
    let nest = try Nest()
    try nest.prepare(
      "location new Freezer", "stock new Milk 2l --expiry +3d", "stock new Eggs 12",
      "buy lemon 3, soap, 'Birthday candles', bread", "put milk 1 --expiry +9d")
    return nest
  }

  /// The names of the rows of a list at a terminal, by their numbers.
  private func shown(_ line: String, _ nest: Nest) throws -> [Int: String] {
    let screen = try nest.atTerminal("\(line) --no-color").screen
    return screen.split(separator: "\n").reduce(into: [:]) { rows, line in
      guard let row = line.firstMatch(of: /^(\d+)  \[.\] +\S+  (.+?)(?:  |$)/) else { return }
      rows[Int(row.output.1) ?? 0] = String(row.output.2)
    }
  }

  private func ticked(_ nest: Nest) throws -> Set<String> {
    Set(try nest("shop --plain").records.filter { $0[0] == "done" }.map { $0[1] })
  }

  @Test("they name the rows, and the answer says the whole name")
  func named() throws {
    let nest = try kitchen()
    let rows = try shown("shop", nest)
    #expect(rows == [1: "Birthday candles", 2: "bread", 3: "lemon", 4: "soap"])
    #expect(try nest("got 3").output == "lemon is in the basket: 3\n")
    #expect(try nest("got 3").errors == "nothing to do: lemon in the basket already\n")
    #expect(
      try nest("got 1, 4").output
        == "Birthday candles is in the basket: 1\nsoap is in the basket: 1\n")
    try nest.prepare("shop undone 1 4", "got 1-2", "shop remove 4")
    #expect(try ticked(nest) == ["Birthday candles", "bread", "lemon"])
    #expect(try nest("got 2 5x").output == "bread is in the basket: 5\n")
  }

  @Test("a number before a name is an amount, and so is one with a unit")
  func amounts() throws {
    let nest = try kitchen()
    _ = try shown("shop", nest)
    #expect(try nest("got 1 lemon").output == "lemon is in the basket: 1\n")
    #expect(try nest("got lemon 2").output == "lemon is in the basket: 2\n")
    for line in ["got 2 l", "got 1 1/2", "got 1.5", "got 200g", "got 0"] {
      let outcome = try nest(line)
      #expect(outcome.code == 2, "\(line): \(outcome.output)")
      #expect(try ticked(nest) == ["lemon"])
    }
    #expect(try nest("buy 7").code == 2)
  }

  @Test("without a list, or with one of other things, they are refused with the way")
  func refused() throws {
    let nest = try kitchen()
    let none = try nest("got 1")
    #expect(none.code == 2)
    #expect(none.errors.contains("no list was shown here yet: 'larder shop' at a terminal"))
    // A pipe shows no numbers, so it leaves none behind.
    try nest.prepare("shop", "shop --plain", "shop --json")
    #expect(try nest("got 1").code == 2)
    _ = try shown("shop", nest)
    #expect(try nest("got 9").errors.contains("has no shop entry 9"))
    _ = try nest.atTerminal("location")
    #expect(try nest("got 1").code == 2)
    #expect(try ticked(nest).isEmpty)
  }

  @Test("what has another name since, or is gone, is not taken for what was shown")
  func changed() throws {
    let nest = try kitchen()
    _ = try shown("shop", nest)
    try nest.prepare("shop edit lemon --name lime", "shop remove soap")
    for number in [3, 4] {
      let outcome = try nest("got \(number)")
      #expect(outcome.code == 1)
      #expect(outcome.errors.contains("has changed since it was shown"), "\(outcome.errors)")
    }
    #expect(try nest("got 2").output == "bread is in the basket: 1\n")
  }

  @Test("a number that is the name of something else, too, is asked about")
  func twofold() throws {
    let nest = try kitchen()
    try nest.prepare("stock new 3 5", "stock new Apples 6")
    #expect(try nest("use 3").output == "used 1 of 3, 4 left\n")
    _ = try nest.atTerminal("stock")
    #expect(try nest("use 1").output == "used 1 of 3, 3 left\n")
    let outcome = try nest("use 3")
    #expect(outcome.code == 3)
    #expect(outcome.errors.contains("'3' is the number of Eggs, and names 3 too"), "\(outcome)")
  }

  @Test("a digit within another name does not matter where an amount may stand")
  func digits() throws {
    let nest = try kitchen()
    try nest.prepare("buy 'vitamin b1' 1", "buy 'x 1 y' 1")
    let rows = try shown("shop", nest)
    #expect(try nest("got 1").output.hasPrefix("\(rows[1] ?? "") is in the basket"))
    #expect(try nest("shop undone 1").code == 3)
  }

  @Test("of two of one name, the number means the one that was shown with it")
  func twins() throws {
    let nest = try kitchen()
    let file = try nest.path("shopping", "lemon")
    let twin = try nest.read(file).replacing("lemon", with: "Lemon")
      .replacing(/"id": "[^"]*"/, with: "\"id\": \"00000000-0000-4000-8000-000000000001\"")
      .replacing(/"desiredQuantity": 3/, with: "\"desiredQuantity\": 8")
    try nest.write(twin, to: "shopping/other.json")
    let screen = try nest.atTerminal("shop --no-color").screen
    for (number, count) in screen.matches(of: /(?m)^(\d+)  \[ \] +(\d+)  lemon/.ignoresCase())
      .map({ ($0.output.1, $0.output.2) })
    {
      #expect(try nest("got \(number)").output.lowercased() == "lemon is in the basket: \(count)\n")
    }
    #expect(try ticked(nest).count == 2)
  }

  @Test("whatever happens to the list, a number takes what was shown with it, or nothing")
  func whatever() throws {
    var random = SeededGenerator(seed: 17)
    for _ in 0..<6 {
      let nest = try kitchen()
      let rows = try shown("shop", nest)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let line = [
          "buy aardvark", "buy zebra", "shop remove bread", "got soap", "shop undone soap",
          "shop edit lemon --name lime", "buy soap 4", "shop restore bread", "undo",
        ].randomElement(using: &random)
        _ = try nest(line ?? "undo")
      }
      let before = try ticked(nest)
      let number = Int.random(in: 1...6, using: &random)
      let outcome = try nest("got \(number)")
      let new = try ticked(nest).subtracting(before)
      #expect(new.allSatisfy { $0 == rows[number] }, "\(number) of \(rows): \(new)")
      #expect(outcome.code != 0 || rows[number] != nil)
      if let name = new.first { #expect(outcome.output.contains(name)) }
    }
  }

  @Test("they name items, batches, receipts and locations where these were listed")
  func others() throws {
    let nest = try kitchen()
    try nest.prepare(
      "receipt save --shop Aldi --line soap@2", "receipt save --shop Rewe --line x@1")
    _ = try nest.atTerminal("stock")
    #expect(try nest("use 1").output == "used 1 of Eggs, 11 left\n")
    #expect(try nest("use 2 1l").output.hasPrefix("used 1 l of Milk"))
    #expect(try nest("show 1").output.hasPrefix("Eggs\n"))
    let unclear = try nest("use 1 2")
    #expect(unclear.code == 2)
    let hints = HintTests.commands(in: unclear)
    #expect(hints == ["use 1, 2", "use Eggs 2"])
    #expect(try nest("stock edit 1 --full 9").output.hasPrefix("Eggs: full stock"))
    _ = try nest.atTerminal("due")
    let discarded = try nest("discard 1 all").output
    #expect(discarded.contains("of Milk (batch of 2026-11-24"), "\(discarded)")
    #expect(try nest("move 2 freezer").output == "moved 1 l of Milk to Freezer\n")
    _ = try nest.atTerminal("receipt")
    #expect(try nest("receipt show 2").output.contains("Rewe"))
    _ = try nest.atTerminal("location")
    #expect(try nest("location archive 1").output.contains("Freezer"))
  }

  @Test("conflicts shows the number that restore, show and dismiss take")
  func conflicts() throws {
    let pair = try Pair("stock new Milk --full 6", "stock new Eggs --in-stock 10 --full 12")
    try pair.prepare("phone", "stock edit milk --name Oatly", "stock edit eggs --full 20")
    try pair.prepare("laptop", "stock edit milk --name 'Oat milk'", "stock edit eggs --full 24")
    try pair.settle()
    #expect(try pair("laptop", "conflicts restore 1").code == 2)
    let list = try pair.output("laptop", "conflicts").split(separator: "\n")
    let row = try #require(list.first { $0.contains("Oatly") })
    let number = try #require(
      row.prefix { $0 != " " }.isEmpty ? nil : Int(row.prefix { $0 != " " }))
    #expect(try pair.output("laptop", "conflicts show \(number)").contains("lost: Oatly"))
    // A later merge puts another one before it, and the number names what was shown.
    try pair.prepare("phone", "stock edit eggs --category Cold")
    try pair.prepare("laptop", "stock edit eggs --category Dairy")
    try pair.settle()
    #expect(
      try pair.output("laptop", "conflicts restore \(number)")
        == "Oatly: name: Oat milk → Oatly\n")
    #expect(try pair("laptop", "conflicts restore 99").code == 2)
    _ = try pair("laptop", "conflicts")
    #expect(try pair.output("laptop", "conflicts dismiss 1").contains("dismissed "))
  }
}
