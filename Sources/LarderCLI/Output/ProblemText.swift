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
  func error(_ error: CommandError) -> String {
    var lines = [fit("error: ", .boldRed, brief(error.message))]
    lines += error.problems.flatMap { problem -> [String] in
      let shown = self.lines(of: problem)
      return problem.place == nil ? ["  " + shown[0]] + shown.dropFirst() : shown
    }
    lines += error.hints.map { hint($0) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns a single problem with its excerpt and a final newline.
  func finding(_ problem: Problem) -> String {
    lines(of: problem).joined(separator: "\n") + "\n"
  }

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
