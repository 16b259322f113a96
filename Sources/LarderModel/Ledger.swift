internal import LarderJSON

/// The quantity events of one entity, in order of time, then id.
public struct Ledger: Hashable, Sendable {
  public private(set) var entries: [LedgerEntry]

  public init() {
    entries = []
  }

  /// Takes entries in any order; of those that differ under one id, one stands as in ``insert(_:)``.
  init(_ entries: [LedgerEntry]) {
    if entries.count < 2 {
      self.entries = entries
      return
    }
    var standing: [String: LedgerEntry] = [:]
    standing.reserveCapacity(entries.count)
    for entry in entries {
      standing[entry.id] = standing[entry.id].map { $0.standing(against: entry) } ?? entry
    }
    self.entries = standing.values.sorted(by: LedgerEntry.precedes)
  }

  /// Adds an entry; of two that differ under one id, the earlier, then the smaller bytes, stands.
  public mutating func insert(_ entry: LedgerEntry) {
    if let index = entries.firstIndex(where: { $0.id == entry.id }) {
      guard entries[index] != entry else { return }
      let standing = entries[index].standing(against: entry)
      guard standing != entries[index] else { return }
      entries.remove(at: index)
      insert(standing)
      return
    }
    let index = entries.lastIndex { LedgerEntry.precedes($0, entry) }.map { $0 + 1 } ?? 0
    entries.insert(entry, at: index)
  }

  public func joined(with other: Ledger) -> Ledger {
    if self == other { return self }
    return Ledger(entries + other.entries)
  }

  public subscript(id: String) -> LedgerEntry? {
    entries.first { $0.id == id }
  }

  /// The entries by their ids, for looking up many.
  var byID: [String: LedgerEntry] {
    Dictionary(entries.map { ($0.id, $0) }) { first, _ in first }
  }

  public var latest: Instant? { entries.last?.at }

  /// Whether an entry counts, that is, no other takes it back and it takes none back itself.
  public func counts(_ entry: LedgerEntry) -> Bool {
    entry.quantity != nil && !undone.contains(entry.id)
  }

  /// The entries that count, in their order.
  public var counting: [LedgerEntry] {
    let undone = undone
    return entries.filter { $0.quantity != nil && !undone.contains($0.id) }
  }

  /// What there is: the latest `set` plus the deltas after it, rounded once at the sixth decimal.
  ///
  /// At one instant sets come before deltas, and of two sets the greater id wins. Entries that do
  /// not convert to the unit are left out.
  public func total(in unit: Unit) -> Number {
    steps(in: unit).last?.total ?? .zero
  }

  /// Entries that count but whose unit does not convert to this one, and which the sum leaves out.
  public func unconvertible(to unit: Unit) -> [LedgerEntry] {
    let odd = entries.filter { $0.quantity != nil && !$0.unit.converts(to: unit) }
    guard !odd.isEmpty else { return [] }
    let undone = undone
    return odd.filter { !undone.contains($0.id) }
  }

  /// When the quantity came to zero or below to stay there: the `at` of the entry after which no
  /// sum is above zero; nil where no entry counts, or the sum is above zero.
  func emptied(in unit: Unit) -> Instant? {
    var emptied: Instant?
    for step in steps(in: unit) {
      emptied = step.total > .zero ? nil : emptied ?? step.at
    }
    return emptied
  }

  /// The sums from the latest `set` on (or from nothing), entry by entry.
  public func steps(in unit: Unit) -> [(at: Instant, total: Number)] {
    let undone = undone
    var start: LedgerEntry?
    for entry in entries {
      if case .set = entry.event, entry.unit.converts(to: unit), !undone.contains(entry.id) {
        start = entry
      }
    }
    var exact = start?.quantity?.converted(to: unit) ?? .zero
    var steps = start.map { [(at: $0.at, total: exact.rounded)] } ?? []
    for entry in entries where start.map({ entry.at >= $0.at }) ?? true {
      guard case .delta(let number) = entry.event, !undone.contains(entry.id),
        let change = Quantity(number, entry.unit).converted(to: unit)
      else { continue }
      exact = exact + change
      steps.append((entry.at, exact.rounded))
    }
    return steps
  }

  private var undone: Set<String> {
    var ids: Set<String> = []
    for entry in entries {
      if case .undoes(let id) = entry.event { ids.insert(id) }
    }
    return ids
  }
}
