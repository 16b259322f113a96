public import LarderModel

/// The numbers of things that an import read, made and changed.
public struct ImportReport: Equatable, Sendable {
  /// The rows that were read.
  public internal(set) var rows = 0
  /// The things that were made.
  public internal(set) var made = 0
  /// The things that were there and changed.
  public internal(set) var changed = 0
  /// The counts among the changes.
  public internal(set) var counted = 0
  /// The rows in which what others changed since the export stands.
  public internal(set) var stood = 0
  /// The receipts without an id that were here already.
  public internal(set) var known = 0
  /// The receipts that were here with the shop, the day and the amount of a new one, but other lines.
  public internal(set) var twins: [Receipt] = []
  /// The lines of new receipts that change no stock: they were paid before their items were last
  /// counted.
  public internal(set) var inCounts = 0
  /// The locations that rows of other things named, and that were made.
  public internal(set) var newLocations: [NewLocation] = []
  /// The items with a new batch that have stock without a batch too, which no row is about.
  public internal(set) var besideLoose: [String] = []
  /// The cells whose values others had changed too since the export; those of the table stand.
  public internal(set) var overwritten: [Overwritten] = []

  /// A location that an import made.
  public struct NewLocation: Equatable, Sendable {
    public let name: String
    /// The location that was perhaps meant.
    public let near: String?
  }

  /// A value that was changed in the table and, since the export, in the household.
  public struct Overwritten: Equatable, Sendable {
    public let title: String
    public let field: FieldName
    /// The exported value.
    public let then: String
    /// The value before the import.
    public let now: String
    /// The value in the table.
    public let imported: String
  }

  public init() {}
}
