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
    let fields = fields(of: summary)
    switch invocation.output.mode {
    case .json: invocation.output.json(["item": json(summary, title, item, product)])
    case .plain:
      invocation.output.records([("name", title)] + fields)
    case .human:
      invocation.output.line(title, .bold)
      for (name, value) in fields { invocation.output.line("  \(name): \(value)") }
    }
  }

  private static func fields(of summary: StockSummary) -> [NamedText] {
    let fields: [(String, String?)] = [
      ("total", summary.total.description),
      ("loose", summary.loose.value == .zero ? nil : summary.loose.description),
      ("batches", "\(summary.batchCount)"), ("active", "\(summary.activeBatchCount)"),
      ("keeps until", summary.earliestExpiry?.description),
    ]
    return fields.compactMap { name, value in value.map { (name, $0) } }
  }

  private static func json(
    _ summary: StockSummary, _ title: String, _ item: Entity, _ product: String?
  ) -> JSON {
    var members = [
      JSONMember("id", .string(item.id)), JSONMember("name", .string(title)),
      JSONMember("totalQuantity", summary.total.json), JSONMember("loose", summary.loose.json),
      JSONMember("batchCount", .number(String(summary.batchCount))),
      JSONMember("activeBatchCount", .number(String(summary.activeBatchCount))),
    ]
    if let product { members.append(JSONMember("productId", .string(product))) }
    if let day = summary.earliestExpiry {
      members.append(JSONMember("earliestExpiry", .string(day.description)))
    }
    return .object(members)
  }
}
