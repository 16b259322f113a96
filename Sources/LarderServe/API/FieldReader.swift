internal import LarderJSON
internal import LarderKit

/// Reads the fields that an act writes, by the names of FORMAT.md.
enum FieldReader {
  private typealias Read =
    @Sendable (JSONReader, String) throws(RequestMistake) -> JSON?

  private static let name: Read = { reader, key throws(RequestMistake) in
    try reader.name(key).map { .string($0) }
  }
  private static let text: Read = { reader, key throws(RequestMistake) in
    try reader.text(key).map { .string($0) }
  }
  private static let unit: Read = { reader, key throws(RequestMistake) in
    try reader.unit(key).map { .string($0.rawValue) }
  }
  private static let number: Read = { reader, key throws(RequestMistake) in
    try reader.number(key)?.json
  }
  /// A number that is not below zero.
  private static let amount: Read = { reader, key throws(RequestMistake) in
    guard let number = try reader.number(key) else { return nil }
    guard number >= .zero else { throw reader.mistake("it can't be below zero", at: key) }
    return number.json
  }
  private static let days: Read = { reader, key throws(RequestMistake) in
    guard let number = try reader.number(key) else { return nil }
    guard let days = Int(number.description), (0...36_500).contains(days) else {
      throw reader.mistake("a whole number of days up to 36500 is needed", at: key)
    }
    return .number("\(days)")
  }
  private static let id: Read = { reader, key throws(RequestMistake) in
    try reader.id(key).map { .string($0) }
  }
  private static let day: Read = { reader, key throws(RequestMistake) in
    try reader.day(key).map { .string($0.description) }
  }
  private static let instant: Read = { reader, key throws(RequestMistake) in
    try reader.instant(key).map { .string($0.description) }
  }
  private static let names: Read = { reader, key throws(RequestMistake) in
    guard let value = reader[key] else { return nil }
    guard let all = value.array, all.count <= 100, all.allSatisfy({ $0.string?.isEmpty == false })
    else { throw reader.mistake("a list of names is needed", at: key) }
    return all.isEmpty ? nil : value
  }

  private static let fields: [Kind: [FieldName: Read]] = [
    .stockItem: [
      .name: name, .category: name, .unit: unit, .quantityFullStock: amount,
      .quantityMinimum: amount, .storageLocationID: id, .keepsDays: days, .aliases: names,
      .note: text,
    ],
    .shoppingListEntry: [.name: name, .desiredQuantity: amount, .unit: unit, .note: text],
    .inventoryItem: [.notes: text],
  ]
  private static let ofReceipt: [FieldName: Read] = [
    .shopName: name, .amount: amount, .timestamp: instant,
  ]
  private static let ofLine: [FieldName: Read] = [
    .quantity: amount, .unit: unit, .price: number, .expiry: day, .location: id,
  ]

  /// Fields that can't be removed.
  private static let needed: Set<FieldName> = [
    .name, .unit, .desiredQuantity, .shopName, .timestamp, .quantity,
  ]

  /// Reads the member `fields` of an act.
  static func fields(_ act: JSONReader, of kind: Kind) throws(RequestMistake) -> [FieldValue] {
    try read(act, fields[kind] ?? [:])
  }

  static func correction(
    _ act: JSONReader, ofLine isLine: Bool
  ) throws(RequestMistake) -> [FieldValue] {
    try read(act, isLine ? ofLine : ofReceipt)
  }

  static func currency(_ act: JSONReader) throws(RequestMistake) -> String? {
    guard let code = try act.text("currency") else { return nil }
    guard code.utf8.count == 3, code.utf8.allSatisfy({ (65...90).contains($0) }) else {
      throw act.mistake("a code such as EUR is needed", at: "currency")
    }
    return code
  }

  private static func read(
    _ act: JSONReader, _ known: [FieldName: Read]
  ) throws(RequestMistake) -> [FieldValue] {
    let fields = try JSONReader(
      act["fields"] ?? .null, at: act.place(of: "fields"))
    try fields.allow(Set(known.keys.map(\.text)))
    var values: [FieldValue] = []
    for member in fields.value.members ?? [] {
      let name = FieldName(member.key)
      let value = try known[name]?(fields, member.key)
      if value == nil, needed.contains(name) { throw fields.mistake("it is needed", at: name.text) }
      values.append((name, value))
    }
    guard !values.isEmpty else { throw fields.mistake("nothing is named") }
    return values
  }

  /// Reads an `edit`: of an item, of an entry, or of a batch's expiry or notes.
  static func edit(_ act: JSONReader) throws(RequestMistake) -> Deed {
    switch (try act.id("item"), try act.id("entry"), try act.id("batch")) {
    case (let item?, nil, nil):
      return .edit(.stockItem, item, try fields(act, of: .stockItem))
    case (nil, let entry?, nil):
      return .edit(.shoppingListEntry, entry, try fields(act, of: .shoppingListEntry))
    case (nil, nil, let batch?):
      let fields = try JSONReader(act["fields"] ?? .null, at: act.place(of: "fields"))
      guard fields.value["expiry"] != nil else {
        return .edit(.inventoryItem, batch, try self.fields(act, of: .inventoryItem))
      }
      try fields.allow(["expiry"])
      return .date(batch: batch, try fields.day("expiry"))
    default: throw act.mistake("one of item, entry and batch is needed")
    }
  }
}
