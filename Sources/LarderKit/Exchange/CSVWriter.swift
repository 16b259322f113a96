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
