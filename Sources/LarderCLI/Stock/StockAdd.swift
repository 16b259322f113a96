import LarderJSON
import LarderKit
import LarderModel

/// `larder stock put`.
enum StockAdd {
  private static let new = Option("new", help: "make items of what nobody knows yet")

  static let command = Command(
    "put", formerly: "add", summary: "Put some of one or several items into the stock",
    discussion: """
      With a date, a location or a lot code, the quantity becomes a batch: it is added to a batch \
      with the same details (merged), or becomes a new one (created). Otherwise it becomes loose \
      stock. If the item is named by a barcode, the batch is of that product. Without an amount it \
      is one of the item's unit, or of a weight or a volume a pack of its product. Packs, and a number behind a barcode, count as the product's pack \
      size: two of 500 g are 1 kg.
      """,
    examples: [
      Example("larder stock put Eggs 6"), Example("larder stock put milk 2 eggs 12 bread"),
      Example("larder stock put Milk 2 --expiry 10d --location fridge"),
      Example("larder stock put Tofu 400g --new", "and make it an item"),
      Example("larder stock put 4006381333931 2", "two packs of the size that the product says"),
      Example("larder stock put 5032987400110 2l --best-before 2026-12-01 --lot L178B"),
      Example(
        "larder stock put Milk 2 --request-id delivery-0815", "counted once, even if it runs again"),
    ],
    arguments: [StockCommand.things],
    options: [StockCommand.unit] + BatchOptions.details + [
      BatchOptions.notes, BatchOptions.confidence, BatchOptions.strict, new, StockCommand.request,
    ]
  ) { invocation in
    try refuseEmpty(invocation)
    try invocation.makingUnknown(if: invocation.has(new)) { makes in try add(invocation, makes) }
  }

  private static func add(_ invocation: Invocation, _ makes: Bool) throws {
    try invocation.changeQuantities(
      request: invocation[StockCommand.request], single: [], makes: makes
    ) { (edit, writer, one) in
      let quantity = try one.quantityToAdd()
      let subject = "put \(quantity) of \(one.item.title)"
      guard BatchOptions.details.contains(where: { invocation.text($0) != nil }) else {
        return (
          try edit.add(quantity, to: one.item, request: one.request, by: writer), subject
        )
      }
      let added = try edit.add(
        quantity, try batch(of: one, invocation),
        strict: invocation.has(BatchOptions.strict), request: one.request, by: writer)
      return (added, subject)
    } members: { result in
      let isBatch = result.parts.contains { $0.key.kind == .inventoryItem }
      guard isBatch else { return [] }
      return [JSONMember("action", .string(result.isNewBatch ? "created" : "merged"))]
    } line: { result, item, change in
      invocation.warn(result.warnings, about: item.title)
      warnIfOver(result, item, change, invocation)
      return sentence(result, item, change)
    }
  }

  /// Throws for empty texts, which are usually a script's mistake, and for a batch's options
  /// without a batch.
  private static func refuseEmpty(_ invocation: Invocation) throws {
    let options = BatchOptions.details + [BatchOptions.notes]
    let empty = options.filter { invocation[$0] != nil && invocation.text($0) == nil }
    guard empty.isEmpty else {
      throw UsageError(
        empty.map { .missingValue(option: $0.spelling, placeholder: $0.placeholder ?? "") },
        in: invocation.path)
    }
    guard !BatchOptions.details.contains(where: { invocation[$0] != nil }) else { return }
    for option in [BatchOptions.notes, BatchOptions.confidence] where invocation[option] != nil {
      throw CommandError(
        .usage, "\(option.spelling) is about a batch, and this would lie loose",
        hints: ["a date, a location or a lot code makes it a batch"])
    }
  }

  private static func warnIfOver(
    _ result: QuantityChange, _ item: Entity, _ change: Outcome, _ invocation: Invocation
  ) {
    guard let batch = result.parts.first.flatMap({ change[$0.key] }), let day = batch.lastDay,
      day < change.after.calendar.today
    else { return }
    invocation.output.warn("\(item.title) keeps until \(day), and that day is over")
  }

  private static func batch(of one: CountedThing, _ invocation: Invocation) throws -> BatchDetails {
    let survey = one.survey
    let product = survey.product(named: one.typed.name, of: one.item)
    return try invocation.batchDetails(product ?? one.item.id, survey)
  }

  /// Returns the sentence `put 2 l of Oat milk, 5 l now`, which names a batch that was created or
  /// grew.
  private static func sentence(
    _ result: QuantityChange, _ item: Entity, _ change: Outcome
  ) -> String {
    let added = "put \(result.amount(in: item.unit)) of \(item.title)"
    guard let part = result.parts.first, part.key.kind == .inventoryItem,
      let batch = change[part.key]
    else { return "\(added), \(result.total) now" }
    let lot = change.after.words(for: batch)
    let place = result.isNewBatch ? "created: \(lot)" : "merged: \(lot), \(part.rest) in it"
    return "\(added) (\(place)), \(result.total) now"
  }
}

extension CountedThing {
  /// Returns the quantity to add, one if none was typed.
  fileprivate func quantityToAdd() throws -> Quantity {
    guard typed.amount != .all else {
      throw CommandError(
        .usage, "all of \(item.title) can't be put into the stock",
        hints: ["write how much came: \(shellWord(item.title)) 2"])
    }
    return try quantity(orAllOf: nil) ?? single()
  }
}

extension Survey {
  /// Returns the product of an item that is named by its barcode, id or exact title.
  func product(named words: String, of item: Entity) -> String? {
    product(withNumber: words, of: item)
      ?? item.productIDs.first { id in
        household[.product, id].map { fold($0.title) } == fold(words)
      }
  }
}
