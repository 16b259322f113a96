import TestSupport
import Testing

@Suite("A noun with a name")
struct NounWithNameTests {
  private func kitchen() throws -> Nest {
    let nest = try Nest()
    try nest.prepare(
      "location new Freezer", "stock new 'Salmon fillets' 3 --category Fish", "stock new Milk 2l",
      "stock new 'Oat milk' 1l", "stock new List 1", "put 'salmon fillets' 1 --location freezer",
      "product new 4006381333931 --title Chocolate", "buy milk",
      "receipt save --shop Rewe --line list@2 --keep",
      "receipt save --shop Aldi --line list@2 --keep",
      "receipt save --shop Aldi --line list@3 --at yesterday --keep")
    return nest
  }

  @Test(
    "shows what it names, or lists it if it is several things",
    arguments: [
      ("stock salmon", "stock show salmon"), ("stock salmon --json", "stock show salmon --json"),
      ("stock --plain salmon", "stock show salmon --plain"),
      ("stock oat milk", "stock show 'oat milk'"), ("stock milk", "stock show milk"),
      ("stock milk salmon", "stock list milk salmon"),
      ("stock freezer", "stock list location:Freezer"), ("stock fish", "stock list category:Fish"),
      ("stock category:fish --plain", "stock list category:fish --plain"),
      ("product chocol", "product show chocolate"), ("shop milk", "shop list milk"),
      ("receipt rewe", "receipt show rewe"), ("receipt aldi", "receipt list aldi"),
      ("location freez", "location list freezer"),
    ])
  func shown(_ line: String, _ meant: String) throws {
    let nest = try kitchen()
    let outcome = try nest(line)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output == (try nest(meant)).output)
    #expect(!outcome.output.isEmpty)
  }

  @Test(
    "a hint to a word that is no verb can be pasted, and works",
    arguments: [
      "list milk", "salmon", "milk", "batch milk", "stock lits milk", "stokc milk", "stock zebra",
      "receipt lits", "merge list salmon", "shop 'birthday cake'",
    ])
  func pasted(_ line: String) throws {
    let nest = try kitchen()
    let outcome = try nest(line)
    #expect(outcome.code == 2)
    let hint = try #require(outcome.errors.firstMatch(of: /did you mean 'larder (.+?)'/)).output.1
    #expect(try nest(String(hint)).code == 0, "\(hint)")
  }

  @Test("shows the household of -C, and changes nothing")
  func folder() throws {
    let nest = try kitchen()
    let before = try nest.subjects()
    let elsewhere = try nest.larder("-C", "nest", "stock", "salmon")
    #expect(elsewhere.output == (try nest("stock show salmon")).output)
    #expect(try nest("stock exat salmon").code == 2)
    #expect(try nest.subjects() == before)
  }
}
