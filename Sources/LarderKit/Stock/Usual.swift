internal import LarderModel

/// Where and for how long a thing is kept if nobody says, as far as it is known.
public struct Usual: Hashable, Sendable {
  /// The id of the place; nil if none is known.
  public var locationID: String?
  /// The number of days that it keeps, from 0 on; nil if it is not known.
  public var days: Int?
  /// Whether the days are those that it kept before, and nobody said them.
  public var isAbout = false
  /// The number of days that what was frozen last was given there; nil if nothing was, or without a
  /// day.
  public var frozenDays: Int?
  /// Whether some of it came before, and none ever had a date.
  public var hasNoDate = false

  public init() {}
}

/// The usual places and days of a household's items, by what was done before.
public struct UsualKeeping: Sendable {
  private let survey: Survey
  private let places: Set<String>
  private let freezers: Set<String>
  /// The place in which most of a category lies, by its folded name.
  private let placeOfCategory: [String: String]
  /// The ids of the receipts that nobody has put away yet, which say nothing of what is usual.
  private let open: Set<String>

  /// Looks at items, which are all of the stock.
  ///
  /// Things that came with an `open` receipt do not count as things without a date: nobody has been
  /// asked yet.
  public init(of items: [HeldItem], in survey: Survey, open: Set<String> = []) {
    self.survey = survey
    self.open = open
    let locations = survey.locations.map(\.entity)
    let places = Set(locations.map(\.id))
    self.places = places
    freezers = Set(locations.filter(\.isFreezer).map(\.id))
    var counts: [String: [String: Int]] = [:]
    for held in items {
      guard let category = held.item.category else { continue }
      for place in held.holding.placesNow where places.contains(place) {
        counts[fold(category), default: [:]][place, default: 0] += 1
      }
    }
    placeOfCategory = counts.compactMapValues { counts in
      let most = counts.values.max()
      let found = counts.filter { $0.value == most }
      return found.count == 1 ? found.first?.key : nil
    }
  }

  /// Returns what is usual of an item.
  public func usual(of held: HeldItem) -> Usual {
    let batches = zip(held.holding.batches, held.batchLedgers).compactMap { batch, ledger in
      KeptBatch(batch, ledger, in: survey, freezers: freezers)
    }.sorted { ($0.came, $0.batch.id) > ($1.came, $1.batch.id) }
    var usual = Usual()
    usual.locationID =
      held.item.locationID.flatMap { places.contains($0) ? $0 : nil }
      ?? batches.lazy.compactMap(\.putInto).first { places.contains($0) }
      ?? held.item.category.flatMap { placeOfCategory[fold($0)] }
    usual.days = held.item.keepsDays
    if usual.days == nil {
      usual.days = Self.mean(batches.lazy.compactMap(\.days).prefix(2))
      usual.isAbout = usual.days != nil
    }
    let frozen = batches.filter(\.wasFrozenHere).max { $0.placedAt < $1.placedAt }
    usual.frozenDays = frozen?.frozenDays(in: survey)
    usual.hasNoDate =
      held.item.keepsDays == nil && !batches.contains { $0.batch.expiryDay != nil }
      && held.ledgers.contains { $0.counting.contains(where: hasCome) }
    return usual
  }

  private func hasCome(_ entry: LedgerEntry) -> Bool {
    guard let quantity = entry.quantity, quantity.value > .zero else { return false }
    return entry.receipt.map { !open.contains($0) } ?? true
  }

  /// Returns the mean, rounded up from a half.
  private static func mean(_ numbers: some Collection<Int>) -> Int? {
    guard !numbers.isEmpty else { return nil }
    return (numbers.reduce(0, +) * 2 + numbers.count) / (numbers.count * 2)
  }
}

/// A batch that was not discarded, with how it came.
private struct KeptBatch {
  let batch: Entity
  /// When some of it came last or, if all of it came from another batch, when it was made.
  let came: Instant
  /// When it came to where it is.
  let placedAt: Instant
  /// Where it was put when it came; nil if that is not known, or it came from another batch.
  let putInto: String?
  /// How many days it was to keep from the day when it came; nil without a day from then.
  let days: Int?
  /// Whether it is in a freezer, and came there from somewhere else in the household.
  let wasFrozenHere: Bool

  init?(_ batch: Entity, _ ledger: Ledger, in survey: Survey, freezers: Set<String>) {
    guard batch[.status] != .string("discarded") else { return nil }
    self.batch = batch
    let arrival = ledger.counting.last(where: \.isArrival)
    let receipt = arrival?.receipt.flatMap { survey.household[.receipt, $0] }
    let came = receipt?.timestamp ?? arrival?.at ?? batch.createdAt
    let place = batch.locationID
    let placedAt = batch.register(.storageLocationID)?.stamp ?? batch.createdAt
    let isFrozen = place.map(freezers.contains) ?? false
    // What a batch has from its making was said of it when it came; what a receipt says later, too.
    let wasPlacedLater = place != nil && placedAt > batch.createdAt
    let bought = wasPlacedLater && isFrozen ? receipt?.place(ofBatch: batch.id) : nil
    let wasMoved = wasPlacedLater && isFrozen && bought != place
    (self.came, self.placedAt) = (came, placedAt)
    putInto = arrival == nil ? nil : wasMoved ? bought : place
    wasFrozenHere = isFrozen && (arrival == nil || wasMoved)
    let isOfFreezer = wasMoved && !batch.isKeptFrozen
    days =
      arrival == nil || isOfFreezer || batch.isDatedByOpening
      ? nil : batch.days(after: came, in: survey)
  }

  /// Returns for how many days it was to keep in the freezer; nil if no day was said there.
  func frozenDays(in survey: Survey) -> Int? {
    batch.isKeptFrozen ? nil : batch.days(after: placedAt, in: survey)
  }
}

extension LedgerEntry {
  /// Whether something came from outside of the household.
  fileprivate var isArrival: Bool {
    guard let quantity, quantity.value > .zero else { return false }
    return switch why {
    case .add, .receipt, .edit: true
    case .move: receipt != nil
    case .consume, .count, .spoil, .undo: false
    }
  }
}

extension Entity {
  /// Returns the days from a moment to the last day that somebody said of a batch; nil without one.
  fileprivate func days(after moment: Instant, in survey: Survey) -> Int? {
    guard let day = batchDay, !day.isGuess, !day.kind.isOfOrigin else { return nil }
    let days = day.day.daysSinceEpoch - survey.calendar.day(of: moment).daysSinceEpoch
    return days < 0 ? nil : days
  }

  /// Whether the day of a batch was written when it was opened, or later.
  fileprivate var isDatedByOpening: Bool {
    guard openedAt != nil, let opened = register(.openedInfo), let day = register(.expiryInfo)
    else { return false }
    return day.stamp >= opened.stamp
  }

  /// Returns the place on the line of a receipt that a batch is of.
  fileprivate func place(ofBatch id: String) -> String? {
    lines.first { line in line.itemID.map { line.batchID(ofItem: $0) == id } ?? false }?.locationID
  }
}

extension Holding {
  /// The ids of the places in which some of it lies; what nobody said a place of lies in the item's.
  fileprivate var placesNow: Set<String> {
    let left = batches.filter(\.hasSomethingLeft)
    var places = Set(left.compactMap { $0.locationID ?? item.locationID })
    if item.quantity.value > .zero, let own = item.locationID { places.insert(own) }
    return places
  }
}
