import TestSupport

extension Gallery {
  /// What goes wrong with locations, products and barcodes.
  static let catalogue = [
    daily("second-location", "location", "new", "FRIDGE"),
    daily("unknown-location", "location", "edit", "frigde", "--cold", "yes"),
    daily("unknown-barcode", "stock", "use", "4006381333931"),
    daily("mistyped-barcode", "stock", "use", "4006381333932"),
    daily("mistyped-product", "stock", "edit", "oat milk", "--product", "4006381333932"),
    daily("barcode-of-no-item", "stock", "use", "036000291452") { fixture in
      try fixture.write(
        "{ \"id\": \"ean_0036000291452\", \"title\": \"Oat Drink\" }\n", to: "products/oat.json")
    },
    daily("barcode-of-archived-item", "stock", "use", "4006381333931") { fixture in
      _ = try fixture("stock", "restore", "flour")
      _ = try fixture("stock", "edit", "flour", "--product", "4006381333931")
      _ = try fixture("stock", "archive", "flour")
    },
    daily("product-without-title", "product", "new", "4006381333931"),
    daily("mistyped-new-product", "product", "new", "4006381333932", "--title", "Oat Drink"),
    daily("second-product", "product", "new", "04006381333931", "--title", "Soy Drink") { fixture in
      _ = try fixture("product", "new", "4006381333931", "--title", "Oat Drink")
    },
    daily(
      "product-of-another-item", "product", "new", "4006381333931", "--title", "Oat Drink",
      "--item", "soy milk"
    ) { fixture in
      _ = try fixture("stock", "edit", "oat milk", "--product", "4006381333931")
    },
    daily("unknown-product", "product", "show", "oat drnik") { fixture in
      _ = try fixture("product", "new", "4006381333931", "--title", "Oat Drink")
    },
  ]
}
