public import LarderJSON

/// A file of the household as it was written: what is there, what is missing, and its mistakes.
///
/// People leave things out and programs of theirs write what they like; what the file means is
/// settled when it is adopted. Values are in canonical form already.
public struct EntityFile: Sendable {
  public let kind: Kind
  public internal(set) var id: String?
  public internal(set) var createdAt: Instant?
  public internal(set) var updatedAt: Instant?
  /// The registers that are there, known ones in the table's order, then unknown ones by bytes.
  public internal(set) var values: [JSONMember] = []
  /// The stamps that the file names, sorted by the bytes of the names.
  public internal(set) var edited: [(name: String, stamp: Instant)] = []
  public internal(set) var ledger = Ledger()
  /// Ledger entries that people wrote without an id or a time.
  public internal(set) var looseEntries: [LooseEntry] = []
  /// The quantity as it stands beside the ledger.
  public internal(set) var number: Number?
  /// A batch that says `consumed`, which is never stored but follows from its ledger.
  public internal(set) var saysConsumed = false

  /// The file's own text, to tell where in it a mistake is.
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

  /// Problems with their places in the file, the first 20 at most, as of mistakes of syntax.
  func mistakes(_ problems: [EntityProblem]) -> FileMistakes {
    let text = Array(text)
    let start = TextPosition(line: 1, column: 1, offset: 0)
    return FileMistakes(
      problems.prefix(20).map { problem in
        return .content(problem, at: JSON.position(of: problem.path, in: text) ?? start)
      })
  }

  /// Whether the file has what every file that Larder wrote has.
  public var isComplete: Bool {
    id != nil && createdAt != nil && looseEntries.isEmpty
      && (kind == .household || self["userId"] != nil)
  }

  public subscript(name: String) -> JSON? {
    values.first { $0.key.hasSameBytes(as: name) }?.value
  }

  func stampNamed(_ name: String) -> Instant? {
    edited.first { $0.name.hasSameBytes(as: name) }?.stamp
  }

  /// The latest time that the file names.
  public var latest: Instant? {
    let lines = looseEntries.map(\.at)
    return ([createdAt, updatedAt, ledger.latest] + edited.map(\.stamp) + lines)
      .compactMap(\.self).max()
  }

  var unit: Unit { Unit(of: self[unitHolder], in: kind) }

  private var unitHolder: String { kind == .inventoryItem ? "quantity" : "unit" }

  /// What the file's own ledger says.
  var ledgerTotal: Number { ledger.total(in: unit) }
}

extension Unit {
  /// The unit that a `unit` or `quantity` register holds; piece where it is not there.
  init(of value: JSON?, in kind: Kind) {
    let text = kind == .inventoryItem ? value?["unit"]?.string : value?.string
    self = text.flatMap(Unit.init(rawValue:)) ?? .piece
  }
}
