internal import LarderText

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

/// One step down into a JSON value.
public enum JSONStep: Sendable, Hashable {
  /// To the member of an object with this key.
  case key(String)
  /// To the element of an array with this index, from 0.
  case index(Int)
}

extension JSON {
  /// Returns the line and column of a byte offset, which is clamped to the text.
  public static func position(
    ofOffset offset: Int, in bytes: some RandomAccessCollection<UInt8>
  ) -> TextPosition {
    let before = bytes.prefix(max(offset, 0))
    var position = TextPosition(line: 1, column: 1, offset: before.count)
    for byte in before {
      if byte == Byte.lineFeed {
        position.line += 1
        position.column = 1
      } else if byte & 0xC0 != 0x80 {
        position.column += 1
      }
    }
    return position
  }

  /// Returns the position of the value at a path, in a text that parses.
  ///
  /// With `key`, it is the position of the member's key, if the last step is a key.
  ///
  /// If the path leads further than the text, the result is the position of the deepest part that
  /// exists. It is nil only if there is no value at all.
  public static func position(
    of path: [JSONStep], in bytes: [UInt8], key: Bool = false
  ) -> TextPosition? {
    let offset = bytes.withUnsafeBufferPointer { bytes -> Int? in
      var scanner = Parser(bytes)
      scanner.skipWhitespace()
      guard scanner.offset < bytes.count else { return nil }
      var place = (key: scanner.offset, value: scanner.offset)
      for step in path {
        guard let next = scanner.find(step) else { break }
        place = next
      }
      return key ? place.key : place.value
    }
    return offset.map { position(ofOffset: $0, in: bytes) }
  }
}

extension Parser {
  /// Moves from the start of a container to the start of the value that a step leads to.
  ///
  /// For array elements, `key` is the position of the value too.
  fileprivate mutating func find(_ step: JSONStep) -> (key: Int, value: Int)? {
    guard offset < bytes.count else { return nil }
    switch (step, bytes[offset]) {
    case (.key(let key), Byte.openBrace): return findMember(key)
    case (.index(let index), Byte.openBracket): return findElement(index)
    default: return nil
    }
  }

  private mutating func findMember(_ key: String) -> (key: Int, value: Int)? {
    offset += 1
    while true {
      skipWhitespace()
      let keyStart = offset
      guard offset < bytes.count, bytes[offset] == Byte.quote, let found = try? string() else {
        return nil
      }
      skipWhitespace()
      guard offset < bytes.count, bytes[offset] == Byte.colon else { return nil }
      offset += 1
      skipWhitespace()
      if found.hasSameBytes(as: key) { return (keyStart, offset) }
      guard skipElement() else { return nil }
    }
  }

  private mutating func findElement(_ index: Int) -> (key: Int, value: Int)? {
    offset += 1
    skipWhitespace()
    guard index >= 0, offset < bytes.count, bytes[offset] != Byte.closeBracket else { return nil }
    for _ in 0..<index {
      guard skipElement() else { return nil }
      skipWhitespace()
    }
    return (offset, offset)
  }

  /// Skips a value and the comma after it; returns false if there is no comma.
  private mutating func skipElement() -> Bool {
    var nested = 0
    while offset < bytes.count {
      let byte = bytes[offset]
      switch byte {
      case Byte.quote:
        skipQuoted()
        continue
      case Byte.openBrace, Byte.openBracket: nested += 1
      case Byte.closeBrace, Byte.closeBracket:
        if nested == 0 { return false }
        nested -= 1
      case Byte.comma where nested == 0:
        offset += 1
        return true
      default: break
      }
      offset += 1
    }
    return false
  }
}
