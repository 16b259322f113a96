/// A line of a file for display under a mistake, cut around the mistake's position.
struct Excerpt: Sendable, Equatable {
  /// The line without control characters, with tabs as spaces and `…` for cut parts.
  let text: String
  /// The number of columns before the caret; nil if no column is known.
  let caretOffset: Int?

  /// Lays out a line in at most `width` columns, with the caret at a column counted in scalars.
  init(line: String, column: Int?, width: Int) {
    let (left, right) = Self.split(line, at: column ?? 1)
    var shown = Self.expandingTabs(left)
    let leftCount = shown.count
    shown += Self.expandingTabs(right, from: displayWidth(String(shown)))
    let clipped = Self.clip(shown, around: leftCount, width: width)
    text = clipped.text
    caretOffset = column == nil ? nil : clipped.offset
  }

  /// Splits a line before the character at a column, which is counted in scalars from 1.
  private static func split(_ line: String, at column: Int) -> (Substring, Substring) {
    var scalars = 0
    var index = line.startIndex
    while index < line.endIndex {
      scalars += line[index].unicodeScalars.count
      if scalars >= column { break }
      index = line.index(after: index)
    }
    return (line[..<index], line[index...])
  }

  /// Returns the characters for display: sanitised, with each tab as spaces up to a multiple of
  /// four columns.
  private static func expandingTabs(_ part: Substring, from start: Int = 0) -> [Character] {
    var shown = ""
    var column = start
    for (index, piece) in part.split(separator: "\t", omittingEmptySubsequences: false).enumerated()
    {
      if index > 0 {
        let count = 4 - column % 4
        shown += String(repeating: " ", count: count)
        column += count
      }
      let clean = sanitize(String(piece))
      shown += clean
      column += displayWidth(clean)
    }
    return Array(shown)
  }

  /// Returns the characters that fit around a position, and the columns before that position.
  private static func clip(
    _ characters: [Character], around place: Int, width: Int
  ) -> (text: String, offset: Int) {
    let widths = characters.map { displayWidth($0) }
    let before = widths[..<place].reduce(0, +)
    if widths.reduce(0, +) <= width { return (String(characters), before) }
    // The text before the mistake gets two thirds of the width, or more if little follows.
    var start = place
    var used = 0
    let behind = widths[place...].reduce(0, +)
    let roomBefore = max(width * 2 / 3, width - behind - 1)
    while start > 0, used + widths[start - 1] < roomBefore {
      start -= 1
      used += widths[start]
    }
    if start > 0 { used += 1 }
    let lead = start > 0 ? "…" : ""
    let offset = used
    var end = place
    while end < characters.count, used + widths[end] < width {
      used += widths[end]
      end += 1
    }
    let isLast = end == characters.count - 1 && used + widths[end] <= width
    if isLast { end += 1 }
    return (lead + String(characters[start..<end]) + (end < characters.count ? "…" : ""), offset)
  }
}
