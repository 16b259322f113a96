import LarderKit

/// `larder stock summary`.
enum StockSummaryCommand {
  static let command = Command(
    "stock summary", arguments: [StockCommand.item], records: [Record.named.form()]
  ) { invocation in
    let survey = try invocation.survey()
    let words = invocation[StockCommand.item]
    let item = try survey.naming.find(words, .stockItem, .any)
    let product = survey.product(named: words, of: item)
    let summary =
      product.flatMap { survey.stock.summary(ofProduct: $0) } ?? survey.stock.summary(of: item)
    let title = product.flatMap { survey.household[.product, $0]?.title } ?? item.title
    let fields: [(String, String?)] = [
      ("name", title), ("total", summary.total.description),
      ("loose", summary.loose.value == .zero ? nil : summary.loose.description),
      ("batches", "\(summary.batchCount)"), ("active", "\(summary.activeBatchCount)"),
      ("keeps until", summary.earliestExpiry?.description),
    ]
    invocation.output.details(
      "item",
      [
        "id": .string(item.id), "name": .string(title), "totalQuantity": summary.total.json,
        "loose": summary.loose.json, "batchCount": .number(summary.batchCount),
        "activeBatchCount": .number(summary.activeBatchCount),
        "productId": product.map { .string($0) },
        "earliestExpiry": summary.earliestExpiry.map { .string($0.description) },
      ], fields.compactMap { name, value in value.map { (name, $0) } })
  }
}
