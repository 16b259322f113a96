extension JSON {
  /// The value in canonical form: members that are null left out at every depth (inside arrays
  /// nulls stay), keys sorted by their bytes, numbers written plainly.
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

  /// The plain form of a number: no exponent, no zeros at the end of a fraction, no `-0`.
  ///
  /// It is nil for a lexeme that is no JSON number, and for one that needs over 400 digits because
  /// of its exponent; a number that was written with that many digits keeps them.
  public static func canonicalNumber(_ lexeme: String) -> String? {
    var copy = lexeme
    return copy.withUTF8 { bytes in
      if isPlainInteger(bytes) { return lexeme }
      guard let number = NumberLexeme(bytes), !number.isExponentTooLarge else { return nil }
      return number.plain
    }
  }

  /// Whether a lexeme is an integer in canonical form already, as nearly all are.
  private static func isPlainInteger(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = bytes.first else { return false }
    let digits = first == Byte.minus ? bytes.dropFirst() : bytes[...]
    guard let lead = digits.first, digits.allSatisfy(Byte.isDigit) else { return false }
    return lead != Byte.zero || bytes.count == 1
  }
}
