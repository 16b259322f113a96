import LarderJSON
import LarderKit
import LarderModel

/// `larder stock add`.
enum StockAdd {
  private static let amount = Argument("N", help: "how much, as in 2, 0.5, 1.5kg or '500 g'")
  /// The options that make the added quantity a batch.
  private static let details =
    BatchOptions.expiries + [BatchOptions.opened, BatchOptions.location, BatchOptions.lot]

  static let command = Command(
    "add", summary: "Add to the stock of an item",
    discussion: """
      With a date, a location or a lot code, the quantity becomes a batch: it is added to a batch \
      with the same details (merged), or becomes a new one (created). Otherwise it becomes loose \
      stock. If the item is named by a barcode, the batch is of that product.
      """,
    examples: [
      Example("larder stock add Eggs 6"), Example("larder stock add Rice '500 g'"),
      Example("larder stock add Milk 2 --expiry +10d --location fridge"),
      Example("larder stock add 5032987400110 2l --best-before 2026-12-01 --lot L178B"),
      Example(
        "larder stock add Milk 2 --request-id delivery-0815", "counted once, even if it runs again"),
    ],
    arguments: [StockCommand.item, amount],
    options: [StockCommand.unit] + details + [
      BatchOptions.notes, BatchOptions.confidence, BatchOptions.strict, StockCommand.request,
    ]
  ) { invocation in
    try refuseEmpty(invocation)
    let typed = try invocation.quantity(amount, StockCommand.unit)
    try invocation.changeQuantity(request: invocation[StockCommand.request]) {
      edit, writer, item, survey in
      let quantity = typed.quantity(in: item.unit)
      let subject = "add \(quantity) of \(item.title)"
      let request = invocation[StockCommand.request]
      guard details.contains(where: { invocation.text($0) != nil }) else {
        return (try edit.add(quantity, to: item, request: request, by: writer), subject)
      }
      let added = try edit.add(
        quantity, try batch(of: item, survey, invocation),
        strict: invocation.has(BatchOptions.strict), request: request, by: writer)
      return (added, subject)
    } members: { result in
      let isBatch = result.parts.contains { $0.key.kind == .inventoryItem }
      guard isBatch else { return [] }
      return [JSONMember("action", .string(result.isNewBatch ? "created" : "merged"))]
    } lines: { result, item, change in
      invocation.warn(result.warnings, about: item.title)
      warnIfOver(result, item, change, invocation)
      return [sentence(result, item, change)]
    }
  }

  /// Throws for empty texts, which are usually a script's mistake, and for a batch's options
  /// without a batch.
  private static func refuseEmpty(_ invocation: Invocation) throws {
    let options = details + [BatchOptions.notes]
    let empty = options.filter { invocation[$0] != nil && invocation.text($0) == nil }
    guard empty.isEmpty else {
      throw UsageError(
        empty.map { .missingValue(option: $0.spelling, placeholder: $0.placeholder ?? "") },
        in: invocation.path)
    }
    guard !details.contains(where: { invocation[$0] != nil }) else { return }
    for option in [BatchOptions.notes, BatchOptions.confidence] where invocation[option] != nil {
      throw CommandError(
        .usage, "\(option.spelling) is about a batch, and this would lie loose",
        hints: ["a date, a location or a lot code makes it a batch"])
    }
  }

  private static func warnIfOver(
    _ result: QuantityChange, _ item: Entity, _ change: Outcome, _ invocation: Invocation
  ) {
    guard let batch = result.parts.first.flatMap({ change[$0.key] }), let day = batch.expiryDay,
      day < change.after.calendar.today
    else { return }
    invocation.output.warn("\(item.title) keeps until \(day), and that day is over")
  }

  private static func batch(
    of item: Entity, _ survey: Survey, _ invocation: Invocation
  ) throws -> BatchDetails {
    let named = invocation[StockCommand.item]
    var details = BatchDetails(productID: survey.product(named: named, of: item) ?? item.id)
    details.expiry = try invocation.expiryUpdate(survey.calendar).info
    details.opened = try invocation.openedUpdate(survey.calendar).info
    details.locationID = try invocation.location(survey)
    details.lotCode = invocation.text(BatchOptions.lot)
    details.notes = invocation.text(BatchOptions.notes)
    return details
  }

  /// Returns the sentence `added 2 l of Oat milk, 5 l now`, with the batch that was created or
  /// added to.
  private static func sentence(
    _ result: QuantityChange, _ item: Entity, _ change: Outcome
  ) -> String {
    let added = "added \(result.amount(in: item.unit)) of \(item.title)"
    guard let part = result.parts.first, part.key.kind == .inventoryItem,
      let batch = change[part.key]
    else { return "\(added), \(result.total) now" }
    let lot = change.after.words(for: batch)
    let place = result.isNewBatch ? "created: \(lot)" : "merged: \(lot), \(part.rest) in it"
    return "\(added) (\(place)), \(result.total) now"
  }
}

extension Survey {
  /// Returns the product of an item that is named by its barcode, id or exact title.
  func product(named words: String, of item: Entity) -> String? {
    item.productIDs.first { id in
      let product = household[.product, id]
      return id == words || id == "ean_" + words || product.map { fold($0.title) } == fold(words)
        || product?[.barcodes]?.array?.contains { $0.string == words } ?? false
    }
  }
}
