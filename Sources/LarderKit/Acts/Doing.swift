internal import LarderJSON
internal import LarderModel
internal import LarderText

/// The way of each deed into the rules.
struct Doing {
  let act: Act
  /// Finds what an earlier act made.
  let made: (String, Kind) throws -> Entity?

  /// Makes the change, says its subject, and returns what it made.
  func run(_ change: inout Change) throws -> EntityKey? {
    switch act.deed {
    case .got(let entry): try mark(entry, .isCompleted, true, "got", &change)
    case .ungot(let entry): try mark(entry, .isCompleted, false, "undone:", &change)
    case .drop(let entry):
      try mark(entry, .isDeleted, true, "remove from the shopping list:", &change)
    case .restore(let entry):
      try mark(entry, .isDeleted, false, "restore to the shopping list:", &change)
    case .archive(let item): try archive(item, true, &change)
    case .unarchive(let item): try archive(item, false, &change)
    case .want(let wanted, let amount, let note):
      return try want(wanted, amount, note, &change)
    case .new(let fields, let amount): return try make(fields, amount, &change)
    case .put(let item, let amount, let location, let expiry):
      try put(item, amount, location, expiry, &change)
    case .use(let holder, let amount): try take(holder, amount, .consume, nil, &change)
    case .spoil(let holder, let amount, let note):
      try take(holder, amount, .spoil, note, &change)
    case .count(let holder, let amount): try count(holder, amount, &change)
    case .move(let batch, let place, let amount): try move(batch, place, amount, &change)
    case .open(let batch, let amount): try open(batch, amount, &change)
    case .date(let batch, let day): try date(batch, day, &change)
    case .edit(let kind, let id, let fields): try edit(kind, id, fields, &change)
    case .bought(let bought): return try buy(bought, &change)
    case .correct(let receipt, let correction): try correct(receipt, correction, &change)
    case .void(let receipt): try void(receipt, &change)
    case .undo: break
    }
    return nil
  }

  /// Returns the entity with an id, or the one that the act with this id made.
  func find(_ kind: Kind, _ id: String, _ change: Change) throws -> Entity {
    if let entity = change.edit.after[kind, id] { return entity }
    if let key = try made(id, kind)?.key, let entity = change.edit.after[key] { return entity }
    throw NamingError.none(kind, id: id)
  }
}

// MARK: - The list

extension Doing {
  private func mark(
    _ id: String, _ field: FieldName, _ value: Bool, _ verb: String, _ change: inout Change
  ) throws {
    let entry = try find(.shoppingListEntry, id, change)
    let title = change.edit.title(of: entry)
    if field == .isCompleted, entry.isTombstone { throw RuleError.entryIsClosed(name: title) }
    change.edit.write([(field, .bool(value))], to: entry.key, now: change.writer.now)
    change.subject = "\(verb) \(title)"
  }

  private func want(
    _ wanted: Deed.Wanted, _ amount: Deed.Amount?, _ note: String?, _ change: inout Change
  ) throws -> EntityKey? {
    var entries: [Entity] = []
    switch wanted {
    case .item(let id):
      let item = try find(.stockItem, id, change)
      let wanted =
        try amount.map { amount throws(RuleError) in
          let typed = TypedQuantity(value: amount.value, unit: amount.unit)
          return try change.survey.wish(typed, of: item, named: item.title)
        } ?? change.survey.keptWish(for: item)
      try change.edit.want(wanted, of: item, note: note, by: change.writer)
      entries = [change.edit.after.entry(of: item)].compactMap(\.self)
    case .words(let words):
      let typed = TypedThings(
        lines: [words.split(whereSeparator: \.isWhitespace).map(String.init)], kind: .stockItem,
        in: change.survey, splitting: .byFullNamesOrWords,
        areTexts: true)
      guard typed.mistakes.isEmpty, !typed.things.isEmpty else {
        throw ActError.unreadable(words: words)
      }
      for thing in typed.things {
        let entry = try change.survey.want(
          thing, as: try thing.itemToBuy(in: change.survey), note: note, in: &change.edit,
          by: change.writer)
        if let entry { entries.append(entry) }
      }
    }
    change.subject = "buy \(change.survey.inShort(entries, in: change.edit))"
    return entries.first?.key
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

// MARK: - The stock

extension Doing {
  private func put(
    _ id: String, _ amount: Deed.Amount, _ location: String?, _ expiry: Day?,
    _ change: inout Change
  ) throws {
    let item = try find(.stockItem, id, change)
    let quantity = amount.quantity(in: item.unit)
    if location == nil, expiry == nil {
      _ = try change.edit.add(quantity, to: item, request: act.id, by: change.writer)
    } else {
      var details = BatchDetails(productID: item.id)
      details.locationID = location
      details.expiry = expiry.map { ExpiryInfo(.expiry, $0) }
      _ = try change.edit.add(quantity, details, request: act.id, by: change.writer)
    }
    change.subject = "put \(quantity) of \(item.title)"
  }

  private func take(
    _ holder: Deed.Holder, _ amount: Deed.Amount?, _ why: LedgerEntry.Reason, _ note: String?,
    _ change: inout Change
  ) throws {
    let verb = why == .spoil ? "discard" : "use"
    switch holder {
    case .item(let id):
      let item = try find(.stockItem, id, change)
      let quantity = amount?.quantity(in: item.unit) ?? change.survey.total(of: item)
      _ = try change.edit.take(
        quantity, from: item, why: why, note: note, request: act.id, by: change.writer)
      change.subject = "\(verb) \(quantity) of \(item.title)"
    case .batch(let id):
      let batch = try self.batch(id, change)
      let quantity = amount?.quantity(in: batch.unit) ?? batch.quantity
      _ = try change.edit.take(
        quantity, fromBatch: batch, why: why, note: note, request: act.id, by: change.writer)
      change.subject = "\(verb) \(quantity) of \(change.edit.title(of: batch))"
    }
  }

  private func count(
    _ holder: Deed.Holder, _ amount: Deed.Amount, _ change: inout Change
  ) throws {
    switch holder {
    case .item(let id):
      let item = try find(.stockItem, id, change)
      let quantity = amount.quantity(in: item.unit)
      _ = try change.edit.count(quantity, of: item, by: change.writer)
      change.subject = "count \(quantity) of \(item.title)"
    case .batch(let id):
      let batch = try self.batch(id, change)
      let quantity = amount.quantity(in: batch.unit)
      try change.edit.count(quantity, ofBatch: batch, by: change.writer)
      change.subject = "count \(quantity) of \(change.edit.title(of: batch))"
    }
  }

  private func move(
    _ id: String, _ place: String, _ amount: Deed.Amount?, _ change: inout Change
  ) throws {
    let batch = try self.batch(id, change)
    let quantity = amount?.quantity(in: batch.unit)
    _ = try change.edit.move(batch, to: place, quantity: quantity, by: change.writer)
    let name = change.edit.after[.storageLocation, place]?.title ?? place
    change.subject =
      "move \(quantity ?? batch.quantity) of \(change.edit.title(of: batch)) to \(name)"
  }

  private func open(_ id: String, _ amount: Deed.Amount?, _ change: inout Change) throws {
    let batch = try self.batch(id, change)
    let opening = try change.edit.open(
      batch, quantity: amount?.quantity(in: batch.unit), at: change.writer.now, by: change.writer)
    change.subject = "open \(opening.quantity) of \(change.edit.title(of: batch))"
  }

  private func date(_ id: String, _ day: Day?, _ change: inout Change) throws {
    let batch = try self.batch(id, change)
    let kind = batch.expiry?.kind ?? .expiry
    let expiry = day.map { DateUpdate.set(ExpiryInfo(kind.isOfOrigin ? .expiry : kind, $0)) }
    _ = try change.edit.date(batch, expiry: expiry ?? .remove, by: change.writer)
    change.subject = "date \(change.edit.title(of: batch))"
  }

  /// Returns a batch with what is there of it.
  private func batch(_ id: String, _ change: Change) throws -> Entity {
    Stock(change.edit.after).withoutLack(try find(.inventoryItem, id, change))
  }
}

// MARK: - Items

extension Doing {
  private func archive(_ id: String, _ value: Bool, _ change: inout Change) throws {
    let item = try find(.stockItem, id, change)
    change.edit.write([(.isArchived, .bool(value))], to: item.key, now: change.writer.now)
    change.subject = "\(value ? "archive" : "restore") \(item.title)"
  }

  /// Makes an item, whose id is that of the act: so it can be named before the act is answered.
  private func make(
    _ fields: [FieldValue], _ amount: Deed.Amount?, _ change: inout Change
  ) throws -> EntityKey {
    var item = change.edit.new(.stockItem, id: act.id, fields, by: change.writer)
    if let quantity = amount?.quantity(in: item.unit) {
      guard quantity.value >= .zero else { throw RuleError.belowZero(quantity) }
      guard quantity.unit.converts(to: item.unit) else {
        throw RuleError.unitsDoNotConvert(of: item.title, quantity.unit, item.unit)
      }
      // Nothing is what there is of a new item anyway.
      if quantity.value != .zero {
        item.record(
          LedgerEntry(
            id: Identifier.derived(from: "request", act.id, item.id), at: change.writer.now,
            .set(quantity.value), unit: quantity.unit, why: .count, by: change.writer.device,
            total: quantity.value))
      }
    }
    change.edit.put(item)
    change.subject = "new \(item.title)"
    return item.key
  }

  private func edit(
    _ kind: Kind, _ id: String, _ fields: [FieldValue], _ change: inout Change
  ) throws {
    let entity = try find(kind, id, change)
    var fields = fields
    switch kind {
    case .stockItem: fields = try withNumbers(fields, of: entity, change)
    case .shoppingListEntry: try check(fields, of: entity, change)
    default: break
    }
    change.edit.write(fields, to: entity.key, now: change.writer.now)
    change.subject = "edit \(change.edit.title(of: entity))"
  }

  /// Returns the fields of an item with the numbers that a new unit changes.
  private func withNumbers(
    _ fields: [FieldValue], of item: Entity, _ change: Change
  ) throws -> [FieldValue] {
    guard let text = fields.first(where: { $0.name == .unit })?.value?.string,
      let unit = Unit(rawValue: text), unit != item.unit
    else { return fields }
    try change.survey.stock.check(unit, of: item)
    let numbers = [FieldName.quantityFullStock, .quantityMinimum].compactMap {
      name -> FieldValue? in
      guard !fields.contains(where: { $0.name == name }),
        let number = item[name]?.number.flatMap({ Number($0) }),
        let converted = Quantity(number, item.unit).converted(to: unit)
      else { return nil }
      return (name, converted.rounded.json)
    }
    return fields + numbers
  }

  private func check(_ fields: [FieldValue], of entry: Entity, _ change: Change) throws {
    guard let id = entry.itemID, change.edit.after[.stockItem, id] != nil,
      fields.contains(where: { $0.name == .name })
    else { return }
    throw ActError.nameOfItem(change.edit.title(of: entry))
  }
}
