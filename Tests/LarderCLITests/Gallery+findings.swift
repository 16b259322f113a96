import Foundation
import TestSupport

extension Gallery {
  private static func batch(_ number: Int, _ product: String, _ more: String = "") -> String {
    """
    {
      "id": "\(Written.id(number))",
      "productRef": { "productId": "\(product)" }\(more.isEmpty ? "" : ",\n  " + more)
    }

    """
  }

  private static func ledger(_ entries: String...) -> String {
    "\"changes\": [\n    " + entries.joined(separator: ",\n    ") + "\n  ]"
  }

  /// What `check` finds in files that are each right by themselves.
  static let findings = [
    GalleryEntry(
      "check-product-of-two-items", "check",
      files: [
        "stock/milk.json": Written.item(1, "Milk", "\"products\": [\"ean_1\"]"),
        "stock/oat-milk.json": Written.item(2, "Oat milk", "\"products\": [\"ean_2\", \"ean_1\"]"),
      ]),
    GalleryEntry(
      "check-change-does-not-convert", "check",
      files: [
        "stock/milk.json": Written.item(
          1, "Milk",
          ledger(
            Written.change(2, "2026-11-19T08:00:00.000Z", "\"set\": 4, \"why\": \"count\""),
            Written.change(
              3, "2026-11-20T08:00:00.000Z",
              "\"delta\": -1, \"unit\": \"liter\", \"why\": \"consume\"")))
      ]),
    GalleryEntry(
      "check-batch-does-not-convert", "check",
      files: [
        "stock/milk.json": Written.item(1, "Milk"),
        "batches/milk.json": batch(
          2, Written.id(1), "\"quantity\": { \"value\": 1, \"unit\": \"liter\" }"),
      ]),
    GalleryEntry(
      "check-change-after-discard", "check",
      files: [
        "stock/milk.json": Written.item(1, "Milk"),
        "batches/milk.json": batch(
          2, Written.id(1),
          """
          "status": "discarded",
            "createdAt": "2026-11-01T08:00:00.000Z",
            "edited": { "status": "2026-11-10T08:00:00.000Z" },
            \(ledger(Written.change(3, "2026-11-12T08:00:00.000Z", "\"delta\": -1, \"by\": \"phone\"")))
          """),
      ]),
    GalleryEntry(
      "check-ahead-of-the-clock", "check",
      files: [
        "stock/milk.json": Written.item(
          1, "Milk",
          """
          "category": "Dairy",
            "createdAt": "2026-11-01T08:00:00.000Z",
            "edited": { "category": "2027-11-10T08:00:00.000Z" },
            \(ledger(Written.change(3, "2028-01-12T08:00:00.000Z", "\"set\": 1")))
          """)
      ]),
    GalleryEntry(
      "check-request-served-twice", "check",
      files: [
        "stock/milk.json": Written.item(
          1, "Milk",
          ledger(
            Written.change(
              3, "2026-11-19T08:00:00.000Z", "\"delta\": 1, \"by\": \"phone\", \"request\": \"r-7\""
            ))),
        "batches/milk.json": batch(
          2, Written.id(1),
          ledger(
            Written.change(
              4, "2026-11-20T08:00:00.000Z",
              "\"delta\": 1, \"by\": \"laptop\", \"request\": \"r-7\""))),
      ]),
    GalleryEntry(
      "check-other-household", "check",
      files: [
        "locations/fridge.json":
          "{\n  \"name\": \"Fridge\",\n  \"householdId\": \"\(Written.id(9))\"\n}\n"
      ]),
    GalleryEntry(
      "check-unknown-item", "check",
      files: [
        "shopping/milk.json": "{ \"itemId\": \"\(Written.id(1))\" }\n",
        "receipts/a.json": """
        {
          "shopName": "Corner shop",
          "items": [
            { "itemName": "Milk", "quantity": 1, "itemId": "\(Written.id(1))" }
          ]
        }

        """,
      ]),
    GalleryEntry(
      "check-unknown-place", "check",
      files: [
        "stock/milk.json": Written.item(1, "Milk"),
        "batches/milk.json": batch(2, Written.id(1), "\"storageLocationId\": \"\(Written.id(5))\""),
      ]),
    GalleryEntry("check-receipt-before-its-item", "check") { fixture in
      try fixture.write(
        """
        {
          "shopName": "Corner shop",
          "items": [
            { "itemName": "Tea", "quantity": 2 },
            { "id": "\(Written.id(7))", "itemName": "Milk", "quantity": 3, "itemId": "\(Written.id(1))" }
          ]
        }

        """, to: "receipts/a.json")
      _ = try fixture("adopt")
      try fixture.write(Written.item(1, "Milk", "\"unit\": \"liter\""), to: "stock/milk.json")
    },
    GalleryEntry("check-receipt-corrected-twice", "check") { fixture in
      try fixture.write(Written.item(1, "Milk"), to: "stock/milk.json")
      try fixture.write(
        """
        {
          "shopName": "Corner shop",
          "items": [
            { "id": "\(Written.id(7))", "itemName": "Milk", "quantity": 2, "itemId": "\(Written.id(1))" }
          ]
        }

        """, to: "receipts/a.json")
      try fixture.addOrigin()
      _ = try fixture("sync")
      try fixture.join("phone")
      _ = try fixture("receipt", "edit", "corner", "--line", "Milk=3")
      var phone = fixture.larder
      phone.now = "2026-11-21T12:01:00Z"
      phone.device = "phone"
      _ = try phone("receipt", "edit", "corner", "--line", "Milk=5", in: "home/phone")
      _ = try phone("sync", in: "home/phone")
      _ = try fixture("sync")
    },
    GalleryEntry(
      "check-wrong-check-digit", "check",
      files: [
        "products/milk.json": """
        {
          "id": "ean_5032987400111",
          "title": "Whole Milk",
          "barcodes": [
            "5032987400110",
            "036000291453",
            "shelf 7"
          ]
        }

        """,
        "products/old.json": """
        { "id": "ean_5032987400119", "title": "Old Milk", "isArchived": true }

        """,
      ]),
    GalleryEntry("check-unknown-product", "check", files: ["batches/milk.json": batch(2, "ean_1")]),
    GalleryEntry(
      "check-old-version-written", "check",
      files: ["stock/milk.json": Written.item(1, "Milk", "\"category\": \"Dairy\"")]
    ) { fixture in
      _ = try fixture("adopt")
      let old = try fixture.read("stock/milk.json")
      var later = fixture.larder
      later.now = "2026-11-21T13:00:00Z"
      try fixture.write(old.replacing("Dairy", with: "Drinks"), to: "stock/milk.json")
      _ = try later("adopt", in: "home/nest")
      try fixture.write(old, to: "stock/milk.json")
    },
  ]
}
