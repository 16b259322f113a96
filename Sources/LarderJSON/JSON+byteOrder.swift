extension JSON {
  /// Whether one string comes before another in the order of their UTF-8 bytes.
  ///
  /// This is the order of unknown keys in files. Swift's `<` uses canonical equivalence, which
  /// would treat two different keys as equal.
  public static func precedes(_ a: String, _ b: String) -> Bool {
    let fast = a.utf8.withContiguousStorageIfAvailable { left in
      b.utf8.withContiguousStorageIfAvailable { compareBytes(left, $0) < 0 }
    }
    if case .some(.some(let answer)) = fast { return answer }
    return a.utf8.lexicographicallyPrecedes(b.utf8)
  }
}

/// Whether two strings have the same bytes; Swift's `==` uses canonical equivalence.
package func haveSameBytes(_ left: String, _ right: String) -> Bool {
  guard left.utf8.count == right.utf8.count else { return false }
  let fast = left.utf8.withContiguousStorageIfAvailable { leftBytes in
    right.utf8.withContiguousStorageIfAvailable { compareBytes(leftBytes, $0) == 0 }
  }
  if case .some(.some(let answer)) = fast { return answer }
  return left.utf8.elementsEqual(right.utf8)
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

/// Feeds the bytes of a string and an end mark to a hasher.
func hashBytes(of text: String, into hasher: inout Hasher) {
  let hashed: Void? = text.utf8.withContiguousStorageIfAvailable { bytes in
    hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
  }
  if hashed == nil {
    for byte in text.utf8 { hasher.combine(byte) }
  }
  // This byte never occurs in UTF-8, so "ab" + "c" and "a" + "bc" hash differently.
  hasher.combine(0xFF as UInt8)
}

/// A string that is compared by its bytes, for sets of keys.
struct KeyBytes: Hashable {
  let text: String

  static func == (left: KeyBytes, right: KeyBytes) -> Bool {
    haveSameBytes(left.text, right.text)
  }

  func hash(into hasher: inout Hasher) {
    hashBytes(of: text, into: &hasher)
  }
}
