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
}

extension CountSheet {
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
