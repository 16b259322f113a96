import LarderKit

/// `larder product archive` and `larder product restore`.
enum ProductArchive {
  static let archive = Command("product archive", arguments: [ProductCommand.products]) {
    invocation in
    let change = try invocation.mark(
      ProductCommand.products, .product, .live, .isArchived, true, subject: "archive the product")
    invocation.output.report(change, lines: change.titles.map { "archived \($0)" })
  }

  static let restore = Command("product restore", arguments: [ProductCommand.products.ofDeleted]) {
    invocation in
    let change = try invocation.mark(
      ProductCommand.products, .product, .deleted, .isArchived, false,
      subject: "restore the product"
    ) { product, survey in
      for number in product.numbers { try survey.refuseTwin(number, except: product) }
    }
    invocation.reportRestored(change)
  }
}
