import TestSupport
import Testing

@testable import LarderCLI

@Suite("Names of several words without quotes")
struct UnquotedNameTests {
  private func nest() throws -> Nest {
    let nest = try Nest()
    try nest.prepare(
      "stock new 'Oat milk' 2l", "stock new Milk 1l", "stock new Oats 500g",
      "location new Fridge --cold", "location new 'Deep freezer' --cold")
    return nest
  }

  @Test("two or three letters inside a word name nothing")
  func twoLetters() throws {
    let nest = try Nest()
    try nest.prepare("stock new Reis 1kg", "stock new Hafermilch 2l")
    for line in ["use ei 100g", "receipt save --shop Hof --line a@1"] {
      _ = try nest(line)
      #expect(try nest("stock list reis --plain").records.first?[1] == "1", "\(line)")
    }
    #expect(try nest("use ei 100g").errors.contains("no item is called 'ei'"))
    #expect(try nest("use eis 1kg").errors.contains("no item is called 'eis'"))
    #expect(try nest("use milch abc").code != 0)
    try nest.prepare("receipt save --shop Eisdiele --line eis=1@@3.99")
    #expect(try nest("stock list --plain").records.map { $0[1] } == ["2", "1"])
    #expect(try nest("use rei 100g").output.contains("of Reis"))
    #expect(try nest("use milch 1l").output.contains("used 1 l of Hafermilch"))
  }

  @Test("the longest full name is meant, and nothing else is touched")
  func longest() throws {
    let nest = try nest()
    #expect(try nest("stock archive oat milk").output == "archived Oat milk\n")
    #expect(try nest("stock restore oat milk").output == "restored Oat milk: 2 l\n")
    try nest.prepare("stock edit oat milk --category Drinks")
    #expect(try nest("stock list category:drinks --plain").records.map { $0[0] } == ["Oat milk"])
    #expect(try nest("stock archive oat milk milk").output == "archived Oat milk\narchived Milk\n")
  }

  @Test("words that are no full names are one name if that matches, otherwise parts of several")
  func parts() throws {
    let nest = try nest()
    try nest.prepare("stock new 'Whole rye bread' 1", "stock new Eggs 6")
    #expect(try nest("stock archive rye bread").output == "archived Whole rye bread\n")
    try nest.prepare("undo")
    #expect(
      try nest("stock archive rye eggs").output == "archived Whole rye bread\narchived Eggs\n")
  }

  @Test("one name takes all the words behind it", arguments: ["show", "stock summary", "log"])
  func single(command: String) throws {
    let nest = try nest()
    let shown = try nest("\(command) oat milk")
    #expect(shown.code == 0, "\(shown.errors)")
    #expect(shown.output.contains("Oat milk"))
  }

  @Test("a move in another order, or without quotes, is answered with the right one")
  func moves() throws {
    let nest = try nest()
    for words in ["oat milk deep freezer 1 l", "'oat milk' 1 l deep freezer"] {
      let refused = try nest("stock move \(words)")
      #expect(refused.errors.contains("'larder stock move \"oat milk\" \"Deep freezer\" 1 l'"))
    }
    #expect(
      try nest("stock move milk attic").errors.contains("'larder location new attic' adds it"))
  }

  @Test("items are merged by names of several words")
  func merging() throws {
    let nest = try nest()
    #expect(try nest("stock merge milk oat milk").output == "Oat milk is Milk now: 3 l\n")
  }

  @Test("lines from elsewhere may have quotes, boxes and a byte order mark")
  func lines() throws {
    let nest = try Nest()
    let put = try nest(
      "put - --new",
      input:
        "\u{FEFF}\"Gran's tea\" 2\n- [x] Salt 1\n\"Yoghurt 3,8%\" 500g\n“Rye bread” 1\nBen's jam 1\n"
    )
    #expect(put.code == 0, "\(put.errors)")
    #expect(
      try nest("stock list --plain").records.map { $0[0] }
        == ["Ben's jam", "Gran's tea", "Rye bread", "Salt", "Yoghurt 3,8%"])
    #expect(try nest("stocktake", input: "\"Gran's tea\" 5\n").code == 0)
  }
}
