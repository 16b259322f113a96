import Foundation
import TestSupport

extension Gallery {
  private static func syntax(_ name: String, _ text: String) -> GalleryEntry {
    GalleryEntry("syntax-\(name)", "check", files: ["stock/milk.json": text])
  }

  /// Files that are no JSON, or none that the format allows.
  static let syntax = [
    syntax("trailing-comma", "{\n  \"name\": \"Milk\",\n}\n"),
    syntax("missing-comma", "{\n  \"name\": \"Milk\"\n  \"category\": \"Dairy\"\n}\n"),
    syntax("missing-colon", "{\n  \"name\" \"Milk\"\n}\n"),
    syntax("missing-value", "{\n  \"name\": ,\n  \"category\": \"Dairy\"\n}\n"),
    syntax("single-quotes", "{\n  'name': 'Milk'\n}\n"),
    syntax("open-string", "{\n  \"name\": \"Milk\n}\n"),
    syntax("cut-off", "{\n  \"name\": \"Milk\",\n  \"products\": [\n"),
    syntax("empty", ""),
    syntax("two-values", "{ \"name\": \"Milk\" }\n{ \"name\": \"Bread\" }\n"),
    syntax("duplicate-key", "{\n  \"name\": \"Milk\",\n  \"name\": \"Bread\"\n}\n"),
    syntax("number", "{ \"name\": \"Milk\", \"quantityInStock\": 01.5 }\n"),
    syntax("exponent", "{ \"name\": \"Milk\", \"quantityInStock\": 1e9999 }\n"),
    syntax("escape", "{ \"name\": \"Milk \\x41\" }\n"),
    syntax("surrogate", "{ \"name\": \"Milk \\ud83e\" }\n"),
    syntax("control-character", "{ \"name\": \"Milk\u{1}\" }\n"),
    syntax("null-character", "{ \"name\": \"Milk \\u0000\" }\n"),
    syntax("byte-order-mark", "\u{FEFF}{ \"name\": \"Milk\" }\n"),
    syntax(
      "too-deep", String(repeating: "[", count: 70) + String(repeating: "]", count: 70) + "\n"),
    syntax(
      "conflict-markers",
      """
      {
      <<<<<<< HEAD
        "name": "Milk"
      =======
        "name": "Oat milk"
      >>>>>>> side
      }

      """),
    GalleryEntry("syntax-no-utf8", "check") { fixture in
      try fixture.write("", to: "stock/milk.json")
      let bytes = Array("{ \"name\": \"Cr".utf8) + [0xE8] + Array("me\" }\n".utf8)
      try Data(bytes).write(to: URL(filePath: fixture.root + "/stock/milk.json"))
    },
    GalleryEntry("file-too-large", "check") { fixture in
      try fixture.write(String(repeating: " ", count: 16 << 20) + "{}\n", to: "stock/milk.json")
    },
    GalleryEntry("file-same-id", "check") { fixture in
      let whole = "\"userId\": \"\(Written.id(7))\", \"createdAt\": \"2026-11-01T08:00:00.000Z\""
      try fixture.write(Written.item(1, "Milk", whole), to: "stock/a.json")
      try fixture.write(Written.item(1, "Oat milk", whole), to: "stock/b.json")
      try fixture.git("add", "stock")
      try fixture.git("commit", "-qm", "two of one id\n\nLarder-Command: test")
    },
    GalleryEntry("file-incomplete", "check") { fixture in
      try fixture.write(Written.item(1, "Milk"), to: "stock/a.json")
      try fixture.git("add", "stock")
      try fixture.git("commit", "-qm", "without times\n\nLarder-Command: test")
    },
    GalleryEntry("file-link", "check") { fixture in
      try fixture.write("{ \"name\": \"Milk\" }\n", to: "milk.txt")
      try FileManager.default.createDirectory(
        atPath: fixture.root + "/stock", withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: fixture.root + "/stock/milk.json", withDestinationPath: "../milk.txt")
    },
  ]

  private static func content(_ name: String, _ path: String, _ text: String) -> GalleryEntry {
    GalleryEntry("content-\(name)", "check", files: [path: text + "\n"])
  }

  /// Files that are JSON, but describe nothing that the format knows.
  static let content = [
    content("no-object", "stock/milk.json", "[]"),
    content(
      "wrong-type", "stock/milk.json", Written.item(1, "Milk", "\"quantityFullStock\": \"six\"")),
    content("below-zero", "stock/milk.json", Written.item(1, "Milk", "\"quantityFullStock\": -1")),
    content(
      "too-many-digits", "stock/milk.json",
      Written.item(1, "Milk", "\"quantityInStock\": 1.2345678")),
    content("unit-multiple", "stock/syrup.json", Written.item(1, "Syrup", "\"unit\": \"cl\"")),
    content("no-unit", "stock/milk.json", Written.item(1, "Milk", "\"unit\": \"fl oz\"")),
    content("no-name", "stock/milk.json", "{ \"category\": \"Dairy\" }"),
    content("no-uuid", "stock/milk.json", "{ \"id\": \"milk\", \"name\": \"Milk\" }"),
    content(
      "no-instant", "stock/milk.json", Written.item(1, "Milk", "\"createdAt\": \"yesterday\"")),
    content(
      "no-such-day", "batches/milk.json",
      """
      {
        "productRef": { "productId": "\(Written.id(1))" },
        "expiryInfo": { "kind": "useBy", "isoDate": "2026-02-30" }
      }
      """),
    content(
      "no-date-kind", "batches/milk.json",
      """
      {
        "productRef": { "productId": "\(Written.id(1))" },
        "expiryInfo": { "isoDate": "2026-02-28" }
      }
      """),
    content("no-product", "batches/milk.json", "{ \"quantity\": { \"value\": 1 } }"),
    content("names-nothing", "shopping/milk.json", "{ \"desiredQuantity\": 2 }"),
    content("no-shop", "receipts/a.json", "{ \"items\": [{ \"itemName\": \"Milk\" }] }"),
    content(
      "two-events", "stock/milk.json",
      Written.item(
        1, "Milk",
        "\"changes\": [\n    "
          + Written.change(2, "2026-11-20T08:00:00.000Z", "\"set\": 4, \"delta\": 1") + "\n  ]")),
    content(
      "no-event", "stock/milk.json",
      Written.item(
        1, "Milk",
        "\"changes\": [\n    " + Written.change(2, "2026-11-20T08:00:00.000Z", "\"why\": \"add\"")
          + "\n  ]")),
    GalleryEntry(
      "content-unit-of-ledger", "check",
      files: [
        "stock/milk.json": Written.item(1, "Milk", "\"unit\": \"liter\",\n  \"quantityInStock\": 2")
      ]
    ) { fixture in
      _ = try fixture("adopt")
      let text = try fixture.read("stock/milk.json")
      try fixture.write(
        text.replacing("\"unit\": \"liter\",\n  \"quan", with: "\"unit\": \"gram\",\n  \"quan"),
        to: "stock/milk.json")
    },
    GalleryEntry(
      "content-everything-at-once", "check",
      files: [
        "stock/milk.json": Written.item(
          1, "", "\"unit\": \"a jug\",\n  \"quantityFullStock\": \"6\""),
        "stock/bread.json": "{ \"name\": \"Bread\", }\n",
        "locations/fridge.json": "{ \"name\": 4, \"isColdStorage\": \"yes\" }\n",
      ]),
    GalleryEntry(
      "content-everything-at-once-json", "check", "--json",
      files: [
        "stock/milk.json": Written.item(
          1, "", "\"unit\": \"a jug\",\n  \"quantityFullStock\": \"6\""),
        "stock/bread.json": "{ \"name\": \"Bread\", }\n",
      ]),
  ]
}
