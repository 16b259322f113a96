import Foundation
import TestSupport
import Testing

@Suite("The shopping list as a todo.txt file")
struct TodoTests {
  @Test("has a line for each entry, and ticks and new lines come back")
  func ticks() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Milk 1l --category 'Cold things'", "stock new Eggs 1", "buy milk 3l --note soon",
      "buy bread", "buy '7\" disc'", "got bread")
    let list = try nest("export todo.txt")
    #expect(
      nest.normalized(list.output) == """
        2026-11-21 3 l Milk (soon) @Cold-things +shopping larder:ID
        2026-11-21 7" disc +shopping larder:ID
        x 2026-11-21 2026-11-21 bread +shopping larder:ID

        """)
    try nest.larder.folder.write(list.output, to: "todo.txt")
    #expect(
      try nest("import todo.txt ../todo.txt").errors
        == "nothing changed: no tick and no line is new\n")
    let ticked = list.output.replacing("2026-11-21 3 l", with: "x 2026-11-22 2026-11-21 3 l")
    try nest.larder.folder.write(
      ticked + "(B) 2 kg apples +shop @fruit due:2026-12-01\nx 3 eggs\n", to: "todo.txt")
    let taken = try nest("import todo.txt ../todo.txt")
    #expect(
      taken.output == """
        Milk is in the basket
        apples is on the shopping list: 2 kg
        Eggs is in the basket: 3

        """)
    #expect(try nest.subjects().first == "import a todo.txt file: Milk, apples, Eggs")
    #expect(try nest("import todo.txt ../todo.txt").errors.hasPrefix("nothing changed"))
    try nest.prepare("receipt save --shop Corner")
    let late = try nest("import todo.txt ../todo.txt --dry-run")
    #expect(late.errors.contains("2 ticked entries are off the list already"))
    try nest.larder.folder.write(
      "x 2026-11-20 2026-11-19 Milk\nx 2026-11-21 eggs\n", to: "todo.txt")
    try nest.prepare("import todo.txt ../todo.txt")
    #expect(try !nest("shop --plain").records.contains { $0[0] == "done" })
  }
}

@Suite("What Grocy has")
struct GrocyTests {
  private static let answers = [
    "products": """
    [{"id":1,"name":"Cookies","description":"<p>Sweet <b>ones</b></p>","product_group_id":1,"active":1,
      "location_id":4,"qu_id_stock":3,"min_stock_amount":8,"default_best_before_days":0,
      "row_created_timestamp":"2026-11-01 10:00:00"},
     {"id":"2","name":"Milk","description":null,"active":"1","location_id":"2","qu_id_stock":"5",
      "min_stock_amount":"0","default_best_before_days":"7","row_created_timestamp":"2026-11-01 10:00:00"},
     {"id":3,"name":"Gone","active":0,"location_id":2,"qu_id_stock":3}]
    """,
    "locations": """
    [{"id":2,"name":"Fridge","is_freezer":0,"row_created_timestamp":"x"},
     {"id":4,"name":"Freezer","is_freezer":1,"row_created_timestamp":"x"}]
    """,
    "stock": """
    [{"amount":10,"amount_aggregated":10,"best_before_date":"2027-04-22","amount_opened":0,
      "product_id":1,"product":{"id":1,"name":"Cookies"}},
     {"amount":"0.333333333333","amount_aggregated":"0.333333333333",
      "best_before_date":"2999-12-31","product_id":"2"}]
    """,
    "shopping_list": """
    [{"id":1,"product_id":1,"note":"the big box","amount":3,"shopping_list_id":1,"done":0},
     {"id":2,"product_id":null,"note":"Snacks","amount":1,"shopping_list_id":1,"done":1}]
    """,
    "quantity_units": """
    [{"id":3,"name":"Pack","name_plural":"Packs"},{"id":5,"name":"Litre","name_plural":"Litres"}]
    """,
    "product_groups": "[{\"id\":1,\"name\":\"Sweets\"}]",
    "product_barcodes": "[{\"id\":1,\"product_id\":1,\"barcode\":\"4006381333931\"}]",
  ]

  /// Writes answers into files, and gives their names.
  private func files(_ names: [String], in nest: Nest) throws -> String {
    for name in names {
      try nest.larder.folder.write(Self.answers[name] ?? "", to: "\(name).json")
    }
    return names.map { "../\($0).json" }.joined(separator: " ")
  }

  @Test("counts what is in Grocy's unit, and two products of one name as one item")
  func unitsAndNames() throws {
    let nest = try Nest()
    let units = "[{\"id\":1,\"name\":\"Milliliter\",\"name_plural\":\"\"}]"
    try nest.larder.folder.write(units, to: "quantity_units.json")
    let products = """
      [{"id":1,"name":"Milk","qu_id_stock":1},{"id":2,"name":"milk","qu_id_stock":1}]
      """
    try nest.larder.folder.write(products, to: "products.json")
    try nest.larder.folder.write(
      """
      [{"id":1,"product_id":1,"amount":400,"stock_id":"a"},
       {"id":2,"product_id":2,"amount":500,"stock_id":"b"}]
      """, to: "stock.json")
    try nest.larder.folder.write(
      "[{\"id\":1,\"shopping_list_id\":1,\"product_id\":1,\"amount\":1500}]",
      to: "shopping_list.json")
    let names = "../quantity_units.json ../products.json ../stock.json ../shopping_list.json"
    #expect(try nest("import grocy \(names)").code == 0)
    #expect(
      try nest("stock list --plain").records.map { $0.prefix(3) } == [
        ["Milk", "900", "milliliter"]
      ])
    #expect(try nest("import grocy \(names)").errors.hasPrefix("nothing changed"))

    let own = try Nest()
    try own.prepare("stock new Milk 1l")
    for name in ["quantity_units", "products", "shopping_list"] {
      try own.larder.folder.write(try nest.larder.folder.read("\(name).json"), to: "\(name).json")
    }
    #expect(try own("import grocy \(names.replacing(" ../stock.json", with: ""))").code == 0)
    #expect(
      try own("shop --plain").records.map { $0.prefix(4) } == [
        ["open", "Milk", "1500", "milliliter"]
      ])
  }

  @Test("is refused as a whole where half of an answer is missing, with the place")
  func half() throws {
    let nest = try Nest()
    _ = try files(Self.answers.keys.sorted(), in: nest)
    let cut = String((Self.answers["products"] ?? "").prefix(400))
    try nest.larder.folder.write(cut, to: "cut.json")
    try nest.larder.folder.write("{\"error_message\":\"Invalid API key\"}", to: "error.json")
    try nest.larder.folder.write(
      "{\"products\":[{\"name\":\"x\",\"qu_id_stock\":1}]}", to: "few.json")
    let cases = [
      ("cut.json ../locations.json", "../cut.json:", "the file ends where"),
      ("products.json", "../products.json:2:", "no answer has 4 of /api/objects/locations"),
      (
        "locations.json ../stock.json", "../stock.json:2:",
        "no answer has 1 of /api/objects/products"
      ),
      ("error.json", "../error.json:1:1", "Grocy did not answer; it said: Invalid API key"),
      ("few.json", "../few.json:1:14", "id is missing, so this is only a part of an answer"),
    ]
    for (names, place, told) in cases {
      let refused = try nest("import grocy ../\(names)")
      #expect(refused.code == 5, "\(names)")
      #expect(refused.errors.contains(place) && refused.errors.contains(told), "\(refused.errors)")
    }
    #expect(try nest("stock --plain").output.isEmpty)
    #expect(try nest("location --plain").output.isEmpty)
  }
}

@Suite("A household as one JSON text")
struct JSONCopyTests {
  @Test("is the same household elsewhere, and is told before it is")
  func same() throws {
    let nest = try Nest()
    try nest.prepare(
      "location new Fridge", "stock new Milk 4l --full 6l", "put milk 2 --expiry 2026-12-01",
      "buy bread", "receipt save --shop Corner --line milk=2@@3.30")
    let written = try nest("export json -o ../copy.json")
    #expect(written.errors == "wrote 6 files to ../copy.json\n")
    let other = try Nest(zone: "Asia/Singapore")
    let text = try nest.larder.folder.read("copy.json")
    try other.larder.folder.write(text, to: "copy.json")
    #expect(try other("import json ../copy.json --dry-run").output.contains("new item Milk: 6 l"))
    #expect(try other("import json ../copy.json").code == 0)
    let trees = try [nest, other].map { home in
      try Git.run("ls-tree", "-r", "HEAD", in: home.larder.folder("nest"))
    }
    #expect(trees[0] == trees[1])
    #expect(try other.isClean())
    #expect(try other("import json ../copy.json").errors.hasPrefix("nothing changed"))
    try other.prepare("check", "undo")
  }

  @Test("that is no whole copy is refused, with the place")
  func half() throws {
    let nest = try Nest()
    try nest.prepare("stock new Milk 4l", "stock new Tea 2")
    let text = try nest("export json").output
    let cases = [
      (String(text.prefix(900)), "copy.json:"),
      ("[1]", "this is no copy of a household"),
      (text.replacing("\"version\":1", with: "\"version\":2"), "a newer larder wrote this copy"),
      (text.replacing("\"unit\": \"liter\"", with: "\"unit\": 4"), "milk-"),
      (text.replacing("\"stock/tea-", with: "\"../tea-"), "no file of a household can be at"),
      ("{\"version\":1,\"files\":[]}", "the copy lacks household.json"),
    ]
    for (broken, told) in cases {
      try nest.larder.folder.write(broken, to: "copy.json")
      let refused = try nest("import json ../copy.json")
      #expect(refused.code == 5, "\(told)")
      #expect(refused.errors.contains(told), "\(refused.errors)")
    }
    try nest.write("{\n", to: "stock/broken.json")
    let refused = try nest("export json")
    #expect(refused.code == 5 && refused.output.isEmpty)
    #expect(refused.errors.contains("stock/broken.json is broken"))
  }
}

@Suite("Grocy's barcodes, units, and what is empty there")
struct GrocyPackTests {
  private static let products = """
    "products": [{"id": 3, "name": "Baking powder", "active": 1, "location_id": 2,
      "qu_id_purchase": 2, "qu_id_stock": 1},
     {"id": 4, "name": "Cream", "active": 1, "qu_id_purchase": 4, "qu_id_stock": 4},
     {"id": 5, "name": "", "active": 1, "location_id": 3, "qu_id_purchase": 4, "qu_id_stock": 4}],
    "locations": [{"id": 2, "name": "Cupboard"}, {"id": 3, "name": ""}],
    "quantity_units": [{"id": 1, "name": "Piece"}, {"id": 2, "name": "Pack"},
     {"id": 4, "name": "Milliliter"}, {"id": 6, "name": "Carton"}],
    "product_barcodes": [
     {"id": 2, "product_id": 3, "barcode": "4000521006112", "qu_id": 2, "amount": 1},
     {"id": 3, "product_id": 3, "barcode": "96385074", "qu_id": 6, "amount": null},
     {"id": 4, "product_id": 3, "barcode": "4006381333931", "qu_id": 1, "amount": 1},
     {"id": 5, "product_id": 3, "barcode": "shelf 3", "qu_id": null, "amount": null},
     {"id": 6, "product_id": 4, "barcode": "036000291452", "qu_id": 4, "amount": "1000"}],
    "stock": [], "shopping_list": []
    """
}
