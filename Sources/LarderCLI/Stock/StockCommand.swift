import LarderModel

/// `larder stock`: the items, their quantities and changes.
enum StockCommand {
  static let item = Argument(
    "ITEM", values: .named(.item),
    help: "an item's name or a part of it, a barcode, its file or id")
  static let items = Argument(
    "ITEM", .oneOrMore, values: .named(.item),
    help: "items' names or parts of them, barcodes, files or ids")
  static let things = Argument(
    "THING [AMOUNT]", .oneOrMore, values: .named(.item),
    help: """
      items, each with how much: flour 200g, 3 eggs, milk 1/4l, bread all; a comma or quotes keep \
      names apart; - reads lines from standard input, also rows of lists with --plain; 'milk 2026-12-01' is a batch by its day, lot \
      code or location
      """)
  static let unit = Option(
    "unit", short: "u", value: "U", help: "the unit of the quantity: \(Unit.choices)")

  static let request = Option(
    "request-id", value: "R",
    help: "an id of your choice; a request with the same id is done only once")

  static let command = Command(
    "stock", summary: "What is in stock, and what comes and goes",
    discussion: """
      An item is something you keep, with its current quantity and the quantity that there should \
      be. Without a verb, 'larder stock' lists the items.
      """,
    group: "Household",
    examples: [
      Example("larder stock", "what there is"),
      Example("larder stock new 'Oat milk' --unit l --full 6 --in-stock 3"),
      Example("larder stock use 'oat milk' 0.5", "used half a litre"),
    ],
    parts: [
      .init("list") { StockList.list },
      .init("new") { StockNew.command.withDryRun },
      .init("show") { StockShow.command },
      .init("edit") { StockEdit.command.withDryRun },
      .init("archive") { StockArchive.archive.withDryRun },
      .init("restore") { StockArchive.restore.withDryRun },
      .init("merge") { StockMerge.command.withDryRun },
      .init("put") { StockAdd.command.withDryRun },
      .init("use") { StockQuantities.use.withDryRun },
      .init("count") { StockQuantities.count.withDryRun },
      .init("discard") { StockQuantities.discard.withDryRun },
      .init("open") { StockMove.open.withDryRun },
      .init("move") { StockMove.move.withDryRun },
      .init("low") { StockList.low },
      .init("due") { StockDue.due },
      .init("expired") { StockDue.expired },
      .init("summary") { StockSummaryCommand.command },
    ], defaultSubcommand: "list")
}
