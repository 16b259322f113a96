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
  private static let flag: Read = { reader, key throws(RequestMistake) in
    try reader.flag(key).map { .bool($0) }
  }
  private static let currency: Read = { reader, key throws(RequestMistake) in
    try code(reader, key).map { .string($0) }
  }
  private static let timeZone: Read = { reader, key throws(RequestMistake) in
    guard let text = try reader.text(key) else { return nil }
    guard let zone = try? HouseholdDefaults.timeZone(typed: text) else {
      throw reader.mistake("a time zone is needed, such as Europe/London", at: key)
    }
    return .string(zone)
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
    .storageLocation: [.name: name, .isColdStorage: flag],
    .household: [
      .name: name, .currency: currency, .expiringWithinDays: days, .timeZone: timeZone,
    ],
  ]
  /// Whether a place is a freezer, which its name says.
  static let isFreezer = "isFreezer"
  private static let ofReceipt: [FieldName: Read] = [
    .shopName: name, .amount: amount, .timestamp: instant,
  ]
  private static let ofLine: [FieldName: Read] = [
    .quantity: amount, .unit: unit, .price: number, .expiry: day, .location: id,
  ]

  /// Fields that can't be removed.
  private static let needed: Set<FieldName> = [
    .name, .unit, .desiredQuantity, .shopName, .timestamp, .quantity, .isColdStorage,
    .expiringWithinDays, .timeZone,
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
    try code(act, "currency")
  }

  private static func code(_ act: JSONReader, _ key: String) throws(RequestMistake) -> String? {
    guard let code = try act.text(key) else { return nil }
    guard code.utf8.count == 3, code.utf8.allSatisfy({ (65...90).contains($0) }) else {
      throw act.mistake("a code such as EUR is needed", at: key)
    }
    return code
  }

  private static func read(
    _ act: JSONReader, _ known: [FieldName: Read]
  ) throws(RequestMistake) -> [FieldValue] {
    let more: Set<String> = known[.isColdStorage] == nil ? [] : [isFreezer]
    let fields = try object(act, Set(known.keys.map(\.text)).union(more))
    var values: [FieldValue] = []
    for member in fields.value.members ?? [] where !more.contains(member.key) {
      let name = FieldName(member.key)
      let value = try known[name]?(fields, member.key)
      if value == nil, needed.contains(name) { throw fields.mistake("it is needed", at: name.text) }
      values.append((name, value))
    }
    guard !values.isEmpty else { throw fields.mistake("nothing is named") }
    return values
  }

  /// Returns the member `fields` of an act, in which only these may be.
  static func object(
    _ act: JSONReader, _ known: Set<String>
  ) throws(RequestMistake) -> JSONReader {
    let fields = try JSONReader(act["fields"] ?? .null, at: act.place(of: "fields"))
    try fields.allow(known)
    return fields
  }
}
