public import LarderModel

/// A mistake in a file that somebody imports.
public struct ImportMistake: Error, Equatable, Sendable {
  /// The file, if there are several.
  public var file: String?
  /// The line, from 1; 0 for the file as a whole.
  public var line: Int
  /// The column, from 1, counted in Unicode scalars.
  public var column: Int
  /// The line's text; nil for the file as a whole.
  public var source: String?
  public let reason: Reason

  public enum Reason: Equatable, Sendable {
    case decoding(DecodingMistake)
    /// A quote inside a cell that does not begin with a quote.
    case strayQuote
    case textBehindQuote
    case openQuote
    case tooManyCells(Int, columns: Int)
    case tooManyColumns(Int, most: Int)
    case longCell(most: Int)
    case tooManyRows(most: Int)
    /// More new things than one commit should have.
    case tooManyNew(most: Int)
    case empty
    /// No heading is one of the table's columns.
    case noKnownColumn([String])
    /// A heading that `map` names is not in the file.
    case noSuchColumn(String, known: [String])
    /// `map` gives a heading a column that this table does not have, but others do.
    case notInTable(String, heading: String, ExchangeTable, others: [ExchangeTable])
    /// No column has amounts. `unread` has the headings that are not read.
    case noAmounts(unread: [String])
    case columnTwice(FieldName, first: String)

    case amount(String, TypedQuantity.Mistake)
    case money(String, TypedMoney.Mistake)
    case day(String, DayMistake)
    /// Two dates of a table have day and month in different orders.
    case daysDiffer(String, other: String)
    case flag(String)
    case unit(String)
    case length(String)
    case currency(String)
    /// A long number that a spreadsheet rounded, such as `4.00638E+12`.
    case rounded(String)
    case needed(FieldName)
    /// A changed cell in a column that can't change.
    case fixed(FieldName, is: String)

    case unknownID(String, Kind, actual: Kind?)
    case unknownLine(String)
    /// A row without a date and an id fits several batches of its item.
    case severalBatches(String, Int)
    /// The amounts of one receipt have two currencies.
    case currencies(String, String)
    case gone(String, Kind)
    /// The household's version with this name is not here.
    case unknownVersion(String)
    /// The unit of a thing has changed since the export.
    case otherUnit(String)
    /// An earlier line is about the same thing.
    case twice(String, line: Int)
    /// Two rows say different things about one receipt or item.
    case differs(FieldName, of: String, line: Int)
    case rule(RuleError)
    case todo(TodoMistake)

    case json(JSONMistake)
    /// A part of a copy has no path or no content.
    case noFile
    /// The path is not one of a household's file.
    case noPath(FilePath)
    case file(FilePath, FileMistakes.Mistake)
    /// An earlier part of the copy is about the same file or thing.
    case fileTwice(FilePath)
    /// The text is not a copy of a household.
    case noCopy
    /// The copy has no file of the household itself.
    case noHousehold
    /// The list has no things that Grocy knows.
    case grocyUnknown
    /// The server's error message instead of an answer.
    case grocyRefused(String)
    case grocyMissing(String)
    /// No thing of this sort has the id.
    case grocyUnknownID(String, GrocyAnswers.Sort)
    /// A newer program wrote the copy.
    case newerCopy(String)
  }

  /// The length of the longest line that a mistake shows, in bytes.
  static let longestSource = 1000

  init(line: Int = 0, column: Int = 1, _ reason: Reason) {
    self.line = line
    self.column = column
    self.reason = reason
  }
}

/// The reason why a line of a todo.txt file can't be imported.
public enum TodoMistake: Error, Equatable, Sendable {
  /// The file is not UTF-8.
  case decoding(DecodingMistake)
  /// No entry of the shopping list has the id after `larder:`.
  case unknownID(String)
  case thing(NamingError)
  case noThing
  /// The line has more bytes than a line may have.
  case longLine(most: Int)
}

/// All mistakes in a file, of which nothing is imported.
public struct ImportMistakes: Error, Equatable, Sendable {
  /// The first mistakes, in the order of the lines.
  public private(set) var all: [ImportMistake] = []
  /// The number of all mistakes, which may be larger than that of ``all``.
  public private(set) var count = 0

  /// The largest number of mistakes in ``all``.
  private static let most = 50

  init() {}

  init(_ reason: ImportMistake.Reason) {
    note(ImportMistake(reason))
  }

  /// Whether no more mistakes are kept.
  var isFull: Bool { all.count >= Self.most }

  /// Keeps a mistake, if it is one of the first.
  mutating func note(_ mistake: @autoclosure () -> ImportMistake) {
    count += 1
    if !isFull { all.append(mistake()) }
  }

  /// Throws the mistakes in the order of the lines, if there are any.
  func refuse() throws(ImportMistakes) {
    guard count > 0 else { return }
    var ordered = self
    ordered.all.sort { ($0.line, $0.column) < ($1.line, $1.column) }
    throw ordered
  }
}

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
  /// The order of day and month in dates that don't say it, and a date of the table that says it; nil
  /// if no date needed it.
  public internal(set) var dayOrder: DecidedOrder?
  /// The cells that others had changed too since the export; the table's values won.
  public internal(set) var overwritten: [Overwritten] = []

  /// The order of day and month that a table's own dates decided.
  public struct DecidedOrder: Equatable, Sendable {
    public let order: DayOrder
    /// The date that can be nothing else.
    public let witness: String
  }

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
