import LarderJSON
import LarderKit
import LarderModel

/// The options that say what a batch is known by.
enum BatchOptions {
  static let batch = Option(
    "batch", short: "b", value: "B",
    help: "this batch only: its lot code, expiry day, place, file or id")
  static let expiry = Option(
    "expiry", value: "DAY", takesEmpty: true, help: "until when it keeps: 2026-12-01, +10d, fri")
  static let bestBefore = Option(
    "best-before", value: "DAY", takesEmpty: true, help: "the same, where it is best before")
  static let useBy = Option(
    "use-by", value: "DAY", takesEmpty: true, help: "the same, where it is to be used by then")
  static let opened = Option(
    "opened", value: "WHEN", takesEmpty: true, help: "when it was opened: today, 18:30, 2026-11-20")
  static let location = Option(
    "location", value: "L", takesEmpty: true, help: "where it lies: a location's name")
  static let lot = Option(
    "lot", value: "CODE", takesEmpty: true, help: "the code printed on the package")
  static let notes = Option("notes", value: "TEXT", takesEmpty: true, help: "anything else")
  static let confidence = Option(
    "confidence", value: "C", help: "how sure the dates are, from 0 to 1")
  static let strict = Option(
    "strict", help: "refuse what is otherwise only warned about")
  static let unchangedSince = Option(
    "unchanged-since", value: "T",
    help: "refuse if the batch's updatedAt is another than this one by now")

  /// Until when something keeps, as one of three kinds of dates.
  static let expiries = [expiry, bestBefore, useBy]
}

extension Invocation {
  /// What the expiry options say; an empty day takes the date off.
  func expiryUpdate(_ calendar: HouseholdCalendar) throws -> DateUpdate<Day> {
    let given = BatchOptions.expiries.filter { self[$0] != nil }
    guard let option = given.first, let text = self[option] else { return .keep }
    guard given.count == 1 else {
      throw CommandError(
        .usage,
        "\(option.spelling) and \(given[1].spelling) both say until when it keeps: one is needed")
    }
    guard !text.isEmpty else { return .remove }
    guard let day = calendar.day(typed: text) else {
      throw unreadable(text, for: option.spelling, HouseholdCalendar.dayForms)
    }
    let kinds: [String: DateKind] = ["best-before": .bestBefore, "use-by": .useBy]
    return .set(
      ExpiryInfo(kinds[option.name] ?? .expiry, day, confidence: try confidence() ?? Number(1)))
  }

  /// What `--opened` says; an empty text takes the date off.
  func openedUpdate(_ calendar: HouseholdCalendar) throws -> DateUpdate<Instant> {
    guard let text = self[BatchOptions.opened] else { return .keep }
    guard !text.isEmpty else { return .remove }
    return .set(
      OpenedInfo(
        .opened, try moment(text, for: BatchOptions.opened.spelling, calendar),
        confidence: try confidence() ?? Number(1)))
  }

  /// A moment as it is typed.
  func moment(_ text: String, for option: String, _ calendar: HouseholdCalendar) throws -> Instant {
    guard let instant = calendar.instant(typed: text) else {
      throw unreadable(text, for: option, HouseholdCalendar.instantForms)
    }
    // What can't be written can't be kept.
    guard Instant(instant.description) == instant else {
      throw unreadable(text, for: option, "a moment from the year 0 to 9998, in UTC, is needed")
    }
    return instant
  }

  private func confidence() throws -> Number? {
    guard let text = self[BatchOptions.confidence] else { return nil }
    guard let number = Number(text), number >= .zero, number <= Number(1) else {
      throw unreadable(
        text, for: BatchOptions.confidence.spelling, "a number from 0 to 1 is needed")
    }
    return number
  }

  /// The version of the batch that the caller saw.
  func unchangedSince() throws -> Instant? {
    guard let text = self[BatchOptions.unchangedSince] else { return nil }
    guard let instant = Instant(text) else {
      throw unreadable(
        text, for: BatchOptions.unchangedSince.spelling,
        "the updatedAt of its file is needed, like 2026-11-03T19:12:44.120Z")
    }
    return instant
  }

  /// The place that an option names; an empty name is no place.
  func location(_ survey: Survey) throws -> String? {
    guard let text = self[BatchOptions.location], !text.isEmpty else { return nil }
    return try survey.location(named: text).id
  }

  /// A text that an option gives, without white space at its ends; nil where nothing is left.
  func text(_ option: Option) -> String? {
    trimmed(option).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The same, empty where there is nothing but blanks; nil where the option is not there.
  func trimmed(_ option: Option) -> String? {
    guard let words = self[option]?.drop(while: \.isWhitespace) else { return nil }
    return String(words.reversed().drop(while: \.isWhitespace).reversed())
  }

  /// Says what is odd about a batch that was written all the same.
  func warn(_ warnings: [BatchWarning], about title: String) {
    for case .openedAfterExpiry(let opened, let expiry) in warnings {
      output.warn("\(title) was opened on \(opened), and keeps until \(expiry)")
    }
  }
}

extension DateUpdate {
  /// The date that is to be there; nil where none is set.
  var info: DateInfo<Date>? {
    if case .set(let info) = self { info } else { nil }
  }
}
