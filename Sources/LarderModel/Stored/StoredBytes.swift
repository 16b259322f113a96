/// Writes numbers and texts one after the other, for ``ByteReader``.
///
/// Numbers are as this machine has them, because nobody else reads them.
package struct ByteWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func number(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
  }

  /// Writes a text with its length.
  package mutating func text(_ text: String) {
    number(UInt32(text.utf8.count))
    append(text.utf8)
  }

  package mutating func append(_ other: some Collection<UInt8>) { bytes.append(contentsOf: other) }

  /// Writes a number over the one at an offset.
  package mutating func fill(_ number: UInt32, at offset: Int) {
    withUnsafeBytes(of: number) { bytes.replaceSubrange(offset..<(offset + $0.count), with: $0) }
  }
}

/// Reads what a ``ByteWriter`` wrote, from an offset on.
///
/// It expects the bytes to be complete: the cache has a checksum.
package struct ByteReader {
  private let bytes: [UInt8]
  package var offset: Int

  package init(_ bytes: [UInt8], at offset: Int) {
    self.bytes = bytes
    self.offset = offset
  }

  package mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self)
    -> Number
  {
    defer { offset += MemoryLayout<Number>.size }
    return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Number.self) }
  }

  /// Reads numbers after their count.
  package mutating func numbers() -> [UInt32] {
    let count = Int(number(UInt32.self))
    let part = slice(4 * count)
    return Array(unsafeUninitializedCapacity: count) { target, filled in
      part.withUnsafeBytes { UnsafeMutableRawBufferPointer(target).copyMemory(from: $0) }
      filled = count
    }
  }

  package mutating func slice(_ count: Int) -> ArraySlice<UInt8> {
    defer { offset += count }
    return bytes[offset..<(offset + count)]
  }

  package mutating func text() -> String {
    let count = Int(number(UInt32.self))
    return String(decoding: slice(count), as: UTF8.self)
  }
}
