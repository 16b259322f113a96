import LarderModel

/// `larder product`: the products behind barcodes.
enum ProductCommand {
  static let product = Argument(
    "PRODUCT", values: .named(.all(.product)),
    help: "a product's title, with or without its brand, a part of it, a barcode, its file or id")
  static let products = Argument(
    "PRODUCT", .oneOrMore, values: .named(.all(.product)),
    help: "products' titles, with or without brands, parts of them, barcodes, files or ids")

  static let command = Command(
    "product", summary: "Products by their barcodes, and the items they count as",
    discussion: """
      A product is one brand's package. Several products may count as one item of the stock; you \
      can then name the item by their barcodes. Without a verb, 'larder product' lists them.
      """,
    group: "Household",
    examples: [
      Example("larder product"),
      Example(
        "larder product new 5032987400110 --title 'Whole Milk' --pack-size 2l --item milk"),
      Example("larder product show 5032987400110"),
    ],
    parts: [
      .init("list") { ProductList.list },
      .init("show") { ProductShow.command },
      .init("new") { ProductNew.command.withDryRun },
      .init("edit") { ProductEdit.command.withDryRun },
      .init("archive") { ProductArchive.archive.withDryRun },
      .init("restore") { ProductArchive.restore.withDryRun },
    ], defaultSubcommand: "list")
}
