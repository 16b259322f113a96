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

extension JSON {
  /// Returns the value in canonical form: keys are sorted by their bytes, numbers are plain, and
  /// null members are left out at every depth.
  ///
  /// Nulls inside arrays stay.
  public func canonicalized() -> JSON {
    switch self {
    case .null, .bool, .string:
      return self
    case .number(let lexeme):
      return .number(JSON.canonicalNumber(lexeme) ?? lexeme)
    case .array(let elements):
      return .array(elements.map { $0.canonicalized() })
    case .object(let members):
      var kept: [JSONMember] = []
      kept.reserveCapacity(members.count)
      for member in members where member.value != .null {
        kept.append(JSONMember(member.key, member.value.canonicalized()))
      }
      kept.sort { JSON.precedes($0.key, $1.key) }
      return .object(kept)
    }
  }

  /// Returns the plain form of a number: no exponent, no zeros at the end of a fraction, no `-0`.
  ///
  /// Returns nil if the lexeme is not a JSON number, or if its exponent makes it longer than 400
  /// digits. A number that was written with more digits keeps them.
  public static func canonicalNumber(_ lexeme: String) -> String? {
    var copy = lexeme
    return copy.withUTF8 { bytes in
      if isPlainInteger(bytes) { return lexeme }
      guard let number = NumberLexeme(bytes), !number.isExponentTooLarge else { return nil }
      return number.plain
    }
  }

  /// Whether a lexeme is an integer in canonical form already; most numbers are.
  private static func isPlainInteger(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = bytes.first else { return false }
    let digits = first == Byte.minus ? bytes.dropFirst() : bytes[...]
    guard let lead = digits.first, digits.allSatisfy(Byte.isDigit) else { return false }
    return lead != Byte.zero || bytes.count == 1
  }
}

extension JSON {
  /// The largest text that is read, in bytes: 16 MiB.
  package static let largestText = 16 << 20

  /// Reads a text.
  ///
  /// Refuses what RFC 8259 refuses, and also what FORMAT.md refuses: byte order marks, bad UTF-8,
  /// U+0000, duplicate keys in an object, nesting over 64, more than 16 MiB, lone surrogates, and
  /// exponents that would need over 400 digits.
  ///
  /// The time is linear in the length for any bytes. The error is the first mistake.
  public init(parsing bytes: ArraySlice<UInt8>) throws(JSONMistake) {
    do throws(Finding) {
      self = try bytes.withUnsafeBufferPointer { bytes throws(Finding) in try Parser.parse(bytes) }
    } catch {
      let position = JSON.position(ofOffset: error.range.lowerBound, in: bytes)
      throw JSONMistake(kind: error.kind, position: position)
    }
  }

  /// Reads a text, like the other initializer.
  public init(parsing bytes: [UInt8]) throws(JSONMistake) {
    try self.init(parsing: bytes[...])
  }
}

/// One reason why a text is not JSON as Larder reads it, and its position.
public struct JSONMistake: Error, Sendable, Hashable {
  /// The kind of the mistake.
  public var kind: Kind
  /// The position where it starts.
  public var position: TextPosition

  /// Creates a mistake at a position.
  public init(kind: Kind, position: TextPosition) {
    self.kind = kind
    self.position = position
  }

  /// The kinds of mistakes: what RFC 8259 refuses, and what FORMAT.md refuses in addition.
  ///
  /// Texts quoted from the file are cut to about forty bytes, and their control characters are
  /// written as `\u00xx`, so that they can be printed.
  public enum Kind: Sendable, Hashable {
    /// The file is over 16 MiB; nothing of it was read.
    case tooLarge(bytes: Int)
    /// The text starts with a byte order mark, of UTF-8 or of UTF-16.
    case byteOrderMark
    /// Bytes that are not UTF-8: overlong forms, surrogates, stray or missing continuations.
    case invalidUTF8
    /// U+0000, raw or as an escape.
    case nullCharacter
    /// An object or array at depth 65.
    case tooDeep
    /// A key that its object has already; both are compared unescaped.
    case duplicateKey(String)
    /// Something that the grammar does not allow here.
    case unexpected(found: String, expected: String)
    /// The text ends too early.
    case unexpectedEnd(expected: String)
    /// A backslash that does not start an escape.
    case badEscape
    /// Half of a surrogate pair as an escape.
    case loneSurrogate
    /// A raw character below U+0020 inside a string, except line ends.
    case controlCharacter
    /// A word that looks like a number but is not one, such as `01`, `.5` or `+1`.
    case badNumber(String)
    /// A number whose exponent would take over 400 digits to write out.
    case exponentTooLarge(String)
    /// Something after the end of the value.
    case trailingContent
    /// A conflict marker of an unresolved git merge.
    case conflictMarker
  }
}
