extension String {
  /// Whether two texts have the same UTF-8 bytes; Swift's `==` uses canonical equivalence.
  func hasSameBytes(as other: String) -> Bool {
    // Texts with the same bytes are equal in every sense, and `==` detects unequal ones fastest.
    guard utf8.count == other.utf8.count, self == other else { return false }
    let fast = utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { bytes.elementsEqual($0) }
    }
    if case .some(.some(let answer)) = fast { return answer }
    return utf8.elementsEqual(other.utf8)
  }

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
