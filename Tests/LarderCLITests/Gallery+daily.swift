import Foundation
import TestSupport

extension Gallery {
  private static let shelf = [
    "stock/milk.json": Written.item(
      1, "Oat milk", "\"unit\": \"liter\",\n  \"quantityLoose\": 2,\n  \"quantityFullStock\": 6"),
    "stock/soy.json": Written.item(2, "Soy milk", "\"quantityInStock\": 1"),
    "stock/flour.json": Written.item(3, "Flour", "\"unit\": \"gram\",\n  \"isArchived\": true"),
    "locations/fridge.json": "{ \"name\": \"Fridge\" }\n",
    "shopping/bread.json": "{ \"name\": \"Bread\" }\n",
  ]

  static func daily(
    _ name: String, _ words: String...,
    prepare: @escaping @Sendable (HouseholdFixture) throws -> Void = { _ in }
  ) -> GalleryEntry {
    var entry = GalleryEntry("daily-\(name)", files: shelf, prepare: prepare)
    entry.words = words
    return entry
  }

  /// A batch of one litre and a later one of two.
  private static func twoBatches(_ fixture: HouseholdFixture) throws {
    for (name, day, amount) in [("early", "2026-11-28", 1), ("late", "2026-12-01", 2)] {
      try fixture.write(
        """
        {
          "productRef": { "productId": "\(Written.id(1))" },
          "quantity": { "value": \(amount), "unit": "liter" },
          "expiryInfo": { "kind": "expiry", "isoDate": "\(day)" }
        }

        """, to: "batches/\(name).json")
    }
    _ = try fixture("adopt")
  }

  /// What goes wrong day by day: with the stock, the shopping list and receipts.
  static let daily = [
    daily("ambiguous-item", "stock", "use", "milk"),
    daily("ambiguous-item-json", "stock", "use", "milk", "--json"),
    daily("unknown-item", "stock", "use", "oat mlik"),
    daily("archived-item", "stock", "use", "flour"),
    daily("not-enough", "stock", "use", "oat milk", "5"),
    daily("none-left", "stock", "use", "soy milk") { fixture in
      _ = try fixture("stock", "use", "soy milk")
    },
    daily("units", "stock", "use", "oat milk", "1", "--unit", "kg"),
    daily("zero", "stock", "put", "oat milk", "0"),
    daily("no-number", "stock", "put", "oat milk", "lots"),
    daily("too-many-digits", "stock", "put", "oat milk", "1.23456789"),
    daily(
      "no-day", "receipt", "save", "--shop", "Corner shop", "--line", "oat milk=1", "--expiry",
      "oat milk=someday"),
    daily("batch-of-two", "stock", "move", "oat milk", "fridge", prepare: twoBatches),
    daily(
      "batch-unknown", "stock", "use", "oat milk", "--batch", "cellar", prepare: twoBatches),
    daily(
      "batch-more-than-there-is", "stock", "move", "2026-12-01", "fridge", "9", prepare: twoBatches),
    daily("batch-used-up", "stock", "move", "batches/early.json", "fridge") { fixture in
      try twoBatches(fixture)
      _ = try fixture("stock", "use", "oat milk", "1")
    },
    daily(
      "batch-changed-since", "stock", "edit", "oat milk", "--batch", "2026-12-01", "--lot", "L7",
      "--unchanged-since", "2026-11-01T00:00:00Z", prepare: twoBatches),
    daily("batch-open-already", "stock", "open", "oat milk", "--batch", "2026-12-01") { fixture in
      try twoBatches(fixture)
      _ = try fixture("stock", "open", "oat milk", "2", "--batch", "2026-12-01")
    },
    daily(
      "batch-opened-late", "stock", "edit", "oat milk", "--batch", "2026-12-01", "--opened",
      "2026-12-02", "--strict", prepare: twoBatches),
    daily(
      "batch-confidence", "stock", "put", "oat milk", "1", "--expiry", "fri", "--confidence", "2"),
    daily("batch-no-day", "stock", "put", "oat milk", "1", "--expiry", "2026-02-30"),
    daily("batch-empty-text", "stock", "put", "oat milk", "1", "--location", "", "--lot", "  "),
    daily("batch-notes-alone", "stock", "put", "oat milk", "1", "--notes", "for the cake"),
    daily("batch-two-days", "stock", "put", "oat milk", "1", "--expiry", "fri", "--use-by", "sat"),
    daily("batch-no-place", "stock", "put", "oat milk", "1", "--location", "frigde"),
    daily("batch-place-of-others", "stock", "put", "oat milk", "1", "--location", "lodge") {
      fixture in
      try fixture.write(
        "{ \"name\": \"Lodge\", \"householdId\": \"\(Written.id(99))\" }\n",
        to: "locations/lodge.json")
    },
    daily("batch-other-unit", "stock", "put", "oat milk", "1kg", "--expiry", "fri"),
    daily("merge-units", "stock", "merge", "oat milk", "soy milk"),
    daily("unknown-verb", "stock", "cuont", "oat milk"),
    daily("unknown-entry", "shop", "got", "braed"),
    daily("nothing-to-save", "receipt", "save", "--shop", "Corner shop"),
    daily("unknown-receipt", "receipt", "show", "corner"),
    daily("receipt-shop-as-entry", "receipt", "save", "Corner shop", "12,40", "--line", "bread=2"),
    daily(
      "receipt-below-zero", "receipt", "save", "--shop", "S", "--line", "tea", "--amount", "-2"),
    daily(
      "receipt-amount-differs", "receipt", "save", "--shop", "S", "--line", "tea@2", "--amount",
      "2.50", "--strict"),
    daily(
      "receipt-several-mistakes", "receipt", "save", "--shop", "S", "--line", "oat milk=1kg",
      "--line", "milk=2", "--line", "tea=0"),
    daily("receipt-read-differs", "receipt", "read", "../receipt.txt") { fixture in
      try fixture.write(
        """
        Corner
        20.11.2026 9:00
        TEA 2 x 1,50    3,50
        MILK            1,20
        TOTAL           4,20

        """, to: "../receipt.txt")
    },
    daily("receipt-read-nothing", "receipt", "read", "../receipt.txt") { fixture in
      try fixture.write("hello\n", to: "../receipt.txt")
    },
    daily("receipt-read-missing", "receipt", "read", "nothing.pdf"),
    daily("receipt-line-missing", "receipt", "edit", "s", "--line", "jam=0") { fixture in
      _ = try fixture("receipt", "save", "--shop", "S", "--line", "tea")
    },
    daily("receipt-lines-alike", "receipt", "edit", "s", "--line", "tea=2") { fixture in
      _ = try fixture(
        "receipt", "save", "--shop", "S", "--line", "green tea=2", "--line", "black tea")
    },
    daily("unreadable-item", "stock", "use", "tea") { fixture in
      try fixture.write("{ \"name\": \"Tea\", }\n", to: "stock/tea.json")
    },
  ]
}
