import LarderKit

/// `larder product list`.
enum ProductList {
  private static let all = Option("all", short: "a", help: "show archived products too")

  static let list = Command(
    "list", summary: "List products with the items they count as",
    discussion: ProductRow.listing.discussion,
    examples: [
      Example("larder product"), Example("larder product list brand:hafermoor --sort pack"),
      Example("larder product list item:", "products that count as no item"),
    ],
    arguments: [ListOptions.filters.choosing(from: ProductRow.listing)],
    options: [ListOptions.sort, ListOptions.limit, ListOptions.sync, all],
    records: ProductRow.forms, isPaged: true
  ) { invocation in
    let survey = try invocation.survey()
    let all = ProductRow.all(in: survey, withArchived: invocation.wantsDeleted(all))
    let rows = try invocation.choose(all, in: survey)
    let hasProducts = !survey.household.all(.product).isEmpty
    let none =
      hasProducts
      ? nil
      : "no products yet: 'larder product new BARCODE --title T --item ITEM' adds one"
    invocation.list(rows, in: survey, none: none)
  }
}
