internal import LarderJSON
internal import LarderText

extension FieldType {
  /// Returns the value in canonical form.
  ///
  /// Notes a problem and returns nil if it is not of this type.
  func normalized(_ value: JSON, at path: [JSONStep], noting problems: inout [EntityProblem])
    -> JSON?
  {
    switch self {
    case .list(let element):
      return normalizedList(value, of: element, at: path, noting: &problems)
    case .object(let fields):
      guard let members = value.members else { break }
      return .object(fields.normalized(members, at: path, noting: &problems))
    default:
      if let result = normalizedScalar(value) { return result }
    }
    problems.append(EntityProblem(mismatch(value), path))
    return nil
  }

  private func mismatch(_ value: JSON) -> EntityProblem.Kind {
    switch self {
    case .choice(let allowed): .notAmong(found: value.shortText, choices: allowed)
    default: .unexpected(found: value.shortText, expected: phrase)
    }
  }

  /// Returns the value in canonical form for a type without nested values; nil for everything else.
  func normalizedScalar(_ value: JSON) -> JSON? {
    switch (self, value) {
    case (.text, .string), (.flag, .bool): return value
    case (.name, .string(let text)), (.reference, .string(let text)):
      return text.isEmpty ? nil : value
    case (.id, .string(let text)):
      switch Identifier.form(of: text) {
      case .canonical: return value
      case .withUpperCase: return .string(text.lowercased())
      case .other: return nil
      }
    case (.unit, .string(let text)):
      return Unit(written: text).map { $0.rawValue == text ? value : .string($0.rawValue) }
    case (.choice(let allowed), .string(let text)): return allowed.contains(text) ? value : nil
    case (.instant, .string(let text)):
      if Instant.canonical(text) != nil { return value }
      return Instant(text).map { .string($0.description) }
    case (.day, .string(let text)): return Day(text) == nil ? nil : value
    case (.timeZone, .string(let text)): return TimeZoneName.isPlausible(text) ? value : nil
    case (.currency, .string(let text)):
      let isCode = text.utf8.count == 3 && text.utf8.allSatisfy { $0 >= 65 && $0 <= 90 }
      return isCode ? value : nil
    case (.number, .number(let text)), (.numberNotNegative, .number(let text)),
      (.confidence, .number(let text)), (.days, .number(let text)),
      (.formatVersion, .number(let text)):
      return normalizedNumber(text)
    default: return nil
    }
  }

  private func normalizedNumber(_ text: String) -> JSON? {
    guard let number = Number(text) else { return nil }
    let isInRange =
      switch self {
      case .numberNotNegative: number >= .zero
      case .confidence: number >= .zero && number <= Number(1)
      case .days: number.isWhole && number >= .zero && number <= Number(36_500)
      case .formatVersion: number.isWhole && number >= Number(1)
      default: true
      }
    return isInRange ? number.json : nil
  }

  private func normalizedList(
    _ value: JSON, of element: FieldType, at path: [JSONStep],
    noting problems: inout [EntityProblem]
  ) -> JSON? {
    guard let elements = value.array else {
      problems.append(
        EntityProblem(.unexpected(found: value.shortText, expected: phrase), path))
      return nil
    }
    var results: [JSON] = []
    results.reserveCapacity(elements.count)
    for (index, item) in elements.enumerated() {
      if let result = element.normalizedScalar(item) {
        results.append(result)
      } else if let result = element.normalized(item, at: path + [.index(index)], noting: &problems)
      {
        results.append(result)
      }
    }
    return .array(results)
  }

  /// The expected value, in words that follow "is needed".
  var phrase: String {
    switch self {
    case .text: "a text"
    case .name, .reference: "a text that is not empty"
    case .id: "a UUID"
    case .flag: "true or false"
    case .unit:
      Unit.known.map(\.rawValue).joined(separator: ", ") + ", or another word of 1 to 24 letters"
    case .number: "a number (15 digits at most, six of them decimals)"
    case .numberNotNegative: "a number from 0 on (15 digits at most, six of them decimals)"
    case .confidence: "a number from 0 to 1"
    case .days: "a whole number of days"
    case .formatVersion: "the version of the format, \(Schema.format)"
    case .choice(let allowed): "one of " + allowed.joined(separator: ", ")
    case .instant: "an instant like 2026-11-03T19:12:44.120Z"
    case .day: "a day like 2026-11-03"
    case .timeZone: "a time zone like Europe/London"
    case .currency: "a currency code like EUR"
    case .list: "a list"
    case .object: "an object"
    }
  }
}

extension [Field] {
  /// Returns the members of a nested object: known ones in the order of the schema, then unknown
  /// ones by bytes.
  func normalized(
    _ members: [JSONMember], at path: [JSONStep], noting problems: inout [EntityProblem]
  ) -> [JSONMember] {
    var known: [JSONMember] = []
    known.reserveCapacity(members.count)
    var found = 0
    for field in self {
      let value = members.first { $0.key.hasSameBytes(as: field.name.text) }?.value
      if value != nil { found += 1 }
      if let value, value != .null {
        if let result = field.type.normalizedScalar(value) {
          known.append(JSONMember(field.name, result))
          continue
        }
        let step = path + [.key(field.name.text)]
        if let result = field.type.normalized(value, at: step, noting: &problems) {
          known.append(JSONMember(field.name, result))
        }
      } else if case .required = field.presence {
        problems.append(EntityProblem(.missing(field.name.text, expected: field.type.phrase), path))
      }
    }
    if found == members.count { return known }
    let unknown = members.filter { member in
      !contains { $0.name.text.hasSameBytes(as: member.key) } && member.value != .null
    }
    return known
      + unknown.map { JSONMember($0.key, $0.value.canonicalized()) }
      .sorted { JSON.precedes($0.key, $1.key) }
  }
}

extension JSON {
  /// The value as quoted in messages, cut if it is long.
  var shortText: String {
    switch self {
    case .array: return "a list"
    case .object: return "an object"
    default:
      let text = String(decoding: compact(), as: UTF8.self)
      return text.count > 40 ? text.prefix(39) + "…" : text
    }
  }
}

enum TimeZoneName {
  /// Whether a text has the form of a name in the time zone database, such as `Asia/Singapore`.
  static func isPlausible(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 64
      && text.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
          || [UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+")]
            .contains(byte)
      }
  }
}
