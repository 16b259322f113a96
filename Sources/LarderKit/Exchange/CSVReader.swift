/// A cell as it stands in a file.
struct CSVField: Sendable {
  /// The text without its quotes.
  let text: String
  /// The offset of its first byte, quotes included.
  let offset: Int
}

/// A reader of comma-separated values (RFC 4180), one row after the other.
///
/// Lines may end with LF alone, and empty lines are no rows. A quote inside an unquoted cell, and
/// text behind a closing quote, are mistakes: the program that wrote them may have split cells
/// wrongly.
struct CSVReader {
  private let bytes: [UInt8]
  private let separator: UInt8
  private(set) var position: Int
  private(set) var mistakes: [(offset: Int, reason: ImportMistake.Reason)] = []

  /// Creates a reader of UTF-8 that begins at an offset.
  init(_ bytes: [UInt8], separator: UInt8, from start: Int = 0) {
    self.bytes = bytes
    self.separator = separator
    position = start
  }

  private static let quote = UInt8(ascii: "\"")
  private static let (lineFeed, carriageReturn): (UInt8, UInt8) = (10, 13)

  /// Returns the cells of the next row; nil at the end of the file.
  mutating func next() -> [CSVField]? {
    while position < bytes.count {
      let start = position
      let row = row()
      let isBlank = row.count == 1 && row[0].text.isEmpty && bytes[start] != Self.quote
      if !isBlank { return row }
    }
    return nil
  }

  private mutating func row() -> [CSVField] {
    var row: [CSVField] = []
    while true {
      row.append(position < bytes.count && bytes[position] == Self.quote ? quoted() : plain())
      guard position < bytes.count else { return row }
      let isLast = bytes[position] != separator
      if bytes[position] == Self.carriageReturn { position += 1 }
      if position < bytes.count, !isLast || bytes[position] == Self.lineFeed { position += 1 }
      if isLast { return row }
    }
  }

  private func ends(at index: Int) -> Bool {
    guard index < bytes.count else { return true }
    let byte = bytes[index]
    return byte == separator || byte == Self.lineFeed || byte == Self.carriageReturn
  }

  private mutating func plain() -> CSVField {
    let start = position
    var isTorn = false
    while !ends(at: position) {
      if bytes[position] == Self.quote, !isTorn {
        isTorn = true
        mistakes.append((position, .strayQuote))
      }
      position += 1
    }
    return CSVField(text: text(bytes[start..<position], at: start), offset: start)
  }

  private mutating func quoted() -> CSVField {
    let start = position
    var content: [UInt8] = []
    position += 1
    while position < bytes.count {
      let end = bytes[position...].firstIndex(of: Self.quote) ?? bytes.count
      content += bytes[position..<end]
      position = end + 1
      guard end < bytes.count else { break }
      guard position < bytes.count, bytes[position] == Self.quote else {
        if !ends(at: position) {
          mistakes.append((position, .textBehindQuote))
          while !ends(at: position) { position += 1 }
        }
        return CSVField(text: text(content[...], at: start), offset: start)
      }
      content.append(Self.quote)
      position += 1
    }
    position = bytes.count
    mistakes.append((start, .openQuote))
    return CSVField(text: "", offset: start)
  }

  /// Returns the text of a cell; a cell that no spreadsheet can hold is a mistake.
  private mutating func text(_ bytes: ArraySlice<UInt8>, at start: Int) -> String {
    guard bytes.count <= Self.longestCell else {
      mistakes.append((start, .longCell(most: Self.longestCell)))
      return ""
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The largest cell, in bytes: what a spreadsheet's cell holds in characters of four bytes.
  private static let longestCell = 4 * 32_767
}
