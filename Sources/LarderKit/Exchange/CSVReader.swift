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

/// A cell of a table that a spreadsheet reads.
public enum CSVCell: Hashable, Sendable {
  /// A text that people wrote. A spreadsheet must not take it for a formula.
  case text(String)
  /// A number, a day or an id: a spreadsheet reads it as it is.
  case value(String)

  /// A cell with nothing in it.
  public static let empty = CSVCell.value("")
}

/// The writer of comma-separated values (RFC 4180), as UTF-8 without a byte order mark.
///
/// A text that begins with `=`, `+`, `-`, `@` (full-width ones too), a tab or a line end would be a
/// formula for a spreadsheet. It gets an apostrophe in front, which ``CSVWriter/restored(_:)`` removes again.
public struct CSVWriter: Sendable {
  public private(set) var bytes: [UInt8] = []

  /// Creates a table with its first row.
  public init(_ headings: [String]) {
    row(headings.map { .value($0) })
  }

  /// Writes one row.
  public mutating func row(_ cells: [CSVCell]) {
    for (index, cell) in cells.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      switch cell {
      case .text(let text): write(Self.defused(text))
      case .value(let text): write(text)
      }
    }
    // An empty line would not be a row.
    if cells.count == 1, bytes.last ?? 10 == 10 { bytes += Array("\"\"".utf8) }
    bytes += [13, 10]
  }

  private mutating func write(_ text: String) {
    let quote = UInt8(ascii: "\"")
    guard Self.needsQuotes(text) else {
      bytes += text.utf8
      return
    }
    bytes.append(quote)
    for byte in text.utf8 {
      if byte == quote { bytes.append(quote) }
      bytes.append(byte)
    }
    bytes.append(quote)
  }

  private static func needsQuotes(_ text: String) -> Bool {
    text.utf8.first == 32 || text.utf8.last == 32
      || text.utf8.contains { [10, 13, 34, 44, 59].contains($0) || $0 == 9 }
  }
}

extension CSVWriter {
  /// Returns a text with an apostrophe in front if a spreadsheet could take it for a formula.
  ///
  /// Apostrophes that stand there already get one more, so that ``restored(_:)`` returns each text.
  public static func defused(_ text: String) -> String {
    looksLikeFormula(text) ? "'" + text : text
  }

  /// Returns the original text of a cell that ``defused(_:)`` changed.
  public static func restored(_ cell: String) -> String {
    cell.utf8.first == UInt8(ascii: "'") && looksLikeFormula(cell) ? String(cell.dropFirst()) : cell
  }

  private static func looksLikeFormula(_ text: String) -> Bool {
    let rest = text.unicodeScalars.drop { $0 == "'" }
    return rest.first.map { "=+-@＝＋－＠\t\r\n".unicodeScalars.contains($0) } ?? false
  }
}

/// The encoding of a file that another program wrote.
public enum TextEncodingName: String, Sendable, CaseIterable {
  case utf8 = "utf-8"
  case utf16 = "utf-16"
  case latin1
  case windows1252 = "windows-1252"
}

/// The reason why bytes are not text in an encoding.
public enum DecodingMistake: Error, Equatable, Sendable {
  /// The byte is not valid in the encoding; `line` is from 1.
  case badByte(UInt8, line: Int, TextEncodingName)
  /// A byte is 0, as in UTF-16 without a byte order mark and in files that are not text.
  case notText
  /// The file is a ZIP archive, such as a spreadsheet's own format.
  case spreadsheet
}

extension TextEncodingName {
  /// Returns the text of a file as UTF-8, without a byte order mark.
  ///
  /// Without `encoding`, the file must be UTF-8, or UTF-16 with a byte order mark. Other encodings
  /// can't be told apart, and a wrong guess would spoil names.
  static func decoded(
    _ bytes: [UInt8], as encoding: TextEncodingName? = nil
  ) throws(DecodingMistake) -> [UInt8] {
    guard !bytes.starts(with: [0x50, 0x4B, 3, 4]) else { throw .spreadsheet }
    let isMarked = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    let text: [UInt8] =
      switch encoding ?? (isMarked ? .utf16 : .utf8) {
      case .utf8: try utf8(bytes)
      case .utf16: try utf16(bytes)
      case .latin1: utf8(of: bytes.lazy.map { Unicode.Scalar($0) })
      case .windows1252: try windows1252(bytes)
      }
    guard !text.contains(0) else { throw .notText }
    return text
  }

  private static func utf8(_ bytes: [UInt8]) throws(DecodingMistake) -> [UInt8] {
    let rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    guard let offset = firstBadByte(of: rest) else { return rest }
    throw .badByte(rest[offset], line: line(of: offset, in: rest), .utf8)
  }

  private static func firstBadByte(of bytes: [UInt8]) -> Int? {
    var decoder = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while true {
      switch decoder.parseScalar(from: &iterator) {
      case .valid(let scalar): offset += scalar.count
      case .emptyInput: return nil
      case .error: return offset
      }
    }
  }

  private static func utf16(_ bytes: [UInt8]) throws(DecodingMistake) -> [UInt8] {
    let isBigEndian = bytes.starts(with: [0xFE, 0xFF])
    let isMarked = isBigEndian || bytes.starts(with: [0xFF, 0xFE])
    let units = stride(from: isMarked ? 2 : 0, to: bytes.count - 1, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    guard bytes.count.isMultiple(of: 2), let text = String(validating: units, as: UTF16.self) else {
      throw .badByte(bytes.last ?? 0, line: units.count { $0 == 10 } + 1, .utf16)
    }
    return Array(text.utf8)
  }

  private static func windows1252(_ bytes: [UInt8]) throws(DecodingMistake) -> [UInt8] {
    let none = bytes.firstIndex { (0x80...0x9F).contains($0) && upper[Int($0) - 0x80] == 0 }
    if let none { throw .badByte(bytes[none], line: line(of: none, in: bytes), .windows1252) }
    return utf8(
      of: bytes.lazy.map { byte in
        let code = (0x80...0x9F).contains(byte) ? upper[Int(byte) - 0x80] : UInt16(byte)
        return Unicode.Scalar(code) ?? " "
      })
  }

  /// The characters of windows-1252 from 0x80 to 0x9F; 0 for undefined ones.
  private static let upper: [UInt16] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0, 0x017D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC,
    0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
  ]

  private static func utf8(of scalars: some Sequence<Unicode.Scalar>) -> [UInt8] {
    scalars.flatMap { Array(UTF8.encode($0) ?? .init()) }
  }

  private static func line(of offset: Int, in bytes: [UInt8]) -> Int {
    bytes[..<offset].count { $0 == 10 } + 1
  }
}
