import LarderKit

/// `larder product edit`.
enum ProductEdit {
  static let command = Command(
    "product edit", arguments: [ProductCommand.products],
    options: ProductOptions.all + [Assignment.option]
  ) { invocation in
    let changes = try ProductChanges(invocation)
    guard !changes.isEmpty else {
      throw CommandError(
        .usage, "what to change is missing",
        hints: [
          "give --title, --brand, --pack-size, --item or others; see 'larder product edit --help'"
        ])
    }
    try preview(changes, invocation)
    let change = try invocation.change { edit, writer, survey in
      let products = try products(invocation, survey)
      for product in products {
        edit.write(
          try changes.fields(for: product, survey), to: product.key, now: writer.now)
        if let item = changes.item { try survey.claim(product, for: item, in: &edit, by: writer) }
      }
      return "edit the product \(survey.list(products))"
    }
    invocation.reportEdited(change)
  }

  private static func products(
    _ invocation: Invocation, _ survey: Survey
  ) throws -> [Entity] {
    try survey.naming.findSeveral(invocation.all(ProductCommand.products), .product)
  }

  /// Throws for changes that only one product can have, and asks for confirmation if many would
  /// change.
  private static func preview(_ changes: ProductChanges, _ invocation: Invocation) throws {
    let survey = try invocation.survey()
    do {
      let products = try products(invocation, survey)
      if products.count > 1, changes.isOfOne {
        throw CommandError(
          .usage, "\(products.count) products can't have one title or barcode",
          hints: ["name one product"])
      }
      let differences = try products.map { product in
        FieldChanges(
          product, setting: try changes.fields(for: product, survey), in: survey.household)
      }
      guard
        try invocation.isWanted(differences.filter { !$0.isEmpty }, of: products.count, "product")
      else { throw CommandError(.failed, "nothing was changed") }
    } catch {
      throw MessageWords().commandError(for: error)
    }
  }
}
