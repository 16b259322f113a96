import LarderJSON
import LarderModel
import LarderText
import Testing

@Suite("Ids")
struct IdentifierTests {
  static let id = "0192f0c4-7c1e-7d3a-9b52-3f6a1c7f3a9c"

  /// Worked out with another implementation of RFC 9562, in the format's namespace.
  @Test(
    "version 5 ids are those of every other implementation",
    arguments: [
      ("", "9731cbf5-d6fd-5360-9ed2-30786f51bc5b"),
      ("www.example.com", "61cc700f-5b09-5060-b18a-f44ed83a29ee"),
      ("entry/\(id)", "5b4efdf1-0135-550c-8f91-0596df197a57"),
      ("edit/\(id)/2026-11-02T10:00:00.000Z/5/piece", "c65bfa4a-5a01-57cc-8988-19a6abb11196"),
      (
        "edit/\(id)/2026-11-02T10:00:00.000Z/1.5/kilogram",
        "731595dc-31e5-5bd8-819d-b83a8d289814"
      ),
      ("line/\(id)/2026-11-02T10:00:00.000Z", "d45b3cd4-f104-5725-a251-0a1c82c37781"),
      ("receipt/\(id)", "a91822d0-687f-5a68-962e-9d8c911cbaf7"),
      ("undo/\(id)", "a7d096b4-583e-5872-94cd-93698f18dfaf"),
      ("request/r-1/\(id)", "b5d2b174-dcf9-56cb-8dfd-54fdd8945c50"),
      ("author/ann@example.org", "ba6f24d2-3bf4-5ca4-9475-0bdee6dcc4af"),
      (
        "file/stock/soy-milk.json/2026-11-02T10:00:00.000Z", "98693d84-4e82-5ef7-9933-ce7587434294"
      ),
    ])
  func derived(_ name: String, _ id: String) {
    #expect(Identifier.derived(fromName: name) == id)
  }

  @Test("the parts of a name are joined with slashes, and bytes that look alike differ")
  func parts() {
    #expect(
      Identifier.derived(from: "edit", Self.id, "2026-11-02T10:00:00.000Z", "5", "piece")
        == "c65bfa4a-5a01-57cc-8988-19a6abb11196")
    #expect(Identifier.derived(fromName: "\u{e9}") == "c818e943-d08e-5ce3-b853-5b2092d5ce0b")
    #expect(Identifier.derived(fromName: "e\u{301}") != "c818e943-d08e-5ce3-b853-5b2092d5ce0b")
  }

  @Test("the rules use the published names: an adopted number, an item's entry, an undo")
  func rules() throws {
    let item = try entity(.stockItem, #""id": "\#(Self.id)""#)
    #expect(ShoppingEntry.id(of: item) == "5b4efdf1-0135-550c-8f91-0596df197a57")
    let at = try #require(Instant("2026-11-02T10:00:00Z"))
    let after = try rawFile(.stockItem, #"{"name": "Rice", "quantityInStock": 5.0}"#)
    #expect(
      try adopt(after, id: Self.id, at: at).entity.ledger.entries.map(\.id)
        == ["c65bfa4a-5a01-57cc-8988-19a6abb11196"])
    let kilos = try rawFile(
      .stockItem, #"{"name": "Rice", "unit": "kilogram", "quantityInStock": 1.50}"#)
    #expect(
      try adopt(kilos, id: Self.id, at: at).entity.ledger.entries.map(\.id)
        == ["731595dc-31e5-5bd8-819d-b83a8d289814"])
    let loose = try rawFile(
      .stockItem, #"{"name": "Rice", "changes": [{"undoes": "\#(Self.id)"}]}"#)
    #expect(
      try adopt(loose, at: at).entity.ledger.entries.map(\.id)
        == ["a7d096b4-583e-5872-94cd-93698f18dfaf"])
  }

  @Test("version 7 ids begin with the moment, and say their version and variant")
  func versionSeven() throws {
    let now = try #require(Instant("2022-02-22T19:22:22Z"))
    let ids = (0..<200).map { _ in Identifier.random(at: now) }
    for id in ids {
      #expect(id.hasPrefix("017f22e2-79b0-7"))
      #expect(Identifier.isUUID(id))
      #expect(["8", "9", "a", "b"].contains(Array(id)[19]))
    }
    #expect(Set(ids).count == ids.count)
    #expect(Identifier.random(at: now) < Identifier.random(at: now.next))
  }

  @Test("the form of a UUID is checked, whatever its version")
  func form() {
    #expect(Identifier.isUUID(Self.id))
    #expect(Identifier.isUUID(Self.id.uppercased()))
    let dashless = Self.id.replacing("-", with: "")
    for text in ["", dashless, Self.id + "0", "{\(Self.id)}", Self.id.replacing("c4", with: "g4")] {
      #expect(!Identifier.isUUID(text))
    }
  }
}

@Suite("Paths and file names")
struct PathTests {
  @Test(
    "the folder says the kind, at any depth",
    arguments: [
      (FilePath("household.json"), Kind?.some(.household)), ("stock/a.json", .stockItem),
      ("stock/dairy/cold/a.json", .stockItem), ("batches/a.json", .inventoryItem),
      ("locations/a.json", .storageLocation), ("products/a.json", .product),
      ("shopping/a.json", .shoppingListEntry), ("receipts/2026/a.json", .receipt),
      ("stock/household.json", .stockItem), ("stock/a.JSON", nil), ("stock/a.json.orig", nil),
      ("stock/README.md", nil), ("a.json", nil), ("Stock/a.json", nil), ("stocks/a.json", nil),
      ("other/stock/a.json", nil), ("/stock/a.json", nil), (".json", nil), ("", nil),
      ("household.json/a.json", nil), ("Household.json", nil), ("stock/.#a.json", nil),
      ("stock/.a.json", .stockItem), ("stock/#a.json", .stockItem),
    ])
  func kinds(_ path: FilePath, _ kind: Kind?) {
    #expect(Kind(path: path) == kind)
  }

  private func path(_ kind: Kind, _ members: String, in household: Household = Household()) throws
    -> FilePath
  {
    household.defaultPath(for: try entity(kind, members))
  }

  @Test("a new file is named for people, with the last six digits of its id")
  func names() throws {
    let id = #""id": "0192f0c4-7c1e-7d3a-9b52-3f6a1c7f3a9c""#
    #expect(try path(.stockItem, #"\#(id), "name": "Oat milk""#) == "stock/oat-milk-7f3a9c.json")
    #expect(
      try path(.receipt, #"\#(id), "shopName": "FairPrice", "timestamp": "2026-11-20T10:00:00Z""#)
        == "receipts/2026-11-20-fairprice-7f3a9c.json")
    #expect(try path(.household, "") == "household.json")
    #expect(try path(.storageLocation, id) == "locations/fridge-7f3a9c.json")
    #expect(
      try path(.shoppingListEntry, #"\#(id), "itemId": null, "name": "Bread""#)
        == "shopping/bread-7f3a9c.json")
    #expect(
      try path(.product, #""id": "ean_4006381333931", "title": "Tea""#)
        == "products/tea-333931.json")
  }

  @Test(
    "names are told without case, accents and signs",
    arguments: [
      ("Crème fraîche", "creme-fraiche"), ("Cre\u{300}me", "creme"),
      ("  Salt & Pepper!  ", "salt-pepper"),
      ("½ Milk", "1-2-milk"), ("牛乳", "牛乳"), ("Ⅷ", "viii"), ("../../etc/passwd", "etc-passwd"),
      ("ﬁsh", "fish"), ("한국", "한국"),
    ])
  func slugs(_ name: String, _ slug: String) throws {
    let found = try path(.storageLocation, #""name": \#(quoted(name))"#)
    #expect(found == "locations/\(slug)-000300.json", "\(found)")
  }

  @Test("a name of signs alone leaves the digits, a long one is cut at forty")
  func extremes() throws {
    #expect(try path(.storageLocation, #""name": "!!!""#) == "locations/000300.json")
    let long = String(repeating: "abcdefghi ", count: 9)
    let found = try path(.storageLocation, #""name": "\#(long)""#)
    #expect(found == "locations/abcdefghi-abcdefghi-abcdefghi-abcdefghi-000300.json")
  }

  @Test("where six digits are taken there are more")
  func moreDigits() throws {
    var household = Household()
    let first = try entity(.storageLocation, #""id": "0192f0c4-7c1e-7d3a-9b52-000000aaaaaa""#)
    household.put(first, at: household.defaultPath(for: first))
    let second = try entity(.storageLocation, #""id": "0192f0c4-7c1e-7d3a-9b52-111111aaaaaa""#)
    #expect(household.defaultPath(for: first) == "locations/fridge-aaaaaa.json")
    #expect(household.defaultPath(for: second) == "locations/fridge-1aaaaaa.json")
    household.put(second, at: "stock/elsewhere.json")
    household.untaken["locations/fridge-1aaaaaa.json"] = FileMistakes([])
    #expect(household.defaultPath(for: second) == "locations/fridge-11aaaaaa.json")
  }

  @Test("a batch and an item's entry are called as the item is")
  func itemsNames() throws {
    let household = household(try item(products: #"["ean_1"]"#))
    #expect(
      household.defaultPath(for: try batch(1, "1", product: "ean_1"))
        == "batches/item-0-000201.json")
    #expect(
      household.defaultPath(for: try entity(.shoppingListEntry))
        == "shopping/item-0-000400.json")
  }

  @Test("an entity that moves leaves its old path free, and what is forgotten is gone")
  func moving() throws {
    var household = Household()
    let place = try entity(.storageLocation)
    household.put(place, at: "locations/a.json")
    household.put(place, at: "locations/b.json")
    #expect(household.paths == ["locations/b.json"])
    #expect(household.key(at: "locations/a.json") == nil)
    #expect(household.path(of: place.key) == "locations/b.json")
    household.forget(path: "locations/b.json")
    #expect(household[place.key] == nil)
    #expect(household.paths.isEmpty)
  }

  private func quoted(_ text: String) -> String {
    String(decoding: JSON.string(text).compact(), as: UTF8.self)
  }
}
