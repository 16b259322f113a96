/// The text of a photo that may lie on its side, from the words and places that `tesseract` finds.
///
/// The direction in which words follow each other tells how the photo lies. Rows are built from the
/// places of the words, because amounts stand far from their names.
struct PhotoText {
  let text: String

  /// A word with its place along and across the lines, in the photo's pixels.
  private struct Word {
    let text: String
    /// The place of its first letter along the line.
    var start: Double
    /// The place of the line, at the middle of the word.
    var line: Double
    let length: Double
    let thickness: Double
  }

  /// Reads the table that `tesseract` writes with the option `tsv`.
  init(table: String) {
    let boxes = table.split(separator: "\n").compactMap { Box(row: $0) }
    let direction = Self.direction(of: boxes)
    let found = boxes.map { $0.word(direction) }
    // A column of marks that was read as one word crosses many lines.
    let usual = Self.median(found.map(\.thickness)) ?? 0
    var words = found.filter { $0.thickness < 2.5 * usual }
    // The photo's tilt is removed.
    let lean = Self.median(
      Self.neighbours(boxes).compactMap { one, other in
        let (from, to) = (one.word(direction), other.word(direction))
        let step = to.start - from.start
        return step > from.thickness ? (to.line - from.line) / step : nil
      })
    for place in words.indices { words[place].line -= (lean ?? 0) * words[place].start }
    text = Self.rows(of: words).map(Self.text).joined(separator: "\n")
  }

  private enum Direction { case right, left, down, up }

  /// A row of the table that has a word.
  private struct Box {
    /// The numbers of the page, the block, the paragraph and the line.
    let line: [Substring]
    let text: String
    let left, top, width, height: Double

    init?(row: Substring) {
      let cells = row.split(separator: "\t", omittingEmptySubsequences: false)
      guard cells.count == 12, cells[11].contains(where: { !$0.isWhitespace }),
        let left = Double(cells[6]), let top = Double(cells[7]), let width = Double(cells[8]),
        let height = Double(cells[9]), width > 0, height > 0
      else { return nil }
      line = Array(cells[1...4])
      text = String(cells[11])
      (self.left, self.top, self.width, self.height) = (left, top, width, height)
    }

    func word(_ direction: Direction) -> Word {
      switch direction {
      case .right:
        Word(text: text, start: left, line: top + height / 2, length: width, thickness: height)
      case .left:
        Word(
          text: text, start: -left - width, line: -top - height / 2, length: width,
          thickness: height)
      case .down:
        Word(text: text, start: top, line: -left - width / 2, length: height, thickness: width)
      case .up:
        Word(
          text: text, start: -top - height, line: left + width / 2, length: height,
          thickness: width)
      }
    }
  }

  /// Returns the pairs of words that follow each other on a line.
  private static func neighbours(_ boxes: [Box]) -> [(Box, Box)] {
    zip(boxes, boxes.dropFirst()).filter { $0.line == $1.line }
  }

  /// Returns the direction in which most words follow each other.
  private static func direction(of boxes: [Box]) -> Direction {
    var counts: [Direction: Int] = [:]
    for (one, other) in neighbours(boxes) {
      let (right, down) = (other.left - one.left, other.top - one.top)
      let direction: Direction =
        abs(right) > abs(down) ? (right > 0 ? .right : .left) : (down > 0 ? .down : .up)
      counts[direction, default: 0] += 1
    }
    let all: [Direction] = [.right, .left, .down, .up]
    return all.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? .right
  }

  private static func rows(of words: [Word]) -> [[Word]] {
    let reach = (median(words.map(\.thickness)) ?? 0) / 2
    var rows: [[Word]] = []
    for word in words.sorted(by: { $0.line < $1.line }) {
      if let last = rows.last?.last, word.line - last.line < reach {
        rows[rows.count - 1].append(word)
      } else {
        rows.append([word])
      }
    }
    return rows.map { row in row.sorted { $0.start < $1.start } }
  }

  /// Returns the text of a row, with spaces in proportion to the gaps.
  private static func text(of row: [Word]) -> String {
    let letter = median(row.map { $0.length / Double($0.text.count) }) ?? 1
    var text = ""
    var end: Double?
    for word in row {
      if let end {
        let blanks = ((word.start - end) / max(letter, 1)).rounded()
        text += String(repeating: " ", count: Int(min(max(blanks, 1), 40)))
      }
      text += word.text
      end = word.start + word.length
    }
    return text
  }

  private static func median(_ numbers: [Double]) -> Double? {
    numbers.isEmpty ? nil : numbers.sorted()[numbers.count / 2]
  }
}
