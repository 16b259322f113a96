import LarderKit
internal import LarderText

/// Failures and warnings as text for people.
struct ProblemText: Sendable {
  let hasColor: Bool
  /// The number of columns for an excerpt.
  let width: Int
  /// Whether sentences are broken between words to fit into the width.
  var isFolded = false

  /// Returns a line that fits into the width, if it has to.
  func fit(_ line: String) -> String { isFolded ? folded(line, width: width) : line }

  private func fit(_ label: String, _ style: Style, _ text: String) -> String {
    paint(label, style) + fit(label + text).dropFirst(label.count)
  }

  /// Returns an error with its problems, excerpts and hints, with a final newline.
  func error(_ error: ErrorWords) -> String {
    var lines = [fit("error: ", .boldRed, brief(error.message))]
    lines += error.problems.flatMap { problem -> [String] in
      let shown = self.lines(of: problem)
      return problem.place == nil ? ["  " + shown[0]] + shown.dropFirst() : shown
    }
    lines += error.hints.map { hint($0) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns a single problem with its excerpt and a final newline.
  func finding(_ problem: Problem) -> String { lines(of: problem).joined(separator: "\n") + "\n" }

  /// Returns the line of a hint, without a newline.
  func hint(_ text: String) -> String { fit("hint: ", .cyan, brief(text)) }

  /// Returns a sanitised text; of one that nobody would read to its end, both ends.
  private func brief(_ text: String) -> String {
    guard text.utf8.count > 2000 else { return sanitize(text) }
    return sanitize("\(text.prefix(1000)) … \(text.suffix(200))")
  }

  private func lines(of problem: Problem) -> [String] {
    let prefix =
      switch problem.severity {
      case .error: ""
      case .warning: paint("warning: ", .boldYellow)
      case .note: paint("note: ", .cyan)
      }
    return [fit(place(problem) + prefix + brief(problem.message))] + excerpt(problem)
  }

  /// Returns a warning with its position and excerpt, with a final newline.
  func warning(_ problem: Problem) -> String {
    let first = fit("warning: ", .boldYellow, place(problem) + brief(problem.message))
    return ([first] + excerpt(problem)).joined(separator: "\n") + "\n"
  }

  private func place(_ problem: Problem) -> String {
    guard let place = problem.place else { return "" }
    return paint(safePath(place) + ":", .bold) + " "
  }

  private func excerpt(_ problem: Problem) -> [String] {
    guard let sourceLine = problem.sourceLine, let line = problem.line else { return [] }
    let number = String(line)
    let gutter = String(repeating: " ", count: max(5 - number.count, 2)) + number
    let blank = String(repeating: " ", count: gutter.count)
    let shown = Excerpt(
      line: sourceLine, column: problem.column, width: max(width - gutter.count - 3, 20))
    var lines = [gutter + " | " + shown.text]
    if let offset = shown.caretOffset {
      lines.append(blank + " | " + String(repeating: " ", count: offset) + paint("^", .boldRed))
    }
    return lines.map { trimmedEnd($0) }
  }

  private func trimmedEnd(_ line: String) -> String {
    var line = line[...]
    while line.last == " " { line.removeLast() }
    return String(line)
  }

  private func paint(_ text: String, _ style: Style) -> String {
    hasColor ? style.applied(to: text) : text
  }
}

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
