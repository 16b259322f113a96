import Foundation

/// A day of the proleptic Gregorian calendar, written `YYYY-MM-DD`, from year 0000 to 9999.
///
/// The household's time zone decides the day of a moment.
public struct Day: Hashable, Comparable, Sendable {
  /// The number of days since 1970-01-01, negative before it.
  public let daysSinceEpoch: Int

  public init(daysSinceEpoch: Int) {
    self.daysSinceEpoch = daysSinceEpoch
  }

  /// Nil if the calendar has no such day.
  public init?(year: Int, month: Int, day: Int) {
    guard (0...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Day.length(ofMonth: month, year: year)
    else { return nil }
    self.init(daysSinceEpoch: Day.daysFromCivil(year: year, month: month, day: day))
  }

  public init?(_ text: String) {
    let day = DigitScanner.scan(text) { scanner in
      Day(scanning: &scanner).flatMap { scanner.isAtEnd ? $0 : nil }
    }
    guard let day else { return nil }
    self = day
  }

  init?(scanning scanner: inout DigitScanner) {
    guard let year = scanner.number(digits: 4), scanner.take(anyOf: "-"),
      let month = scanner.number(digits: 2), scanner.take(anyOf: "-"),
      let day = scanner.number(digits: 2)
    else { return nil }
    self.init(year: Int(year), month: Int(month), day: Int(day))
  }

  public static func < (left: Day, right: Day) -> Bool {
    left.daysSinceEpoch < right.daysSinceEpoch
  }

  public func adding(days: Int) -> Day {
    Day(daysSinceEpoch: daysSinceEpoch + days)
  }

  /// Returns the same day of a later month, or that month's last day if the month is shorter.
  public func adding(months: Int) -> Day {
    let (year, month, day) = civil
    let index = year * 12 + month - 1 + months
    let newYear = Int(Int64(index).flooredDivision(by: 12))
    let newMonth = index - newYear * 12 + 1
    let newDay = min(day, Day.length(ofMonth: newMonth, year: newYear))
    return Day(daysSinceEpoch: Day.daysFromCivil(year: newYear, month: newMonth, day: newDay))
  }

  /// The weekday: 1 for Monday to 7 for Sunday, as in ISO 8601.
  public var weekday: Int {
    let index = (daysSinceEpoch + 3) % 7
    return (index < 0 ? index + 7 : index) + 1
  }

  static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Counts years from March, so that the leap day is the last day of its year.
  private static func daysFromCivil(year: Int, month: Int, day: Int) -> Int {
    let marchYear = month <= 2 ? year - 1 : year
    let era = Int(Int64(marchYear).flooredDivision(by: 400))
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  public var civil: (year: Int, month: Int, day: Int) {
    let shifted = daysSinceEpoch + 719_468
    let era = Int(Int64(shifted).flooredDivision(by: 146_097))
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }
}

extension Day: CustomStringConvertible {
  /// The canonical form, such as `2026-11-03`.
  public var description: String {
    String(unsafeUninitializedCapacity: 10) { bytes in
      write(to: bytes)
      return 10
    }
  }

  /// Writes the canonical form into the first ten bytes.
  func write(to bytes: UnsafeMutableBufferPointer<UInt8>) {
    let (year, month, day) = civil
    bytes.write(year, digits: 4, at: 0)
    bytes.write("-", at: 4)
    bytes.write(month, digits: 2, at: 5)
    bytes.write("-", at: 7)
    bytes.write(day, digits: 2, at: 8)
  }
}

extension UnsafeMutableBufferPointer<UInt8> {
  /// Writes a number that is not negative, with leading zeros.
  ///
  /// Digits that don't fit are cut on the left.
  func write(_ number: Int, digits: Int, at offset: Int) {
    var rest = number
    for place in (offset..<offset + digits).reversed() {
      self[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
  }

  func write(_ character: Unicode.Scalar, at offset: Int) {
    self[offset] = UInt8(ascii: character)
  }
}

extension Day {
  /// Whether the time zone database has a name.
  public static func knows(timeZone: String) -> Bool { TimeZone(identifier: timeZone) != nil }

  /// Returns the names in the time zone database that a text is in any case, or that end with it, as
  /// `Europe/Berlin` does with `berlin`; the same name goes before all others.
  public static func timeZones(named text: String) -> [String] {
    let wanted = fold(text).replacing(" ", with: "_")
    if TimeZone.knownTimeZoneIdentifiers.contains(text) || wanted.isEmpty { return [text] }
    let names = TimeZone.knownTimeZoneIdentifiers.filter(knows).sorted()
    let whole = names.filter { fold($0) == wanted }
    return whole.isEmpty ? names.filter { fold($0).hasSuffix("/" + wanted) } : whole
  }

  /// Returns the names that a text may mean that is none, at most three: those of its city, otherwise
  /// similar ones.
  public static func timeZones(like text: String) -> [String] {
    let same = timeZones(named: text).filter { $0 != text }
    guard same.isEmpty else { return Array(same.prefix(3)) }
    let names = TimeZone.knownTimeZoneIdentifiers.sorted()
    let cities = names.compactMap { $0.split(separator: "/").last.map(String.init) }
    let near = suggestions(for: text.replacing(" ", with: "_"), among: names + cities)
    let meant = near.flatMap { near in names.filter { $0 == near || $0.hasSuffix("/" + near) } }
    return Array(meant.prefix(3))
  }

  /// Creates the day of a moment in a time zone, named as in the time zone database.
  ///
  /// In UTC if the name is unknown.
  public init(_ instant: Instant, in timeZone: String) {
    let local = instant.milliseconds + Int64(Day.offset(at: instant, in: timeZone)) * 1000
    self.init(daysSinceEpoch: Int(local.flooredDivision(by: 86_400_000)))
  }

  /// Returns the offset of local time from UTC at a moment, in seconds; 0 if the name is unknown.
  public static func offset(at instant: Instant, in timeZone: String) -> Int {
    let date = Date(timeIntervalSince1970: Double(instant.milliseconds.flooredDivision(by: 1000)))
    return TimeZone(identifier: timeZone)?.secondsFromGMT(for: date) ?? 0
  }
}
