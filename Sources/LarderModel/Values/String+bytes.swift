internal import LarderJSON

extension String {
  /// Whether two texts have the same UTF-8 bytes; Swift's `==` uses canonical equivalence.
  func hasSameBytes(as other: String) -> Bool { haveSameBytes(self, other) }

  /// Hashes the bytes that ``hasSameBytes(as:)`` compares.
  func hashBytes(into hasher: inout Hasher) {
    var copy = self
    copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(utf8.count)
  }
}

extension String? {
  /// Whether two optional texts have the same UTF-8 bytes, or are both nil.
  func hasSameBytes(as other: String?) -> Bool {
    switch (self, other) {
    case (let text?, let other?): text.hasSameBytes(as: other)
    case (nil, nil): true
    default: false
    }
  }
}
