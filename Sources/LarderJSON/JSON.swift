internal import LarderText

/// A JSON value, lossless: numbers keep their lexeme, objects the order of their keys.
///
/// Equality and hashing use the bytes of strings, keys and lexemes, not Unicode's canonical
/// equivalence, and the order of members counts. So `1.0` differs from `1`, and a precomposed `é`
/// differs from an `e` with a combining accent. Compare `canonicalized()` values to ignore the
/// spelling of numbers and the order of members.
public enum JSON: Sendable, Hashable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([JSON])
  case object([JSONMember])

  public static func == (left: JSON, right: JSON) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let one), .bool(let other)): one == other
    case (.number(let one), .number(let other)): one.hasSameBytes(as: other)
    case (.string(let one), .string(let other)): one.hasSameBytes(as: other)
    case (.array(let one), .array(let other)): one == other
    case (.object(let one), .object(let other)): one == other
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null:
      hasher.combine(0 as UInt8)
    case .bool(let truth):
      hasher.combine(1 as UInt8)
      hasher.combine(truth)
    case .number(let lexeme):
      hasher.combine(2 as UInt8)
      lexeme.hashBytes(into: &hasher)
    case .string(let text):
      hasher.combine(3 as UInt8)
      text.hashBytes(into: &hasher)
    case .array(let elements):
      hasher.combine(4 as UInt8)
      hasher.combine(elements)
    case .object(let members):
      hasher.combine(5 as UInt8)
      hasher.combine(members)
    }
  }
}

extension JSON {
  /// The value of an object's member, found by the bytes of its key.
  ///
  /// Nil if there is no such member, or if the value is not an object.
  public subscript(key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    for member in members where member.key.hasSameBytes(as: key) { return member.value }
    return nil
  }

  /// The text of a string; nil for every other value.
  public var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The value of `true` or `false`; nil for every other value.
  public var bool: Bool? {
    guard case .bool(let truth) = self else { return nil }
    return truth
  }

  /// The lexeme of a number, as it was written; nil for every other value.
  public var number: String? {
    guard case .number(let lexeme) = self else { return nil }
    return lexeme
  }

  /// The elements of an array; nil for every other value.
  public var array: [JSON]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// The members of an object, in their order; nil for every other value.
  public var members: [JSONMember]? {
    guard case .object(let members) = self else { return nil }
    return members
  }
}

extension JSON: ExpressibleByDictionaryLiteral {
  /// Creates an object with its members in their order, without those that are nil.
  public init(dictionaryLiteral members: (String, JSON?)...) {
    self = .object(members.compactMap { key, value in value.map { JSONMember(key, $0) } })
  }
}

/// A key and its value in a JSON object; compared by bytes, like `JSON`.
public struct JSONMember: Sendable, Hashable {
  /// The key, unescaped.
  public var key: String
  /// The member's value.
  public var value: JSON

  /// Creates a member of an object.
  public init(_ key: String, _ value: JSON) {
    self.key = key
    self.value = value
  }

  public static func == (left: JSONMember, right: JSONMember) -> Bool {
    left.key.hasSameBytes(as: right.key) && left.value == right.value
  }

  public func hash(into hasher: inout Hasher) {
    key.hashBytes(into: &hasher)
    hasher.combine(value)
  }
}

extension JSON {
  /// Whether one string comes before another in the order of their UTF-8 bytes.
  ///
  /// This is the order of unknown keys in files. Swift's `<` uses canonical equivalence, which
  /// would treat two different keys as equal.
  public static func precedes(_ a: String, _ b: String) -> Bool { a.precedesByBytes(b) }
}

/// A string that is compared by its bytes, for sets of keys.
struct KeyBytes: Hashable {
  let text: String

  static func == (left: KeyBytes, right: KeyBytes) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}
