/// `larder shop list`.
enum ShopList {
  private static let all = Option(
    "all", short: "a", help: "also show entries that were bought or taken off the list")

  static let list = Command(
    "list", summary: "List what to buy",
    discussion: ShopRow.listing.discussion,
    examples: [
      Example("larder shop", "what to buy, and what is in the basket"),
      Example("larder shop list is:open category:dairy"),
      Example("larder shop list is:open --plain", "for a script"),
    ],
    arguments: [ListOptions.filters],
    options: [ListOptions.sort, ListOptions.limit, ListOptions.sync, all],
    records: ShopRow.forms, isPaged: true
  ) { invocation in
    let survey = try invocation.survey()
    let all = ShopRow.all(in: survey, withDeleted: invocation.wantsDeleted(all))
    let rows = try invocation.choose(all, in: survey)
    invocation.list(rows, in: survey)
  }
}
