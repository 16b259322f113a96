internal import LarderJSON
public import LarderModel
internal import LarderStore

/// The things that a receipt brought into the stock, while some of them lack a place or a date.
public struct PutAway: Sendable {
  /// How long people are asked where things of a receipt lie, in days.
  public static let days = 14

  public let receipt: Receipt
  /// Its lines that went into the stock, in their order.
  public let lines: [Line]

  /// A line that went into the stock, and where that is now.
  public struct Line: Sendable {
    public let line: ReceiptLine
    public let item: Entity
    /// The id of the place where it lies; nil if it lies in none.
    public let locationID: String?
    /// The day until which it keeps; nil without one, and for what is kept frozen.
    public let lastDay: Day?
    /// Whether nothing of it is left.
    public let isUsedUp: Bool
    /// Whether some day was said of it, also one that does not count.
    fileprivate let isDated: Bool
  }
}

extension Survey {
  /// Returns the receipts of the last ``PutAway/days`` days that are not settled, the newest first.
  public func openReceipts(settled: Set<String>) -> [Receipt] {
    let first = calendar.instant(of: calendar.today.adding(days: -PutAway.days))
    return receipts.filter { $0.timestamp >= first && !settled.contains($0.id) }
      .sorted { ($0.timestamp, $0.id) > ($1.timestamp, $1.id) }
  }

  /// Returns what a receipt brought; nil if all that is left of it has a place, and a date unless it
  /// never has one.
  public func toPutAway(
    _ receipt: Receipt, among items: [String: HeldItem], usual: (HeldItem) -> Usual
  ) -> PutAway? {
    var isOpen = false
    let lines = receipt.lines.compactMap { line -> PutAway.Line? in
      guard line.quantity > .zero, let held = line.itemID.flatMap({ items[$0] }) else { return nil }
      let found = PutAway.Line(line, of: held)
      let lacks = found.locationID == nil || !found.isDated && !usual(held).hasNoDate
      if lacks, !found.isUsedUp { isOpen = true }
      return found
    }
    return isOpen ? PutAway(receipt: receipt, lines: lines) : nil
  }
}

extension PutAway.Line {
  fileprivate init(_ line: ReceiptLine, of held: HeldItem) {
    let id = line.batchID(ofItem: held.item.id)
    let batch = held.holding.batches.first { $0.id == id }
    self.line = line
    item = held.item
    locationID = batch?.locationID ?? line.placeID ?? held.item.locationID
    lastDay = batch == nil ? line.expiry : batch?.lastDay
    isUsedUp = batch.map { !$0.hasSomethingLeft } ?? (held.item.quantity.value <= .zero)
    isDated = (batch?.expiryDay ?? line.expiry) != nil
  }
}

extension ReceiptLine {
  fileprivate var placeID: String? { locationID.flatMap { $0.isEmpty ? nil : $0 } }
}

extension Sequence<HeldItem> {
  /// The devices that saved the receipts of these items, by the receipts' ids.
  public var savers: [String: String] {
    var first: [String: LedgerEntry] = [:]
    for held in self {
      for entry in held.ledger.entries where entry.why == .receipt {
        guard let receipt = entry.receipt, first[receipt].map({ entry.at < $0.at }) ?? true
        else { continue }
        first[receipt] = entry
      }
    }
    return first.mapValues(\.by)
  }
}

extension Survey {
  /// Returns the entries of the shopping list that receipts closed, by the ids of the lines; those
  /// that were ticked off since a moment.
  ///
  /// An item's entry is known by the last time that it was bought.
  public func closedEntries(since first: Instant) -> [String: String] {
    var entries: [String: String] = [:]
    for entry in household.all(.shoppingListEntry) where entry.isTombstone && entry.isCompleted {
      if entry.tickedAt >= first { entries[entry.lineID] = entry.id }
    }
    return entries
  }
}

extension Larder {
  /// Settles that nobody is asked on this server any more where the things of a receipt lie.
  ///
  /// The history has nothing of it.
  public func settlePutAway(receipt: String) throws(StoreError) {
    try SettledReceipts(of: store, at: context.now()).adding(receipt).save(in: store)
  }

  /// The ids of the receipts of which nobody is asked any more where their things lie.
  public func settledReceipts() throws(StoreError) -> Set<String> {
    try SettledReceipts(of: store, at: context.now()).ids
  }
}

/// The receipts that were put away, with the time, in `.git/larder/put-away.json`.
private struct SettledReceipts {
  private static let file = "put-away.json"

  private let now: Instant
  private var times: [String: Instant] = [:]

  var ids: Set<String> { Set(times.keys) }

  /// Reads those that are not too old; what can't be read counts for nothing.
  init(of store: Store, at now: Instant) throws(StoreError) {
    self.now = now
    guard let bytes = try store.deviceFile(Self.file), let json = try? JSON(parsing: bytes) else {
      return
    }
    let first = now.adding(milliseconds: -Int64(PutAway.days + 1) * 86_400_000)
    for member in json.members ?? [] {
      guard let at = member.value.string.flatMap(Instant.init), at >= first else { continue }
      times[member.key] = at
    }
  }

  func adding(_ receipt: String) -> SettledReceipts {
    var settled = self
    settled.times[receipt] = now
    return settled
  }

  func save(in store: Store) throws(StoreError) {
    let members = times.map { JSONMember($0.key, .string($0.value.description)) }
    try store.writeDeviceFile(
      Self.file, JSON.object(members.sorted { $0.key < $1.key }).writeFile())
  }
}
