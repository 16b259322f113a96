import Foundation
import LarderJSON
import LarderModel
import LarderText
import Testing
import TestSupport

@Suite("The JSON Schemas")
struct JSONSchemaTests {
  /// `UPDATE_GOLDEN=1` writes the files anew.
  @Test("the files of schema/ are what the table of fields gives", arguments: Kind.allCases)
  func committed(kind: Kind) throws {
    let file = Checkout.root.appending(path: "schema/\(JSONSchema.fileName(of: kind))")
    let generated = JSONSchema.of(kind).writeFile()
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
      try Data(generated).write(to: file)
    }
    let committed = try Data(contentsOf: file)
    #expect(
      String(decoding: committed, as: UTF8.self) == String(decoding: generated, as: UTF8.self))
  }

  @Test("every kind has a file and no other file lies there")
  func names() throws {
    let names = try FileManager.default.contentsOfDirectory(
      atPath: Checkout.root.appending(path: "schema").path())
    #expect(
      names.sorted() == [
        "household.json", "inventory-item.json", "product.json", "receipt.json",
        "shopping-list-entry.json", "stock-item.json", "storage-location.json",
      ])
  }

  @Test("every file of the sample household satisfies its kind's schema")
  func sample() throws {
    for (path, bytes) in try Checkout.jsonFiles(in: Checkout.sample) {
      let kind = try #require(Kind(path: path))
      let mistakes = SchemaValidator.mistakes(
        in: try JSON(parsing: bytes), against: JSONSchema.of(kind))
      #expect(mistakes == [], "\(path)")
    }
  }

  @Test(
    "what people write satisfies both the schema and the reader",
    arguments: [
      (Kind.stockItem, #"{"name": "Soy milk", "quantityInStock": 2}"#),
      (.stockItem, #"{"name": "Tea", "changes": [{"set": 2}, {"delta": -1, "why": "consume"}]}"#),
      (.stockItem, #"{"$schema": "../schema/stock-item.json", "name": "Tea", "shelf": [1, null]}"#),
      (.inventoryItem, #"{"productRef": {"productId": "x"}, "expiryInfo": {"kind": "useBy"}}"#),
      (.shoppingListEntry, #"{"name": "Candles"}"#),
      (.receipt, #"{"shopName": "Corner shop", "timestamp": "2026-11-20 18:00:00+01:00"}"#),
      (.household, #"{"name": "Home"}"#), (.product, #"{"title": "Tea"}"#),
      (.storageLocation, #"{"name": "Fridge"}"#),
    ])
  func handWritten(kind: Kind, text: String) throws {
    let json = try JSON(parsing: Array(text.utf8))
    #expect(SchemaValidator.mistakes(in: json, against: JSONSchema.of(kind)) == [])
    #expect(throws: Never.self) { try EntityFile(kind, parsing: Array(text.utf8)) }
  }

  @Test(
    "what breaks the schema is refused by the reader too",
    arguments: [
      (Kind.stockItem, #"{"quantityInStock": 2}"#), (.stockItem, #"{"name": ""}"#),
      (.stockItem, #"[]"#), (.stockItem, #"{"name": "Tea", "unit": "fl oz"}"#),
      (.stockItem, #"{"name": "Tea", "id": "tea"}"#),
      (.stockItem, #"{"name": "Tea", "quantityFullStock": -1}"#),
      (.stockItem, #"{"name": "Tea", "quantityInStock": "2"}"#),
      (.stockItem, #"{"name": "Tea", "isArchived": 1}"#),
      (.stockItem, #"{"name": "Tea", "products": [""]}"#),
      (.stockItem, #"{"name": "Tea", "edited": {"name": "yesterday"}}"#),
      (.stockItem, #"{"name": "Tea", "createdAt": "2026-11-20"}"#),
      (.stockItem, #"{"name": "Tea", "changes": [{"why": "add"}]}"#),
      (.stockItem, #"{"name": "Tea", "changes": [{"set": 1, "delta": 1}]}"#),
      (.stockItem, #"{"name": "Tea", "changes": [{"set": 1, "why": "gift"}]}"#),
      (.stockItem, #"{"name": "Tea", "changes": {}}"#),
      (.inventoryItem, #"{"quantity": {"value": 1}}"#),
      (.inventoryItem, #"{"productRef": {}}"#),
      (.inventoryItem, #"{"productRef": {"productId": "x"}, "status": "eaten"}"#),
      (.inventoryItem, #"{"productRef": {"productId": "x"}, "expiryInfo": {}}"#),
      (
        .inventoryItem,
        #"{"productRef": {"productId": "x"}, "expiryInfo": {"kind": "useBy", "confidence": 2}}"#
      ),
      (
        .inventoryItem,
        #"{"productRef": {"productId": "x"}, "expiryInfo": {"kind": "useBy", "isoDate": "soon"}}"#
      ),
      (.shoppingListEntry, #"{"desiredQuantity": 1}"#),
      (.receipt, #"{"shopName": "Corner shop", "items": [{"itemName": "Tea"}]}"#),
      (.receipt, #"{"shopName": "Corner shop", "currency": "pounds"}"#),
      (.household, #"{"name": "Home", "expiringWithinDays": 1.5}"#),
      (.household, #"{"name": "Home", "timeZone": "Middle Earth"}"#),
      (.household, #"{"name": "Home", "format": 0}"#),
      (.product, #"{"title": "Tea", "bestAfterOpeningDays": 40000}"#),
    ])
  func bad(kind: Kind, text: String) throws {
    let json = try JSON(parsing: Array(text.utf8))
    #expect(SchemaValidator.mistakes(in: json, against: JSONSchema.of(kind)) != [])
    #expect(throws: FileMistakes.self) { try EntityFile(kind, parsing: Array(text.utf8)) }
  }
}
