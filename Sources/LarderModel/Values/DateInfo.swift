public import LarderJSON

/// A date of a batch, with its kind and its confidence.
///
/// `date` is a day for an expiry, and an instant for an opening.
public struct DateInfo<Date: LosslessStringConvertible & Hashable & Sendable>: Hashable, Sendable {
  public var kind: DateKind
  public var date: Date?
  /// The date as printed on the package.
  public var rawText: String?
  /// The confidence in the date, from 0 to 1; rules refuse other values.
  public var confidence: Number
  /// All members of the object that the other properties don't hold.
  public var others: [JSONMember] = []

  public init(
    _ kind: DateKind, _ date: Date?, rawText: String? = nil, confidence: Number = Number(1)
  ) {
    self.kind = kind
    self.date = date
    self.rawText = rawText
    self.confidence = confidence
  }

  /// Reads a batch's `expiryInfo` or `openedInfo`; nil for anything else.
  public init?(_ json: JSON?) {
    guard let json, let members = json.members,
      let kind = json[.kind]?.string.flatMap(DateKind.init(rawValue:))
    else { return nil }
    self.init(
      kind, json[.isoDate]?.string.flatMap { Date($0) }, rawText: json[.rawText]?.string,
      confidence: json[.confidence]?.number.flatMap { Number($0) } ?? Number(1))
    let own = ["kind", "rawText", "confidence", "isoDate"]
    others = members.filter { !own.contains($0.key) }
  }

  /// The object as in files.
  public var json: JSON {
    var members = [JSONMember("kind", .string(kind.rawValue))]
    if let rawText { members.append(JSONMember("rawText", .string(rawText))) }
    members.append(JSONMember("confidence", confidence.json))
    if let date { members.append(JSONMember("isoDate", .string(date.description))) }
    return .object(members + others)
  }
}

/// The kinds of dates.
public enum DateKind: String, CaseIterable, Sendable {
  case expiry, opened, bestBefore, useBy, manufactured, packaged
}

extension DateKind {
  /// Whether the date says how old a batch is, not until when it keeps.
  public var isOfOrigin: Bool { self == .manufactured || self == .packaged }
}

extension DateInfo {
  /// The greatest confidence of a guess, which is what a guess of Larder's has (FORMAT.md, section 3).
  ///
  /// A day that was read badly is no guess.
  static var guess: Number { Number(1, over: 2) }
}

extension DateInfo<Day> {
  /// Creates a guess of the last day, as of how long something keeps.
  public init(guessed day: Day) { self.init(.expiry, day, confidence: Self.guess) }

  /// The last day; nil if the date is missing, or says how old the batch is.
  public var lastDay: Day? { kind.isOfOrigin ? nil : date }
}

/// The day of a batch's `expiryInfo`.
public struct BatchDay: Hashable, Sendable {
  public let day: Day
  public let kind: DateKind
  /// Whether nobody read the day on a package: see ``DateInfo/guess``.
  public let isGuess: Bool
}

extension BatchDay: CustomStringConvertible {
  /// The day as people read it: `2026-12-01`, `~2026-12-01` for a guess, `packed
  /// 2026-11-03`.
  public var description: String {
    let word = kind == .manufactured ? "made " : kind == .packaged ? "packed " : ""
    return word + (isGuess ? "~" : "") + day.description
  }
}

extension Day: LosslessStringConvertible {}
extension Instant: LosslessStringConvertible {}

/// The expiry of a batch, as a day in the household's time zone.
public typealias ExpiryInfo = DateInfo<Day>
/// The time when a batch was opened.
public typealias OpenedInfo = DateInfo<Instant>

/// An update of a date.
public enum DateUpdate<Date: LosslessStringConvertible & Hashable & Sendable>: Hashable, Sendable {
  case keep
  case set(DateInfo<Date>)
  case remove

  /// The date to set; nil if there is none.
  public var info: DateInfo<Date>? {
    if case .set(let info) = self { info } else { nil }
  }

  func applied(to known: DateInfo<Date>?) -> DateInfo<Date>? {
    switch self {
    case .keep: known
    case .set(let info): info
    case .remove: nil
    }
  }
}
