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
    let rows = text.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "\n" }
    for (index, row) in rows.enumerated() { read(row, index + 1) }
  }

  private typealias Text = Substring.UnicodeScalarView

  private mutating func read(_ row: Text, _ number: Int) {
    guard String(row).utf8.count <= longestLine else {
      mistakes.append(SheetMistake(line: number, column: 1, .longLine))
      return
    }
    var rest = Self.trimmed(row)
    if number == 1, rest.first == "\u{FEFF}" { rest = Self.trimmed(rest.dropFirst()) }
    if let place = Self.quotedHeading(rest) {
      headings.append(Heading(number: number, place: place))
      return
    }
    if let first = rest.first, "-*•".unicodeScalars.contains(first), rest.dropFirst().first == " " {
      rest = Self.trimmed(rest.dropFirst())
    }
    guard let first = rest.first, first != "#" else { return }
    let box = takeBox(&rest)
    let column = row[..<rest.startIndex].count + 1
    let known = takeRemark(&rest)
    let text = Self.trimmed(rest)
    if box == nil, known == nil, text.last == ":" {
      headings.append(
        Heading(number: number, place: String(Self.trimmed(text.dropLast()))))
      return
    }
    guard let isTicked = Self.isTicked(box) else {
      mistakes.append(
        SheetMistake(line: number, column: column, .box(box.map { String($0) } ?? "")))
      return
    }
    guard !text.isEmpty || isTicked else { return }
    lines.append(
      Line(
        number: number, column: column, place: headings.last?.place, isTicked: isTicked,
        text: String(text), known: known))
  }

  /// Returns the place in a heading such as `"#1":`; nil for any other line.
  private static func quotedHeading(_ row: Text) -> String? {
    guard row.first == "\"", row.last == ":", row.dropLast().last == "\"" else { return nil }
    return QuotedName(String(row)).flatMap { $0.behind == ":" ? $0.name : nil }
  }

  /// Removes the box at the beginning and returns its content; nil if there is none.
  private func takeBox(_ rest: inout Text) -> Text? {
    guard rest.first == "[", let end = rest.prefix(4).firstIndex(of: "]") else { return nil }
    let box = rest[rest.index(after: rest.startIndex)..<end]
    rest = Self.trimmed(rest[rest.index(after: end)...])
    return box
  }

  /// Removes the sheet's comment at the end and returns the amount in it; nil if there is none.
  private func takeRemark(_ rest: inout Text) -> String? {
    guard let mark = rest.lastIndex(of: "#"), mark != rest.startIndex,
      rest[rest.index(before: mark)].properties.isWhitespace,
      let match = Substring(rest[mark...]).wholeMatch(
        of: /#\s+(.+?),\s+(?:never counted|last counted [0-9-]+)\s*/)
    else { return nil }
    rest = rest[..<mark]
    return String(match.1)
  }

  private static func isTicked(_ box: Text?) -> Bool? {
    guard let sign = box.map({ String(trimmed($0)) }), !sign.isEmpty else { return false }
    return ["x", "X", "✓", "✔"].contains(sign) ? true : nil
  }

  private static func trimmed(_ text: Text) -> Text {
    var text = text.drop { $0.properties.isWhitespace }
    while text.last?.properties.isWhitespace ?? false { text.removeLast() }
    return text
  }
}

extension FilledSheet.Line {
  /// The ways to read the line as an amount followed by a thing, the most certain first.
  public var readings: [(amount: String, thing: String)] {
    if let quoted = QuotedName(text), quoted.behind.isEmpty {
      return [(amount: quoted.before, thing: quoted.name)]
    }
    let words = spaced(text).unicodeScalars.split(separator: " ").map { String($0) }
    let all = (0...min(max(words.count - 1, 0), 6)).map { count in
      (
        amount: words.prefix(count).joined(separator: " "),
        thing: words.dropFirst(count).joined(separator: " ")
      )
    }
    // The sheet writes two spaces between amount and thing, and nowhere else.
    let scalars = text.unicodeScalars
    let gap = scalars.indices.first { index in
      scalars[index].properties.isWhitespace
        && scalars[scalars.index(after: index)...].first?.properties.isWhitespace ?? false
    }
    guard let gap else { return all }
    let before = spaced(String(scalars[..<gap])).unicodeScalars.split(separator: " ").count
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
    /// The line has more than ``longestLine`` bytes.
    case longLine
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
