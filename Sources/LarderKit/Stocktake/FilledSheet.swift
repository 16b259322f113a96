public import LarderModel

/// A count sheet that somebody filled in or wrote.
///
/// ``Change/count(_:)`` finds the things that its lines name.
public struct FilledSheet: Equatable, Sendable {
  /// A line that is not empty.
  public struct Line: Equatable, Sendable {
    /// The number of the line, from 1.
    public let number: Int
    /// The column of ``text``, from 1, counted in Unicode scalars.
    public let column: Int
    /// The place in the heading above it.
    public let place: String?
    public let isTicked: Bool
    /// The amount and the thing, as written.
    public let text: String
    /// The amount in the sheet's comment; nil on a line that somebody added.
    public let known: String?
  }

  /// The heading of a place, above the things in it.
  public struct Heading: Equatable, Sendable {
    /// The number of the line, from 1.
    public let number: Int
    public let place: String
  }

  public private(set) var lines: [Line] = []
  public private(set) var headings: [Heading] = []
  public private(set) var mistakes: [SheetMistake] = []

  public init(_ text: String) {
    let rows = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, row) in rows.enumerated() { read(row, index + 1) }
  }

  private mutating func read(_ row: Substring, _ number: Int) {
    var rest = row.drop(while: \.isWhitespace)
    if rest.first.map({ "-*•".contains($0) }) ?? false, rest.dropFirst().first == " " {
      rest = rest.dropFirst().drop(while: \.isWhitespace)
    }
    guard let first = rest.first, first != "#" else { return }
    let box = takeBox(&rest)
    let column = row[..<rest.startIndex].unicodeScalars.count + 1
    let known = takeRemark(&rest)
    let text = Self.trimmed(rest)
    if box == nil, known == nil, text.hasSuffix(":") {
      headings.append(Heading(number: number, place: String(Self.trimmed(text.dropLast()))))
      return
    }
    guard let isTicked = Self.isTicked(box) else {
      mistakes.append(SheetMistake(line: number, column: column, .box(box.map(String.init) ?? "")))
      return
    }
    guard !text.isEmpty || isTicked else { return }
    lines.append(
      Line(
        number: number, column: column, place: headings.last?.place, isTicked: isTicked,
        text: String(text), known: known))
  }

  /// Removes the box at the beginning and returns its content; nil if there is none.
  private func takeBox(_ rest: inout Substring) -> Substring? {
    guard rest.first == "[", let end = rest.prefix(4).firstIndex(of: "]") else { return nil }
    let box = rest[rest.index(after: rest.startIndex)..<end]
    rest = rest[rest.index(after: end)...].drop(while: \.isWhitespace)
    return box
  }

  /// Removes the sheet's comment at the end and returns the amount in it; nil if there is none.
  private func takeRemark(_ rest: inout Substring) -> String? {
    guard let mark = rest.lastIndex(of: "#"), mark != rest.startIndex,
      rest[rest.index(before: mark)].isWhitespace,
      let match = rest[mark...].wholeMatch(
        of: /#\s+(.+?),\s+(?:never counted|last counted [0-9-]+)\s*/)
    else { return nil }
    rest = rest[..<mark]
    return String(match.1)
  }

  private static func isTicked(_ box: Substring?) -> Bool? {
    guard let sign = box.map(trimmed), !sign.isEmpty else { return false }
    return ["x", "X", "✓", "✔"].contains(sign) ? true : nil
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace ?? false { text.removeLast() }
    return text
  }
}

extension FilledSheet.Line {
  /// The ways to read the line as an amount followed by a thing, the most certain first.
  public var readings: [(amount: String, thing: String)] {
    let words = text.split(whereSeparator: \.isWhitespace)
    let all = (0..<max(words.count, 1)).map { count in
      (
        amount: words.prefix(count).joined(separator: " "),
        thing: words.dropFirst(count).joined(separator: " ")
      )
    }
    // The sheet writes two spaces between amount and thing, and nowhere else.
    guard let gap = text.firstRange(of: /\s\s+/) else { return all }
    let before = text[..<gap.lowerBound].split(whereSeparator: \.isWhitespace).count
    return [all[min(before, all.count - 1)]] + all
  }
}

/// A mistake in a line of a count sheet.
public struct SheetMistake: Error, Equatable, Sendable {
  public let line: Int
  public let column: Int
  public let reason: Reason

  public enum Reason: Equatable, Sendable {
    /// A box with something other than an x in it.
    case box(String)
    case amount(String, TypedQuantity.Mistake)
    case noAmount(thing: String)
    case noThing(amount: String)
    /// An earlier line already counts the thing.
    case twice(thing: String, line: Int)
    /// The thing has several lots in the place, and the line names none of them.
    case severalLots(thing: String, place: String)
    case naming(NamingError)
    case rule(RuleError)
  }

  init(line: Int, column: Int, _ reason: Reason) {
    self.line = line
    self.column = column
    self.reason = reason
  }
}

/// All mistakes in a count sheet.
public struct SheetMistakes: Error, Equatable, Sendable {
  public let all: [SheetMistake]
}
