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
