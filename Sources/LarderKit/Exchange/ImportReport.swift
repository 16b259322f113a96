public import LarderModel

/// The numbers of things that an import read, added and changed.
public struct ImportReport: Equatable, Sendable {
  /// The rows that were read.
  public internal(set) var rows = 0
  /// The things that were made.
  public internal(set) var made = 0
  /// The things that were there and changed.
  public internal(set) var changed = 0
  /// The counts among the changes.
  public internal(set) var counted = 0
  /// The rows that kept changes that others made since the export.
  public internal(set) var stood = 0
  /// The receipts without an id that the household had already.
  public internal(set) var known = 0
  /// The household's receipts with the shop, day and amount of a new one, but with other lines.
  public internal(set) var twins: [Receipt] = []
  /// The lines of new receipts that change no stock, because their items were counted later.
  public internal(set) var inCounts = 0
  /// The things on receipts that came into the stock for the first time.
  public internal(set) var newThings: [NewThing] = []
  /// The names of other things on receipts that are no items.
  public internal(set) var unknownThings: [String] = []
  /// The locations that were made because a row of another thing named them.
  public internal(set) var newLocations: [NewLocation] = []
  /// The items that got a new batch and also have loose stock that no row counted.
  public internal(set) var besideLoose: [String] = []
  /// The days without a year that were completed to a day far away.
  public internal(set) var completedDays: Set<CompletedDay> = []
  /// The cells that others had changed too since the export; the table's values won.
  public internal(set) var overwritten: [Overwritten] = []

  /// A location that an import made.
  public struct NewLocation: Equatable, Sendable {
    public let name: String
    /// A known location that was perhaps meant.
    public let near: String?
  }

  /// A value that was changed both in the table and, since the export, in the household.
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
