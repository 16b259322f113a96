import LarderJSON
import LarderModel
import TestSupport
import Testing

/// The mistakes of a file, as `line:column path: what`, easy to compare.
private func told(_ kind: Kind, _ text: String) -> [String] {
  do throws(FileMistakes) {
    _ = try EntityFile(kind, parsing: Array(expanded(text).utf8))
    return []
  } catch {
    return error.all.map { mistake in
      switch mistake {
      case .syntax(let syntax):
        "\(syntax.position.line):\(syntax.position.column) syntax"
      case .content(let problem, let place):
        "\(place.line):\(place.column) \(way(problem.path)): \(summary(problem.kind))"
      default: "\(mistake)"
      }
    }
  }
}

private func way(_ path: [JSONStep]) -> String {
  path.map { step in
    switch step {
    case .key(let key): key
    case .index(let index): "\(index)"
    }
  }
  .joined(separator: ".")
}

private func summary(_ kind: EntityProblem.Kind) -> String {
  switch kind {
  case .unexpected(let found, let expected): "\(found), not \(expected)"
  case .notAmong(let found, let choices): "\(found), not one of \(choices.joined(separator: ", "))"
  case .missing(let name, let expected): "no \(name), \(expected)"
  case .ambiguousChange: "ambiguous"
  case .namesNothing: "names nothing"
  case .unitMismatch(let written, let ledger): "\(written) over \(ledger)"
  case .tooMany(let found, let most): "\(found), not \(most)"
  case .newerFormat(let format): "format \(format)"
  }
}

@Suite("Mistakes in files, each with its place")
struct MistakeTests {
  @Test("several mistakes of one file are all told")
  func several() {
    let text = """
      {
        "id": "x",
        "createdAt": "yesterday",
        "quantityInStock": "two",
        "unit": "fl oz",
        "isArchived": 0,
        "products": ["ean_1", "", 7],
        "edited": {"name": 1},
        "changes": [
          {"delta": 1},
          {"delta": 1, "set": 2},
          {"delta": 1, "why": "because"}
        ]
      }
      """
    let found = told(.stockItem, text)
    #expect(
      Set(found)
        == [
          #"2:9 id: "x", not a UUID"#,
          #"3:16 createdAt: "yesterday", not an instant like 2026-11-03T19:12:44.120Z"#,
          #"4:22 quantityInStock: "two", not a number (15 digits at most, six of them decimals)"#,
          #"""
          5:11 unit: "fl oz", not piece, gram, kilogram, milliliter, liter, pack, or another word of \#
          1 to 24 letters
          """#,
          "6:17 isArchived: 0, not true or false",
          #"7:25 products.1: "", not a text that is not empty"#,
          "7:29 products.2: 7, not a text that is not empty",
          "8:22 edited.name: 1, not an instant like 2026-11-03T19:12:44.120Z",
          "11:5 changes.1: ambiguous",
          #"""
          12:25 changes.2.why: "because", not one of add, receipt, consume, count, spoil, move, \#
          undo, edit
          """#,
          "1:1 : no name, a text that is not empty",
        ])
    #expect(found.count == 11)
  }

  @Test(
    "each sort of value is checked",
    arguments: [
      (Kind.household, #""name": "H", "format": 0"#, "the version of the format, 1"),
      (.household, #""name": "H", "format": 1.5"#, "the version of the format, 1"),
      (.household, #""name": "H", "timeZone": "Europe London""#, "a time zone like Europe/London"),
      (.household, #""name": "H", "currency": "eur""#, "a currency code like EUR"),
      (.household, #""name": "H", "expiringWithinDays": 1.5"#, "a whole number of days"),
      (.household, #""name": "H", "expiringWithinDays": 36501"#, "a whole number of days"),
      (.household, #""name": """#, "a text that is not empty"),
      (.stockItem, #""name": 5"#, "a text that is not empty"),
      (
        .stockItem, #""name": "R", "quantityFullStock": -1"#,
        "a number from 0 on (15 digits at most, six of them decimals)"
      ),
      (
        .stockItem, #""name": "R", "quantityInStock": 0.0000001"#,
        "a number (15 digits at most, six of them decimals)"
      ),
      (.stockItem, #""name": "R", "products": "ean_1""#, "a list"),
      (.stockItem, #""name": "R", "changes": {}"#, "a list"),
      (.stockItem, #""name": "R", "changes": [1]"#, "an object"),
      (.stockItem, #""name": "R", "edited": []"#, "an object"),
      (.inventoryItem, #""productRef": "ean_1""#, "an object"),
      (.inventoryItem, #""productRef": {"productId": ""}"#, "a text that is not empty"),
      (
        .inventoryItem, #""productRef": {"productId": "p"}, "status": "gone""#,
        "one of active, consumed, discarded, archived"
      ),
      (
        .inventoryItem,
        #""productRef": {"productId": "p"}, "expiryInfo": {"kind": "expiry", "isoDate": "soon"}"#,
        "a day like 2026-11-03"
      ),
      (
        .inventoryItem,
        #""productRef": {"productId": "p"}, "openedInfo": {"kind": "opened", "confidence": 1.1}"#,
        "a number from 0 to 1"
      ),
      (
        .receipt, #""shopName": "F", "items": [{"itemName": "M", "quantity": 1, "itemId": "m"}]"#,
        "a UUID"
      ),
      (
        .receipt, #""shopName": "F", "timestamp": "2026-11-20""#,
        "an instant like 2026-11-03T19:12:44.120Z"
      ),
      (.storageLocation, #""name": "F", "isColdStorage": "yes""#, "true or false"),
    ])
  func values(_ kind: Kind, _ members: String, _ expected: String) {
    let found = told(kind, "{\(members)}")
    #expect(found.count == 1)
    #expect(found.first?.hasSuffix("not \(expected)") ?? false, "\(found)")
  }

  @Test("what is missing is told where it should be")
  func missing() {
    #expect(told(.stockItem, "{}") == ["1:1 : no name, a text that is not empty"])
    #expect(told(.stockItem, #"{"name": null}"#) == ["1:1 : no name, a text that is not empty"])
    #expect(told(.inventoryItem, "{}") == ["1:1 : no productRef, an object"])
    #expect(
      told(.inventoryItem, #"{"productRef": {}}"#)
        == ["1:16 productRef: no productId, a text that is not empty"])
    #expect(
      told(.receipt, #"{"shopName": "F", "items": [{"quantity": 1}, {"itemName": "M"}]}"#)
        == [
          "1:29 items.0: no itemName, a text that is not empty",
          "1:46 items.1: no quantity, a number from 0 on (15 digits at most, six of them decimals)",
        ])
    #expect(told(.shoppingListEntry, "{}") == ["1:1 : names nothing"])
    #expect(told(.shoppingListEntry, #"{"name": "Bread"}"#).isEmpty)
    #expect(told(.shoppingListEntry, #"{"itemId": #100}"#).isEmpty)
  }

  @Test("a change says exactly one of set, delta and undoes")
  func ambiguous() {
    for change in [
      "{}", #"{"note": "x"}"#, #"{"set": 1, "delta": 1}"#, #"{"set": 1, "undoes": #9}"#,
    ] {
      #expect(
        told(.stockItem, #"{"name": "R", "changes": [\#(change)]}"#)
          == ["1:27 changes.0: ambiguous"])
    }
  }

  @Test("a file that is no object, and one that is no JSON")
  func noObject() {
    #expect(told(.stockItem, "[]") == ["1:1 : a list, not an object"])
    #expect(told(.stockItem, "7") == ["1:1 : 7, not an object"])
    #expect(told(.stockItem, #"{"name": "R",}"#).first?.hasSuffix("syntax") ?? false)
    #expect(told(.stockItem, "").first?.hasSuffix("syntax") ?? false)
  }

  @Test("a long value is quoted in part")
  func longValue() {
    let long = String(repeating: "a", count: 90)
    let found = told(.storageLocation, #"{"name": "F", "isColdStorage": "\#(long)"}"#)
    #expect(
      found == ["1:32 isColdStorage: \"\(String(repeating: "a", count: 38))…, not true or false"])
  }

  @Test("ids in capitals, other instants and numbers are rewritten, unknown keys are not judged")
  func rewritten() throws {
    let file = try rawFile(
      .stockItem,
      #"""
      {"id": "0192F0C4-7C1E-7D3A-9B52-3F6A1C7F3A9C", "name": "R", "quantityFullStock": 1.50,
       "createdAt": "2026-11-03T19:12:44+08:00", "isDeleted": 5, "z": {"b": null, "a": 1e2}}
      """#)
    #expect(file.id == "0192f0c4-7c1e-7d3a-9b52-3f6a1c7f3a9c")
    #expect(file.createdAt?.description == "2026-11-03T11:12:44.000Z")
    #expect(file["quantityFullStock"] == .number("1.5"))
    #expect(file["isDeleted"] == .number("5"))
    #expect(file["z"] == .object([JSONMember("a", .number("100"))]))
  }

  @Test("edited drops what is no register and what says nothing, and keeps removals")
  func edited() throws {
    let entity = try entity(
      .stockItem,
      #"""
      "updatedAt": @2, "edited": {
        "id": @2, "changes": @2, "quantityInStock": @2, "updatedAt": @2, "name": @1,
        "category": @1, "isArchived": @2, "zzz": @1
      }
      """#)
    #expect(
      entity.json["edited"]
        == .object(
          [("category", 1), ("isArchived", 2), ("zzz", 1)].map {
            JSONMember($0.0, .string(moment($0.1).description))
          }))
  }
}
