/// A cell of a table that a spreadsheet reads.
public enum CSVCell: Hashable, Sendable {
  /// A text of people. A spreadsheet must not take it for a formula.
  case text(String)
  /// A number, a day or an id: a spreadsheet reads it as it is.
  case value(String)

  /// A cell with nothing in it.
  public static let empty = CSVCell.value("")
}

/// The writer of comma-separated values (RFC 4180), as UTF-8 without a byte order mark.
///
/// Text that a spreadsheet would calculate, as it begins with `=`, `+`, `-`, `@`, a tab or a line end,
/// gets an apostrophe in front; ``CSVWriter/restored(_:)`` takes it off again.
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
    // A line with nothing on it would be no row.
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
  /// Returns a text with an apostrophe in front if a spreadsheet could calculate it.
  ///
  /// A text with apostrophes before such a beginning gets one more, so that ``restored(_:)`` gives each
  /// text back.
  public static func defused(_ text: String) -> String {
    looksLikeFormula(text) ? "'" + text : text
  }

  /// Returns the text that a cell stands for: see ``defused(_:)``.
  public static func restored(_ cell: String) -> String {
    cell.utf8.first == UInt8(ascii: "'") && looksLikeFormula(cell) ? String(cell.dropFirst()) : cell
  }

  private static func looksLikeFormula(_ text: String) -> Bool {
    let rest = text.unicodeScalars.drop { $0 == "'" }
    return rest.first.map { "=+-@\t\r\n".unicodeScalars.contains($0) } ?? false
  }
}
