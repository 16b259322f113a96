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
    arguments: [ProductCommand.product]
  ) { invocation in
    let survey = try invocation.survey()
    let product = try survey.naming.find(invocation[ProductCommand.product], .product, .any)
    let row = ProductRow(product, in: survey)
    let batches = Stock.firstExpiredFirst(survey.stock.batches(ofProduct: product.id))
    let fields = fields(of: row, survey)
    switch invocation.output.mode {
    case .json:
      let listed = JSONMember("batches", .array(batches.map { survey.listed($0) }))
      let computed = (row.item.map { [$0.asMember] } ?? []) + [listed]
      invocation.output.json([JSONMember("product", survey.whole(product, computed))])
    case .plain: for (name, value) in fields { invocation.output.record([name, value]) }
    case .human:
      invocation.output.line(product.title, .bold)
      for (name, value) in fields where name != "title" {
        invocation.output.line("  \(name): \(value)")
      }
      guard !batches.isEmpty else { return }
      invocation.output.write("\n")
      let rows = Lot.grouped(batches).map { LotRow($0, in: survey) }
      invocation.output.table(
        LotRow.table(rows, in: survey, isOfOneItem: true).withoutEmptyColumns)
    }
  }

  /// Returns the fields with their names for `--set` and filters, and computed values.
  private static func fields(of row: ProductRow, _ survey: Survey) -> [(String, String)] {
    let product = row.product
    let days = product.number(.bestAfterOpeningDays).map { "\($0)" }
    var fields: [(String, String?)] = [
      ("title", product.title), ("brand", row.brand), ("pack", row.pack?.description),
      ("item", row.item?.title), ("bestAfterOpeningDays", days),
      ("barcodes", row.barcodes.isEmpty ? nil : row.barcodes.joined(separator: ", ")),
      ("imageURL", product[.imageURL]?.string),
    ]
    let known = Set(Schema.of(.product).fields.map(\.name))
    for register in product.registers where !known.contains(register.name) {
      if let value = register.value { fields.append((register.name.text, value.plainText)) }
    }
    fields += [
      ("archived", product.isTombstone ? "yes" : nil),
      ("file", survey.household.path(of: product.key)), ("id", product.id),
    ]
    return fields.compactMap { name, value in value.map { (name, $0) } }
  }
}
