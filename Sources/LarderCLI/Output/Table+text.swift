extension Table {
  /// Returns the table for people, aligned by display width, with a final newline; empty without
  /// rows.
  ///
  /// With a width, which only a terminal has, long texts are cut with an ellipsis, so each row is
  /// one line if possible. Without a width, every text is complete.
  func text(width: Int?, hasColor: Bool) -> String {
    guard !rows.isEmpty else { return "" }
    var shown = columns.indices.filter { width != nil || !columns[$0].isOnlyForTerminals }
    var drawing = drawn(shown)
    var widths = columnWidths(shown, drawing, width: width)
    if let width, widths.reduce(2 * (widths.count - 1), +) > width {
      // Decorative columns are dropped before a row takes two lines.
      shown.removeAll { columns[$0].isOnlyForTerminals }
      drawing = drawn(shown)
      widths = columnWidths(shown, drawing, width: width)
    }
    var lines = Lines(widths: widths, isCut: width != nil, hasColor: hasColor)
    let layouts = shown.map { columns[$0] }
    lines.append(layouts.map { Drawn($0.title) }[...], layouts) { _ in .dim }
    for (number, row) in rows.enumerated() {
      lines.append(drawing[number * shown.count..<(number + 1) * shown.count], layouts) { index in
        cell(row, shown[index]).style ?? layouts[index].style
      }
    }
    return lines.text
  }

  /// A sanitised text with its display width.
  private struct Drawn {
    let text: String
    let width: Int

    init(_ text: String) {
      self.text = sanitize(text)
      width = displayWidth(self.text)
    }
  }

  /// The widest column that is aligned without a terminal.
  private static let widestColumn = 200

  /// Returns the texts of the shown columns, row by row.
  private func drawn(_ shown: [Int]) -> [Drawn] {
    var drawn: [Drawn] = []
    drawn.reserveCapacity(rows.count * shown.count)
    for row in rows {
      for column in shown { drawn.append(Drawn(cell(row, column).text)) }
    }
    return drawn
  }

  /// Returns the widths of the visible columns, reduced from the widest down to fit the terminal.
  private func columnWidths(_ shown: [Int], _ drawing: [Drawn], width: Int?) -> [Int] {
    var widths = shown.map { displayWidth(columns[$0].title) }
    for (place, cell) in drawing.enumerated() {
      let index = place % widths.count
      widths[index] = max(widths[index], cell.width)
    }
    // Without a terminal, a text that is too long shifts only its own line.
    guard let width else { return widths.map { min($0, Table.widestColumn) } }
    let least = shown.indices.map { index in
      min(widths[index], max(columns[shown[index]].minimumWidth, 1))
    }
    for index in shown.indices {
      if let most = columns[shown[index]].maximumWidth {
        widths[index] = min(widths[index], max(most, least[index]))
      }
    }
    let gaps = 2 * (shown.count - 1)
    while widths.reduce(gaps, +) > width {
      let pressable = widths.indices.filter { widths[$0] > least[$0] }
      guard let widest = pressable.max(by: { widths[$0] < widths[$1] }) else { break }
      widths[widest] -= 1
    }
    return widths
  }

  /// The lines of a table, written one after the other.
  private struct Lines {
    let widths: [Int]
    /// Whether texts are cut to their column's width.
    let isCut: Bool
    let hasColor: Bool
    private var bytes: [UInt8] = []

    init(widths: [Int], isCut: Bool, hasColor: Bool) {
      self.widths = widths
      self.isCut = isCut
      self.hasColor = hasColor
    }

    mutating func append(
      _ cells: ArraySlice<Drawn>, _ layouts: [Layout], style: (_ index: Int) -> Style?
    ) {
      var spaces = 0
      for (index, cell) in cells.enumerated() {
        let width = widths[index]
        let alignment = layouts[index].alignment
        let isTooWide = isCut && cell.width > width
        let drawn = isTooWide ? Drawn(truncated(cell.text, to: width)) : cell
        let gap = max(width - drawn.width, 0)
        if alignment == .right { spaces += gap }
        if !drawn.text.isEmpty {
          bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: spaces))
          spaces = 0
          let style = hasColor ? style(index) : nil
          bytes.append(contentsOf: (style?.applied(to: drawn.text) ?? drawn.text).utf8)
        }
        spaces += 2 + (alignment == .left ? gap : 0)
      }
      while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
      bytes.append(UInt8(ascii: "\n"))
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }
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
