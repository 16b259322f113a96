internal import LarderJSON
public import LarderModel
internal import LarderText

/// Acts on the shopping list.
extension Doing {
  func mark(
    _ id: String, _ field: FieldName, _ value: Bool, _ verb: String, _ change: inout Change
  ) throws {
    let entry = try find(.shoppingListEntry, id, change)
    let title = change.edit.title(of: entry)
    if field == .isCompleted, entry.isTombstone { throw RuleError.entryIsClosed(name: title) }
    change.edit.write([(field, .bool(value))], to: entry.key, now: change.writer.now)
    change.subject = "\(verb) \(title)"
  }

  /// Puts things on the list; returns the first one's entry.
  func want(_ wishes: [Deed.Wish], _ change: inout Change) throws -> EntityKey? {
    let entries = try wishes.flatMap { wish in
      switch wish.subject {
      case .item(let id): try want(item: id, wish, &change)
      case .words(let words): try want(words: words, wish, &change)
      }
    }
    change.subject = "buy \(change.survey.inShort(entries, in: change.edit))"
    return entries.first?.key
  }

  private func want(
    item id: String, _ wish: Deed.Wish, _ change: inout Change
  ) throws -> [Entity] {
    let item = try find(.stockItem, id, change)
    let wanted =
      try wish.amount.map { amount throws(RuleError) in
        let typed = TypedQuantity(value: amount.value, unit: amount.unit)
        return try change.survey.wish(typed, of: item, named: item.title)
      } ?? change.survey.keptWish(for: item)
    try change.edit.want(wanted, of: item, note: wish.note, by: change.writer)
    return [change.edit.after.entry(of: item)].compactMap(\.self)
  }

  private func want(
    words: String, _ wish: Deed.Wish, _ change: inout Change
  ) throws -> [Entity] {
    return try things(words, wish.amount, change).compactMap { thing in
      try change.survey.want(
        thing, as: try thing.itemToBuy(in: change.survey), note: wish.note, in: &change.edit,
        by: change.writer)
    }
  }

  /// Returns the things of words; with an amount beside them, they are the name of one.
  private func things(
    _ words: String, _ amount: Deed.Amount?, _ change: Change
  ) throws(ActError) -> [TypedThing] {
    if let amount {
      var thing = TypedThing(words)
      thing.amount = .quantity(TypedQuantity(value: amount.value, unit: amount.unit))
      return [thing]
    }
    let typed = TypedThings(
      lines: [words.split(whereSeparator: \.isWhitespace).map(String.init)], kind: .stockItem,
      in: change.survey, splitting: .byFullNamesOrWords, areTexts: true)
    guard typed.mistakes.isEmpty, !typed.things.isEmpty else { throw .unreadable(words: words) }
    return typed.things
  }
}

extension TypedThing {
  /// Returns the item that is meant on a shopping list; nil for something that is no item.
  public func itemToBuy(in survey: Survey) throws(NamingError) -> Entity? {
    isWhole ? survey.naming.named(name, .stockItem) : try survey.naming.itemToBuy(name)
  }
}

extension Survey {
  /// Puts a typed thing on the shopping list, as an item or by its name, and returns its entry.
  ///
  /// Of what ran out and was typed as a row of a list, as much as is missing. Throws `RuleError`.
  public func want(
    _ typed: TypedThing, as item: Entity?, unit: Unit? = nil, note: String?, in edit: inout Edit,
    by writer: Writer
  ) throws(RuleError) -> Entity? {
    var quantity: TypedQuantity?
    if case .quantity(let written)? = typed.amount, !typed.isRowOfNothing { quantity = written }
    guard let item else {
      let title = try edit.want(
        quantity?.quantity(in: .piece), unit: unit ?? .piece,
        named: typed.name.split(whereSeparator: \.isWhitespace).joined(separator: " "), note: note,
        by: writer)
      return edit.after.freeEntry(named: title)
    }
    let wanted =
      try quantity.map { quantity throws(RuleError) in
        try wish(quantity, of: item, named: typed.name)
      } ?? keptWish(for: item)
    try edit.want(wanted, of: item, note: note, by: writer)
    return edit.after.entry(of: item)
  }

  /// Returns names for the subject of a commit, such as `Milk, Eggs and 3 more`.
  func inShort(_ entities: [Entity], in edit: Edit) -> String {
    let titles = entities.map { edit.title(of: $0) }
    let more = titles.count > 3 ? " and \(titles.count - 2) more" : ""
    return titles.prefix(more.isEmpty ? 3 : 2).joined(separator: ", ") + more
  }
}
