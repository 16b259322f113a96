// Swift's `==`, `<` and hash values use canonical equivalence: they take two texts for one that have
// the same letters in other bytes. Files and paths are compared by their bytes.
extension String {
  /// Whether two texts have the same UTF-8 bytes.
  package func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let fast = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { compareBytes(left, $0) == 0 }
    }
    if case .some(.some(let answer)) = fast { return answer }
    return utf8.elementsEqual(other.utf8)
  }

  /// Whether a text comes before another in the order of their UTF-8 bytes.
  package func precedesByBytes(_ other: String) -> Bool {
    let fast = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { compareBytes(left, $0) < 0 }
    }
    if case .some(.some(let answer)) = fast { return answer }
    return utf8.lexicographicallyPrecedes(other.utf8)
  }

  /// Hashes the bytes that ``hasSameBytes(as:)`` compares, and an end mark.
  package func hashBytes(into hasher: inout Hasher) {
    let hashed: Void? = utf8.withContiguousStorageIfAvailable { bytes in
      hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
    }
    if hashed == nil {
      for byte in utf8 { hasher.combine(byte) }
    }
    // This byte never occurs in UTF-8, so "ab" + "c" and "a" + "bc" hash differently.
    hasher.combine(0xFF as UInt8)
  }
}

extension String {
  /// Returns the text with other texts in place of some scalars.
  ///
  /// Other programs act on scalars, or bytes. For Swift, a sign with a mark behind it, such as U+FE0F,
  /// is another character than the sign.
  package func replacing(_ texts: [Unicode.Scalar: String]) -> String {
    var replaced = UnicodeScalarView()
    for scalar in unicodeScalars {
      if let text = texts[scalar] {
        replaced.append(contentsOf: text.unicodeScalars)
      } else {
        replaced.append(scalar)
      }
    }
    return String(replaced)
  }
}

extension String? {
  /// Whether two optional texts have the same UTF-8 bytes, or are both nil.
  package func hasSameBytes(as other: String?) -> Bool {
    switch (self, other) {
    case (let text?, let other?): text.hasSameBytes(as: other)
    case (nil, nil): true
    default: false
    }
  }
}

/// Returns the order of two texts by their bytes: below zero if the first comes first.
package func compareBytes(
  _ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>
) -> Int {
  let (left, right) = (UnsafeRawBufferPointer(one), UnsafeRawBufferPointer(other))
  let shared = min(left.count, right.count)
  var place = 0
  // Ids and names that differ often begin alike, so eight bytes are compared at once.
  while place + 8 <= shared,
    left.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      == right.loadUnaligned(fromByteOffset: place, as: UInt64.self)
  {
    place += 8
  }
  while place < shared {
    if left[place] != right[place] { return left[place] < right[place] ? -1 : 1 }
    place += 1
  }
  return left.count - right.count
}

extension StringProtocol {
  /// Whether its UTF-8 bytes begin with those of another text.
  package func begins(withBytesOf beginning: String) -> Bool { utf8.starts(with: beginning.utf8) }

  /// Whether the UTF-8 bytes of another text are among its own, one after the other.
  package func utf8Contains(_ other: String) -> Bool {
    Array(utf8).firstRange(of: Array(other.utf8)) != nil
  }

  /// Returns what follows a beginning, by UTF-8 bytes; nil if the text does not begin so.
  package func afterBytes(of beginning: String) -> String? {
    begins(withBytesOf: beginning)
      ? String(decoding: utf8.dropFirst(beginning.utf8.count), as: UTF8.self) : nil
  }
}
