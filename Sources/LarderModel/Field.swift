public import LarderJSON

/// One field of a kind, or of an object inside one.
public struct Field: Sendable {
  public let name: String
  public let type: FieldType
  public let presence: Presence
  /// What the field means, for people and for editors that complete files.
  public let summary: String

  /// Whether a file has to have the field.
  public enum Presence: Sendable, Hashable {
    case optional
    /// There is no sensible guess: a file without it is a mistake.
    case required
    /// Filled in, when a file people wrote is adopted.
    case defaulted(JSON)
    /// Follows from the ledger, or from what surrounds the file; filled in when it is adopted.
    case derived
  }

  init(_ name: String, _ type: FieldType, _ presence: Presence = .optional, _ summary: String) {
    self.name = name
    self.type = type
    self.presence = presence
    self.summary = summary
  }

  public var defaultValue: JSON? {
    if case .defaulted(let value) = presence { value } else { nil }
  }
}

/// The values that a field takes.
public indirect enum FieldType: Sendable {
  case text
  /// Text that is not empty.
  case name
  /// A UUID; upper case is rewritten.
  case id
  /// The id of a catalogue entry, a StockItem or a place: any text that is not empty.
  case reference
  case flag
  case unit
  case number
  case numberNotNegative
  /// From 0 to 1.
  case confidence
  /// A whole number from 0 to 36500.
  case days
  case formatVersion
  case choice([String])
  case instant
  case day
  case timeZone
  /// Three letters, as ISO 4217 has them.
  case currency
  case list(of: FieldType)
  case object([Field])
}
