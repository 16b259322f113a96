package import LarderGit
package import LarderModel

/// The words for fields, values and quantity events, shared by all messages about entities and
/// changes.
package struct EntityWords: Sendable {
  package let names: NameBook
  package let time: LocalTime

  package init(names: NameBook, time: LocalTime) {
    self.names = names
    self.time = time
  }

  /// Returns the name of a field for people; an unknown field keeps its own name.
  package static func label(_ field: FieldName) -> String { labels[field] ?? field.text }

  private static let labels: [FieldName: String] = [
    .quantityInStock: "in stock", .quantityLoose: "loose", .quantityFullStock: "full stock",
    .quantityMinimum: "minimum",
    .aliases: "other names", .keepsDays: "keeps", .isArchived: "archived",
    .productRef: "product", .storageLocationID: "location", .lotOrBatchCode: "lot code",
    .expiryInfo: "date", .openedInfo: "opened", .isColdStorage: "cold", .imageURL: "picture",
    .packSize: "pack size", .bestAfterOpeningDays: "keeps after opening", .itemID: "item",
    .desiredQuantity: "wanted", .isCompleted: "done", .isDeleted: "deleted", .shopName: "shop",
    .timestamp: "paid", .timeZone: "time zone", .expiringWithinDays: "expiring within",
    .items: "lines", .quantity: "unit", .changes: "quantity",
  ]

  /// Returns a field's value on one line; `none` if there is none.
  ///
  /// The entity has the unit and the currency of numbers. Without it, as for scripts, a number
  /// stands alone.
  package func text(of value: JSON?, field: FieldName, in entity: Entity?) -> String {
    guard let value else { return "none" }
    switch (field, value) {
    case (_, .number) where entity == nil: return plain(value)
    case (.quantityFullStock, .number(let text)), (.quantityMinimum, .number(let text)),
      (.desiredQuantity, .number(let text)), (.quantityInStock, .number(let text)),
      (.quantityLoose, .number(let text)):
      return quantity(text, entity?.unit)
    case (.packSize, .number(let text)):
      return quantity(text, entity?[.unit]?.string.flatMap { Unit(written: $0) })
    case (.amount, .number(let text)):
      return Number(text).map { TypedMoney($0, entity?.currency).description } ?? text
    case (.keepsDays, .number(let text)), (.bestAfterOpeningDays, .number(let text)),
      (.expiringWithinDays, .number(let text)):
      return Int(text).map { counted($0, "day") } ?? text
    case (.itemID, .string(let id)): return names.item(id) ?? id
    case (.storageLocationID, .string(let id)):
      return id.isEmpty ? "none" : names.location(id) ?? id
    case (.productRef, .object):
      let id = value[.productID]?.string ?? ""
      return value[.snapshot]?[.title]?.string ?? names.product(id) ?? id
    case (.items, .array(let lines)) where !lines.isEmpty:
      return lines.compactMap(ReceiptLine.init).map { Self.text($0, in: entity) }
        .joined(separator: "; ")
    case (.quantity, .object): return value[.unit]?.string ?? Unit.piece.rawValue
    case (.expiryInfo, .object), (.openedInfo, .object): return date(value)
    case (.timestamp, .string(let text)):
      return Instant(text).map { time.text(of: $0) } ?? text
    default: return plain(value)
    }
  }

  /// Returns `before → after`; a common unit is written only once, at the end.
  static func arrow(_ before: String, _ after: String) -> String {
    let (old, new) = (before.split(separator: " "), after.split(separator: " "))
    let isShared =
      old.count == 2 && new.count == 2 && old[1] == new[1]
      && [old[0], new[0]].allSatisfy { Number(String($0)) != nil }
    return "\(isShared ? String(old[0]) : before) → \(after)"
  }

  private func quantity(_ number: String, _ unit: Unit?) -> String {
    guard let unit, let number = Number(number) else { return number }
    return Quantity(number, unit).description
  }

  private func plain(_ value: JSON) -> String {
    switch value {
    case .null: "none"
    case .bool(let truth): truth ? "yes" : "no"
    case .number(let text), .string(let text): text
    case .array(let elements):
      elements.isEmpty ? "none" : elements.map(plain).joined(separator: ", ")
    case .object: String(decoding: value.compact(), as: UTF8.self)
    }
  }

  /// Returns a date such as `best before 2026-11-28`, or the text on the package if there is no
  /// date.
  private func date(_ value: JSON) -> String {
    let kinds = [
      "expiry": "expires", "bestBefore": "best before", "useBy": "use by", "manufactured": "made",
      "packaged": "packed",
    ]
    let iso = value[.isoDate]?.string
    let when = iso.flatMap { Day($0) == nil ? Instant($0).map { time.text(of: $0) } : $0 }
    // The field's name already says that the batch was opened.
    let kind = value[.kind]?.string.flatMap { $0 == "opened" ? nil : kinds[$0] ?? $0 }
    let words = [kind, when ?? value[.rawText]?.string.map { "\"\($0)\"" }]
    return words.compactMap { $0 }.joined(separator: " ")
  }

  /// Returns a receipt's line as text, such as `2 l of Oat milk for 3.30 EUR`.
  package static func text(_ line: ReceiptLine, in receipt: Entity?) -> String {
    let quantity = Quantity(line.quantity, line.unit ?? .piece)
    let price =
      line.price.map { price in
        " for " + (receipt.map { TypedMoney(price, $0.currency).description } ?? "\(price)")
      } ?? ""
    return "\(quantity) \(line.unit == nil ? "×" : "of") \(line.itemName)\(price)"
  }

  /// Returns a quantity event in words, such as `used 1`, `counted 3` or `took back: used 1`.
  package func what(_ entry: LedgerEntry, in ledger: Ledger) -> String {
    switch entry.event {
    case .set(let number):
      return sentence(set: Quantity(entry.total ?? number, entry.unit), entry.why)
    case .delta(let number): return sentence(delta: Quantity(number, entry.unit), entry.why)
    case .undoes(let id):
      return ledger[id].map { "took back: \(what($0, in: Ledger()))" } ?? "took back a change"
    }
  }

  private func sentence(set quantity: Quantity, _ why: LedgerEntry.Reason) -> String {
    switch why {
    case .edit: "wrote \(quantity)"
    case .undo: "went back to \(quantity)"
    default: "counted \(quantity)"
    }
  }

  private func sentence(delta quantity: Quantity, _ why: LedgerEntry.Reason) -> String {
    let isLess = quantity.value < .zero
    let amount = isLess ? Quantity(-quantity.value, quantity.unit) : quantity
    switch why {
    case .add where !isLess: return "put \(amount)"
    case .receipt where !isLess: return "bought \(amount)"
    case .consume where isLess: return "used \(amount)"
    case .spoil where isLess: return "discarded \(amount)"
    case .move: return isLess ? "moved \(amount) away" : "moved \(amount) here"
    case .receipt: return "corrected a receipt by −\(amount)"
    default: return isLess ? "took off \(amount)" : "put back \(amount)"
    }
  }
}

/// The names for the ids in files.
package struct NameBook: Sendable {
  private let households: [Household]
  private let stocks: [Stock]

  /// Creates a book that looks in each household in turn, because a later one may have what the
  /// first lacks.
  package init(_ households: [Household]) {
    self.households = households
    stocks = households.map { Stock($0) }
  }

  /// An empty book; every id is its own name.
  package static let empty = NameBook([])

  /// Returns the name of an entity; a batch and a shopping entry have their item's.
  package func title(of entity: Entity) -> String {
    let item = stocks.lazy.compactMap { $0.item(meantBy: entity)?.title }.first
    if let item { return item }
    // A batch that belongs to no item gets the name of its product.
    let product = entity.kind == .inventoryItem ? product(entity.productID) : nil
    return product ?? entity.title
  }

  /// Whether an item has batches beside its loose stock.
  package func hasBatches(_ item: Entity) -> Bool {
    item.kind == .stockItem && stocks.contains { $0.batches(of: item).contains(where: \.isActive) }
  }

  /// Returns what an earlier and the newest household have of a batch's lot; nil if one has none.
  func lot(of batch: Entity) -> (before: Quantity, after: Quantity)? {
    let lots = stocks.compactMap { stock in
      let batches = stock.batches(ofProduct: batch.productID).filter(\.hasSomethingLeft)
      return Lot.grouped(batches.filter { MergeKey(of: $0) == MergeKey(of: batch) })
        .first { $0.first.unit.converts(to: batch.unit) }?.quantity
    }
    return lots.count == 2 ? (lots[1], lots[0]) : nil
  }

  package func item(_ id: String) -> String? { title(.stockItem, id) }

  package func location(_ id: String) -> String? { title(.storageLocation, id) }

  /// Returns the item that claims a product, otherwise the product's own title.
  package func product(_ id: String) -> String? {
    stocks.lazy.compactMap { $0.item(ofProduct: id)?.title }.first ?? item(id)
      ?? title(.product, id)
  }

  private func title(_ kind: Kind, _ id: String) -> String? {
    households.lazy.compactMap { $0[kind, id]?.title }.first
  }
}

/// The words for kinds; the user's word for a StorageLocation is location, in sentences too.
extension Kind {
  /// The words for a kind; `deleted` is what a deleted one is.
  private var words: (noun: String, plural: String, deleted: String, command: String?) {
    switch self {
    case .household: ("household", "households", "archived", nil)
    case .stockItem: ("item", "items", "archived", "stock")
    case .inventoryItem: ("batch", "batches", "discarded", nil)
    case .storageLocation: ("location", "locations", "archived", "location")
    case .product: ("product", "products", "archived", "product")
    case .shoppingListEntry: ("shopping entry", "shopping entries", "off the list", "shop")
    case .receipt: ("receipt", "receipts", "void", "receipt")
    }
  }

  /// The noun for people.
  package var noun: String { words.noun }
  package var article: String { "aeiou".contains(noun.prefix(1)) ? "an" : "a" }
  package var pluralNoun: String { words.plural }
  /// The word for a deleted one.
  var deletedWord: String { words.deleted }
  /// The advice for a name that several have; nil for more of the name.
  var advice: String? {
    switch self {
    case .inventoryItem: "add what only the one you mean has (its day, location or lot code)"
    case .receipt: "add its day and time"
    default: nil
    }
  }

  /// What is in its files.
  package var content: String {
    switch self {
    case .household: "its name, time zone and currency"
    case .stockItem: "what we keep, and how much of it we want"
    case .inventoryItem: "an item's batches, each with a date or a place"
    case .storageLocation: "fridge, freezer, cellar"
    case .product: "catalogue entries"
    case .shoppingListEntry: "the shopping list"
    case .receipt: "what was bought"
    }
  }
  /// The noun of its commands; nil if it has none of its own.
  package var commandNoun: String? { words.command }
}

/// Past moments for people, in the household's time zone.
package struct LocalTime: Sendable {
  private let calendar: HouseholdCalendar

  /// Creates the clock of a time zone by its name; an unknown zone counts as UTC.
  package init(zone name: String) {
    calendar = HouseholdCalendar(timeZone: name, now: Instant(milliseconds: 0))
  }

  /// Creates the clock of the household, or of UTC if there is none.
  package init(of household: Household) { self.init(zone: household.own?.timeZone ?? "UTC") }

  /// Returns weekday, day and time to the minute, such as `Fri 2026-11-20 19:12`.
  package func text(of instant: Instant) -> String {
    "\(calendar.day(of: instant).shortWeekday) \(calendar.text(of: instant))"
  }
}

extension Day {
  /// The weekday, such as `Fri`.
  package var shortWeekday: String {
    ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][weekday - 1]
  }
}

extension LotMarks {
  /// The marks in words, such as `batch of 2026-11-28, L7, fridge, open`.
  package var words: String {
    let preposition = day?.kind.isOfOrigin ?? false ? "" : "of "
    let lot = (day?.description ?? code).map { "batch \(preposition)\($0)" } ?? "undated batch"
    return [lot, day == nil ? nil : code, place, isOpen ? "open" : nil]
      .compactMap { $0 }.joined(separator: ", ")
  }
}

extension PassedDay {
  /// The heading of what is listed apart.
  package var heading: String {
    switch self {
    case .expired: "expired: look at it, or throw it away"
    case .pastBest: "past its best: use first"
    }
  }

  /// Returns the words some days after the last one, such as `expired 4 days ago`.
  package func words(after days: Int) -> String {
    switch self {
    case .expired: "expired \(counted(days, "day")) ago"
    case .pastBest: "past its best \(counted(days, "day"))"
    }
  }

  /// The name for scripts.
  package var name: String {
    switch self {
    case .expired: "expired"
    case .pastBest: "pastBest"
    }
  }
}

extension Survey {
  /// Returns the words for a lot in a line of its own, such as `1 l of Milk (batch of 2026-11-16,
  /// fridge, expired 4 days ago)`.
  package func line(about lot: Lot) -> String {
    let marks = [words(for: lot.first), passedWords(for: lot.first)]
    return "\(lot.quantity) of \(naming.title(of: lot.first)) "
      + "(\(marks.compactMap(\.self).joined(separator: ", ")))"
  }

  /// Returns the words that tell a batch from others, such as `batch of 2026-11-28, L7, fridge,
  /// open`; `loose` for an item.
  package func words(for batch: Entity) -> String {
    batch.kind == .stockItem ? "loose" : marks(of: batch).words
  }

  /// Returns the words for a last day that has passed, such as `expired 4 days ago`; nil if it has
  /// not.
  package func passedWords(for batch: Entity) -> String? {
    passedDay(of: batch).map { meaning, days in meaning.words(after: days) }
  }
}

extension Commit {
  /// The author and device, such as `Anna on phone`.
  package var who: String {
    let author = author.name.isEmpty ? "somebody" : author.name
    guard let device else { return "\(author), with git" }
    return author == device ? device : "\(author) on \(device)"
  }
}
