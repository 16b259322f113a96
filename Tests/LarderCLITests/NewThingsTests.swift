import TestSupport
import Testing

@Suite("Bought things that are new")
struct NewThingsTests {
  private func shop() throws -> Nest {
    let nest = try Nest()
    try nest.prepare("buy sugar", "buy coffee 250g", "got sugar coffee")
    return nest
  }

  @Test("a new household's first shop ends with a full stock, and one undo takes all back")
  func firstShop() throws {
    let nest = try shop()
    let saved = try nest.atTerminal("receipt save --shop Y --amount 2", typing: "\n")
    #expect(saved.code == 0)
    #expect(
      saved.screen.contains(
        "coffee (250 g) and sugar (1 piece) are not in the stock yet. Keep track of them?"))
    let stock = try nest("stock list").output
    #expect(stock.contains("sugar") && stock.contains("250 g"))
    try nest.prepare("undo")
    #expect(try nest("stock list --plain").records.isEmpty)
    #expect(try nest("shop list --plain").records.count == 2)
  }

  @Test("without an answer nothing is saved, and with no the receipt only")
  func unanswered() throws {
    let nest = try shop()
    #expect(try nest.atTerminal("receipt save --shop Y", typing: "\u{4}").code == 1)
    #expect(try nest("receipt list --plain").records.isEmpty)
    #expect(try nest.atTerminal("receipt save --shop Y", typing: "what\nn\n").code == 0)
    #expect(try nest("receipt list --plain").records.count == 1)
    #expect(try nest("stock list --plain").records.isEmpty)
  }

  @Test("always and never are the setting from then on, and --new and --no-new answer for once")
  func setting() throws {
    let nest = try shop()
    let always = try nest.atTerminal("receipt save --shop Y", typing: "always\n")
    #expect(always.screen.contains("larder config newItems ask"))
    #expect(try nest("config newItems").output == "always\n")
    let saved = try nest("receipt save --shop Z --line tea@1 --line Deposit@0.25")
    #expect(saved.errors.contains("new in the stock: tea (1 piece)"))
    #expect(!saved.errors.contains("Deposit"))
    try nest.prepare("receipt save --shop Z --line jam@1 --no-new")
    #expect(try nest("stock list --plain").records.count == 3)
    try nest.prepare("config newItems never", "receipt save --shop Q --line jam@2 --new")
    #expect(try nest("stock list --plain").records.count == 4)
    #expect(try nest("receipt save --shop Q --line rice@2 --new --no-new").code == 2)
  }
}
