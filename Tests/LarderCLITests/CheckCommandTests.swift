import Foundation
import TestSupport
import Testing

@Suite("check, fmt and adopt")
struct CheckCommandTests {
  @Test("a household without mistakes is checked in silence")
  func silence() throws {
    let nest = try HouseholdFixture(["stock/milk.json": Written.item(1, "Milk")])
    #expect(try nest("check") == CommandRunner.Outcome(code: 0, output: "", errors: ""))
    #expect(try nest("check", "--plain").output == "")
    #expect(
      try nest("check", "--json").output
        == "{\n  \"version\": 1,\n  \"problems\": [],\n  \"hints\": []\n}\n")
  }

  @Test("the sample household is checked and formatted in silence, where it lies")
  func sample() throws {
    let larder = try CommandRunner()
    let sample = Checkout.sample.path()
    for words in [["check"], ["fmt", "--check"]] {
      let outcome = try larder.run(["-C", sample] + words)
      #expect(outcome == CommandRunner.Outcome(code: 0, output: "", errors: ""))
    }
  }

  @Test("check writes nothing, whatever it finds")
  func readsOnly() throws {
    let nest = try HouseholdFixture([
      "stock/milk.json": "{\"name\":\"Milk\",\"quantityInStock\":2}", "stock/bad.json": "{",
    ])
    #expect(try nest("check").code == 1)
    #expect(try nest.read("stock/milk.json") == "{\"name\":\"Milk\",\"quantityInStock\":2}")
    #expect(try nest.git("log", "--format=%s") == "init the household Nest\n")
  }

  @Test("a key that is nearly a known one is noted with it, at any depth; people's own are not")
  func mistypedKeys() throws {
    let nest = try HouseholdFixture([
      "stock/milk.json": Written.item(
        1, "Milk", "\"quantityInstock\": 4,\n  \"colour\": \"white\",\n  \"isArchivd\": true"),
      "batches/milk.json": """
      {
        "productRef": {
          "productID": "ean_1", "productId": "\(Written.id(1))"
        },
        "name": "the blue one"
      }

      """,
    ])
    let outcome = try nest("check")
    #expect(outcome.code == 0)
    #expect(outcome.errors == "")
    #expect(
      outcome.output == """
        batches/milk.json:3:5: note: "productID" is no key that larder knows; did you mean "productId"?
            3 |     "productID": "ean_1", "productId": "\(Written.id(1))"
              |     ^
        stock/milk.json:4:3: note: "quantityInstock" is no key that larder knows; did you mean \
        "quantityInStock"?
            4 |   "quantityInstock": 4,
              |   ^
        stock/milk.json:6:3: note: "isArchivd" is no key that larder knows; did you mean "isArchived"?
            6 |   "isArchivd": true
              |   ^

        """)
    #expect(
      try nest("check", "--json").array("problems").map { $0["severity"] as? String } == [
        "note", "note", "note",
      ])
  }

  @Test("a receipt that was voided and restored agrees with its items' ledgers again")
  func receiptInLine() throws {
    let nest = try HouseholdFixture([
      "receipts/a.json": """
      { "shopName": "Corner", "items": [{ "itemName": "Milk", "quantity": 3, "itemId": "\(Written.id(1))" }] }
      """
    ])
    _ = try nest("adopt")
    try nest.write(Written.item(1, "Milk"), to: "stock/milk.json")
    #expect(try nest("check").output.contains("has nothing of it"))
    #expect(try nest("receipt", "void", "corner").code == 0)
    #expect(try nest("check").code == 0)
    #expect(try nest("receipt", "restore", "corner").code == 0)
    #expect(try nest("check") == CommandRunner.Outcome(code: 0, output: "", errors: ""))
    #expect(try nest.read("stock/milk.json").contains("\"quantityInStock\": 3"))
  }

  @Test("problems are records of five fields in plain output, and hold their places in JSON")
  func problems() throws {
    let nest = try HouseholdFixture(["stock/milk.json": "{\n  \"name\": 7\n}\n"])
    let plain = try nest("check", "--plain")
    #expect(plain.code == 1)
    #expect(
      plain.output
        == "stock/milk.json\t2\t11\terror\tname: a text that is not empty is needed, found 7\n")
    let object = try nest("check", "--json").json()
    let problem = try #require((object["problems"] as? [[String: Any]])?.first)
    #expect(problem["path"] as? String == "stock/milk.json")
    #expect(problem["line"] as? Int == 2)
    #expect(problem["column"] as? Int == 11)
    #expect(problem["severity"] as? String == "error")
  }

  @Test("fmt writes the canonical form, changes no value, and is done once it was done")
  func fmt() throws {
    let text = #"{"quantityInStock":2.50,"name":"Milk","myNote":{"b":1,"a":null}}"#
    let nest = try HouseholdFixture(["stock/milk.json": text])
    #expect(try nest("fmt", "--check").output == "stock/milk.json\n")
    #expect(try nest("fmt").code == 0)
    let written = try nest.read("stock/milk.json")
    #expect(written.contains("  \"quantityInStock\": 2.5,\n"))
    #expect(written.contains("  \"myNote\": {\n    \"b\": 1\n  }\n}\n"))
    #expect(try nest("fmt", "--check").code == 0)
    #expect(try nest("fmt").output == "0 files rewritten\n")
    #expect(try nest.read("stock/milk.json") == written)
  }

  @Test("adopt gives a file what people left out, in one commit, and then has nothing to do")
  func adopt() throws {
    let nest = try HouseholdFixture([
      "stock/milk.json": "{\"name\": \"Milk\", \"quantityInStock\": 2}"
    ])
    let first = try nest("adopt")
    #expect(
      first == CommandRunner.Outcome(code: 0, output: "adopted new item Milk: 2\n", errors: ""))
    #expect(try nest("adopt").output == "nothing to adopt\n")
    #expect(try nest.git("status", "--porcelain") == "")
    #expect(
      try nest.git("log", "-1", "--format=%B").hasPrefix(
        "adopt the edit of stock/milk.json\n\nLarder-Command: adopt\nLarder-Device: laptop\n"))
  }

  @Test("adopt tells what it did as JSON and as records")
  func adoptForScripts() throws {
    let nest = try HouseholdFixture(["stock/milk.json": Written.item(1, "Milk")])
    let changed = try nest("adopt", "--json").json()["changed"] as? [[String: String]]
    #expect(
      changed == [
        ["kind": "StockItem", "id": Written.id(1), "path": "stock/milk.json", "name": "Milk"]
      ])
    try nest.write(Written.item(2, "Bread"), to: "stock/bread.json")
    #expect(
      try nest("adopt", "--plain").output == "StockItem\t\(Written.id(2))\tstock/bread.json\n")
  }

  @Test("a removed file comes back as archived, with a warning that names it")
  func removal() throws {
    let nest = try HouseholdFixture(["stock/milk.json": Written.item(1, "Milk")])
    _ = try nest("adopt")
    try nest.remove("stock/milk.json")
    let outcome = try nest("adopt")
    #expect(outcome.code == 0)
    #expect(outcome.output == "adopted Milk is archived\n")
    #expect(outcome.errors.hasPrefix("warning: stock/milk.json: the file is gone"))
    #expect(try nest.read("stock/milk.json").contains("\"isArchived\": true"))
  }

  @Test("many files that vanished at once are only taken for deleted when people say so")
  func manyRemovals() throws {
    let nest = try HouseholdFixture()
    for number in 1...20 {
      try nest.write(Written.item(number, "Item \(number)"), to: "stock/\(number).json")
    }
    _ = try nest("adopt")
    for number in 1...15 { try nest.remove("stock/\(number).json") }
    #expect(try nest("adopt").code == 1)
    #expect(try nest("adopt", "--yes").code == 0)
    #expect(try nest.git("status", "--porcelain") == "")
  }

  @Test(
    "an edit of a broken or refused file stays in it, whatever is done beside it",
    arguments: [
      "fmt", "adopt", "stock put eggs 1", "stock use eggs 1", "shop buy eggs", "undo", "sync",
      "receipt save --shop Corner --line eggs=1@@2", "doctor", "check",
    ])
  func unfinishedEdit(line: String) throws {
    let nest = try HouseholdFixture([
      "stock/eggs.json": Written.item(1, "Eggs", "\"quantityInStock\": 3"),
      "stock/milk.json": Written.item(2, "Milk", "\"quantityInStock\": 3"),
    ])
    try nest.addOrigin()
    try #require(nest("sync").code == 0)
    try #require(nest("stock", "put", "eggs", "1").code == 0)
    let good = try nest.read("stock/milk.json")
    let unfinished = good.replacing("\"name\": \"Milk\",", with: "\"name\": \"Mi")
    try #require(unfinished != good)
    try nest.write(unfinished, to: "stock/milk.json")
    let outcome = try nest.larder.run(line.split(separator: " ").map(String.init), in: "home/nest")
    #expect(try nest.read("stock/milk.json") == unfinished, "\(outcome.output)\(outcome.errors)")
    #expect(!outcome.output.contains("rewritten") || outcome.output.contains("0 files"))
  }
}
