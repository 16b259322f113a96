import LarderJSON
import LarderKit
import LarderModel

/// `larder receipt save`.
enum ReceiptSave {
  private static let entries = Argument(
    "ENTRY", .zeroOrMore, values: .named(.entry),
    help: "the entries that were bought; those in the basket if left out")
  private static let id = Option(
    "id", value: "ID", help: "the receipt's id (a UUID), so that it is saved only once")

  static let command = Command(
    "save", summary: "Make a receipt of what was bought",
    discussion: """
      The entries in the basket, or the named ones, become the receipt's lines. The stock gets \
      their quantities, and the entries leave the list, all in one commit. --line corrects the \
      quantity of an item and gives its price, or adds something that was on no list: an item by \
      its name, or anything else. The price is the total of the line. A line with an expiry, a \
      location or a lot code becomes a batch; everything else becomes loose stock.
      """,
    examples: [
      Example("larder receipt save --shop 'Greenway Market' --amount 23.05"),
      Example(
        "larder receipt save --shop Fairprice --line 'Milk=2l@3.30' --line 'Batteries=4@5.50'"),
      Example("larder receipt save --shop Bakery --at 'yesterday 9:15' bread"),
      Example("larder receipt save --shop Fairprice --expiry milk=+10d --location milk=fridge"),
    ],
    arguments: [entries],
    options: [
      ReceiptOptions.shop, ReceiptOptions.amount, ReceiptOptions.currency, ReceiptOptions.at, id,
      TypedLine.option,
    ] + TypedDetail.options
  ) { invocation in
    guard let shop = invocation[ReceiptOptions.shop] else {
      throw UsageError([.missingArgument(ReceiptOptions.shop.usage)], in: invocation.path)
    }
    let lines = try invocation.typedLines()
    let id = try receiptID(invocation)
    var saved: Entity?
    let change = try invocation.change { edit, writer, survey in
      let basket = try basket(invocation, lines, survey, writer)
      var purchase = Edit.Purchase(shop: try invocation.newName(shop, for: "--shop"))
      let payment = try invocation.payment(in: survey.household)
      purchase.amount = payment.amount
      let hasMoney = payment.amount != nil || lines.contains { $0.price != nil }
      purchase.currency = payment.currency ?? (hasMoney ? survey.household.own?.currency : nil)
      purchase.timestamp = try invocation.paidAt(survey.calendar)
      purchase.id = id
      saved = try basket.save(purchase, in: &edit)
      return "save a receipt of \(purchase.shop)"
    }
    guard let saved, let receipt = change[saved.key] else { return }
    invocation.output.report(receipt, change, "saved", invocation)
    if change.isNothing { invocation.output.note("nothing was changed: it was saved before") }
  }

  private static func receiptID(_ invocation: Invocation) throws -> String? {
    guard let text = invocation[id] else { return nil }
    guard Identifier.isUUID(text) else {
      throw invocation.unreadable(text, for: "--id", "a UUID is needed")
    }
    return text.lowercased()
  }

  private static func basket(
    _ invocation: Invocation, _ lines: [TypedLine], _ survey: Survey, _ writer: Writer
  ) throws -> Basket {
    let named = invocation.all(entries)
    let bought =
      named.isEmpty
      ? ShopRow.all(in: survey, withDeleted: false).map(\.entry).filter(\.isCompleted)
      : try named.map { words throws(NamingError) in
        try survey.naming.find(words, .shoppingListEntry)
      }
    var basket = Basket(bought, survey, writer)
    for line in lines {
      try basket.add(
        line.name, quantity: line.quantity?.value, unit: line.quantity?.unit, price: line.price)
    }
    for detail in try invocation.typedDetails(survey) {
      try basket.note(detail.name) { detail.apply(to: &$0) }
    }
    return basket
  }
}
