extension RequestHead {
  /// Whether it has all that the bytes of a head say.
  ///
  /// The library takes a NUL for the end of a text, and says nothing of what stands behind it. It has
  /// put NULs in the place of what divides the parts, and changed the bytes of the target, which is
  /// at this address.
  /// `signs` is the number of those that were read besides the target.
  func isAll(of bytes: UnsafeRawBufferPointer, target place: UInt, signs: Int) -> Bool {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return true }
    let start = Int(bitPattern: place) - Int(bitPattern: base)
    let end = start + target.utf8.count
    guard start > 0, end <= bytes.count else { return false }
    return Self.signs(in: bytes[..<start]) + Self.signs(in: bytes[end...]) == signs
  }

  /// Returns the number of bytes that don't divide the parts of a head.
  static func signs(in bytes: some Sequence<UInt8>) -> Int {
    bytes.count { ![0x00, 0x09, 0x0a, 0x0d, 0x20, 0x3a].contains($0) }
  }
}
