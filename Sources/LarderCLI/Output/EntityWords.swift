import LarderJSON
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
    .quantityInStock: "in stock", .quantityFullStock: "full stock", .quantityMinimum: "minimum",
    .aliases: "other names", .keepsDays: "keeps days", .isArchived: "archived",
    .productRef: "product", .storageLocationID: "location", .lotOrBatchCode: "lot",
    .expiryInfo: "date", .openedInfo: "opened", .isColdStorage: "cold", .imageURL: "picture",
    .packSize: "pack size", .bestAfterOpeningDays: "days after opening", .itemID: "item",
    .desiredQuantity: "wanted", .isCompleted: "done", .isDeleted: "deleted", .shopName: "shop",
    .timestamp: "paid", .timeZone: "time zone", .expiringWithinDays: "expiring within days",
    .items: "lines", .quantity: "unit", .changes: "quantity",
  ]

  /// Returns a field's value on one line; `none` if there is none.
  func text(of value: JSON?, field: FieldName) -> String {
    guard let value else { return "none" }
    switch (field, value) {
    case (.itemID, .string(let id)): return names.item(id) ?? id
    case (.storageLocationID, .string(let id)):
      return id.isEmpty ? "none" : names.location(id) ?? id
    case (.productRef, .object):
      let id = value[.productID]?.string ?? ""
      return value[.snapshot]?[.title]?.string ?? names.product(id) ?? id
    case (.items, .array(let lines)) where !lines.isEmpty:
      return lines.compactMap(ReceiptLine.init).map(Self.text).joined(separator: "; ")
    case (.quantity, .object): return value[.unit]?.string ?? Unit.piece.rawValue
    case (.expiryInfo, .object), (.openedInfo, .object): return date(value)
    case (.timestamp, .string(let text)):
      return Instant(text).map { time.text(of: $0) } ?? text
    default: return plain(value)
    }
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

  /// Returns a receipt's line as text, such as `2 l of Oat milk for 3.30`.
  static func text(_ line: ReceiptLine) -> String {
    let quantity = Quantity(line.quantity, line.unit ?? .piece)
    let price = line.price.map { " for \($0)" } ?? ""
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
    case .add where !isLess: return "added \(amount)"
    case .receipt where !isLess: return "bought \(amount)"
    case .consume where isLess: return "used \(amount)"
    case .spoil where isLess: return "spoiled \(amount)"
    case .move: return isLess ? "moved \(amount) away" : "moved \(amount) here"
    case .receipt: return "corrected a receipt by −\(amount)"
    default: return isLess ? "took off \(amount)" : "put back \(amount)"
    }
  }
}
