import LarderKit

/// `larder shop edit`.
enum ShopEdit {
  private static let name = Option(
    "name", value: "NAME", help: "a new name, for an entry that is not an item's")

  static let command = Command(
    "shop edit", arguments: [ShopCommand.entry, ShopCommand.amount],
    options: [StockCommand.unit, ShopCommand.note, name]
  ) { invocation in
    let typed = try invocation.quantity(
      ShopCommand.amount, behind: ShopCommand.entry, StockCommand.unit)
    let unit = try invocation.unit(StockCommand.unit)
    let newName = try invocation[name].map { try invocation.newName($0, for: name.spelling) }
    let note = invocation.fields(ShopCommand.note, .note)
    guard typed != nil || unit != nil || newName != nil || !note.isEmpty else {
      throw CommandError.nothingAsked("give a quantity, --unit, --note or --name")
    }
    let change = try invocation.change { edit, writer, survey in
      let entry = try survey.naming.find(invocation[ShopCommand.entry], .shoppingListEntry)
      var fields: [FieldValue] = []
      if typed != nil || unit != nil {
        let wanted = try quantity(typed, unit, of: entry, invocation[ShopCommand.entry], survey)
        fields.append((.desiredQuantity, wanted.value.json))
        fields.append((.unit, .string(wanted.unit.rawValue)))
      }
      fields += note
      if let newName {
        guard entry.itemID == nil else { throw ofItem(survey.naming.title(of: entry)) }
        fields.append((.name, .string(newName)))
      }
      edit.write(fields, to: entry.key, now: writer.now)
      return "edit \(survey.naming.title(of: entry)) on the shopping list"
    }
    let lines = change.own.compactMap { key in change[key].map { change.wanted($0) } }
    invocation.output.report(change, lines: lines, nothing: Invocation.nothingToChange)
  }

  /// Returns the typed quantity, in its own unit, in that of `--unit`, or in the entry's.
  ///
  /// Without a typed quantity, it converts the entry's quantity to the new unit.
  private static func quantity(
    _ typed: TypedQuantity?, _ unit: Unit?, of entry: Entity, _ words: String, _ survey: Survey
  ) throws(RuleError) -> Quantity {
    if let typed { return try survey.quantity(typed, toBuyFor: entry, named: words) }
    let unit = unit ?? entry.unit
    let desired = survey.household.counted(entry.desired, in: unit)
    let value = (desired.converted(to: unit) ?? entry.desired.value).rounded
    return try survey.quantity(
      TypedQuantity(value: value, unit: unit), toBuyFor: entry, named: words)
  }

  private static func ofItem(_ title: String) -> CommandError {
    CommandError(
      .failed, "the entry is for the item \(title) and has its name",
      "'larder stock edit \(shellWord(title)) --name NAME' renames the item")
  }
}

extension Survey {
  /// Returns a quantity for an entry, in the entry's unit if none was typed.
  ///
  /// Throws `notAboveZero`. For an item's entry, throws `unitsDoNotConvert` and the errors of
  /// ``packs(_:of:named:)``.
  func quantity(
    _ typed: TypedQuantity, toBuyFor entry: Entity, named words: String
  ) throws(RuleError) -> Quantity {
    let wanted = typed.quantity(in: entry.unit)
    guard let item = entry.itemID.flatMap({ household[.stockItem, $0] }) else {
      return try wanted.aboveZero()
    }
    let packs = try packs(typed, of: item, named: words)
    if packs == nil { try refuseUnclear(typed, of: item) }
    let counted = household.counted(wanted, in: item.unit)
    guard packs != nil || counted.unit.converts(to: item.unit) else {
      throw .unitsDoNotConvert(of: item.title, wanted.unit, item.unit)
    }
    return try (packs ?? counted).aboveZero()
  }
}
