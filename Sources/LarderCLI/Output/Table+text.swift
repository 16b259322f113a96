extension Table {
  /// Returns the table for people, aligned by display width, with a final newline; empty without
  /// rows.
  ///
  /// Only a terminal has a width. With it, the least needed columns are left out and long texts are
  /// cut with an ellipsis, so each row is one line if possible. Dates and amounts are never cut.
  /// Without a width, all texts are complete.
  func text(width: Int?, hasColor: Bool) -> String {
    guard !cells.isEmpty else { return "" }
    let all = columns.indices.filter { width != nil || !columns[$0].isOnlyForTerminals }
    let extents = extents(of: all, isCut: width != nil)
    let shown = width.map { fitting(all, extents, $0) } ?? all
    let own = shown.compactMap { column in all.firstIndex(of: column).map { extents[$0] } }
    let widths = columnWidths(own, width: width)
    var lines = Lines(
      layouts: shown.map { columns[$0] }, widths: widths, isCut: width != nil, hasColor: hasColor)
    lines.append { index in (Drawn(columns[shown[index]].title), .dim) }
    for row in rows {
      lines.append { index in
        let cell = cells[row + shown[index]]
        return (Drawn(cell.text), cell.style ?? columns[shown[index]].style)
      }
    }
    return lines.text
  }

  /// A sanitised text with its display width.
  private struct Drawn {
    let text: String
    let width: Int

    init(_ text: String) {
      if let width = plainWidth(text) {
        (self.text, self.width) = (text, width)
      } else {
        self.text = sanitize(text)
        width = displayWidth(self.text)
      }
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

  /// Returns the widths that each of the shown columns may have.
  private func extents(of shown: [Int], isCut: Bool) -> [Extent] {
    shown.map { column in
      let layout = columns[column]
      var full = rows.reduce(displayWidth(layout.title)) {
        max($0, Drawn(cells[$1 + column].text).width)
      }
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
    let layouts: [Layout]
    let widths: [Int]
    /// Whether texts are cut to their column's width.
    let isCut: Bool
    let hasColor: Bool
    private var bytes: [UInt8] = []

    init(layouts: [Layout], widths: [Int], isCut: Bool, hasColor: Bool) {
      self.layouts = layouts
      self.widths = widths
      self.isCut = isCut
      self.hasColor = hasColor
    }

    mutating func append(_ cell: (_ index: Int) -> (Drawn, Style?)) {
      var spaces = 0
      for index in layouts.indices {
        let width = widths[index]
        let alignment = layouts[index].alignment
        var (drawn, style) = cell(index)
        if isCut, drawn.width > width { drawn = Drawn(truncated(drawn.text, to: width)) }
        let gap = max(width - drawn.width, 0)
        if alignment == .right { spaces += gap }
        if !drawn.text.isEmpty {
          bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: spaces))
          spaces = 0
          var text = hasColor ? style?.applied(to: drawn.text) ?? drawn.text : drawn.text
          text.withUTF8 { bytes.append(contentsOf: $0) }
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
