import TestSupport
import Testing

@Suite("What is said in people's words")
struct PlainWordsTests {
  private func kitchen() throws -> Nest {
    let nest = try Nest()
    try nest.prepare(
      "location new Freezer", "stock new Flour 500g --unit g --full 1000g",
      "stock new Gouda 1 --alias Käse",
      "product new 5032987400110 --title Passata --item flour --pack-size 330g")
    return nest
  }

  @Test(
    "a mistake is told in our words, with what to type",
    arguments: [
      ("log 5", "no revision is called '5'", "'larder log -n 5' shows the last ones"),
      ("redo 3", "no revision is called '3'", "'larder log --oneline' lists them"),
      ("undo 12", "no revision is called '12'", "'larder undo -n 12' is about the last 12"),
      ("diff 5", "no revision is called '5'", "'larder log --oneline' lists them"),
      (
        "use flour 13kg", "can't take 13 kg of Flour: only 0.5 kg left",
        "--partial takes what there is"
      ),
      (
        "put flour 1 --best-before fri --packaged yesterday",
        "only one of --best-before and --packaged can be given", "says more than"
      ),
      ("sync --remote a --all", "only one of --remote and --all can be given", "--help"),
      ("stock new käse", "Käse is another name of Gouda", "'larder stock put Gouda N' adds to it"),
      ("stock edit flour --alias gouda", "there is an item called Gouda already", "show Gouda"),
      (
        "put 4006381333931 6 --new", "no item has the barcode 4006381333931",
        "'larder stock new NAME 6 --product 4006381333931' makes an item of it"
      ),
    ])
  func mistakes(_ line: String, _ message: String, _ hint: String) throws {
    let outcome = try kitchen()(line)
    #expect(outcome.code != 0)
    #expect(outcome.errors.contains(message), "\(outcome.errors)\(outcome.output)")
    #expect(outcome.errors.contains(hint), "\(outcome.errors)\(outcome.output)")
  }

  @Test("changes of numbers have their unit and currency, and yes and no")
  func units() throws {
    let nest = try kitchen()
    let lines = [
      ("stock edit flour --full 750g", "Flour: full stock 1000 → 750 g\n"),
      ("stock edit gouda --keeps 5d", "Gouda: keeps none → 5 days\n"),
      ("location edit freezer --cold", "Freezer: cold no → yes\n"),
      ("product edit passata --pack-size 500g", "Passata: pack size 330 → 500 g\n"),
      ("config currency chf", "currency is now CHF"),
    ]
    for (line, told) in lines {
      let outcome = try nest(line)
      #expect(outcome.output.hasPrefix(told), "\(line): \(outcome.output)\(outcome.errors)")
    }
    try nest.prepare(
      "receipt save --shop Aldi --line gouda=2@@3.5", "receipt edit aldi --line gouda=2@@4",
      "config currency eur")
    let diff = try nest("diff HEAD~2 HEAD~1").output
    #expect(diff.contains("line: 2 of Gouda for 3.50 CHF → 2 of Gouda for 4.00 CHF"), "\(diff)")
    #expect(try nest("log 'Passata'").output.contains("pack size: 330 → 500 g"))
  }

  @Test("a batch that was made is no longer there after an undo")
  func undo() throws {
    let nest = try kitchen()
    try nest.prepare("put gouda 2 --expiry 2026-12-24")
    let undone = try nest("undo").output
    #expect(undone.contains("Gouda (batch of 2026-12-24) is no longer there"), "\(undone)")
  }

  @Test("an empty list says of what there is nothing to show")
  func empty() throws {
    let nest = try kitchen()
    let lists = [
      "stock list nothing": "no items", "stock list --batches": "no batches", "due": "no batches",
      "shop": "no shopping entries", "receipt": "no receipts", "location list x": "no locations",
      "product list x": "no products",
    ]
    for (line, noun) in lists { #expect(try nest(line).errors == "\(noun) to show\n", "\(line)") }
  }

  @Test("receipts of one day are told apart by their time or file")
  func receipts() throws {
    let nest = try kitchen()
    try nest.prepare(
      "receipt save --shop Aldi --line a@1 --at '2026-11-20 9:00'",
      "receipt save --shop Aldi --line b@2 --at '2026-11-20 18:30'")
    let refused = try nest("receipt show aldi").errors
    #expect(refused.contains("as in 'Aldi 2026-11-20 "), "\(refused)")
    #expect(!refused.contains("name its file"), "\(refused)")
  }

  @Test("one low item is put on the list as one")
  func filled() throws {
    let nest = try kitchen()
    try nest.prepare("stock new Rice 0.2kg --full 1kg", "shop fill")
    #expect(try nest.subjects().first == "fill the shopping list with 1 low item")
  }
}
