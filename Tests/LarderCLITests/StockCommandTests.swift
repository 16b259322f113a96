import TestSupport
import Testing

@testable import LarderCLI

@Suite("The stock's commands")
struct StockCommandTests {
  private static let shelf = [
    "stock new Eggs --full 12 --in-stock 6 --category Dairy",
    "stock new 'Oat milk' --full 6l --in-stock 3 --category Dairy",
    "stock new Rice --unit g --in-stock 1.5kg --product 4006381333931",
    "stock new Jam --in-stock 1l --full 2",
  ]

  /// Runs a session on the shelf, after other lines, and compares it with its golden file.
  private func expect(
    _ name: String, after lines: [String] = [], _ session: [String],
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let nest = try Nest()
    let text = try nest.session(session, after: lines)
    let kept = try Golden.kept("stock-\(name).txt", now: text)
    #expect(kept == text, sourceLocation: location)
    #expect(try nest.isClean(), sourceLocation: location)
  }

  @Test(
    "new items are told with what there is; a name or a product twice is refused, as is no amount")
  func new() throws {
    try expect(
      "new",
      [
        "stock", "stock new Eggs --full 12 --in-stock 6 --category Dairy",
        "stock new 'Oat milk' --full 6l --in-stock 3 --category Dairy",
        "stock new Rice --unit g --in-stock 1.5kg --product 4006381333931", "stock new eggs",
        "stock new Tea --product 4006381333931", "stock new Jam --in-stock 1l --full 2",
        "stock new Salt --unit g --in-stock 1l", "stock new Pepper --full=-1", "stock new ' '",
        "stock",
      ])
  }

  @Test(
    "using says what is left, takes no more than there is, and refuses what is no amount or item")
  func use() throws {
    try expect(
      "use", after: Self.shelf,
      [
        "stock use egg", "stock use 'OAT MILK' 500ml", "stock use rice 2kg",
        "stock use rice 2kg --partial", "stock use rice", "stock use rice 1l",
        "stock use eggs 0", "stock use eggs 1,500", "stock use eggs much",
        "stock use eggs 1.0000001", "stock use eggs 1 stone",
        "stock use eggs '1 fl oz'", "stock use eggs 1kg --unit g",
        "stock use eggs 1 --batch x", "stock use egs", "stock use e", "stock use",
        "stock use eggs 1 --partail",
      ])
  }

  @Test("adding, counting and throwing away say what there is now, and what was before")
  func put() throws {
    try expect(
      "put",
      after: Self.shelf + [
        "stock use eggs", "stock use 'oat milk' 500ml", "stock use rice 1500",
      ],
      [
        "stock put rice '500 g' --request-id R1", "stock put rice '500 g' --request-id R1",
        "stock put 4006381333931 0.5 --unit kg", "stock count eggs 4", "stock count eggs 4",
        "stock count eggs -1", "stock discard eggs 1 --reason broken", "stock discard nothing",
        "stock low",
      ])
  }

  @Test("what is archived is in no list and takes nothing, until it is restored")
  func archive() throws {
    try expect(
      "archive",
      after: Self.shelf + [
        "stock use eggs 3", "stock use 'oat milk' 500ml", "stock use rice 500",
      ],
      [
        "stock archive rice eggs", "stock", "stock list --all", "stock archive rice",
        "stock put rice 1", "stock restore rice", "stock restore rice", "stock restore nothing",
      ])
  }

  @Test("an edit says what was and what is, of several items only with a yes, and refuses the rest")
  func edit() throws {
    try expect(
      "edit", after: Self.shelf + ["stock use rice 500"],
      [
        "stock edit rice --full 2kg --category Pantry", "stock edit rice --full 2000",
        "stock edit rice --unit kg", "stock edit rice --unit l", "stock edit rice --name Jam",
        "stock edit rice --set aisle=7", "stock edit rice --set quantityFullstock=3",
        "stock edit rice --set quantityFullStock=lots", "stock edit rice --set id=x",
        "stock edit rice", "stock edit rice jam 'oat milk' --category Food",
        "stock edit rice jam 'oat milk' --category Food --yes",
        "stock edit category:none --full 1",
      ])
  }

  @Test(
    "lists are filtered by any field, an item is shown with its history, typing mistakes are named")
  func list() throws {
    try expect(
      "list",
      after: Self.shelf + [
        "stock use rice 1500", "stock put rice '500 g'",
        "stock put 4006381333931 0.5 --unit kg",
        "stock edit rice --full 2kg --category Food --set aisle=7", "stock edit rice --unit kg",
      ],
      [
        "stock list aisle:7", "stock show rice", "stock list categry:x is:lo",
        "stock list --sort nam", "stock list --limit 0", "stock list 'total:>lots'",
      ])
  }

  @Test("using some takes dated batches first and says which, and what is left")
  func firstExpiredFirst() throws {
    let nest = try Nest()
    try nest.prepare("stock new 'Oat milk' --unit l --in-stock 1 --full 6")
    let item = try #require(try nest("stock show oat --json").json()["item"] as? [String: Any])
    let id = try #require(item["id"] as? String)
    try nest.write(#"{"name": "Fridge"}"#, to: "locations/fridge.json")
    try nest.prepare("adopt")
    let place = try nest.read("locations/fridge.json").firstMatch(of: /"id": "([^"]+)"/)?.1 ?? ""
    for (name, day, amount) in [("late", "2026-12-24", 2), ("early", "2026-11-28", 1)] {
      try nest.write(
        """
        {"productRef": {"productId": "\(id)"}, "quantity": {"value": \(amount), "unit": "liter"},
         "storageLocationId": "\(place)", "expiryInfo": {"kind": "expiry", "isoDate": "\(day)"}}
        """, to: "batches/\(name).json")
    }
    let text = try nest.session([
      "stock", "stock use oat 500ml", "stock use oat 1.5", "stock count oat 1",
      "stock count oat 2.5", "stock count oat 1 --batch 2026-12-24", "stock show oat",
      "stock discard oat --batch 2026-12-24 --reason sour", "stock use oat 1 --batch 2026-12-24",
      "stock use oat 5", "stock use oat 5 --partial", "shop",
    ])
    #expect(try Golden.kept("stock-batches.txt", now: text) == text)
  }

  @Test("JSON has the format's field names, totals in lists, and what changed")
  func json() throws {
    let nest = try Nest()
    let made = try nest("stock new Eggs --full 12 --in-stock 6 --json")
    let changed = try #require(try made.array("changed").first)
    #expect(changed["kind"] as? String == "StockItem")
    #expect(changed["name"] as? String == "Eggs")
    #expect((changed["path"] as? String)?.hasPrefix("stock/eggs-") == true)
    let listed = try #require(try nest("stock --json").array("items").first)
    #expect(listed["quantityFullStock"] as? Int == 12)
    #expect(listed["quantityInStock"] as? Int == 6)
    #expect(listed["total"] as? Int == 6)
    #expect(listed["changes"] == nil)
    let used = try nest("stock use eggs 6 --json")
    #expect(
      try used.array("changed").map { $0["kind"] as? String } == ["StockItem", "ShoppingListEntry"])
    #expect(try used.json()["total"] as? Int == 0)
    #expect(try nest("stock low --json").array("items").count == 1)
    let shown = try #require(try nest("stock show eggs --json").json()["item"] as? [String: Any])
    #expect((shown["changes"] as? [Any])?.count == 2)
    #expect(try nest("stock use eggs --json").errorKind() == "failed")
    #expect(try nest("stock use nothing --json").errorKind() == "notFound")
    #expect(try nest("stock use eggs 1kg --json").errorKind() == "usage")
    for line in [
      "put eggs 3", "count eggs 2", "discard eggs", "edit eggs --full 3", "archive eggs",
    ] {
      #expect(try nest("stock \(line) --json").array("changed").count == 1, "\(line)")
    }
    #expect(try nest("stock restore eggs --json").array("changed").count == 1)
    #expect(try nest("stock restore eggs --json").array("changed").isEmpty)
  }

  @Test("plain output is one record a line, for lists and for changes")
  func plain() throws {
    let nest = try Nest()
    let made = try nest("stock new Eggs --full 12 --in-stock 6 --plain")
    #expect(made.records.map { [$0[0], $0[3]] } == [["StockItem", "Eggs"]])
    try nest.prepare("stock new Rice --unit g --category Pantry")
    #expect(
      try nest("stock --plain").records.map { Array($0.prefix(5)) }
        == [["Eggs", "6", "piece", "12", ""], ["Rice", "0", "gram", "0", "Pantry"]])
    #expect(try nest("stock low --plain").records.count == 1)
    #expect(try nest("stock show eggs --plain").records.contains(["total", "6"]))
    for line in ["put eggs 6", "use eggs", "count eggs 2", "discard eggs", "edit eggs --full 1"] {
      #expect(try nest("stock \(line) --plain").records.first?.last == "Eggs", "\(line)")
    }
    #expect(try nest("stock archive eggs --plain").records.count == 1)
    #expect(try nest("stock restore eggs --plain").records.count == 1)
  }

  @Test("a request counts once, however often it is sent")
  func requests() throws {
    let nest = try Nest()
    try nest.prepare("stock new Eggs --in-stock 6")
    let first = try nest("stock use eggs 2 --request-id breakfast")
    let again = try nest("stock use eggs 2 --request-id breakfast")
    #expect(first.output == "used 2 of Eggs, 4 left\n")
    #expect(again.output.hasPrefix("used 2 of Eggs, 4 left"))
    #expect(try nest.subjects().filter { $0.hasPrefix("use") }.count == 1)
  }

  @Test("a request is one act with one amount of one thing, and another one refuses")
  func otherRequests() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Nut 10", "stock new Fig 10", "put nut 3 --request-id Q7",
      "use nut 2 fig 1 --request-id two", "put nut 2 --expiry 2027-01-01 --request-id lot",
      "use fig all --request-id all", "stock discard 'nut 2027-01-01' all --request-id whole")
    let head = try nest.subjects().count
    for line in [
      "use nut 3 --request-id Q7", "put nut 2 --request-id Q7", "put fig 3 --request-id Q7",
      "stock discard nut 3 --request-id Q7", "put nut 3 --expiry 2027-01-01 --request-id Q7",
      "use fig 1 nut 2 --request-id two", "use nut 2 --request-id two",
      "use nut 3 fig 1 --request-id two", "put nut 3 fig 1 --request-id Q7",
      "put nut 2 --request-id whole",
    ] {
      let outcome = try nest(line)
      #expect(outcome.code == 1, "\(line): \(outcome.output)")
      #expect(outcome.errors.contains("was another one: it "), "\(line): \(outcome.errors)")
    }
    #expect(
      try nest("use fig 1 --request-id Q7").errors.contains(
        "the request 'Q7' was another one: it put 3 of Nut"))
    for line in [
      "put nut 3 --request-id Q7", "use nut 2 fig 1 --request-id two",
      "use fig all --request-id all",
      "put nut 2 --expiry 2027-01-01 --request-id lot",
      "stock discard 'nut 2027-01-01' all --request-id whole",
      "stock discard nut --batch 2027-01-01 --request-id whole",
    ] {
      let outcome = try nest(line)
      #expect(outcome.output.contains("done before under"), "\(line): \(outcome.errors)")
    }
    #expect(try nest.subjects().count == head)
  }

  @Test("filters and sorting choose among a household's items")
  func filters() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Milk --unit l --in-stock 2 --full 6 --category Dairy",
      "stock new Butter --unit g --in-stock 250 --category Dairy",
      "stock new 'Crème fraîche' --unit ml --in-stock 300 --full 200 --category Dairy",
      "stock new Rice --unit kg --in-stock 0.4 --full 1 --category Pantry",
      "stock new Bulbs --in-stock 3", "stock new Gone --category Dairy", "stock archive gone",
      "stock edit bulbs --set shelf=3")
    func names(_ filters: String) throws -> [String] {
      try nest("stock list \(filters) --plain").records.map { $0[0] }
    }
    #expect(try names("creme") == ["Crème fraîche"])
    #expect(try names("category:dairy is:low") == ["Milk"])
    #expect(try names("-category:dairy") == ["Bulbs", "Rice"])
    #expect(try names("category:") == ["Bulbs"])
    #expect(try names("'total:<500g'") == ["Butter", "Rice"])
    #expect(try names("'full:>=1'") == ["Crème fraîche", "Milk", "Rice"])
    #expect(try names("total:3") == ["Bulbs"])
    #expect(try names("shelf:3") == ["Bulbs"])
    #expect(try names("is:archived") == ["Gone"])
    #expect(try names("--all").count == 6)
    #expect(try names("--sort name- --limit 2") == ["Rice", "Milk"])
    #expect(try names("--sort category category:") == ["Bulbs"])
    #expect(try names("created:today").count == 5)
    #expect(try names("'created:<yesterday'").isEmpty)
    #expect(try nest("stock list 'name:>x'").code == 2)
    #expect(try nest("stock list nonsense:x").code == 2)
  }

  @Test("a hand-written file is adopted before a command, and one that can't be read is told")
  func handEdits() throws {
    let nest = try Nest()
    try nest.prepare("stock new Eggs --in-stock 6")
    try nest.write(#"{"name": "Soy milk", "quantityInStock": 2}"#, to: "stock/soy-milk.json")
    #expect(try nest("stock use soy").output == "used 1 of Soy milk, 1 left\n")
    try nest.write("{\n  \"name\": \"Tofu\",\n  \"unit\": \"a slab\"\n}\n", to: "stock/tofu.json")
    let other = try nest("stock use eggs")
    #expect(other.code == 0)
    #expect(other.errors == "warning: stock/tofu.json is broken; 'larder check' shows why\n")
    let named = try nest("stock show stock/tofu.json")
    #expect(named.code == 5)
    #expect(
      named.errors.hasPrefix("error: stock/tofu.json is broken\nstock/tofu.json:3:11: unit:"))
    #expect(named.errors.contains("3 |   \"unit\": \"a slab\""))
    let meant = try nest("stock use tofu")
    #expect(meant.code == 3)
    #expect(
      meant.errors.hasPrefix("error: no item is called 'tofu'\nstock/tofu.json:3:11: unit:"))
    #expect(
      meant.errors.hasSuffix("it may be in stock/tofu.json: mend the file, or name another one\n"))
    let unknown = try nest("stock use tea")
    #expect(unknown.code == 3)
    #expect(
      unknown.errors == """
        error: no item is called 'tea'
        hint: it may be in a file that is broken or refused (stock/tofu.json); see 'larder check'

        """)
  }

  @Test("an item is found by its name, a part of it, a barcode, its file, and either end of its id")
  func naming() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new 'Crème fraîche' --product 4006381333931", "stock new Milk", "stock new 'Oat milk'",
      "stock new 'Straße 7'")
    let creme = try #require(try nest("stock list creme --json").array("items").first)
    let id = try #require(creme["id"] as? String)
    let path = try #require(creme["path"] as? String)
    let file = path.split(separator: "/").last.map(String.init) ?? ""
    for words in [
      "'Crème fraîche'", "'CREME  FRAICHE'", "fraich", "4006381333931", "ean_4006381333931", path,
      file, "./\(path)", nest.larder.folder("nest/\(path)"), id, id.uppercased(),
      String(id.dropLast(3)), String(id.suffix(6)),
    ] {
      let found = try nest("stock show \(words) --plain").records.first
      #expect(found == ["name", "Crème fraîche"], "\(words)")
    }
    #expect(try nest("stock show strasse --plain").records.first?.last == "Straße 7")
    // An exact name beats a part of another.
    #expect(try nest("stock show milk --plain").records.first?.last == "Milk")
    #expect(try nest("stock show mil --json").errorKind() == "ambiguous")
    #expect(try nest("stock show ilk").code == 3)
    #expect(try nest("stock show stock/none.json").code == 3)
    #expect(try nest("stock show ''").code == 3)
    try nest.prepare("stock archive milk")
    // An archived one is found by those who look for it, and by its part only where nothing lives.
    #expect(try nest("stock show milk --plain").records.first?.last == "Milk")
    #expect(try nest("stock put milk 1").output.hasPrefix("put 1 of Oat milk"))
    try nest.prepare("stock new Milk")
    #expect(try nest("stock restore milk").code == 1)
    #expect(try nest("stock --plain").records.count == 4)
  }

  @Test("at a terminal the stock has colours and bars, and changing many items asks")
  func terminal() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Eggs --full 12 --in-stock 3", "stock new Milk --unit l --full 6 --in-stock 6",
      "stock new Tea --full 2")
    let list = try nest.atTerminal("stock")
    #expect(list.screen.contains("\u{1B}[33m██░░░░░░\u{1B}[0m"))
    #expect(list.screen.contains("\u{1B}[32m████████\u{1B}[0m"))
    #expect(list.screen.contains("\u{1B}[31m0\u{1B}[0m"))
    let refused = try nest.atTerminal("stock edit is:low milk: --full 1", typing: "n\n")
    #expect(refused.code == 2)
    let no = try nest.atTerminal("stock edit eggs milk tea --full 1", typing: "n\n")
    #expect(no.code == 1)
    #expect(no.screen.contains("Milk: full stock 6 → 1"))
    #expect(no.screen.contains("Change 3 items? [y/N]"))
    #expect(try nest("stock list milk --plain").records.first?[3] == "6")
    #expect(try nest.atTerminal("stock edit eggs milk tea --full 1", typing: "y\n").code == 0)
    #expect(try nest("stock list milk --plain").records.first?[3] == "1")
  }

  @Test("an item alone opens in the editor, and what was written there is adopted")
  func editor() throws {
    let nest = try Nest()
    try nest.prepare("stock new Eggs --full 12 --in-stock 3")
    let changed = try nest.atTerminal(
      "stock edit eggs",
      editor: "sed -i.bak 's/\"quantityFullStock\": 12/\"quantityFullStock\": 18/'")
    #expect(changed.code == 0)
    #expect(changed.screen == "Eggs: full stock 12 → 18\n")
    #expect(try nest.atTerminal("stock edit eggs", editor: "true").screen == "Eggs is as it was\n")
    #expect(try nest.atTerminal("stock edit eggs", editor: "false").code == 1)
    #expect(try nest.atTerminal("stock edit category:x", editor: "true").code == 2)
  }

  @Test("without a household every verb fails with a hint, before it asks for anything")
  func noHousehold() throws {
    let larder = try CommandRunner()
    for line in [
      "stock", "stock low", "stocktake --print", "stock new X", "stock show x",
      "stock edit x --full 1",
      "stock archive x",
      "stock restore x", "stock put x 1", "stock use x", "stock count x 1", "stock discard x",
      "shop", "shop buy x", "shop got x", "shop undone x", "shop edit x 1", "shop remove x",
      "shop restore x", "shop fill", "receipt", "receipt show x", "receipt save --shop x",
      "receipt edit x --amount 1", "receipt void x", "receipt restore x",
      "location", "location new x", "location edit x --name y", "location archive x",
      "location restore x", "product", "product show x", "product new x --title y",
      "product edit x --brand y", "product archive x", "product restore x", "spending", "prices",
      "prices x", "waste", "report",
      "export csv",
      "export json", "export hledger", "export todo.txt", "export ics",
    ] {
      let outcome = try larder.run(shellWords(line))
      #expect(outcome.code == 3, "\(line): \(outcome.errors)")
      #expect(outcome.errors.contains("hint: "), "\(line)")
      #expect(outcome.output.isEmpty, "\(line)")
    }
  }
}
