import LarderKit
import LarderModel
internal import LarderText

/// Rows of cells under titled columns, for people.
struct Table: Sendable {
  /// The side of its column on which a text is aligned.
  enum Alignment: Sendable {
    case left
    case right
  }

  /// The importance of a column if not all columns fit.
  enum Need: Int, Sendable {
    /// Dropped before usual texts of other columns are cut; an example is a path.
    case least
    /// Dropped before important columns don't fit; an example is a category.
    case little
    case some
    /// Never dropped.
    case most
  }

  /// The layout of a column.
  struct Layout: Sendable {
    var title: String
    var alignment: Alignment = .left
    /// The width that a narrow terminal does not reduce further.
    var minimumWidth = 8
    /// Whether it is only decorative, such as a bar, and omitted without a terminal.
    var isOnlyForTerminals = false
    /// Whether its texts must not be cut, because a part would be misread, as of a date or an
    /// amount.
    var isWhole: Bool
    var need: Need

    init(
      _ title: String, _ alignment: Alignment = .left, minimumWidth: Int = 8,
      isOnlyForTerminals: Bool = false, isWhole: Bool = false, need: Need = .some
    ) {
      self.title = title
      self.alignment = alignment
      self.minimumWidth = minimumWidth
      self.isOnlyForTerminals = isOnlyForTerminals
      self.isWhole = isWhole || alignment == .right
      self.need = isOnlyForTerminals ? .least : need
    }
  }

  /// A text with an optional style.
  struct Cell: Sendable, ExpressibleByStringInterpolation {
    var text: String
    var style: Style?

    init(_ text: String, _ style: Style? = nil) {
      self.text = text
      self.style = style
    }

    init(stringLiteral text: String) { self.init(text) }
  }

  let columns: [Layout]
  /// The sanitised cells of the rows, one for each column, with their widths.
  private let rows: [[(cell: Cell, width: Int)]]

  /// Creates a table of rows; missing cells are empty.
  init(columns: [Layout], rows: [[Cell]] = []) {
    self.columns = columns
    self.rows = rows.map { row in
      columns.indices.map { column in
        guard row.indices.contains(column) else { return (Cell(""), 0) }
        return measured(row[column])
      }
    }
  }

  /// The table without the columns that are empty in every row.
  var withoutEmptyColumns: Table {
    let filled = columns.indices.filter { column in rows.contains { $0[column].width > 0 } }
    return Table(
      columns: filled.map { columns[$0] }, rows: rows.map { row in filled.map { row[$0].cell } })
  }

  /// Returns the table with the number of each row, from 1 on, in a column before or behind the others;
  /// a long one has no more numbers than can name a row.
  func numbered(isLast: Bool = false) -> Table {
    let layout = Layout("#", .right, minimumWidth: 1, need: .most)
    return Table(
      columns: isLast ? columns + [layout] : [layout] + columns,
      rows: rows.enumerated().map { index, row in
        let text = index < ShownList.mostRows ? String(index + 1) : ""
        let (number, cells) = (Cell(text, .dim), row.map(\.cell))
        return isLast ? cells + [number] : [number] + cells
      })
  }

  /// Whether a width has room for the table with numbers; the path of a file goes before them, as it
  /// names the row, too.
  func hasRoom(for numbered: Table, width: Int) -> Bool {
    numbered.paths(width) >= paths(width)
  }

  private func paths(_ width: Int) -> Int {
    fitting(Array(columns.indices), columns.indices.map(extent), width).count { place in
      columns[place].need == .least && !columns[place].isOnlyForTerminals
    }
  }

  /// Returns the table for people, in UTF-8, aligned by display width, with a final newline; empty
  /// without rows or columns.
  ///
  /// Only a terminal has a width. With it, the least needed columns are left out and long texts are
  /// cut with an ellipsis, so each row is one line if possible. Dates and amounts are never cut.
  /// Without a width, all texts are complete.
  func drawn(width: Int?, hasColor: Bool) -> [UInt8] {
    guard !rows.isEmpty, !columns.isEmpty else { return [] }
    let all = columns.indices.filter { width != nil || !columns[$0].isOnlyForTerminals }
    let extents = all.map(extent)
    let kept = width.map { fitting(all, extents, $0) } ?? Array(all.indices)
    let widths = columnWidths(kept.map { extents[$0] }, width: width)
    var bytes: [UInt8] = []
    for row in [columns.map { measured(Cell($0.title, .dim)) }] + rows {
      var spaces = 0
      for (place, wanted) in zip(kept.map { all[$0] }, widths) {
        let (column, (cell, full)) = (columns[place], row[place])
        let isCut = width != nil && full > wanted
        let text = isCut ? cut(cell.text, to: wanted) : cell.text
        let gap = max(wanted - (isCut ? displayWidth(text) : full), 0)
        if column.alignment == .right { spaces += gap }
        if !text.isEmpty {
          bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: spaces))
          let style = hasColor ? cell.style : nil
          bytes.append(contentsOf: (style?.applied(to: text) ?? text).utf8)
          spaces = 0
        }
        spaces += 2 + (column.alignment == .right ? 0 : gap)
      }
      while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }

  /// The widest column that is aligned without a terminal.
  private static let widestColumn = 200

  /// The widths that a column may have.
  private struct Extent {
    /// The width of its heading and its widest text.
    var full: Int
    /// The smallest width to which it may be cut.
    var least: Int
    /// The width at which usual texts are not cut.
    var usual: Int { max(least, min(full, 24)) }
  }

  /// Returns the widths that a column may have.
  private func extent(of column: Int) -> Extent {
    let layout = columns[column]
    let full = rows.reduce(displayWidth(layout.title)) { max($0, $1[column].width) }
    let least = layout.isWhole ? full : min(full, max(layout.minimumWidth, 1))
    return Extent(full: full, least: max(least, 1))
  }

  /// Returns the places of the columns that fit a width; the least needed ones are dropped first,
  /// from the right.
  private func fitting(_ all: [Int], _ extents: [Extent], _ width: Int) -> [Int] {
    var shown = Array(all.indices)
    func isTooWide(_ extent: (Extent) -> Int) -> Bool {
      shown.map { extent(extents[$0]) }.reduce(2 * (shown.count - 1), +) > width
    }
    for need in [Need.least, .little, .some] {
      while need == .least ? isTooWide(\.usual) : isTooWide(\.least),
        let last = shown.last(where: { $0 > 0 && columns[all[$0]].need == need })
      {
        shown.removeAll { $0 == last }
      }
    }
    return shown
  }

  /// Returns the widths of columns, reduced from the widest down to fit the terminal.
  private func columnWidths(_ extents: [Extent], width: Int?) -> [Int] {
    var widths = extents.map(\.full)
    // Without a terminal, a text that is too long shifts only its own line.
    guard let width else { return widths.map { min($0, Table.widestColumn) } }
    let gaps = 2 * (widths.count - 1)
    while widths.reduce(gaps, +) > width {
      let pressable = widths.indices.filter { widths[$0] > extents[$0].least }
      guard let widest = pressable.max(by: { widths[$0] < widths[$1] }) else { break }
      widths[widest] -= 1
    }
    return widths
  }
}

/// Returns a cell whose text is safe for a terminal, with its width.
private func measured(_ cell: Table.Cell) -> (cell: Table.Cell, width: Int) {
  if let width = plainWidth(cell.text) { return (cell, width) }
  let text = sanitize(cell.text)
  return (Table.Cell(text, cell.style), displayWidth(text))
}

/// Cuts a text to `width` columns; the last one is an ellipsis if something is missing.
func truncated(_ text: String, to width: Int) -> String {
  guard displayWidth(text) > width else { return text }
  guard width > 0 else { return "" }
  var kept = ""
  var used = 0
  for character in text {
    let next = displayWidth(character)
    if used + next > width - 1 { break }
    kept.append(character)
    used += next
  }
  return kept + "…"
}

/// Returns the beginning of a text with an ellipsis, but no part of a number at its end, which would
/// be misread.
private func cut(_ text: String, to width: Int) -> String {
  let kept = truncated(text, to: width)
  guard kept.last == "…", case let whole = kept.dropLast(), whole.last?.isNumber ?? false else {
    return kept
  }
  let rest = whole.reversed().drop { $0.isNumber || ".,-".contains($0) }
  return rest.isEmpty ? kept : String(rest.reversed()) + "…"
}

/// The form of a command's records, for its help.
struct RecordForm: Sendable, Equatable {
  /// The condition under which a command writes them, such as `with --batches`; empty for always.
  var scope: String
  /// The names of the columns, in their order.
  var columns: [String]

  /// The line of the help.
  var text: String { (scope.isEmpty ? "" : scope + ": ") + columns.joined(separator: ", ") }

  /// The heading of the lines in the help.
  static let heading = "Columns with --plain"
}

/// A name with a value, such as a setting.
typealias NamedText = (name: String, text: String)

/// Returns the values that are known.
func known(_ values: [(name: String, text: String?)]) -> [NamedText] {
  values.compactMap { name, text in text.map { (name, $0) } }
}

extension Column where Row == NamedText {
  /// The records of commands that write named values.
  static var named: [Column] { records(("name", { $0.name }), ("value", { $0.text })) }
}

extension Output {
  /// Prints rows as records.
  func records<Row: Sendable>(_ rows: [Row], _ columns: [Column<Row>]) {
    let recorded = columns.recorded()
    write(rows.map { row in plainRecord(recorded.map { $0.text(row) }) }.joined())
  }

  /// Prints named values as records.
  func records(_ rows: [NamedText]) { records(rows, Column.named) }
}

/// Returns one line of plain output: the fields separated by tabs, with a final newline.
///
/// A backslash, tab, newline or carriage return in a field is written as `\\`, `\t`, `\n` or `\r`.
/// Other control characters are written as `\u` and four digits. So a line is always one record,
/// and a field can be read back exactly.
func plainRecord(_ fields: [String]) -> String {
  fields.map(plainField).joined(separator: "\t") + "\n"
}

private func plainField(_ text: String) -> String {
  if plainWidth(text) != nil, !text.utf8.contains(UInt8(ascii: "\\")) { return text }
  var escaped = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\\": escaped.append(contentsOf: "\\\\".unicodeScalars)
    case "\t": escaped.append(contentsOf: "\\t".unicodeScalars)
    case "\n": escaped.append(contentsOf: "\\n".unicodeScalars)
    case "\r": escaped.append(contentsOf: "\\r".unicodeScalars)
    case _ where scalar.isObeyed: escaped.append(contentsOf: scalar.jsonEscape.unicodeScalars)
    default: escaped.append(scalar)
    }
  }
  return String(escaped)
}
