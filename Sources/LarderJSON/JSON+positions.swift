internal import LarderText

extension JSON {
  /// Returns the line and column of a byte offset, which is clamped to the text.
  public static func position(ofOffset offset: Int, in bytes: [UInt8]) -> TextPosition {
    bytes.withUnsafeBufferPointer { bytes in
      var counter = PositionCounter(bytes)
      return counter.position(at: offset)
    }
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
      var scanner = Parser(bytes, offset: TextEncoding.markLength(bytes))
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
      guard offset < bytes.count, bytes[offset] == Byte.quote else { return nil }
      let keyStart = offset
      let found = string()
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
