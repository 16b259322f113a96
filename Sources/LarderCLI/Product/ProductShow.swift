import LarderJSON
import LarderKit
import LarderModel

/// `larder product show`.
enum ProductShow {
  static let command = Command(
    "show", summary: "Show a product with the item it counts as and its batches",
    examples: [
      Example("larder product show 'whole milk'"),
      Example("larder product show 5032987400110 --json", "by a barcode"),
    ],
    arguments: [ProductCommand.product], records: [Record.named.form()], isPaged: true
  ) { invocation in
    let survey = try invocation.survey()
    let product = try survey.naming.find(invocation[ProductCommand.product], .product, .any)
    let row = ProductRow(product, in: survey)
    let batches = Stock.firstExpiredFirst(survey.stock.batches(ofProduct: product.id))
    switch invocation.output.mode {
    case .json:
      let listed = JSONMember("batches", .array(batches.map { survey.listed($0) }))
      let product = survey.whole(product, row.shownComputed + [listed])
      invocation.output.json([JSONMember("product", product)])
    case .plain:
      invocation.output.records(row.details(in: survey))
    case .human:
      invocation.output.line(product.title, .bold)
      for (name, text) in row.details(in: survey) where name != "title" {
        invocation.output.line("  \(name): \(text)")
      }
      invocation.output.batches(Lot.grouped(batches), in: survey)
    }
  }
}
