// Numbers of the cache are as this machine has them, because nobody else reads them. Readers expect the
// bytes to be complete: the cache has a checksum.
extension [UInt8] {
  /// Returns the number at an offset.
  package func number<Number: FixedWidthInteger>(at offset: Int) -> Number {
    withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Number.self) }
  }

  /// Returns the size, or other offset, at an offset.
  package func size(at offset: Int) -> Int { Int(number(at: offset) as UInt32) }

  package mutating func append(number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number) { append(contentsOf: $0) }
  }

  package mutating func append(size: Int) { append(number: UInt32(size)) }

  /// Writes a size over the one at an offset.
  package mutating func fill(size: Int, at offset: Int) {
    Swift.withUnsafeBytes(of: UInt32(size)) {
      replaceSubrange(offset..<(offset + $0.count), with: $0)
    }
  }
}
