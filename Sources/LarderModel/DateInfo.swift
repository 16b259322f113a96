public import LarderJSON

/// A date of a batch with what is known of it (the inventory plan's `InventoryDateInfo`).
///
/// `date` is a day for what keeps until then, an instant for when something was opened.
public struct DateInfo<Date: LosslessStringConvertible & Hashable & Sendable>: Hashable, Sendable {
  public var kind: DateKind
  public var date: Date?
  /// The date as it stood on the package.
  public var rawText: String?
  /// How sure the date is, from 0 to 1; rules refuse anything else.
  public var confidence: Number
  /// Every member of the object that the other fields don't hold.
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
      let kind = json["kind"]?.string.flatMap(DateKind.init(rawValue:))
    else { return nil }
    self.init(
      kind, json["isoDate"]?.string.flatMap { Date($0) }, rawText: json["rawText"]?.string,
      confidence: json["confidence"]?.number.flatMap { Number($0) } ?? Number(1))
    let own = ["kind", "rawText", "confidence", "isoDate"]
    others = members.filter { !own.contains($0.key) }
  }

  /// The object as files have it.
  public var json: JSON {
    var members = [JSONMember("kind", .string(kind.rawValue))]
    if let rawText { members.append(JSONMember("rawText", .string(rawText))) }
    members.append(JSONMember("confidence", confidence.json))
    if let date { members.append(JSONMember("isoDate", .string(date.description))) }
    return .object(members + others)
  }
}

/// What sort of date it is.
public enum DateKind: String, CaseIterable, Sendable {
  case expiry, opened, bestBefore, useBy, manufactured, packaged
}

extension Day: LosslessStringConvertible {}
extension Instant: LosslessStringConvertible {}

/// Until when a batch keeps; what counts is the household's day.
public typealias ExpiryInfo = DateInfo<Day>
/// When a batch was opened.
public typealias OpenedInfo = DateInfo<Instant>

/// What becomes of a date.
public enum DateUpdate<Date: LosslessStringConvertible & Hashable & Sendable>: Hashable, Sendable {
  case keep
  case set(DateInfo<Date>)
  case remove

  func applied(to known: DateInfo<Date>?) -> DateInfo<Date>? {
    switch self {
    case .keep: known
    case .set(let info): info
    case .remove: nil
    }
  }
}
