import LarderKit
import LarderModel

/// `larder product archive` and `larder product restore`.
enum ProductArchive {
  static let archive = Command(
    "archive", summary: "Take products off the list without losing them",
    discussion: """
      The product still counts as its item, and its batches stay in the stock. 'larder product \
      restore' brings it back.
      """,
    examples: [Example("larder product archive 'lindale farm whole milk'")],
    arguments: [ProductCommand.products]
  ) { invocation in
    let change = try invocation.mark(
      ProductCommand.products, .product, .live, .isArchived, true, subject: "archive the product")
    invocation.output.report(change, lines: change.titles.map { "archived \($0)" })
  }

  static let restore = Command(
    "restore", summary: "Bring archived products back",
    examples: [Example("larder product restore 5032987400110")],
    arguments: [ProductCommand.products.ofDeleted]
  ) { invocation in
    let change = try invocation.mark(
      ProductCommand.products, .product, .deleted, .isArchived, false,
      subject: "restore the product"
    ) { product, survey in
      for number in product.numbers { try survey.refuseTwin(number, except: product) }
    }
    invocation.output.report(change, lines: change.titles.map { "restored \($0)" })
    if change.isNothing { invocation.output.note("nothing to restore: it is not archived") }
  }
}
