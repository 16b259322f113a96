public import LarderJSON
internal import LarderText

/// A file of the household as it was written, with gaps and mistakes.
///
/// People leave things out, and other programs may write anything. The meaning is decided when the
/// file is adopted. Values are already in canonical form.
public struct EntityFile: Sendable {
  public let kind: Kind
  public internal(set) var id: String?
  public internal(set) var createdAt: Instant?
  public internal(set) var updatedAt: Instant?
  /// The registers in the file: known ones in the order of the schema, then unknown ones by bytes.
  public internal(set) var values: [JSONMember] = []
  /// The stamps in the file, sorted by the bytes of the names.
  public internal(set) var edited: [(name: FieldName, stamp: Instant)] = []
  /// All entries in the file, also those before the page.
  public internal(set) var ledger = Ledger()
  public internal(set) var pageFrom: Instant?
  /// The ledger entries that people wrote without an id or a time.
  public internal(set) var looseEntries: [LooseEntry] = []
  /// The quantity written beside the ledger: of an item, `quantityLoose`.
  public internal(set) var number: Number?
  /// What an item's file says there is in all, `quantityInStock`.
  public internal(set) var total: Number?
  /// Whether an item's file says what lies loose.
  public internal(set) var showsLoose = false
  /// Whether the file says `consumed`; this is never stored: it is computed from the ledger.
  public internal(set) var saysConsumed = false

  /// The file's text, for the positions of mistakes.
  private let text: ArraySlice<UInt8>

  /// A ledger entry as people write one: without an id, a time, or both.
  public struct LooseEntry: Sendable, Hashable {
    var id: String?
    var at: Instant?
    var json: JSON
  }

  init(kind: Kind, text: ArraySlice<UInt8> = []) {
    self.kind = kind
    self.text = text
  }

  /// The number of bytes of the file's text.
  package var size: Int { text.count }

  /// Returns problems with their positions in the file, at most the first 20, as for mistakes of
  /// syntax.
  func mistakes(_ problems: [EntityProblem]) -> FileMistakes {
    let text = Array(text)
    return FileMistakes(
      problems.prefix(20).map { .content($0, at: Self.position(of: $0, in: text)) })
  }

  /// Returns the problem for which an edit is refused, with its position.
  func refusal(_ problem: EntityProblem) -> FileMistakes {
    FileMistakes([.refused(problem, at: Self.position(of: problem, in: Array(text)))])
  }

  private static func position(of problem: EntityProblem, in text: [UInt8]) -> TextPosition {
    JSON.position(of: problem.path, in: text) ?? TextPosition(line: 1, column: 1, offset: 0)
  }

  /// Whether the file has everything that each file written by Larder has.
  public var isComplete: Bool {
    id != nil && createdAt != nil && looseEntries.isEmpty
      && (kind == .household || self[.userID] != nil)
  }

  public subscript(name: FieldName) -> JSON? {
    values.first { $0.key.hasSameBytes(as: name.text) }?.value
  }

  func stampNamed(_ name: FieldName) -> Instant? {
    edited.first { $0.name == name }?.stamp
  }

  /// The latest time in the file.
  public var latest: Instant? {
    let lines = looseEntries.map(\.at)
    return ([createdAt, updatedAt, pageFrom, ledger.latest] + edited.map(\.stamp) + lines)
      .compactMap(\.self).max()
  }

  var unit: Unit { Unit(of: self[unitHolder], in: kind) }

  private var unitHolder: FieldName { kind == .inventoryItem ? .quantity : .unit }

  /// The file's own ledger: its entries from its page on.
  var ownLedger: Ledger { pageFrom == nil ? ledger : Ledger(ledger.entries, from: pageFrom) }

  /// The sum of the file's own ledger.
  package var ledgerTotal: Number { ownLedger.total(in: unit) }
}

extension Unit {
  /// Reads the unit of a `unit` or `quantity` register; `piece` if there is none.
  init(of value: JSON?, in kind: Kind) {
    let text = kind == .inventoryItem ? value?[.unit]?.string : value?.string
    self = text.flatMap(Unit.init(rawValue:)) ?? .piece
  }
}

/// A mistake in a file that is valid JSON: its kind and the path of the value.
public struct EntityProblem: Error, Hashable, Sendable {
  public var kind: Kind
  /// The path of the value from the file's root.
  public var path: [JSONStep]

  public enum Kind: Hashable, Sendable {
    /// A value of the wrong type, or out of its range.
    case unexpected(found: String, expected: String)
    /// A word that is not one of those allowed.
    case notAmong(found: String, choices: [String])
    case missing(String, expected: String)
    /// A ledger entry has not exactly one of `set`, `delta` and `undoes`.
    case ambiguousChange
    /// A shopping entry has no `itemId` and no `name`.
    case namesNothing
    /// The ledger's entries do not convert to the unit.
    case unitMismatch(written: String, ledger: String)
    /// A list or an object is longer than allowed; it would slow down everybody.
    case tooMany(found: Int, most: Int)
    /// The format is newer than this program: the household can be read but not written.
    case newerFormat(String)
  }

  init(_ kind: Kind, _ path: [JSONStep]) {
    self.kind = kind
    self.path = path
  }
}
