/// `larder shop list`.
enum ShopList {
  private static let all = Option(
    "all", short: "a", help: "also show entries that were bought or taken off the list")
  private static let prices = Option(
    "prices", help: "estimate what it will cost, by shop, at the last prices paid there")

  static let list = Command(
    "list", summary: "List what to buy",
    discussion: ShopRow.listing.discussion,
    examples: [
      Example("larder shop", "what to buy, and what is in the basket"),
      Example("larder shop list is:open category:dairy"),
      Example("larder shop list is:open --plain", "for a script"),
      Example("larder shop list --prices", "what it will cost, by shop"),
    ],
    arguments: [ListOptions.filters.choosing(from: ShopRow.listing)],
    options: [ListOptions.sort, ListOptions.limit, ListOptions.sync, all, prices],
    records: ShopRow.forms(EstimateRow.columns.form("with \(prices.spelling)")), isPaged: true
  ) { invocation in
    let survey = try invocation.survey()
    let all = ShopRow.all(in: survey, withDeleted: invocation.wantsDeleted(all))
    let rows = try invocation.choose(all, in: survey)
    if invocation.has(prices) {
      invocation.list(rows, with: prices, in: survey)
    } else {
      invocation.list(rows, in: survey)
    }
  }
}
