/// A counter of lines and columns in one pass, for offsets that only grow.
struct PositionCounter {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var reached = TextPosition(line: 1, column: 1, offset: 0)

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// Returns the position of an offset, which must not be smaller than in the last call.
  mutating func position(at offset: Int) -> TextPosition {
    let end = min(max(offset, 0), bytes.count)
    while reached.offset < end {
      let byte = bytes[reached.offset]
      reached.offset += 1
      if byte == Byte.lineFeed {
        reached.line += 1
        reached.column = 1
      } else if byte & 0xC0 != 0x80 {
        reached.column += 1
      }
    }
    return reached
  }
}
