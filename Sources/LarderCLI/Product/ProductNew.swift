import LarderKit

/// `larder product new`.
enum ProductNew {
  private static let number = Argument(
    "BARCODE-or-ID", help: "the number below its barcode, or its id in a catalogue")

  static let command = Command("product new", arguments: [number], options: ProductOptions.all) {
    invocation in
    let number = try invocation.newName(number)
    let changes = try ProductChanges(invocation)
    guard let title = changes.title else {
      throw UsageError([.missingArgument(ProductOptions.title.usage)], in: invocation.path)
    }
    let change = try invocation.change { edit, writer, survey in
      let draft = try survey.newProduct(number, at: writer.now)
      let printed = draft[.barcodes].map { [(name: FieldName.barcodes, value: Optional($0))] } ?? []
      let fields = try changes.fields(for: draft, survey)
      let product = edit.new(.product, id: draft.id, fields + printed, by: writer)
      edit.put(product)
      if let item = changes.item { try survey.claim(product, for: item, in: &edit, by: writer) }
      return "new product \(title)"
    }
    let lines = change.own.compactMap { change[$0] }.filter { $0.kind == .product }
      .map { change.announcement(of: $0) }
    invocation.output.report(change, lines: lines)
  }
}

extension Outcome {
  /// Returns a line such as `new product Whole Milk: 2 l, counts as Milk
  /// (products/whole-milk-400110.json)`.
  fileprivate func announcement(of product: Entity) -> String {
    let row = ProductRow(product, in: after)
    let facts = [row.pack?.description, row.item.map { "counts as \($0.title)" }]
      .compactMap { $0 }.joined(separator: ", ")
    let path = after.household.path(of: product.key) ?? ""
    return "new product \(product.title)\(facts.isEmpty ? "" : ": \(facts)") (\(path))"
  }
}
