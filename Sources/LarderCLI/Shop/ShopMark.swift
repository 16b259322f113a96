import LarderJSON
import LarderKit
import LarderModel

/// `larder shop done`, `undone`, `remove` and `restore`.
enum ShopMark {
  static let done = Command(
    "done", summary: "Put entries into the basket",
    discussion: "'larder receipt save' makes a receipt of the basket.",
    examples: [Example("larder shop done milk eggs")], arguments: [ShopCommand.entries]
  ) { invocation in
    let change = try invocation.mark(
      ShopCommand.entries, .shoppingListEntry, .live, .isCompleted, true,
      subject: "into the basket:")
    report(change, "is in the basket", "in the basket already", invocation)
  }

  static let undone = Command(
    "undone", summary: "Take entries out of the basket",
    examples: [Example("larder shop undone eggs")], arguments: [ShopCommand.entries]
  ) { invocation in
    let change = try invocation.mark(
      ShopCommand.entries, .shoppingListEntry, .live, .isCompleted, false,
      subject: "out of the basket:")
    report(change, "is on the shopping list", "not in the basket", invocation)
  }

  static let remove = Command(
    "remove", summary: "Take entries off the shopping list",
    discussion: "'larder shop restore' brings them back.",
    examples: [Example("larder shop remove 'birthday candles'")],
    arguments: [ShopCommand.entries]
  ) { invocation in
    let change = try invocation.mark(
      ShopCommand.entries, .shoppingListEntry, .live, .isDeleted, true,
      subject: "off the shopping list:")
    report(change, "is off the shopping list", "off the list already", invocation)
  }

  static let restore = Command(
    "restore", summary: "Bring back entries that were taken off the list",
    examples: [Example("larder shop restore candles")], arguments: [ShopCommand.entries]
  ) { invocation in
    let change = try invocation.mark(
      ShopCommand.entries, .shoppingListEntry, .deleted, .isDeleted, false,
      subject: "back on the shopping list:")
    report(change, "is back on the shopping list", "on the list already", invocation)
  }

  /// Reports the state of each entry, or that there was nothing to do.
  private static func report(
    _ change: Outcome, _ state: String, _ nothing: String, _ invocation: Invocation
  ) {
    let lines = change.own.compactMap { key in
      change[key].map { "\(change.after.naming.title(of: $0)) \(state): \($0.desired)" }
    }
    invocation.output.report(change, lines: lines)
    if change.isNothing { invocation.output.note("nothing to do: \(nothing)") }
  }
}
