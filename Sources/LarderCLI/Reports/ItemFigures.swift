import LarderJSON
import LarderKit
import LarderModel

/// The figures that `show` adds to an item: its pace and its prices.
struct ItemFigures {
  private let pace: Pace?
  private let daysLeft: Int?
  /// The part of the total that has not expired.
  private let usable: Number
  private let course: PriceCourse?

  init(of item: Entity, in survey: Survey) {
    pace = survey.pace(of: item)
    usable = survey.usableTotal(of: item).value
    daysLeft = pace?.days(for: usable)
    course = survey.prices(of: item, in: Purchases(in: survey)).courses.first
  }

  /// Returns the lines, each with its name; `isDrawn` adds a sparkline, for a terminal.
  func lines(isDrawn: Bool = false) -> [NamedText] {
    var lines: [NamedText] = []
    if let pace { lines.append(("used", pace.words)) }
    if pace != nil, usable > .zero {
      lines.append(
        ("lasts", daysLeft.map { "about \(counted($0, "day"))" } ?? "more than 10 years"))
    }
    return lines + (course?.lines(isDrawn: isDrawn) ?? [])
  }

  var json: [JSONMember] {
    [
      pace.map { JSONMember("pace", $0.json) },
      daysLeft.map { JSONMember("lastsDays", .number(String($0))) },
      course.map { JSONMember("price", $0.json) },
    ].compactMap(\.self)
  }
}

extension Pace {
  /// The pace for people, such as `about 5.2 l a week`.
  var words: String {
    let (amount, isMonthly) = shown
    return "about \(amount) a \(isMonthly ? "month" : "week")"
  }

  fileprivate var json: JSON {
    .object([
      JSONMember("perWeek", perWeek.value.json),
      JSONMember("unit", .string(used.unit.rawValue)), JSONMember("used", used.value.json),
      JSONMember("days", .number(String(days))), JSONMember("uses", .number(String(uses))),
    ])
  }
}
