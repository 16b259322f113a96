import LarderJSON
import LarderKit
import LarderModel

/// The words for fields, values and quantity events, shared by all messages about entities and
/// changes.
struct EntityWords: Sendable {
  let names: NameBook
  let time: LocalTime

  /// Returns the name of a field for people; an unknown field keeps its own name.
  static func label(_ field: FieldName) -> String {
    labels[field] ?? field.text
  }

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
  func text(of value: JSON?, field: FieldName, in entity: Entity?) -> String {
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
  static func text(_ line: ReceiptLine, in receipt: Entity?) -> String {
    let quantity = Quantity(line.quantity, line.unit ?? .piece)
    let price =
      line.price.map { price in
        " for " + (receipt.map { TypedMoney(price, $0.currency).description } ?? "\(price)")
      } ?? ""
    return "\(quantity) \(line.unit == nil ? "×" : "of") \(line.itemName)\(price)"
  }

  /// Returns a quantity event in words, such as `used 1`, `counted 3` or `took back: used 1`.
  func what(_ entry: LedgerEntry, in ledger: Ledger) -> String {
    switch entry.event {
    case .set(let number): return sentence(set: Quantity(number, entry.unit), entry.why)
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
