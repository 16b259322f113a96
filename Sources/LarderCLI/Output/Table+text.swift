extension Table {
  /// Returns the table for people, aligned by display width, with a final newline; empty without
  /// rows.
  ///
  /// With a width, which only a terminal has, long texts are cut with an ellipsis, so each row is
  /// one line if possible. Without a width, every text is complete.
  func text(width: Int?, hasColor: Bool) -> String {
    guard !rows.isEmpty else { return "" }
    var shown = columns.indices.filter { width != nil || !columns[$0].isOnlyForTerminals }
    var texts = texts(of: shown)
    var widths = columnWidths(shown, texts, width: width)
    if let width, widths.reduce(2 * (widths.count - 1), +) > width {
      // Decorative columns are dropped before a row takes two lines.
      shown.removeAll { columns[$0].isOnlyForTerminals }
      texts = self.texts(of: shown)
      widths = columnWidths(shown, texts, width: width)
    }
    func line(_ texts: [String], styles: [Style?]) -> String {
      let cells = shown.indices.map { index in
        pad(
          width == nil ? texts[index] : truncated(texts[index], to: widths[index]),
          to: widths[index],
          columns[shown[index]].alignment, hasColor ? styles[index] : nil,
          isLast: index == shown.count - 1)
      }
      return trimmingEnd(cells.joined(separator: "  ")) + "\n"
    }
    let header = line(
      shown.map { columns[$0].title }, styles: shown.map { _ in .dim })
    let body = zip(rows, texts).map { row, texts in
      line(texts, styles: shown.map { cell(row, $0).style ?? columns[$0].style })
    }
    return header + body.joined()
  }

  /// The widest column that is aligned without a terminal.
  private static let widestColumn = 200

  private func texts(of shown: [Int]) -> [[String]] {
    rows.map { row in shown.map { sanitize(cell(row, $0).text) } }
  }

  /// Returns the widths of the visible columns, reduced from the widest down to fit the terminal.
  private func columnWidths(_ shown: [Int], _ texts: [[String]], width: Int?) -> [Int] {
    var widths = shown.indices.map { index in
      let widest = texts.map { displayWidth($0[index]) }.max() ?? 0
      return max(widest, displayWidth(columns[shown[index]].title))
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

  private func pad(
    _ text: String, to width: Int, _ alignment: Alignment, _ style: Style?, isLast: Bool
  ) -> String {
    let gap = String(repeating: " ", count: max(width - displayWidth(text), 0))
    let painted = style?.applied(to: text) ?? text
    switch alignment {
    case .left: return isLast ? painted : painted + gap
    case .right: return gap + painted
    }
  }

  private func trimmingEnd(_ line: String) -> String {
    var line = line[...]
    while line.last == " " { line.removeLast() }
    return String(line)
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
