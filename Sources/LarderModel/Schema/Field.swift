public import LarderJSON

/// One field of a kind, or of an object inside it.
public struct Field: Sendable {
  public let name: FieldName
  public let type: FieldType
  public let presence: Presence
  /// The meaning of the field, for people and for editors with completion.
  public let summary: String
  /// The kind of the entity whose id is the value; `check` tells of an id that no entity has.
  let target: Kind?

  /// Whether a file must have the field.
  public enum Presence: Sendable, Hashable {
    case optional
    /// Required: there is no sensible default, so a file without it is a mistake.
    case required
    /// Filled in when a file that people wrote is adopted.
    case defaulted(JSON)
    /// Computed from the ledger or from the file's context; filled in when the file is adopted.
    case derived
  }

  init(
    _ name: FieldName, _ type: FieldType, _ presence: Presence = .optional, _ summary: String,
    refersTo target: Kind? = nil
  ) {
    self.name = name
    self.type = type
    self.presence = presence
    self.summary = summary
    self.target = target
  }

  public var defaultValue: JSON? {
    if case .defaulted(let value) = presence { value } else { nil }
  }
}

/// The type of a field's value.
public indirect enum FieldType: Sendable {
  case text
  /// Text that is not empty.
  case name
  /// A UUID; upper case is rewritten to lower case.
  case id
  /// The id of a catalogue entry, a StockItem or a location: any text that is not empty.
  case reference
  case flag
  case unit
  case number
  case numberNotNegative
  /// A number from 0 to 1.
  case confidence
  /// A whole number from 0 to 36500.
  case days
  case formatVersion
  case choice([String])
  case instant
  case day
  case timeZone
  /// Three letters, by ISO 4217.
  case currency
  case list(of: FieldType)
  case object([Field])
}
