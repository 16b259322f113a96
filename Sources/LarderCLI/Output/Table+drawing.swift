import LarderModel

extension Table {
  /// Returns the table for people, in UTF-8, aligned by display width, with a final newline; empty
  /// without rows or columns.
  ///
  /// Only a terminal has a width. With it, the least needed columns are left out and long texts are
  /// cut with an ellipsis, so each row is one line if possible. Dates and amounts are never cut.
  /// Without a width, all texts are complete.
  func drawn(width: Int?, hasColor: Bool) -> [UInt8] {
    guard !parts.isEmpty, !shown.isEmpty else { return [] }
    let all = shown.filter { width != nil || !columns[$0].isOnlyForTerminals }
    let extents = all.map { extent(of: $0, isCut: width != nil) }
    let kept = width.map { fitting(all, extents, $0) } ?? Array(all.indices)
    let widths = columnWidths(kept.map { extents[$0] }, width: width)
    let line = Line(
      columns: zip(kept.map { all[$0] }, widths).map { column, width in
        .init(
          place: column, width: width, isRight: columns[column].alignment == .right,
          style: columns[column].style)
      }, isCut: width != nil, hasColor: hasColor)
    let drawn = ([headings] + parts).concurrentMap(inChunksOf: 1) { parts in
      parts.reduce(into: [UInt8]()) { drawn, cells in
        for row in cells.rows { line.draw(row, of: cells, into: &drawn) }
      }
    }
    return drawn.reduce(into: [], +=)
  }

  private var headings: TableCells {
    columns.reduce(into: TableCells(columns: columns.count)) { cells, column in
      cells.append(Cell(column.title, .dim))
    }
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
  private func extent(of column: Int, isCut: Bool) -> Extent {
    let layout = columns[column]
    var full = parts.reduce(displayWidth(layout.title)) { max($0, $1.widths[column]) }
    let least = layout.isWhole ? full : min(full, max(layout.minimumWidth, 1))
    if isCut, let most = layout.maximumWidth { full = min(full, max(most, least)) }
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

  /// The form of each line.
  private struct Line {
    struct Column {
      let place: Int
      let width: Int
      let isRight: Bool
      let style: Style?
    }

    let columns: [Column]
    /// Whether texts are cut to their column's width.
    let isCut: Bool
    let hasColor: Bool

    /// Appends a row, without spaces at its end.
    func draw(_ row: Int, of cells: TableCells, into bytes: inout [UInt8]) {
      var spaces = 0
      for column in columns {
        var cell = cells[row + column.place]
        if isCut, cell.width > column.width { cell.cut(to: column.width) }
        let gap = max(column.width - cell.width, 0)
        if column.isRight { spaces += gap }
        if !cell.text.isEmpty {
          bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: spaces))
          spaces = 0
          let style = hasColor ? cell.style ?? column.style : nil
          if let style { bytes.append(contentsOf: style.beginning.utf8) }
          bytes.append(contentsOf: cell.text)
          if style != nil { bytes.append(contentsOf: Style.end.utf8) }
        }
        spaces += 2 + (column.isRight ? 0 : gap)
      }
      while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
      bytes.append(UInt8(ascii: "\n"))
    }
  }
}

extension TableCells.Cell {
  fileprivate mutating func cut(to width: Int) {
    let cut = truncated(String(decoding: text, as: UTF8.self), to: width)
    (self.text, self.width) = (Array(cut.utf8)[...], displayWidth(cut))
  }
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
