extension Table {
  /// Returns the table for people, aligned by display width, with a final newline; empty without
  /// rows.
  ///
  /// Only a terminal has a width. With it, the least needed columns are left out and long texts are
  /// cut with an ellipsis, so each row is one line if possible. Dates and amounts are never cut.
  /// Without a width, all texts are complete.
  func text(width: Int?, hasColor: Bool) -> String {
    guard !rows.isEmpty else { return "" }
    let all = columns.indices.filter { width != nil || !columns[$0].isOnlyForTerminals }
    let extents = extents(of: all, drawn(all), isCut: width != nil)
    let shown = width.map { fitting(all, extents, $0) } ?? all
    let drawing = drawn(shown)
    let own = shown.compactMap { column in all.firstIndex(of: column).map { extents[$0] } }
    let widths = columnWidths(own, width: width)
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

  /// The widths that a column may have.
  private struct Extent {
    /// The width of its heading and its widest text.
    var full: Int
    /// The smallest width to which it may be cut.
    var least: Int
    /// The width at which usual texts are not cut.
    var usual: Int { max(least, min(full, 24)) }
  }

  /// Returns the widths that each of the columns may have.
  private func extents(of shown: [Int], _ drawing: [Drawn], isCut: Bool) -> [Extent] {
    var widest = shown.map { _ in 0 }
    for (place, cell) in drawing.enumerated() {
      widest[place % shown.count] = max(widest[place % shown.count], cell.width)
    }
    return zip(shown, widest).map { index, widest in
      let layout = columns[index]
      var full = max(widest, displayWidth(layout.title))
      let least = layout.isWhole ? full : min(full, max(layout.minimumWidth, 1))
      if isCut, let most = layout.maximumWidth { full = min(full, max(most, least)) }
      return Extent(full: full, least: max(least, 1))
    }
  }

  /// Returns the columns that fit a width; the least needed ones are dropped first, from the right.
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
    return shown.map { all[$0] }
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
