extension JSON {
  /// Returns the bytes of the value in the canonical layout.
  ///
  /// Members keep their order. There is no newline at the end.
  ///
  /// An object has one member on each line, indented by two spaces. An array has one element on
  /// each line, and the element is compact. Empty ones are `{}` and `[]`. `depth` is the depth of
  /// the value: 0 for a file's root, 1 for a member of the root.
  public func written(depth: Int = 0) -> [UInt8] {
    var writer = Writer()
    writer.write(self, depth: depth)
    return writer.bytes
  }

  /// Returns the bytes of the value on one line, as inside an array: `{ "a": 1 }`, `[1, 2]`.
  public func compact() -> [UInt8] {
    var writer = Writer()
    writer.writeCompact(self)
    return writer.bytes
  }

  /// Returns the bytes of a file with the value: `written()` and a newline.
  public func writeFile() -> [UInt8] {
    var writer = Writer()
    writer.write(self, depth: 0)
    writer.bytes.append(Byte.lineFeed)
    return writer.bytes
  }
}

/// A writer of JSON values in the canonical layout.
struct Writer {
  var bytes: [UInt8] = []

  init() {
    bytes.reserveCapacity(1024)
  }

  mutating func write(_ value: JSON, depth: Int) {
    switch value {
    case .array(let elements) where !elements.isEmpty:
      bytes.append(Byte.openBracket)
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(Byte.comma) }
        startLine(depth: depth + 1)
        writeCompact(element)
      }
      startLine(depth: depth)
      bytes.append(Byte.closeBracket)
    case .object(let members) where !members.isEmpty:
      bytes.append(Byte.openBrace)
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(Byte.comma) }
        startLine(depth: depth + 1)
        writeKey(member.key)
        write(member.value, depth: depth + 1)
      }
      startLine(depth: depth)
      bytes.append(Byte.closeBrace)
    default:
      writeCompact(value)
    }
  }

  mutating func writeCompact(_ value: JSON) {
    switch value {
    case .null: append("null")
    case .bool(let truth): append(truth ? "true" : "false")
    case .number(let lexeme): bytes.append(contentsOf: lexeme.utf8)
    case .string(let text): writeString(text)
    case .array(let elements):
      bytes.append(Byte.openBracket)
      for (index, element) in elements.enumerated() {
        if index > 0 { append(", ") }
        writeCompact(element)
      }
      bytes.append(Byte.closeBracket)
    case .object(let members):
      guard !members.isEmpty else { return append("{}") }
      append("{ ")
      for (index, member) in members.enumerated() {
        if index > 0 { append(", ") }
        writeKey(member.key)
        writeCompact(member.value)
      }
      append(" }")
    }
  }

  private mutating func startLine(depth: Int) {
    bytes.append(Byte.lineFeed)
    bytes.append(contentsOf: repeatElement(Byte.space, count: 2 * depth))
  }

  private mutating func writeKey(_ key: String) {
    writeString(key)
    append(": ")
  }

  private mutating func writeString(_ text: String) {
    bytes.append(Byte.quote)
    var text = text
    text.withUTF8 { raw in
      // Copies whole runs. Only a byte that needs an escape ends a run.
      var runStart = 0
      for index in raw.indices {
        let byte = raw[index]
        guard byte < 0x20 || byte == Byte.quote || byte == Byte.backslash else { continue }
        bytes.append(contentsOf: raw[runStart..<index])
        writeEscape(byte)
        runStart = index + 1
      }
      bytes.append(contentsOf: raw[runStart...])
    }
    bytes.append(Byte.quote)
  }

  private mutating func writeEscape(_ byte: UInt8) {
    switch byte {
    case Byte.quote: append("\\\"")
    case Byte.backslash: append("\\\\")
    case Byte.backspace: append("\\b")
    case Byte.formFeed: append("\\f")
    case Byte.lineFeed: append("\\n")
    case Byte.carriageReturn: append("\\r")
    case Byte.tab: append("\\t")
    default:
      let digits: StaticString = "0123456789abcdef"
      append("\\u00")
      bytes.append(digits.utf8Start[Int(byte >> 4)])
      bytes.append(digits.utf8Start[Int(byte & 15)])
    }
  }

  private mutating func append(_ text: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
