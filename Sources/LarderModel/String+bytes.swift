extension String {
  /// Equality of UTF-8 bytes; Swift's own takes canonically equivalent texts for equal.
  func hasSameBytes(as other: String) -> Bool {
    // Swift's equality is much the faster, and what it tells apart differs in bytes too.
    utf8.count == other.utf8.count && self == other && utf8.elementsEqual(other.utf8)
  }

  /// Hashes what ``hasSameBytes(as:)`` compares.
  func hashBytes(into hasher: inout Hasher) {
    hasher.combine(utf8.count)
    for byte in utf8 { hasher.combine(byte) }
  }
}

extension String? {
  /// Equality of UTF-8 bytes, absence included.
  func hasSameBytes(as other: String?) -> Bool {
    switch (self, other) {
    case (let text?, let other?): text.hasSameBytes(as: other)
    case (nil, nil): true
    default: false
    }
  }
}
