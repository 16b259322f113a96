internal import LarderJSON

/// The quantity events of one entity, ordered by time, then id.
///
/// A ledger may begin with a page. Then it has no earlier entries, except those that may come again
/// under the same id (FORMAT.md, section 7).
public struct Ledger: Hashable, Sendable {
  public private(set) var entries: [LedgerEntry]
  /// The time at which the page begins; nil for a ledger that has all entries.
  public private(set) var pageFrom: Instant?
  /// Nil for few entries, where a linear search is as fast.
  private var index: LedgerIndex?

  public init() {
    entries = []
  }

  /// Creates a ledger from entries in any order.
  ///
  /// Entries before the page are left out. Of different entries with one id, one is kept as in
  /// ``insert(_:)``.
  init(_ all: [LedgerEntry], from pageFrom: Instant? = nil) {
    self.pageFrom = pageFrom
    let entries = pageFrom.map { start in all.filter { $0.isDerived || $0.at >= start } } ?? all
    // The entries of files are already in order, and sorting takes most of the time.
    let isSorted = entries.indices.dropFirst().allSatisfy {
      LedgerEntry.precedes(entries[$0 - 1], entries[$0])
    }
    if isSorted, Self.areFewAndDifferent(entries) {
      self.entries = entries
      return
    }
    var standing: [String: LedgerEntry] = [:]
    standing.reserveCapacity(entries.count)
    for entry in entries {
      standing[entry.id] = standing[entry.id].map { $0.standing(against: entry) } ?? entry
    }
    let isWhole = isSorted && standing.count == entries.count
    self.entries = isWhole ? entries : standing.values.sorted(by: LedgerEntry.precedes)
    if standing.count > LedgerIndex.few { index = LedgerIndex(standing) }
  }

  /// Whether entries are so few that comparing all their ids is quicker than hashing them, and have
  /// different ids.
  private static func areFewAndDifferent(_ entries: [LedgerEntry]) -> Bool {
    entries.count <= 16
      && entries.indices.allSatisfy { place in
        (0..<place).allSatisfy { entries[$0].id != entries[place].id }
      }
  }

  public static func == (left: Ledger, right: Ledger) -> Bool {
    left.pageFrom == right.pageFrom && left.entries == right.entries
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(entries) }

  /// Adds an entry, unless it is before the page.
  ///
  /// Of two different entries with one id, one is kept: see `LedgerEntry.standing(against:)`.
  public mutating func insert(_ entry: LedgerEntry) {
    guard holds(entry) else { return }
    if let known = self[entry.id] {
      guard known != entry, case let standing = known.standing(against: entry), standing != known
      else { return }
      self = Ledger(entries.filter { $0.id != entry.id } + [standing], from: pageFrom)
      return
    }
    entries.insert(entry, at: place(of: entry))
    index?.insert(entry)
    if index == nil, entries.count > LedgerIndex.few { index = LedgerIndex(byID) }
  }

  /// Returns the index at which to insert an entry.
  private func place(of entry: LedgerEntry) -> Int {
    var (start, end) = (0, entries.count)
    while start < end {
      let middle = (start + end) / 2
      if LedgerEntry.precedes(entries[middle], entry) { start = middle + 1 } else { end = middle }
    }
    return start
  }

  /// Returns the union of two ledgers, from the later of their pages on.
  public func joined(with other: Ledger) -> Ledger {
    if self == other { return self }
    let pages = [pageFrom, other.pageFrom].compactMap(\.self)
    return Ledger(union(with: other.entries), from: pages.max())
  }

  /// Returns the entries of two ledgers in their order; those that are in both once.
  private func union(with others: [LedgerEntry]) -> [LedgerEntry] {
    var merged: [LedgerEntry] = []
    merged.reserveCapacity(entries.count + others.count)
    var next = 0
    for entry in entries {
      while next < others.count, LedgerEntry.precedes(others[next], entry) {
        merged.append(others[next])
        next += 1
      }
      merged.append(entry)
      if next < others.count, others[next] == entry { next += 1 }
    }
    return merged + others[next...]
  }

  /// Begins a new page at a time; earlier entries leave the ledger.
  ///
  /// Does nothing if the ledger's page is later.
  mutating func openPage(at start: Instant) {
    guard start > pageFrom ?? .earliest else { return }
    self = Ledger(entries, from: start)
  }

  /// Whether the page has an entry.
  func holds(_ entry: LedgerEntry) -> Bool {
    pageFrom.map { entry.isDerived || entry.at >= $0 } ?? true
  }

  public subscript(id: String) -> LedgerEntry? {
    index.map { $0.entries[id] } ?? entries.first { $0.id == id }
  }

  /// The entries by their ids, for many lookups.
  var byID: [String: LedgerEntry] {
    index?.entries ?? Dictionary(entries.map { ($0.id, $0) }) { first, _ in first }
  }

  /// Returns the entries that take an entry back.
  ///
  /// Nothing takes back the count that began the page: it stands for all that was before.
  func undoing(_ id: String) -> [LedgerEntry] {
    guard canBeUndone(id) else { return [] }
    return index.map { $0.undoing[id] ?? [] } ?? entries.filter { $0.event == .undoes(id) }
  }

  private func canBeUndone(_ id: String) -> Bool {
    pageFrom == nil || self[id]?.at != pageFrom
  }

  /// The latest time, of an entry or of the page; nil if there is neither.
  public var latest: Instant? { [entries.last?.at, pageFrom].compactMap(\.self).max() }

  /// Whether an entry counts: no other entry takes it back, and it does not take one back.
  public func counts(_ entry: LedgerEntry) -> Bool {
    entry.quantity != nil && undoing(entry.id).isEmpty
  }

  /// The entries that count, in their order.
  public var counting: [LedgerEntry] {
    let undone = undone
    return entries.filter { $0.quantity != nil && !undone.contains($0.id) }
  }

  /// The ids of the entries that others take back.
  var undone: Set<String> {
    var ids: Set<String> = index.map { Set($0.undoing.keys) } ?? []
    if index == nil {
      for entry in entries {
        if case .undoes(let id) = entry.event { ids.insert(id) }
      }
    }
    return pageFrom == nil ? ids : ids.filter(canBeUndone)
  }
}

/// An index of many entries by id, and of the entries that take others back by the ids of those.
private struct LedgerIndex: Sendable {
  /// The number of entries up to which a linear search is used.
  static let few = 128

  private(set) var entries: [String: LedgerEntry]
  private(set) var undoing: [String: [LedgerEntry]] = [:]

  init(_ entries: [String: LedgerEntry]) {
    self.entries = entries
    // In the ledger's order, as without an index.
    let undoing = entries.values.filter { $0.quantity == nil }.sorted(by: LedgerEntry.precedes)
    for entry in undoing { note(entry) }
  }

  mutating func insert(_ entry: LedgerEntry) {
    entries[entry.id] = entry
    guard entry.quantity == nil, case .undoes(let id) = entry.event else { return }
    note(entry)
    undoing[id]?.sort(by: LedgerEntry.precedes)
  }

  private mutating func note(_ entry: LedgerEntry) {
    if case .undoes(let id) = entry.event { undoing[id, default: []].append(entry) }
  }
}

extension Ledger {
  /// Returns the entries that count in place of an entry: itself, or the copies added after it was
  /// undone.
  func counting(for id: String) -> [LedgerEntry] {
    guard let entry = self[id] else { return [] }
    let later = undoing(id)
    if later.isEmpty { return entry.quantity == nil ? [] : [entry] }
    return later.flatMap { counting(for: Identifier.derived(from: "undo", $0.id)) }
  }

  /// Takes back an entry or its copies; an entry that does not count stays so.
  mutating func undo(_ id: String, at stamp: Instant, by device: String) {
    for entry in counting(for: id) {
      insert(
        LedgerEntry(
          id: Identifier.derived(from: "undo", entry.id), at: stamp, .undoes(entry.id),
          unit: entry.unit, why: .undo, by: device, receipt: entry.receipt))
    }
  }

  /// The entries for people.
  ///
  /// An entry that was undone and redone is listed once, and so is what was bought on one receipt at
  /// one time.
  public var told: [LedgerEntry] {
    var untold: Set<String> = []
    for entry in entries {
      guard case .undoes(let id) = entry.event,
        self[Identifier.derived(from: "undo", entry.id)] != nil
      else { continue }
      untold.formUnion([entry.id, id])
    }
    return Self.withWholePurchases(entries.filter { !untold.contains($0.id) })
  }

  /// Adds up what the list said of a purchase and what somebody said when it was saved.
  private static func withWholePurchases(_ entries: [LedgerEntry]) -> [LedgerEntry] {
    entries.reduce(into: []) { told, entry in
      guard entry.why == .receipt, let receipt = entry.receipt, case .delta(let more) = entry.event,
        let place = told.firstIndex(where: { one in
          one.receipt == receipt && one.at == entry.at && one.by == entry.by
            && one.unit == entry.unit && one.why == .receipt
        }), case .delta(let first) = told[place].event
      else { return told.append(entry) }
      let one = told[place]
      told[place] = LedgerEntry(
        id: one.id, at: one.at, .delta(first + more), unit: one.unit, why: one.why, by: one.by,
        receipt: receipt, note: one.note)
    }
  }

  /// Adds again, with its own time, the entry that another one undid.
  ///
  /// Does nothing if it counts already.
  mutating func redo(_ undo: LedgerEntry, by device: String) {
    guard case .undoes(let id) = undo.event, let entry = self[id], entry.quantity != nil,
      counting(for: id).isEmpty
    else { return }
    var last = undo
    while let next = undoing(Identifier.derived(from: "undo", last.id)).first { last = next }
    insert(
      LedgerEntry(
        id: Identifier.derived(from: "undo", last.id), at: entry.at, entry.event, unit: entry.unit,
        why: entry.why, by: device, receipt: entry.receipt, note: entry.note))
  }
}
