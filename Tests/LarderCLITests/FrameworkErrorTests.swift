import LarderKit
import Testing

@testable import LarderCLI

@Suite("Errors and warnings")
struct FrameworkErrorTests {
  private let text = ProblemText(hasColor: false, width: 60)

  private func excerpt(_ line: String, column: Int?, number: Int = 5, width: Int = 60)
    -> [Substring]
  {
    let problem = Problem("m", path: "p", line: number, column: column, sourceLine: line)
    let whole = ProblemText(hasColor: false, width: width).warning(problem)
    return whole.split(separator: "\n").dropFirst().map { $0 }
  }

  @Test("an error names what failed, each mistake with its place and caret, and what to do")
  func wholeError() {
    let error = ErrorWords(
      .invalidData, "can't read the household's files: 2 mistakes",
      problems: [
        Problem(
          "quantityFullStock: a number is needed, found \"six\"",
          path: "stock/oat-milk-7f3a9c.json", line: 5, column: 24,
          sourceLine: "  \"quantityFullStock\": \"six\","),
        Problem("is no JSON", path: "shopping/x.json"),
      ], hints: ["larder check shows all mistakes", "larder undo takes a change back"])
    let expected = """
      error: can't read the household's files: 2 mistakes
      stock/oat-milk-7f3a9c.json:5:24: quantityFullStock: a number is needed, found "six"
          5 |   "quantityFullStock": "six",
            |                        ^
      shopping/x.json: is no JSON
      hint: larder check shows all mistakes
      hint: larder undo takes a change back

      """
    #expect(text.error(error) == expected)
  }

  @Test("a warning has the same place and excerpt")
  func warning() {
    let problem = Problem(
      "unknown field", path: "a.json", line: 12, column: 3, sourceLine: "  \"x\": 1",
      severity: .warning)
    #expect(
      text.warning(problem)
        == "warning: a.json:12:3: unknown field\n   12 |   \"x\": 1\n      |   ^\n")
    #expect(text.warning(Problem("nothing to do")) == "warning: nothing to do\n")
    let error = ErrorWords(.failed, "found something", problems: [problem])
    #expect(text.error(error).contains("\na.json:12:3: warning: unknown field\n"))
  }

  @Test("a place is as exact as what is known")
  func places() {
    #expect(Problem("m").place == nil)
    #expect(Problem("m", line: 3).place == nil)
    #expect(Problem("m", path: "a").place == "a")
    #expect(Problem("m", path: "a", line: 3).place == "a:3")
    #expect(Problem("m", path: "a", line: 3, column: 4).place == "a:3:4")
    #expect(Problem("m", path: "a", column: 4).place == "a")
  }

  @Test("the caret stands under its character behind tabs")
  func tabs() {
    #expect(excerpt("\t\"a\": x", column: 7) == ["    5 |     \"a\": x", "      |          ^"])
    #expect(excerpt("ab\tx", column: 4) == ["    5 | ab  x", "      |     ^"])
    #expect(excerpt("ab\tx", column: 3) == ["    5 | ab  x", "      |   ^"])
    #expect(excerpt("x\t\ty", column: 1) == ["    5 | x       y", "      | ^"])
  }

  @Test("the caret stands under its character behind wide, joined and combined ones")
  func wideCharacters() {
    #expect(excerpt("\"牛乳\": x", column: 7) == ["    5 | \"牛乳\": x", "      |         ^"])
    #expect(excerpt("👩‍👩‍👧‍👦x", column: 8) == ["    5 | 👩‍👩‍👧‍👦x", "      |   ^"])
    #expect(excerpt("👩‍👩‍👧‍👦x", column: 3) == ["    5 | 👩‍👩‍👧‍👦x", "      | ^"])
    #expect(excerpt("e\u{301}x", column: 3) == ["    5 | e\u{301}x", "      |  ^"])
  }

  @Test("a caret may stand behind the end, and a line may be empty")
  func ends() {
    #expect(excerpt("{", column: 2) == ["    5 | {", "      |  ^"])
    #expect(excerpt("{", column: 99) == ["    5 | {", "      |  ^"])
    #expect(excerpt("", column: 1) == ["    5 |", "      | ^"])
    #expect(excerpt("{", column: nil) == ["    5 | {"])
    #expect(excerpt("{", column: 1, number: 123_456) == ["  123456 | {", "         | ^"])
  }

  @Test("control characters in a line don't reach the terminal or move the caret")
  func hostileLine() {
    #expect(excerpt("\u{1B}[31mx\u{202E}y", column: 8) == ["    5 | [31mxy", "      |      ^"])
    #expect(excerpt("a\u{1B}[31mx", column: 4) == ["    5 | a[31mx", "      |   ^"])
    let problem = Problem("found \u{1B}]0;t\u{7}x", path: "a\u{1B}[2Jb")
    #expect(text.warning(problem) == "warning: a\\u001b[2Jb: found ]0;tx\n")
  }

  @Test("a very long line is cut around its caret and never wider than the room")
  func longLines() {
    let digits = String(repeating: "0123456789", count: 50)
    for column in [1, 2, 19, 20, 21, 40, 250, 480, 489, 490, 499, 500, 501] {
      let lines = excerpt(digits, column: column, width: 40)
      #expect(lines.allSatisfy { displayWidth(String($0)) <= 40 }, "column \(column)")
      let shown = Array(lines[0])
      let caret = lines[1].count - 1
      let expected = column > 500 ? nil : Character(String((column - 1) % 10))
      #expect((caret < shown.count ? shown[caret] : nil) == expected, "column \(column)")
      #expect((shown[8] == "…") == (column > 22), "column \(column)")
      #expect((shown.last == "…") == (column < 490), "column \(column)")
    }
  }

  @Test("a very long line of wide characters is cut by columns")
  func longWideLines() {
    let line = String(repeating: "牛", count: 300)
    for column in [1, 12, 13, 14, 150, 299, 300, 301] {
      let lines = excerpt(line, column: column, width: 41)
      #expect(lines.allSatisfy { displayWidth(String($0)) <= 41 }, "column \(column)")
      #expect(lines[0].contains("牛"))
    }
  }

  @Test("colours mark the words and the caret only where they are shown")
  func colors() {
    let error = ErrorWords(
      .failed, "m", problems: [Problem("n", path: "a", line: 1, column: 1, sourceLine: "x")],
      hints: ["h"])
    #expect(
      ProblemText(hasColor: true, width: 60).error(error)
        == "\u{1B}[1;31merror: \u{1B}[0mm\n\u{1B}[1ma:1:1:\u{1B}[0m n\n    1 | x\n      | "
        + "\u{1B}[1;31m^\u{1B}[0m\n\u{1B}[36mhint: \u{1B}[0mh\n")
  }

  @Test("every kind of error has the exit code of its family")
  func exitCodes() {
    let codes = ErrorKind.allCases.map { "\($0.rawValue) \($0.exitCode)" }
    #expect(
      codes == [
        "failed 1", "usage 2", "notFound 3", "ambiguous 3", "notAllowed 4", "invalidData 5",
        "unreachable 6", "locked 7", "refused 8",
      ])
  }
}
