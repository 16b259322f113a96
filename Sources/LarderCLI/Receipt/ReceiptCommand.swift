import LarderModel

/// `larder receipt`: purchases, with shop and price.
enum ReceiptCommand {
  static let receipt = Argument(
    "RECEIPT", values: .named(.all(.receipt)),
    help: "a receipt's shop, day, or both as in 'greenway 2026-11-20', its file or id")

  static let command = Command(
    "receipt", summary: "What was bought, where, and for how much",
    discussion: """
      A receipt adds its lines to the stock, once. Correcting it corrects the stock; voiding it takes \
      everything back. Without a verb, 'larder receipt' lists receipts.
      """,
    group: "Household",
    examples: [
      Example("larder receipt"),
      Example("larder receipt save --shop 'Greenway Market' --amount 23.05"),
      Example("larder receipt list --since -1m", "the last month"),
    ],
    parts: [
      .init("list") { ReceiptList.list },
      .init("save") { ReceiptSave.command.withDryRun },
      .init("read") { ReceiptRead.command.withDryRun },
      .init("show") { ReceiptList.show },
      .init("edit") { ReceiptEdit.command.withDryRun },
      .init("void") { ReceiptVoid.void.withDryRun },
      .init("restore") { ReceiptVoid.restore.withDryRun },
    ], defaultSubcommand: "list")
}
