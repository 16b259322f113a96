import LarderKit

/// `larder shop edit`.
enum ShopEdit {
  private static let name = Option(
    "name", value: "NAME", help: "a new name, for an entry that is not an item's")

  static let command = Command(
    "shop edit", arguments: [ShopCommand.entry, ShopCommand.amount],
    options: [StockCommand.unit, ShopCommand.note, name]
  ) { invocation in
    let words = [invocation[ShopCommand.entry]] + invocation.all(ShopCommand.amount)
    try await invocation.orTellingOrder(of: words, .shoppingListEntry) { try await run(invocation) }
  }

  private static func run(_ invocation: Invocation) async throws {
    let typed = try invocation.quantity(
      ShopCommand.amount, behind: ShopCommand.entry, StockCommand.unit)
    let unit = try invocation.unit(StockCommand.unit)
    let newName = try invocation[name].map { try invocation.newName($0, for: name.spelling) }
    let note = invocation.fields(ShopCommand.note, .note)
    guard typed != nil || unit != nil || newName != nil || !note.isEmpty else {
      throw ErrorWords.nothingAsked("give a quantity, --unit, --note or --name")
    }
    let change = try await invocation.change { edit, writer, survey in
      let entry = try survey.naming.find(invocation[ShopCommand.entry], .shoppingListEntry)
      var fields: [FieldValue] = []
      if typed != nil || unit != nil {
        let wanted = try quantity(typed, unit, of: entry, invocation[ShopCommand.entry], survey)
        fields.append((.desiredQuantity, wanted.value.json))
        fields.append((.unit, .string(wanted.unit.rawValue)))
      }
      fields += note
      if let newName {
        guard entry.itemID == nil else { throw ErrorWords.ofItem(survey.naming.title(of: entry)) }
        fields.append((.name, .string(newName)))
      }
      edit.write(fields, to: entry.key, now: writer.now)
      return "edit \(survey.naming.title(of: entry)) on the shopping list"
    }
    let lines = change.entities.map { change.wanted($0) }
    invocation.output.report(change, lines: lines, nothing: Invocation.nothingToChange)
  }

  /// Returns the typed quantity, in its own unit, in that of `--unit`, or in the entry's.
  ///
  /// Without a typed quantity, it converts the entry's quantity to the new unit. A number of what is
  /// counted stays; how much a weight or a volume is in packs, nobody knows.
  private static func quantity(
    _ typed: TypedQuantity?, _ unit: Unit?, of entry: Entity, _ words: String, _ survey: Survey
  ) throws -> Quantity {
    if let typed { return try survey.quantity(typed, toBuyFor: entry, named: words) }
    let unit = unit ?? entry.unit
    let desired = survey.household.counted(entry.desired, in: unit)
    let value = desired.converted(to: unit)?.rounded
    guard value != nil || !unit.isMeasured && !entry.unit.isMeasured else {
      let title = survey.naming.title(of: entry)
      throw ErrorWords(
        .usage, "\(entry.desired) of \(title) can't be converted to \(unit.rawValue)",
        "write how much it is: 'larder shop edit \(shellWord(title)) AMOUNT --unit "
          + "\(shellWord(unit.rawValue))'")
    }
    return try survey.quantity(
      TypedQuantity(value: value ?? entry.desired.value, unit: unit), toBuyFor: entry, named: words)
  }
}

extension Survey {
  /// Returns the entry that is meant by a thing that somebody has got.
  ///
  /// For one that was on no list, the error tells how to put it into the basket.
  fileprivate func entry(_ typed: TypedThing, meaning words: String) throws -> Entity {
    do throws(NamingError) {
      let whole = typed.isWhole ? naming.named(typed.name, .shoppingListEntry) : nil
      return if let whole { whole } else { try naming.findInFull(words, .shoppingListEntry) }
    } catch {
      guard case .notFound(let missing) = error, missing.near.isEmpty, missing.wholes.isEmpty,
        missing.deleted == nil, missing.barcode == nil
      else { throw error }
      let name = shellWord(typed.name)
      let amount = typed.written.map { " \($0)" } ?? ""
      throw ErrorWords(
        .notFound, MessageWords().errorWords(for: error).message,
        "'larder buy \(name)\(amount)' puts it on the list, and then 'larder got \(name)' into the "
          + "basket")
    }
  }

  /// Returns a quantity for an entry, in the entry's unit if none was typed.
  ///
  /// Throws `notAboveZero`, and for an item's entry the errors of ``wish(_:of:in:named:)``.
  func quantity(
    _ typed: TypedQuantity, toBuyFor entry: Entity, named words: String
  ) throws(RuleError) -> Quantity {
    guard let item = entry.itemID.flatMap({ household[.stockItem, $0] }) else {
      return try typed.quantity(in: entry.unit).aboveZero()
    }
    return try wish(typed, of: item, in: entry.unit, named: words).aboveZero()
  }
}

/// `larder shop got`, `undone`, `remove` and `restore`.
enum ShopMark {
  private static let bought = Argument(
    "ENTRY [AMOUNT]", .zeroOrMore, values: .named(.all(.shoppingListEntry)),
    help: "entries' names, each with how much it was if that differs")
  private static let all = Option("all", short: "a", help: "every entry on the list")

  static let done = Command(
    "shop got", formerly: "done", arguments: [bought], options: [StockCommand.unit, all]
  ) { invocation in
    let takesAll = invocation.has(all) || invocation.all(bought) == ["all"]
    guard takesAll != !invocation.all(bought).isEmpty || invocation.all(bought) == ["all"] else {
      throw ErrorWords(
        .usage, "name what was bought, or give --all, not both",
        "'larder got milk bread', or 'larder got --all' for the whole list")
    }
    let lines = takesAll ? Invocation.ThingLines() : try invocation.lines(of: bought)
    try await invocation.askingWhich { try await got(lines, takesAll, invocation, $0) }
  }

  private static func got(
    _ lines: Invocation.ThingLines, _ takesAll: Bool, _ invocation: Invocation, _ meanings: Meanings
  ) async throws {
    let (titles, change) = try await invocation.commit { change in
      let (survey, writer) = (change.survey, change.writer)
      var entries: [Entity] = []
      if takesAll {
        entries = survey.shoppingList.map(\.entity).filter { !$0.isCompleted }
      } else {
        entries = try takeAmounts(lines, meanings, in: &change.edit, writer, survey, invocation)
      }
      for entry in entries {
        change.edit.write([(.isCompleted, .bool(true))], to: entry.key, now: writer.now)
      }
      change.subject = "got \(survey.list(entries))"
      return survey.list(entries)
    }
    // Who typed a number wants to know what it named.
    let named = invocation.numbered == nil ? "" : titles + " "
    report(change, "is in the basket", "\(named)in the basket already", invocation)
    tellRests(change, invocation)
    invocation.tellContents(change.entities.filter(\.isCompleted), change.after)
  }

  /// Returns the named entries, after writing the amounts behind their names.
  private static func takeAmounts(
    _ lines: Invocation.ThingLines, _ meanings: Meanings, in edit: inout Edit, _ writer: Writer,
    _ survey: Survey, _ invocation: Invocation
  ) throws -> [Entity] {
    var mistakes = ThingMistakes()
    let things = try invocation.things(
      in: lines, of: bought, .shoppingListEntry, .byParts, unit: StockCommand.unit, survey,
      noting: &mistakes)
    let entries = things.compactMap { typed in
      mistakes.attempt(typed.name) {
        let words = (meanings[fold(typed.name)] ?? nil) ?? typed.name
        let entry = try survey.entry(typed, meaning: words)
        guard case .quantity(let quantity)? = typed.amount, !typed.isRowOfNothing else {
          return entry
        }
        try invocation.refusePrice(typed, of: survey.naming.title(of: entry), entry.unit)
        let wanted = try survey.quantity(quantity, toBuyFor: entry, named: typed.name)
        edit.write(
          [(.desiredQuantity, wanted.value.json), (.unit, .string(wanted.unit.rawValue))],
          to: entry.key, now: writer.now)
        return entry
      }
    }
    try invocation.refuse(mistakes, meanings)
    return entries
  }

  /// Says of each entry of which less was got than was wanted how to get the rest.
  private static func tellRests(_ change: Outcome, _ invocation: Invocation) {
    for entry in change.entities where entry.isCompleted {
      guard let old = change.before.household[entry.key], !old.isTombstone, !old.isCompleted,
        let wanted = old.desired.converted(to: entry.desired.unit)?.rounded,
        entry.desired.value < wanted
      else { continue }
      let rest = Quantity((wanted - entry.desired.value).rounded, entry.desired.unit)
      let title = change.after.naming.title(of: entry)
      invocation.output.note(
        "\(old.desired) of \(title) were wanted; if the other \(rest) still is, 'larder buy "
          + "\(shellWord(title)) \(rest)' puts it on the list again, once the receipt is saved")
    }
  }

  static let undone = Command("shop undone", arguments: [ShopCommand.entries]) { invocation in
    let change = try await invocation.mark(
      ShopCommand.entries, .shoppingListEntry, .live, .isCompleted, false, subject: "undone:")
    report(change, "is on the shopping list", "not in the basket", invocation)
  }

  static let remove = Command("shop remove", arguments: [ShopCommand.entries]) { invocation in
    let change = try await invocation.mark(
      ShopCommand.entries, .shoppingListEntry, .live, .isDeleted, true,
      subject: "remove from the shopping list:")
    report(change, "is off the shopping list", "off the list already", invocation)
  }

  static let restore = Command("shop restore", arguments: [ShopCommand.entries.ofDeleted]) {
    invocation in
    let change = try await invocation.mark(
      ShopCommand.entries, .shoppingListEntry, .deleted, .isDeleted, false,
      subject: "restore to the shopping list:")
    report(change, "is back on the shopping list", "on the list already", invocation)
  }

  /// Reports the state of each entry, or that there was nothing to do.
  private static func report(
    _ change: Outcome, _ state: String, _ nothing: String, _ invocation: Invocation
  ) {
    let lines = change.entities.map {
      "\(change.after.naming.title(of: $0)) \(state): \($0.desired)"
    }
    invocation.output.report(change, lines: lines, nothing: "nothing to do: \(nothing)")
  }
}

extension Invocation {
  /// Throws for a number without a unit that looks like a price.
  fileprivate func refusePrice(_ typed: TypedThing, of title: String, _ unit: Unit) throws {
    guard let written = typed.written, TypedLine.looksLikePrice(written) else { return }
    let priced = shellWord("\(title)@@\(written)")
    let amount = written + (unit == .piece ? "x" : unit.symbol ?? " \(unit.shortName)")
    throw ErrorWords(
      .usage, "\(written) of \(title) looks like a price, which belongs on the receipt",
      "'larder receipt save --shop SHOP --line \(priced)' says it",
      "if it is the amount: '\(path.joined(separator: " ")) \(shellWord(title)) \(amount)'")
  }
}
