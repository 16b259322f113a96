public import LarderModel

/// A sheet for counting the stock, with one line for each thing, which people fill in.
///
///     [ ] 2.5 kg  Flour             # 2.5 kg, last counted 2026-08-01
///
///     Freezer:
///     [ ] 2  Bread (2026-12-01)     # 2, never counted
///
/// The comment on a line says what the household knew. So an unchanged line is recognized later,
/// even if the stock has changed meanwhile. A name that would be read differently is in double
/// quotes.
public struct CountSheet: Equatable, Sendable {
  /// A line with a thing and its known quantity: an item in total, or a lot in a place.
  public struct Line: Equatable, Sendable {
    public var thing: String
    public var known: Quantity
    public var lastCounted: Day?

    public init(_ thing: String, known: Quantity, lastCounted: Day? = nil) {
      self.thing = thing
      self.known = known
      self.lastCounted = lastCounted
    }
  }

  /// The things in one place.
  ///
  /// Without a place, items are counted in total.
  public struct Section: Equatable, Sendable {
    public var place: String?
    public var lines: [Line]

    public init(place: String? = nil, _ lines: [Line]) {
      self.place = place
      self.lines = lines
    }
  }

  public var sections: [Section]

  public init(_ sections: [Section]) {
    self.sections = sections
  }

  /// The number of things.
  public var count: Int { sections.reduce(0) { $0 + $1.lines.count } }
}

extension CountSheet {
  /// Creates the sheet of some items, each in total.
  public init(of items: [Entity], in survey: Survey) {
    let names = SheetNames(survey)
    let holdings = survey.stock.holdings(of: items)
    self.init([
      Section(
        holdings.map { holding in
          Line(
            names.name(of: holding.item), known: Quantity(holding.total, holding.item.unit),
            lastCounted: survey.lastCounted([holding.item]))
        })
    ])
  }

  /// Creates the sheet of the lots of some items in some locations.
  public init(of items: [Entity], in places: [Entity], _ survey: Survey) {
    let keys = Set(items.map(\.key))
    let names = SheetNames(survey)
    self.init(
      places.map { place in
        let lots = names.lots(in: place).filter { keys.contains($0.item.key) && $0.isThere }
        return Section(
          place: names.name(of: place),
          lots.map { named in
            Line(
              named.name, known: named.lot.quantity,
              lastCounted: survey.lastCounted(named.lot.batches))
          })
      })
  }

  /// The text to fill in, with aligned amounts and comments.
  public var text: String {
    sections.map { section in
      let lines = section.lines.map { (thing: $0.text, remark: $0.remark) }
      let width = min(lines.map(\.thing.count).max() ?? 0, 60)
      let texts = lines.map { line in
        line.thing + String(repeating: " ", count: max(0, width - line.thing.count) + 3)
          + line.remark + "\n"
      }
      return (section.heading.map { $0 + "\n" } ?? "") + texts.joined()
    }.joined(separator: "\n")
  }
}

extension CountSheet.Line {
  /// The box, the amount and the thing.
  fileprivate var text: String {
    let plain = "[ ] \(known)  \(thing)"
    let read = FilledSheet(plain + "   " + remark)
    let line = read.lines.first
    let isRead =
      read.mistakes.isEmpty && read.lines.count == 1 && line?.isTicked == false
      && line?.known == known.description
      && line?.readings.first.map { $0 == (known.description, thing) } ?? false
    return isRead ? plain : "[ ] \(known)  \(QuotedName.text(thing))"
  }

  fileprivate var remark: String {
    "# \(known), " + (lastCounted.map { "last counted \($0)" } ?? "never counted")
  }
}

extension CountSheet.Section {
  /// The line above the things in a place.
  fileprivate var heading: String? {
    place.map { place in
      let isRead = FilledSheet("\(place):").headings.map(\.place) == [place]
      return (isRead ? place : QuotedName.text(place)) + ":"
    }
  }
}

extension Survey {
  /// Returns the day of the last count of a lot's batches, or of an item.
  fileprivate func lastCounted(_ entities: [Entity]) -> Day? {
    let counts = entities.flatMap(\.ledger.counting).filter { entry in
      if case .set = entry.event { true } else { false }
    }
    return counts.map(\.at).max().map { calendar.day(of: $0) }
  }
}

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

  public enum Reason: Error, Equatable, Sendable {
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

  /// Creates the mistake that an error is in a line.
  init(_ error: any Error, in line: FilledSheet.Line) {
    let reason: Reason? =
      switch error {
      case let error as RuleError: .rule(error)
      case let error as NamingError: .naming(error)
      default: error as? Reason
      }
    self.init(line: line.number, column: line.column, reason ?? .noThing(amount: ""))
  }
}

/// All mistakes in a count sheet.
public struct SheetMistakes: Error, Equatable, Sendable {
  public let all: [SheetMistake]
}
