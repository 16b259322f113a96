import LarderKit

/// `larder stock put`.
enum StockAdd {
  private static let new = Option("new", help: "make items of what nobody knows yet")

  static let command = Command(
    "stock put", formerly: "add", arguments: [StockCommand.things],
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
      return isBatch ? ["action": .string(result.isNewBatch ? "created" : "merged")] : [:]
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
        "a date, a location or a lot code makes it a batch")
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
        "write how much came: \(shellWord(item.title)) 2")
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
