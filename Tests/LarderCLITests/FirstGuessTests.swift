import TestSupport
import Testing

@testable import LarderCLI

@Suite("What people type first")
struct FirstGuessTests {
  private func kitchen() throws -> Nest {
    let nest = try Nest()
    try nest.prepare(
      "stock new Flour 1kg --full 2kg", "stock new Eggs 12", "stock new Milk 2l",
      "stock new 'Oat milk' 3l", "stock new Bread 2", "stock new 'Tinned tomatoes' 4 tins",
      "stock new '7 Up' 6", "location new Fridge Freezer Cupboard")
    return nest
  }

  /// Lines, with what each prints at first.
  private static let guesses: [(String, String)] = [
    ("stock new Sugar 1kg", "new item Sugar: 1 kg"),
    ("stock new Salmon 2 --expiry +10d --location fridge", "new item Salmon: 2 (batch of "),
    ("use eggs 3", "used 3 of Eggs, 9 left\n"), ("use eggs x3", "used 3 of Eggs, 9 left\n"),
    ("use three eggs", "used 3 of Eggs, 9 left\n"), ("use 3 eggs", "used 3 of Eggs, 9 left\n"),
    ("use egg", "used 1 of Eggs, 11 left\n"),
    ("use Milk 0.1 l", "used 0.1 l of Milk, 1.9 l left\n"),
    ("use flour 200 g", "used 200 g of Flour, 0.8 kg left\n"),
    ("use Milk 1/2l", "used 0.5 l of Milk, 1.5 l left\n"),
    ("use milk half a litre", "used 0.5 l of Milk, 1.5 l left\n"),
    ("use milk 0,5", "used 0.5 l of Milk, 1.5 l left\n"),
    ("use milk 2cl", "used 20 ml of Milk, 1.98 l left\n"),
    ("use flour 50gr", "used 50 g of Flour, 0.95 kg left\n"),
    (
      "use flour 200g eggs 3 milk 0.25l",
      "used 200 g of Flour, 0.8 kg left\nused 3 of Eggs, 9 left\nused 0.25 l of Milk, 1.75 l left\n"
    ),
    ("use oat milk 1l eggs", "used 1 l of Oat milk, 2 l left\nused 1 of Eggs, 11 left\n"),
    ("use oat milk 1l, eggs", "used 1 l of Oat milk, 2 l left\nused 1 of Eggs, 11 left\n"),
    ("use bread all", "used 2 of Bread, none left\n"),
    ("use all bread", "used 2 of Bread, none left\n"),
    ("use 7 up 2", "used 2 of 7 Up, 4 left\n"),
    ("use 'tinned tomatoes' 2 tins", "used 2 tins of Tinned tomatoes, 2 tins left\n"),
    (
      "put milk 2 eggs 12 bread",
      "put 2 l of Milk, 4 l now\nput 12 of Eggs, 24 now\nput 1 of Bread"
    ),
    ("put milk 2l --expiry 10d", "put 2 l of Milk (created: batch of "),
    ("put milk 1 --expiry 01.12.2027", "put 1 l of Milk (created: batch of 2027-12-01)"),
    ("put milk 1 --expiry 12/2027", "put 1 l of Milk (created: batch of 2027-12-31)"),
    ("put Tofu 400g --new", "put 400 g of Tofu, 400 g now\n"),
    ("count eggs 4 'oat milk' 1.5l", "counted 4 of Eggs, 12 before\ncounted 1.5 l of Oat milk"),
    (
      "buy milk eggs bread",
      "Milk is on the shopping list: 2 l\nEggs is on the shopping list: 12\nBread is on"
    ),
    ("buy 'milk 2l'", "Milk is on the shopping list: 2 l\n"),
    ("buy soap sponges", "soap is on the shopping list: 1\nsponges is on the shopping list: 1\n"),
    ("buy birthday candles 3", "birthday candles is on the shopping list: 3\n"),
    ("buy birthday candles, crisps", "birthday candles is on the shopping list: 1\ncrisps is on"),
    ("buy candles 2 boxes", "candles is on the shopping list: 2 boxes\n"),
    ("buy rolls 8", "rolls is on the shopping list: 8\n"),
    ("buy 8 rolls", "rolls is on the shopping list: 8\n"),
    ("buy '2 bottles', milk", "bottles is on the shopping list: 2\nMilk is on"),
    ("location edit fridge --cold", "Fridge: cold no → yes\n"),
    ("due 3", "no batches to show"), ("low", "nothing is low\n"),
    ("show eggs", "Eggs\n  total: 12\n"), ("stock list milk bread --plain", "Bread\t2\tpiece\t"),
    ("receipt save --shop rewe --line eggs@2.99", "saved rewe, 2026-11-21 13:00\n"),
    (
      "receipt save --shop rewe --line milk=2 --amount 42,17",
      "saved rewe, 2026-11-21 13:00, 42.17 EUR\n"
    ),
    (
      "receipt save --shop rewe --line 'oat milk=2@@3,58' --amount 42.17€",
      "saved rewe, 2026-11-21 13:00, 42.17 EUR\n"
    ),
  ]

  @Test("works")
  func works() throws {
    for (line, told) in Self.guesses {
      let nest = try kitchen()
      let outcome = try nest(line)
      #expect(outcome.code == 0, "larder \(line): \(outcome.errors)")
      #expect(
        !told.isEmpty && (outcome.output.hasPrefix(told) || outcome.errors.hasPrefix(told)),
        "larder \(line): \(outcome.output)")
    }
  }

  @Test("is answered with the whole command that is meant, if it is none")
  func answered() throws {
    let nest = try kitchen()
    try nest.prepare("buy eggs", "stock edit eggs --category Dairy")
    let meant = [
      "consume eggs 3": "use eggs 3", "eat bread": "use bread",
      "spend milk 1": "use milk 1", "stock rm eggs": "stock archive eggs",
      "shop rm milk": "shop remove milk", "shop check milk": "got milk",
      "stock rename eggs Egg": "stock edit eggs --name Egg",
      "product rename tea Tee": "product edit tea --title Tee",
      "receipt rename aldi Lidl": "receipt edit aldi --shop Lidl",
      "stock freeze bread": "stock move bread Freezer",
      "freeze 'oat milk'": #"stock move "oat milk" Freezer"#, "pull": "sync",
      "push --all": "sync --all",
      "fetch": "sync", "clone ssh://x/home": "join ssh://x/home",
      "mv milk fridge": "stock move milk fridge", "stock mv milk fridge": "stock move milk fridge",
      "scan 5032987400110 2": "put 5032987400110 2", "inventory": "stock", "items": "stock",
      "item show milk": "stock show milk", "items milk": "stock list milk", "shopping": "shop",
      "shopping list": "shop list", "location show fridge": "stock list location:fridge",
      "help consume": "help stock use", "help merge": "help stock merge",
      "shop clear": "shop remove Eggs", "clear": "shop remove Eggs",
      "batch milk": "stock list --batches milk", "tomatoes": "show tomatoes",
      "stock zebras": "stock list zebras", "stock lits milk": "stock list milk",
      "receipt import e-bon.pdf": "receipt read e-bon.pdf", "toss eggs 1": "discard eggs 1",
      "add milk --expiry 10d": "put milk --expiry 10d",
      "rm milk": "stock archive milk", "location rm fridge": "location archive fridge",
      "receipt add --shop Aldi": "receipt save --shop Aldi",
      "receipt save rewe": "receipt save --shop rewe",
      "receipt save rewe 42,17 --line milk=2":
        #"receipt save --shop rewe --amount 42,17 --line "milk=2""#,
      "receipt save 'corner shop' eggs": #"receipt save --shop "corner shop" eggs"#,
    ]
    for (line, command) in meant.sorted(by: { $0.key < $1.key }) {
      let outcome = try nest(line)
      #expect(outcome.code == 2, "larder \(line)")
      #expect(outcome.errors.contains("hint: did you mean 'larder \(command)'?"), "larder \(line)")
    }
  }

  @Test("freezing names a cold location, a freezer first, and says if there is none")
  func freezing() throws {
    let nest = try Nest()
    try nest.prepare("stock new Bread 2", "location new Cupboard")
    let none = try nest("freeze bread")
    #expect(none.errors.contains("unknown command 'freeze'; no location is cold yet"))
    #expect(none.errors.contains("did you mean 'larder location new Freezer --cold'?"))
    try nest.prepare("location new 'Cold cellar' --cold")
    #expect(try nest("freeze bread").errors.contains(/larder stock move bread .Cold cellar/))
    try nest.prepare("location new 'The freezer' --cold")
    #expect(try nest("freeze bread").errors.contains(/larder stock move bread .The freezer/))
  }

  @Test("as in git works: the last commits by their number, the version by -V")
  func asInGit() throws {
    let nest = try kitchen()
    #expect(try nest("log -2 --oneline").output.split(separator: "\n").count == 2)
    #expect(try nest("log milk -1 --oneline").output.split(separator: "\n").count == 1)
    #expect(try nest("-V").output == nest("--version").output)
  }

  @Test("about a receipt is answered with what to type")
  func receipts() throws {
    let nest = try kitchen()
    let price = try nest("receipt save --shop Rewe --line milk=3.57")
    #expect(price.code == 2)
    #expect(price.errors.contains("write milk@3.57 for the price, or milk=3.57x for the quantity"))
    try nest.prepare("receipt save --shop Rewe --line milk=2@@3.57")
    let edited = try nest("receipt edit rewe")
    #expect(edited.code == 2)
    #expect(edited.errors.contains("hint: give --shop, --amount, --currency, --at, --line"))
    #expect(try nest.atTerminal("receipt edit rewe", editor: "true").code == 0)
  }

  @Test("that can't be done changes nothing, and everything that is wrong with it is told")
  func refused() throws {
    let nest = try kitchen()
    let before = try nest("log --json").output
    let unknown = try nest("use flor 200g eggs 2 mlik 1")
    #expect(unknown.code == 3)
    #expect(unknown.errors.contains("no item is called 'flor'; did you mean 'Flour'?"))
    #expect(unknown.errors.contains("no item is called 'mlik'; did you mean 'Milk'?"))
    let short = try nest("use flour 5kg eggs 100 bread")
    #expect(short.code == 1)
    #expect(short.errors.contains("can't take 5 kg of Flour: only 1 kg left"))
    #expect(short.errors.contains("can't take 100 of Eggs: only 12 left"))
    #expect(try nest("use eggs 1,000").errors.contains("this may be 1 or 1000; write one of them"))
    #expect(
      try nest("use eggs milk 2 --batch fridge").errors.contains("--batch is about one thing"))
    #expect(try nest("count eggs").errors.contains("the amount of Eggs is missing"))
    #expect(
      try nest("put bread 2 loaves").errors.contains(
        "Bread is counted in piece: write the number alone"))
    #expect(try nest("put tofu 400g").errors.contains("--new makes it an item of the stock"))
    #expect(try nest("use 200g").code == 2)
    #expect(try nest("buy all milk").code == 2)
    #expect(try nest("log --json").output == before)
  }

  @Test("nothing is used, counted or made that nobody named in full")
  func inFull() throws {
    let nest = try kitchen()
    try nest.prepare(
      "stock new 'Milk chocolate' 2", "stock new 'Coke 330ml' 4", "stock archive milk")
    #expect(try nest("put milk 1 --new").output.hasPrefix("put 1 of milk, 1 now"))
    #expect(try nest("put egg 6 --new").output == "put 6 of Eggs, 18 now\n")
    #expect(try nest("use 330").errors.contains("the name of a thing is needed beside an amount"))
    #expect(try nest(#"use "" 2"#).errors.contains("a name is needed"))
    #expect(try nest("put yoghurt 4 fri --new").errors.contains("did you mean --expiry fri?"))
    #expect(try nest("put rice 1kg 12/2026 --new").code == 2)
    #expect(try nest("put nuts 1e3 --new").errors.contains("'1e3' is no amount"))
    #expect(try nest("put '7up cherry' 2 --new").code == 0)
    #expect(try nest("use 'tinned tomatoes' all").code == 0)
    #expect(try nest("use all 'tinned tomatoes'").errors.contains("there is no Tinned tomatoes"))
    #expect(!(try nest("stock --plain").output.contains("fri")))
  }

  @Test("a count says what is less in each place")
  func countedDown() throws {
    let nest = try kitchen()
    try nest.prepare("put bread 4 --expiry 2027-01-01", "put bread 6 --expiry 2027-02-01")
    #expect(
      try nest("count bread 7").output
        == "counted 7 of Bread, 12 before: 3 less (batch of 2027-01-01), 2 less (loose)\n")
    #expect(try nest("due 2026-12-31").output.isEmpty)
    #expect(try nest("due year").output.contains("2027-01-01"))
    #expect(try nest("due year tea").errors.contains("'larder due 365' lists 2 batches"))
    #expect(try nest("due 2026-02-30").code == 2)
    #expect(try nest("due -1").code == 2)
  }

  @Test("a name that begins like an amount is a name, and all is what is left by then")
  func likeAmounts() throws {
    let nest = try kitchen()
    try nest.prepare(
      "stock new 'Half cream' 2", "stock new 'All bran' 3", "put bread 4 --expiry fri")
    #expect(try nest("use half cream").output == "used 1 of Half cream, 1 left\n")
    #expect(try nest("use half cream half").output == "used 0.5 of Half cream, 0.5 left\n")
    #expect(try nest("use all all bran").output.hasPrefix("used 3 of All bran, none left\n"))
    let used = try nest("use bread 5 bread all").output
    #expect(used.contains("1 left\nused 1 of Bread (loose), none left"))
  }

  @Test("a request of several things is done once")
  func request() throws {
    let nest = try kitchen()
    try nest.prepare("use eggs 1 milk 1 --request-id r")
    let again = try nest("use eggs 1 milk 1 --request-id r").output
    #expect(again.split(separator: "\n").count { $0.hasSuffix("(done before under r)") } == 2)
    #expect(try nest("stock list eggs --plain").output.contains("\t11\t"))
  }

  @Test("a quoted name is one thing, whatever is called like a part of it")
  func quoted() throws {
    let nest = try kitchen()
    try nest.prepare("stock new 'Oat milk eggs' 5")
    #expect(try nest("use oat milk eggs").output == "used 1 of Oat milk eggs, 4 left\n")
    #expect(
      try nest("use 'oat milk' 1l eggs").output.hasPrefix(
        "used 1 l of Oat milk, 2 l left\nused 1 of Eggs"))
    #expect(
      try nest("buy 'Light bulb E27 60W'").output
        == "Light bulb E27 60W is on the shopping list: 1\n")
    #expect(
      try nest("buy milk 'wrapping paper' 2").output.hasSuffix(
        "wrapping paper is on the shopping list: 2\n"))
  }

  @Test("a list is read from standard input, line by line, in one commit")
  func lines() throws {
    let nest = try kitchen()
    let list = "# baking\n3 eggs\n200 g flour\n- oat milk 1/4l\n\n[ ] bread\n"
    let used = try nest("use -", input: list)
    #expect(
      used.output == """
        used 3 of Eggs, 9 left
        used 200 g of Flour, 0.8 kg left
        used 0.25 l of Oat milk, 2.75 l left
        used 1 of Bread, 1 left

        """)
    let log = try nest("log --limit 1").output
    #expect(log.contains("use 3 of Eggs, use 200 g of Flour and 2 more"))
    try nest.prepare("undo")
    #expect(try nest("stock list eggs --plain").output.contains("\t12\t"))
    #expect(try nest("use -", input: "\n").code == 2)
  }

  @Test("words of a list name one thing together, or else each of them one")
  func words() throws {
    let nest = try kitchen()
    let rows = { (line: String) in try nest(line).output.split(separator: "\n").count }
    #expect(try rows("stock list oat milk --plain") == 1)
    #expect(try rows("stock list milk bread --plain") == 3)
    #expect(try rows("stock list milk bread total:>2 --plain") == 1)
  }

  @Test("a rehearsal tells what would change, and changes nothing")
  func rehearsed() throws {
    let nest = try kitchen()
    try nest.prepare("buy soap")
    let before = try nest("log --json").output
    let lines = [
      "use eggs 3", "put milk 2 --expiry 10d", "count bread 5", "buy tea", "got --all", "undo",
      "stock new Tea 5", "stock edit eggs --full 6", "stock archive eggs",
      "stock move bread freezer",
      "receipt save --shop Aldi --line eggs@2.99", "location new Attic", "shop remove soap",
    ]
    for line in lines {
      let outcome = try nest(line + " --dry-run")
      #expect(outcome.code == 0, "\(line): \(outcome.errors)")
      #expect(
        outcome.errors.hasPrefix("nothing is changed; without --dry-run it would be so:\n"),
        "\(line)")
      #expect(!outcome.output.isEmpty, "\(line)")
    }
    #expect(try nest("log --json").output == before)
    #expect(try nest.isClean())
    try nest.write(#"{"name": "Soy milk", "quantityInStock": 2}"#, to: "stock/soy-milk.json")
    #expect(try nest("use 'soy milk' 1 --dry-run").output == "used 1 of Soy milk, 1 left\n")
    #expect(try nest.read("stock/soy-milk.json") == #"{"name": "Soy milk", "quantityInStock": 2}"#)
  }

  @Test("a household needs no more than its folder")
  func household() throws {
    let larder = try CommandRunner.calling()
    let made = try larder("init", "flat")
    #expect(made.code == 0)
    let written = try larder.folder.read("flat/household.json")
    #expect(written.contains("\"name\": \"flat\""))
    #expect(written.contains("\"timeZone\""))
  }
}
