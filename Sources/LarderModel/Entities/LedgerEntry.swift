public import LarderJSON
internal import LarderText

/// A quantity event: an addition or removal, a count, or an event that takes another one back.
///
/// Entries are never changed or removed. A correction is another entry.
public struct LedgerEntry: Hashable, Sendable {
  public let id: String
  public let at: Instant
  public let event: Event
  /// The unit of the number; it has no meaning if the entry undoes another.
  public let unit: Unit
  public let why: Reason
  /// The device that wrote it, or `edit` for entries that people wrote into a file.
  public let by: String
  public var request: String?
  public var receipt: String?
  public var note: String?
  /// All there was of an item, loose and in batches, in the unit of the entry; only beside a `set`
  /// of an item's ledger.
  public var total: Number?
  /// Keys unknown to this format, in canonical form and sorted.
  public var unknown: [JSONMember]

  public enum Event: Hashable, Sendable {
    case delta(Number)
    case set(Number)
    /// Takes back the entry with this id; then neither counts.
    case undoes(String)
  }

  public enum Reason: String, CaseIterable, Sendable {
    case add, receipt, consume, count, spoil, move, undo, edit
  }

  public init(
    id: String, at: Instant, _ event: Event, unit: Unit, why: Reason, by: String,
    request: String? = nil, receipt: String? = nil, note: String? = nil, total: Number? = nil,
    unknown: [JSONMember] = []
  ) {
    self.id = id
    self.at = at
    self.event = event
    if case .undoes = event { self.unit = .piece } else { self.unit = unit }
    self.why = why
    self.by = by
    self.request = request
    self.receipt = receipt
    self.note = note
    self.total = total
    self.unknown = unknown
  }

  // Of two entries with one id, bytes decide which is kept, so equality compares bytes too.
  public static func == (left: LedgerEntry, right: LedgerEntry) -> Bool {
    left.id == right.id && left.at == right.at && left.event == right.event
      && left.unit.rawValue.hasSameBytes(as: right.unit.rawValue) && left.why == right.why
      && left.by.hasSameBytes(as: right.by)
      && left.request.hasSameBytes(as: right.request) && left.receipt == right.receipt
      && left.note.hasSameBytes(as: right.note) && left.total == right.total
      && left.unknown == right.unknown
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(at)
    hasher.combine(event)
  }

  /// The number with its unit; nil for an entry that undoes another.
  public var quantity: Quantity? {
    switch event {
    case .delta(let number), .set(let number): Quantity(number, unit)
    case .undoes: nil
    }
  }

  public var json: JSON {
    var members: [JSONMember] = []
    members.reserveCapacity(9 + unknown.count)
    members.append(JSONMember("id", .string(id)))
    members.append(JSONMember("at", .string(at.description)))
    switch event {
    case .delta(let number): members.append(JSONMember("delta", number.json))
    case .set(let number): members.append(JSONMember("set", number.json))
    case .undoes(let id): members.append(JSONMember("undoes", .string(id)))
    }
    if unit != .piece { members.append(JSONMember("unit", .string(unit.rawValue))) }
    members.append(JSONMember("why", .string(why.rawValue)))
    members.append(JSONMember("by", .string(by)))
    for (key, text) in [("request", request), ("receipt", receipt), ("note", note)] {
      if let text { members.append(JSONMember(key, .string(text))) }
    }
    if let total { members.append(JSONMember("total", total.json)) }
    return .object(members + unknown)
  }

  /// Whether its id is derived from its cause, so that another device may write it again (version
  /// 5).
  var isDerived: Bool { id.utf8.dropFirst(14).first == UInt8(ascii: "5") }

  /// Returns the one of two versions of an entry that is kept.
  ///
  /// Of a derived one it is the earlier, then the one with smaller bytes: a count after the first
  /// one knows of it. Of others it is the later, then the one with greater bytes, so that a page
  /// leaves out the same whatever is joined first.
  func standing(against other: LedgerEntry) -> LedgerEntry {
    let isBefore =
      at == other.at
      ? json.compact().lexicographicallyPrecedes(other.json.compact()) : at < other.at
    return isBefore == isDerived ? self : other
  }

  /// The order of entries in a file.
  static func precedes(_ left: LedgerEntry, _ right: LedgerEntry) -> Bool {
    left.at == right.at ? JSON.precedes(left.id, right.id) : left.at < right.at
  }
}
