import LarderJSON
import LarderKit
import LarderModel

/// `larder stock consume`, `count` and `spoil`: the commands that take from a quantity or count it.
enum StockQuantities {
  private static let amount = Argument("N", help: "how much, as in 2, 0.5, 1.5kg or '500 g'")
  private static let one = Argument(
    "N", .optional(standard: "1"), help: "how much, as in 2, 0.5, 1.5kg or '500 g'")
  private static let some = Argument(
    "N", .optional(standard: nil), help: "how much; 1, or all of the batch, if left out")
  private static let request = StockCommand.request
  private static let batch = BatchOptions.batch
  private static let partial = Option(
    "partial", short: "p", help: "take what there is if there is not enough")
  private static let reason = Option("reason", value: "TEXT", help: "why, for the item's history")

  static let consume = Command(
    "consume", summary: "Use some of an item",
    discussion: """
      Takes from the batch that expires first, then from undated ones, then from the loose stock. \
      If there is not enough, it takes nothing; with --partial, it takes what there is. When \
      nothing is left, the item goes on the shopping list.
      """,
    examples: [
      Example("larder stock consume eggs", "one of them"),
      Example("larder stock consume 'oat milk' 0.5"),
      Example("larder stock consume milk 2 --batch 2026-11-28 --partial"),
    ],
    arguments: [StockCommand.item, one], options: [StockCommand.unit, batch, partial, request]
  ) { invocation in
    let typed = try invocation.quantity(one, StockCommand.unit)
    try invocation.changeQuantity(request: invocation[request]) { edit, writer, item, survey in
      let quantity = typed.quantity(in: item.unit)
      let lot = try invocation[batch].map { try survey.lot($0, of: item) }
      let result = try edit.take(
        quantity, from: item, lot: lot, partially: invocation.has(partial),
        request: invocation[request], by: writer)
      return (result, "consume \(result.amount(in: quantity.unit)) of \(item.title)")
    } lines: { result, item, change in
      [result.sentence("used", item, in: change)]
    }
  }

  static let spoil = Command(
    "spoil", summary: "Throw some of an item away",
    discussion: """
      Things that are thrown away do not count as used. They are taken in the order of 'consume'; \
      with a batch and no quantity, the whole batch is taken.
      """,
    examples: [
      Example("larder stock spoil bread 1 --reason mouldy"),
      Example("larder stock spoil hummus --batch 2026-11-18", "all of that lot"),
    ],
    arguments: [StockCommand.item, some],
    options: [StockCommand.unit, batch, partial, reason, request]
  ) { invocation in
    let text = invocation.given(some)
    let typed = try text.map { try invocation.quantity($0, for: some.name, StockCommand.unit) }
    try invocation.changeQuantity(request: invocation[request]) { edit, writer, item, survey in
      let lot = try invocation[batch].map { try survey.lot($0, of: item) }
      let standard = lot?.quantity ?? Quantity(Number(1), item.unit)
      let quantity = typed?.quantity(in: item.unit) ?? standard
      let result = try edit.take(
        quantity, from: item, lot: lot, partially: invocation.has(partial), why: .spoil,
        note: invocation.text(reason), request: invocation[request], by: writer)
      return (result, "spoil \(result.amount(in: quantity.unit)) of \(item.title)")
    } lines: { result, item, change in
      [result.sentence("threw away", item, in: change)]
    }
  }

  static let count = Command(
    "count", summary: "Record what is really there",
    discussion: """
      Without a batch, N is the total of the item: the batches keep their quantities, and the \
      loose stock becomes the rest. What others use or add at the same time still counts.
      """,
    examples: [
      Example("larder stock count eggs 5"), Example("larder stock count rice 1.2kg"),
      Example("larder stock count milk 1 --batch 2026-11-28"),
    ],
    arguments: [StockCommand.item, amount], options: [StockCommand.unit, batch]
  ) { invocation in
    let typed = try invocation.quantity(amount, StockCommand.unit)
    try invocation.changeQuantity(request: nil) { edit, writer, item, survey in
      let quantity = typed.quantity(in: item.unit)
      let lot = try invocation[batch].map { try survey.lot($0, of: item, withConsumed: true) }
      let result = try edit.count(quantity, of: item, lot: lot, by: writer)
      return (result, "count \(quantity) of \(item.title)")
    } lines: { result, item, change in
      [counted(result, item, change)]
    }
  }

  /// Returns `counted 4 of Eggs, 5 before`, or the count of a batch with the item's new total.
  private static func counted(_ result: QuantityChange, _ item: Entity, _ change: Outcome) -> String
  {
    if let part = result.parts.first, part.key.kind == .inventoryItem,
      let batch = change[part.key]
    {
      let lot = change.after.words(for: batch)
      return "counted \(part.rest) of \(item.title) (\(lot)), \(result.total) in all"
    }
    let before = change.before.household[item.key].map { change.before.total(of: $0) }
    let difference = before.map { $0 == result.total ? ", as known" : ", \($0) before" } ?? ""
    return "counted \(result.total) of \(item.title)\(difference)"
  }
}

extension Invocation {
  /// Changes the quantity of the named item, and reports the result.
  func changeQuantity(
    request: String?,
    _ body: (inout Edit, Writer, Entity, Survey) throws -> (QuantityChange, String),
    members: (QuantityChange) -> [JSONMember] = { _ in [] },
    lines: (QuantityChange, Entity, Outcome) -> [String]
  ) throws {
    var result: QuantityChange?
    let change = try change(request: request) { edit, writer, survey in
      let item = try survey.naming.find(self[StockCommand.item], .stockItem)
      let (quantities, subject) = try body(&edit, writer, item, survey)
      result = quantities
      return subject
    }
    guard let result, let item = result.item.flatMap({ change[$0] }) else { return }
    var told = lines(result, item, change)
    if result.isRepeated { told[0] += " (done before under \(request ?? "this request"))" }
    output.report(change, members(result) + result.json(item, in: change), lines: told)
  }
}
