import LarderKit

/// `larder product edit`.
enum ProductEdit {
  static let command = Command(
    "product edit", arguments: [ProductCommand.products],
    options: ProductOptions.all + [Assignment.option]
  ) { invocation in
    let changes = try ProductChanges(invocation)
    guard !changes.isEmpty else {
      throw CommandError.nothingAsked(
        "give --title, --brand, --pack-size, --item or others; see 'larder product edit --help'")
    }
    let survey = try invocation.survey()
    let products = try Self.products(invocation, survey)
    if products.count > 1, changes.isOfOne {
      throw CommandError(
        .usage, "\(products.count) products can't have one title or barcode", "name one product")
    }
    try invocation.confirm(products, "product", in: survey) { try changes.fields(for: $0, survey) }
    let change = try invocation.change { edit, writer, survey in
      let products = try Self.products(invocation, survey)
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

}
