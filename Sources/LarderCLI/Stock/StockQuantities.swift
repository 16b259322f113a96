import LarderJSON
import LarderKit
import LarderModel

/// `larder stock use`, `count` and `discard`: commands that reduce or count a quantity.
enum StockQuantities {
  private static let request = StockCommand.request
  private static let batch = BatchOptions.batch
  private static let partial = Option(
    "partial", short: "p", help: "take what there is if there is not enough")
  private static let reason = Option("reason", value: "TEXT", help: "why, for the item's history")

  static let use = Command(
    "use", formerly: "consume", summary: "Use some of one or several items",
    discussion: """
      Takes from the batch that expires first, then from undated ones, then from the loose stock. \
      If there is not enough, it takes nothing; with --partial, it takes what there is. When \
      nothing is left, the item goes on the shopping list. Without an amount it is one of the \
      item's unit; of a weight or a volume, or named by a barcode, it is a pack of the product.
      """,
    examples: [
      Example("larder stock use eggs", "one of them"),
      Example("larder stock use flour 200g eggs 3 'oat milk' 1/4l", "all or nothing"),
      Example("larder stock use bread all"),
      Example("larder stock use milk 2 --batch 2026-11-28 --partial"),
      Example("larder stock use 'milk 2026-11-28' 2", "of that batch"),
    ],
    arguments: [StockCommand.things], options: [StockCommand.unit, batch, partial, request]
  ) { invocation in
    try invocation.changeQuantities(request: invocation[request], single: [batch]) {
      (edit, writer, one) in
      let lot = try one.lot(named: invocation[batch])
      let quantity = try one.quantityToTake(lot)
      let result = try edit.take(
        quantity, from: one.item, lot: lot, partially: invocation.has(partial),
        request: one.request, by: writer)
      return (result, "use \(result.amount(in: quantity.unit)) of \(one.item.title)")
    } line: { result, item, change in
      result.sentence("used", item, in: change)
    }
  }

  static let discard = Command(
    "discard", formerly: "spoil", summary: "Throw some of one or several items away",
    discussion: """
      Things that are thrown away do not count as used. They are taken in the order of 'use'; \
      with a batch and no amount, the whole batch is taken. 'all' is all there is.
      """,
    examples: [
      Example("larder stock discard bread 1 --reason mouldy"),
      Example("larder stock discard hummus --batch 2026-11-18", "all of that batch"),
    ],
    arguments: [StockCommand.things],
    options: [StockCommand.unit, batch, partial, reason, request]
  ) { invocation in
    try invocation.changeQuantities(request: invocation[request], single: [batch]) {
      (edit, writer, one) in
      let lot = try one.lot(named: invocation[batch])
      let quantity = try one.quantityToTake(
        lot, usually: lot.map { one.served?.quantity ?? $0.quantity })
      let result = try edit.take(
        quantity, from: one.item, lot: lot, partially: invocation.has(partial), why: .spoil,
        note: invocation.text(reason), request: one.request, by: writer)
      return (result, "discard \(result.amount(in: quantity.unit)) of \(one.item.title)")
    } line: { result, item, change in
      result.sentence("discarded", item, in: change)
    }
  }

  static let count = Command(
    "count", summary: "Record what is really there",
    discussion: """
      Without a batch, the amount is the total of the item: the batches keep their quantities, and \
      the loose stock becomes the rest. If the batches alone hold more, what is missing is taken \
      from those that expire first. What others use or add at the same time still counts.
      """,
    examples: [
      Example("larder stock count eggs 5"), Example("larder stock count rice 1.2kg eggs 4"),
      Example("larder stock count milk 1 --batch 2026-11-28"),
    ],
    arguments: [StockCommand.things], options: [StockCommand.unit, batch]
  ) { invocation in
    var counted: Set<EntityKey> = []
    try invocation.changeQuantities(request: nil, single: [batch], tellsNothing: true) {
      (edit, writer, one) in
      let lot =
        try invocation[batch].map {
          try one.survey.lot($0, of: one.item, withConsumed: true)
        } ?? one.lot
      counted.formUnion(lot?.batches.map(\.key) ?? [])
      guard case .quantity(let typed)? = one.typed.amount else {
        throw CommandError(
          .usage, "the amount of \(one.item.title) is missing",
          hints: ["write behind it how much is there: \(shellWord(one.item.title)) 3"])
      }
      let quantity = try one.survey.quantity(typed, of: one.item, named: one.typed.name)
      let result = try edit.count(quantity, of: one.item, lot: lot, by: writer)
      return (result, "count \(quantity) of \(one.item.title)")
    } line: { result, item, change in
      result.parts.contains { counted.contains($0.key) }
        ? countedLot(result, item, change) : Self.counted(result, item, change)
    }
  }

  /// Returns the sentence `counted 4 of Eggs, 5 before`, and names batches that the count reduced.
  static func counted(_ result: QuantityChange, _ item: Entity, _ change: Outcome) -> String {
    let before = change.before.household[item.key].map { change.before.total(of: $0) }
    let difference = before.map { $0 == result.total ? ", as known" : ", \($0) before" } ?? ""
    let isLowered = result.parts.contains { $0.key.kind == .inventoryItem }
    let lowered = (isLowered ? result.parts : []).compactMap { part in
      change[part.key].map { entity in
        let place = entity.kind == .stockItem ? "loose" : change.after.words(for: entity)
        return "\(part.quantity) less (\(place))"
      }
    }
    let sources = lowered.isEmpty ? "" : ": " + lowered.joined(separator: ", ")
    return "counted \(result.total) of \(item.title)\(difference)\(sources)"
  }

  /// Returns the count of a batch, with the item's new total.
  static func countedLot(
    _ result: QuantityChange, _ item: Entity, _ change: Outcome
  ) -> String {
    guard let part = result.parts.first, let batch = change[part.key] else { return "" }
    let lot = change.after.words(for: batch)
    return "counted \(part.rest) of \(item.title) (\(lot)), \(result.total) in all"
  }
}
