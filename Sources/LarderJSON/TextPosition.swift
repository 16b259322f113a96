/// A position in a text, as editors count it.
public struct TextPosition: Sendable, Hashable {
  /// The line, from 1; lines end with LF, alone or after CR.
  public var line: Int
  /// The column, from 1, in Unicode scalars.
  public var column: Int
  /// The offset from the text's start, in bytes.
  public var offset: Int

  /// Creates a position in a text.
  public init(line: Int, column: Int, offset: Int) {
    self.line = line
    self.column = column
    self.offset = offset
  }
}

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

/// One step down into a JSON value.
public enum JSONStep: Sendable, Hashable {
  /// To the member of an object with this key.
  case key(String)
  /// To the element of an array with this index, from 0.
  case index(Int)
}
