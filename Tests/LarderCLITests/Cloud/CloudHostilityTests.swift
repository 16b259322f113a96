import Foundation
import TestSupport
import Testing

/// A member who means harm, or whose program is broken, and writes rows past Larder.
@Suite("Hostile rows in the cloud")
struct CloudHostilityTests {
  private static let paths = [
    "../../.git/config", ".git/hooks/post-commit", "stock/../../x.json", "/etc/x.json",
    "stock/../.git/hooks/x.json", ".GIT/config", "stock/.git/x.json", "stock/.GIT /x.json",
    "stock/git~1/x.json", "stock/.g\u{200C}it/x.json", "stock/a\\..\\b.json", "stock/c:x.json",
    "stock/.git::$INDEX_ALLOCATION/x.json", "household.json", "stock", "stock/", "stock//x.json",
    "stock/x.json/y.json", "stock/x.json", "STOCK/x.json", "stock/X.json", "stock/\n.json",
    "stock/\u{1B}[2J.json", "stock/" + String(repeating: "d/", count: 31) + "x.json",
    "stock/" + String(repeating: "n", count: 195) + ".json", "receipts/x.json",
    "stock/aux.json", "stock/con/x.json", "stock/x.json ", ".gitattributes", "stock/dot./x.json",
    "stock/x.json/y.json/z.json", "stock/thing-1.json/x.json",
  ]

  /// Those that the database itself refuses.
  private static let endless = [
    "stock/" + String(repeating: "d/", count: 64) + "x.json",
    "stock/" + String(repeating: "n", count: 251) + ".json",
  ]

  private static let texts = [
    "'; drop table stock_items; --", "a\"b", "a,b", "(a)", "100%", "%2e%2e", "../../x",
    "a\nb", "Ма́ilk", "\u{202E}klim", "\u{1B}[31mred\u{1B}[0m\u{07}", "-rf", "--help", "@x", "$(x)",
    "null", "eq.1", "*", "&limit=0", "a\u{200B}b", "😀", "\u{FEFF}bom",
    String(repeating: "x", count: 10_000),
  ]

  /// All files below a folder but the household's own.
  private func strangeFiles(_ device: CloudDevice) throws -> [String] {
    let root = device.larder.folder.path
    return try FileManager.default.subpathsOfDirectory(atPath: root).filter { path in
      !path.hasPrefix("nest/") && !path.hasPrefix("home") && path != "key" && path != "nest"
    }
  }

  @Test("a path that a member makes up leads nowhere but into the household's folder of its kind")
  func paths() throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 3")
    let hooks = try FileManager.default.contentsOfDirectory(
      atPath: laptop.larder.folder("nest/.git/hooks"))
    let config = try laptop.larder.folder.read("nest/.git/config")
    let household = try laptop.household()
    let rows = Self.paths.enumerated().map { number, path in
      ["household_id": household, "name": "Path \(number)", "path": path]
    }
    let made = try laptop.request("POST", "/rest/v1/stock_items", rows)
    try #require(made.status == 201, "\(made.text)")
    for path in Self.endless {
      let row = ["household_id": household, "name": "Endless", "path": path]
      #expect(try laptop.request("POST", "/rest/v1/stock_items", [row]).status == 400)
    }
    try laptop.prepare("stock new 'Thing' --in-stock 1", "sync")
    let phone = try laptop.invite()
    for device in [laptop, phone] {
      for number in Self.paths.indices { #expect(try device.total("Path \(number)") == 0) }
      #expect(try strangeFiles(device) == [])
      let top = try device.git("ls-files", ":!stock", ":!stock/*")
      #expect(top.split(separator: "\n").sorted() == [".gitattributes", "household.json"])
      // git itself checks names out that every system can have.
      try device.git("fsck", "--strict")
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: laptop.larder.folder("nest/.git/hooks"))
        == hooks)
    #expect(try laptop.larder.folder.read("nest/.git/config") == config)
    for device in [laptop, phone, laptop] { try device.prepare("sync", "stock use Milk 1") }
    try [laptop, phone].settle()
    #expect(try phone.total("Milk") == 0)
  }

  @Test("names and ids of any characters travel both ways, and do nothing else")
  func texts() throws {
    let laptop = try CloudDevice()
    for text in Self.texts {
      let outcome = try laptop.larder.run(
        ["stock", "new", "--in-stock=1", "--category=\(text)", "--", text], in: "nest")
      try #require(outcome.code == 0, "\(outcome.errors)")
    }
    let products = Self.texts.filter { !$0.contains("\n") }.map {
      [
        "household_id": try? laptop.household(), "id": $0, "title": $0,
        "path": "products/\($0.prefix(100)).json",
      ]
    }
    let made = try laptop.request("POST", "/rest/v1/products", products)
    try #require(made.status == 201, "\(made.text)")
    try laptop.prepare("sync", "sync")
    let phone = try laptop.invite()
    try [laptop, phone].settle()
    #expect(
      try phone("stock --all --json").array("items").count == Self.texts.count)
    for line in ["stock --all", "product", "status", "log", "cloud status", "check", "sync"] {
      let shown = try phone(line)
      #expect(!(shown.output + shown.errors).contains("\u{1B}"), "\(line)")
      #expect(!(shown.output + shown.errors).contains("\u{202E}"), "\(line)")
    }
  }

  @Test("hostile codes, households and addresses are refused in plain words")
  func words() throws {
    let laptop = try CloudDevice()
    for text in Self.texts {
      let code = try laptop.larder.run(
        ["cloud", "join", "--yes", "--invite=\(text)"], in: "nest")
      #expect(code.code == 1, "\(text): \(code.errors)")
      let household = try laptop.larder.run(
        [
          "cloud", "join", laptop.supabase.url, "other", "--email", laptop.email,
          "--household=\(text)",
        ])
      #expect(household.code == 3, "\(text): \(household.errors)")
      for outcome in [code, household] {
        #expect(outcome.errors.hasPrefix("error: "))
        #expect(!outcome.errors.contains("\u{1B}"))
        #expect(!outcome.errors.contains("Fatal"))
      }
    }
    #expect(try strangeFiles(laptop) == [])
  }

  @Test("a row that the format refuses is told and left, and all others come and go")
  func refusedRows() throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 10", "stock new Bread --in-stock 10")
    let phone = try laptop.invite()
    let household = try laptop.household()
    let ids = Dictionary(
      uniqueKeysWithValues: try laptop("stock --json").array("items").compactMap { item in
        (item["name"] as? String).flatMap { name in (item["id"] as? String).map { (name, $0) } }
      })
    let bread = try #require(ids["Bread"])
    let deep = String(repeating: "[", count: 400) + String(repeating: "]", count: 400)
    var accepted = 0
    // Whatever of these the database lets through, Larder has to live with.
    let values: [(table: String, row: [String: Any])] = [
      ("stock_items", ["name": "Extra", "extra": ["name": "other", "id": "x", "changes": [1]]]),
      ("stock_items", ["name": "Extra 2", "extra": ["quantityInStock": 5, "edited": 1]]),
      ("stock_items", ["name": "Huge", "quantity_in_stock": 1e30]),
      ("stock_items", ["name": "Negative", "quantity_in_stock": -1e9]),
      ("stock_items", ["name": "\u{1B}]0;owned\u{07}Escape"]),
      ("stock_items", ["name": "Edited", "edited": ["name": "9999-12-31T23:59:59.999Z"]]),
      ("stock_items", ["name": "Edited 2", "edited": ["nonsense": 5]]),
      ("stock_items", ["name": "Edited 3", "edited": [1, 2]]),
      ("stock_items", ["name": "Future", "created_at": "294276-12-31T23:59:59Z"]),
      ("stock_items", ["name": "Past", "created_at": "4713-01-01T00:00:00Z BC"]),
      ("stock_items", ["name": "Endless", "created_at": "infinity"]),
      ("stock_items", ["name": " \t", "category": "  "]),
      ("stock_items", ["name": String(repeating: "n", count: 300_000)]),
      (
        "stock_items",
        [
          "name": "Deep",
          "extra": [
            "deep": try JSONSerialization.jsonObject(
              with: Data(deep.utf8))
          ],
        ]
      ),
      ("stock_items", ["name": "Products", "products": [["id": "x", "extra": ["a": 1]]]]),
      ("stock_items", ["name": "Products 2", "products": ["x", "x", ""]]),
      ("inventory_items", ["product_ref": ["productId": bread], "quantity_value": 3]),
      ("inventory_items", ["product_ref": ["productId": 5]]),
      ("inventory_items", ["product_ref": ["productId": "\u{1B}[2J"], "notes": "\u{1B}[2J"]),
      ("inventory_items", ["product_ref": ["productId": bread], "storage_location_id": "../x"]),
      ("inventory_items", ["product_ref": ["productId": bread, "deep": deep]]),
      ("receipts", ["shop_name": "Shop", "items": [["itemName": "x", "quantity": 1e300]]]),
      ("receipts", ["shop_name": "Shop", "timestamp": "infinity"]),
      ("receipts", ["shop_name": "Shop", "items": "x"]),
      ("products", ["id": "../../x", "title": "Up"]),
      ("products", ["id": "a\u{0000}b", "title": "Null"]),
      ("products", ["id": bread, "title": "Of another kind's id"]),
      ("products", ["id": String(repeating: "i", count: 2000), "title": "Long"]),
      ("products", ["id": "image", "title": "Image", "image_url": "javascript:alert(1)"]),
      ("shopping_list_entries", ["name": "\r\nX: y", "desired_quantity": 1e20]),
      ("storage_locations", ["name": "\u{2028}", "extra": ["householdId": "other"]]),
      ("storage_locations", ["name": "Place", "extra": ["householdId": 5]]),
      (
        "quantity_changes",
        ["entity_type": "StockItem", "entity_id": UUID().uuidString, "delta": 1]
      ),
      ("quantity_changes", ["entity_type": "StockItem", "entity_id": bread, "delta": 1e14]),
      ("quantity_changes", ["entity_type": "StockItem", "entity_id": bread, "undoes": bread]),
      ("quantity_changes", ["entity_type": "InventoryItem", "entity_id": bread, "set": 1]),
      (
        "quantity_changes",
        [
          "entity_type": "StockItem", "entity_id": bread, "delta": 1, "unit": "kg",
          "by": "\u{1B}[2J", "note": "\u{1B}[2J", "at": "9999-12-31T23:59:59.999Z",
        ]
      ),
      (
        "quantity_changes",
        [
          "entity_type": "StockItem", "entity_id": bread, "delta": 1, "extra": ["set": 5],
        ]
      ),
    ]
    for (table, row) in values {
      let answer = try laptop.request(
        "POST", "/rest/v1/\(table)", [row.merging(["household_id": household]) { $1 }])
      #expect(answer.status < 500 || answer.text.contains("\"code\""), "\(row): \(answer.text)")
      if answer.status == 201 { accepted += 1 }
      if row["name"] as? String == "Deep" {
        #expect(answer.text.contains("nested at most 60 levels deep"))
      }
    }
    #expect(accepted > 15)
    for device in [laptop, phone] {
      try device.prepare("stock use Milk 2", "stock edit Bread --category b")
      for line in ["sync", "stock --all", "stock due --days 30", "log", "sync --json", "check"] {
        let outcome = try device(line)
        #expect(outcome.code < 2, "\(line): \(outcome.errors)")
        #expect(!outcome.errors.contains("\u{1B}") && !outcome.output.contains("\u{1B}"))
      }
      #expect(try strangeFiles(device) == [])
    }
    for device in [laptop, phone] { try device.prepare("sync") }
    for device in [laptop, phone, try laptop.invite()] {
      #expect(try device.total("Milk") == 6)
      #expect(try device.count("pending") == 0)
      #expect(try device.count("failed") == 0)
    }
  }
}
