import LarderKit

/// `larder shop got`, `undone`, `remove` and `restore`.
enum ShopMark {
  private static let bought = Argument(
    "ENTRY [AMOUNT]", .zeroOrMore, values: .named(.all(.shoppingListEntry)),
    help: "entries' names or parts of them, each with how much it was if that differs")
  private static let all = Option("all", short: "a", help: "every entry on the list")

  static let done = Command(
    "shop got", formerly: "done", arguments: [bought], options: [StockCommand.unit, all]
  ) { invocation in
    let takesAll = invocation.has(all) || invocation.all(bought) == ["all"]
    guard takesAll != !invocation.all(bought).isEmpty || invocation.all(bought) == ["all"] else {
      throw CommandError(
        .usage, "name what was bought, or give --all, not both",
        "'larder got milk bread', or 'larder got --all' for the whole list")
    }
    let lines = takesAll ? Invocation.ThingLines() : try invocation.lines(of: bought)
    let change = try invocation.change { edit, writer, survey in
      var entries: [Entity] = []
      if takesAll {
        entries = survey.shoppingList.map(\.entity).filter { !$0.isCompleted }
      } else {
        entries = try takeAmounts(lines, in: &edit, writer, survey, invocation)
      }
      for entry in entries {
        edit.write([(.isCompleted, .bool(true))], to: entry.key, now: writer.now)
      }
      return "got \(survey.list(entries))"
    }
    report(change, "is in the basket", "in the basket already", invocation)
  }

  /// Returns the named entries, after writing the amounts behind their names.
  private static func takeAmounts(
    _ lines: Invocation.ThingLines, in edit: inout Edit, _ writer: Writer, _ survey: Survey,
    _ invocation: Invocation
  ) throws -> [Entity] {
    var mistakes = ThingMistakes()
    let things = try invocation.things(
      in: lines, of: bought, .shoppingListEntry, .byParts, unit: StockCommand.unit, survey,
      noting: &mistakes)
    let entries = things.compactMap { typed in
      mistakes.attempt(typed.name) {
        let entry =
          try (typed.isWhole ? survey.naming.named(typed.name, .shoppingListEntry) : nil)
          ?? survey.naming.find(typed.name, .shoppingListEntry)
        guard case .quantity(let quantity)? = typed.amount, !typed.isRowOfNothing else {
          return entry
        }
        let wanted = try survey.quantity(quantity, toBuyFor: entry, named: typed.name)
        edit.write(
          [(.desiredQuantity, wanted.value.json), (.unit, .string(wanted.unit.rawValue))],
          to: entry.key, now: writer.now)
        return entry
      }
    }
    try mistakes.refuse()
    return entries
  }

  static let undone = Command("shop undone", arguments: [ShopCommand.entries]) { invocation in
    let change = try invocation.mark(
      ShopCommand.entries, .shoppingListEntry, .live, .isCompleted, false,
      subject: "undone:")
    report(change, "is on the shopping list", "not in the basket", invocation)
  }

  static let remove = Command("shop remove", arguments: [ShopCommand.entries]) { invocation in
    let change = try invocation.mark(
      ShopCommand.entries, .shoppingListEntry, .live, .isDeleted, true,
      subject: "remove from the shopping list:")
    report(change, "is off the shopping list", "off the list already", invocation)
  }

  static let restore = Command("shop restore", arguments: [ShopCommand.entries.ofDeleted]) {
    invocation in
    let change = try invocation.mark(
      ShopCommand.entries, .shoppingListEntry, .deleted, .isDeleted, false,
      subject: "restore to the shopping list:")
    report(change, "is back on the shopping list", "on the list already", invocation)
  }

  /// Reports the state of each entry, or that there was nothing to do.
  private static func report(
    _ change: Outcome, _ state: String, _ nothing: String, _ invocation: Invocation
  ) {
    let lines = change.own.compactMap { key in
      change[key].map { "\(change.after.naming.title(of: $0)) \(state): \($0.desired)" }
    }
    invocation.output.report(change, lines: lines, nothing: "nothing to do: \(nothing)")
  }
}
