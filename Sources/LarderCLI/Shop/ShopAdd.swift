import LarderJSON
import LarderKit
import LarderModel

/// `larder shop add`.
enum ShopAdd {
  private static let thing = Argument(
    "ITEM-or-NAME", values: .named("stock"),
    help: "an item of the stock, or the name of anything else")
  private static let amount = Argument(
    "N", .optional(standard: nil), help: "how much; if left out, what is missing to the full stock")

  static let command = Command(
    "add", summary: "Put something on the shopping list",
    discussion: """
      An item has one entry: if it is already on the list, its quantity changes. A name that is \
      not an item's becomes an entry of its own.
      """,
    examples: [
      Example("larder shop add milk", "as much as is missing to the full stock"),
      Example("larder shop add eggs 12 --note 'free range'"),
      Example("larder shop add 'Light bulb E27' 2"),
    ],
    arguments: [thing, amount], options: [StockCommand.unit, ShopCommand.note]
  ) { invocation in
    let typed = try invocation.given(amount)
      .map { try invocation.quantity($0, for: amount.name, StockCommand.unit) }
    let unit = try invocation.unit(StockCommand.unit)
    let change = try invocation.change { edit, writer, survey in
      let note = invocation.trimmed(ShopCommand.note)
      guard let item = try survey.naming.item(invocation[thing]) else {
        let quantity = typed.map { Quantity($0.value, $0.unit ?? .piece) }
        let title = try edit.want(
          quantity, unit: unit ?? .piece, named: try invocation.newName(thing), note: note,
          by: writer)
        return "put \(title) on the shopping list"
      }
      try edit.want(typed?.quantity(in: item.unit), of: item, note: note, by: writer)
      return "put \(item.title) on the shopping list"
    }
    let lines = change.own.compactMap { key in change[key].map { change.wanted($0) } }
    invocation.output.report(change, lines: lines)
    if change.isNothing { invocation.output.note("nothing to change: it is on the list already") }
    tellNear(invocation, change)
  }

  /// Suggests an item with a similar name; a free entry may be a typing mistake.
  private static func tellNear(_ invocation: Invocation, _ change: Outcome) {
    guard change.own.contains(where: { change[$0]?.itemID == nil }) else { return }
    let names = change.after.household.all(.stockItem).filter { !$0.isTombstone }.map(\.title)
    guard let near = suggestions(for: invocation[thing], among: names.sorted()).first else {
      return
    }
    invocation.output.note("no item has that name; did you mean '\(near)'?")
  }
}

extension Outcome {
  /// Returns the state of an entry, such as `Milk is on the shopping list: 2 l (6 l before)`.
  func wanted(_ entry: Entity) -> String {
    let title = after.naming.title(of: entry)
    let old = before.household[entry.key].flatMap { $0.isTombstone ? nil : $0.desired }
    let change = old.map { $0 == entry.desired ? "" : " (\($0) before)" } ?? ""
    let place = entry.isCompleted ? "in the basket" : "on the shopping list"
    let note = entry.note.map { ", \($0)" } ?? ""
    return "\(title) is \(place): \(entry.desired)\(change)\(note)"
  }
}
