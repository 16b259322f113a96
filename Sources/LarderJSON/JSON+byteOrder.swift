internal import LarderText

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
