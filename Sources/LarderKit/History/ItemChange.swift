internal import LarderJSON
public import LarderModel

/// A commit as a change of one item, for people who know nothing of files.
public struct ItemChange: Sendable {
  /// The kinds of changes, by the names of a phone's acts.
  public enum Kind: String, Sendable {
    case use, put, spoil, count, move, open, date, edit, new, archive, unarchive, bought
  }

  public let entry: HistoryEntry
  /// Nil for what is none of these, such as an undo.
  public let kind: Kind?
  /// How much was used, put, counted or moved, in the item's unit where it converts; nil without an
  /// amount.
  public let quantity: Quantity?
  /// The id of the place where it was put, or where it was moved to; nil if that is not one place.
  public let locationID: String?
  /// Whether somebody edited a file, or committed with plain git.
  public let isByHand: Bool

  /// Reads a change of an item and its batches; nil for a commit that only brought the item in from
  /// files.
  public init?(_ entry: HistoryEntry, of item: Entity) {
    let differences = entry.differences
    let own = differences.first { $0.key == item.key }
    let command = entry.commit.command
    isByHand = command == nil || command == "adopt"
    if isByHand || ["init", "import"].contains(command), own?.isNew ?? false { return nil }
    let isUndo = entry.commit.undoes != nil || entry.commit.redoes != nil
    kind = isUndo || differences.isEmpty ? nil : Self.kind(own, differences)
    self.entry = entry
    let moves = kind == .move || kind == .open || kind == .date
    let reasons = kind.map(Self.reasons) ?? []
    quantity = moves ? differences.moved(as: item.unit) : differences.sum(of: reasons, of: item)
    let places: [Kind] = [.put, .bought, .move, .new]
    locationID = kind.map(places.contains) ?? false ? differences.place : nil
  }

  /// The kind by what happened to the item, else by why its quantity changed, else by its batches'
  /// fields.
  private static func kind(_ own: EntityDifference?, _ differences: [EntityDifference]) -> Kind {
    if own?.isNew ?? false { return .new }
    if own?.isDeleted ?? false { return .archive }
    if own?.isRestored ?? false { return .unarchive }
    let whys = Set(differences.flatMap(\.toldEntries).map(\.why))
    let kinds: [(LedgerEntry.Reason, Kind)] = [
      (.receipt, .bought), (.spoil, .spoil), (.consume, .use), (.count, .count), (.add, .put),
    ]
    if let kind = kinds.first(where: { whys.contains($0.0) })?.1 { return kind }
    let fields = differences.filter { $0.key.kind == .inventoryItem && $0.after?.isActive ?? false }
      .flatMap(\.fields).filter { $0.after != .string("") }.map(\.name)
    if differences.contains(where: \.isOpening) { return .open }
    if differences.contains(where: \.isMove) { return .move }
    return fields.contains(.expiryInfo) ? .date : .edit
  }

  /// The reasons of the entries whose quantities make up that of a kind.
  private static func reasons(_ kind: Kind) -> Set<LedgerEntry.Reason> {
    switch kind {
    case .use: [.consume]
    case .spoil: [.spoil]
    case .count: [.count]
    case .put, .new: [.add, .edit]
    case .bought: [.receipt]
    case .move, .open, .date, .edit, .archive, .unarchive: []
    }
  }
}

extension EntityDifference {
  fileprivate var isOpening: Bool {
    after?.openedAt != nil && before?.openedAt == nil && !(isNew && wasOpen)
  }

  /// Whether a new batch is a part of one that was open.
  private var wasOpen: Bool { after.map { ($0.openedAt ?? $0.createdAt) < $0.createdAt } ?? false }

  fileprivate var isMove: Bool {
    guard key.kind == .inventoryItem, let after, after.isActive else { return false }
    return after.locationID != nil && after.locationID != before?.locationID
  }
}

extension [EntityDifference] {
  /// The sum of what entries with some reasons brought or took, above zero, or the last count.
  fileprivate func sum(of reasons: Set<LedgerEntry.Reason>, of item: Entity) -> Quantity? {
    var sum: Number?
    for entry in flatMap(\.toldEntries) where reasons.contains(entry.why) {
      guard let quantity = entry.quantity else { continue }
      let told = Quantity(entry.total ?? quantity.value, quantity.unit)
      guard let number = told.converted(to: item.unit) else { continue }
      if case .set = entry.event { sum = number } else { sum = (sum ?? .zero) + number }
    }
    guard let sum else { return nil }
    let isBelow = sum < .zero
    return Quantity((isBelow ? -sum : sum).rounded, item.unit)
  }

  /// Returns how much came to the batches that were moved, opened or dated.
  fileprivate func moved(as unit: Unit) -> Quantity? {
    let all = filter { $0.key.kind == .inventoryItem && ($0.after?.isActive ?? false) }
    let grown = all.compactMap { difference -> Number? in
      let before = difference.before?.quantity.converted(to: unit) ?? .zero
      guard let after = difference.after?.quantity.converted(to: unit) else { return nil }
      return after > before ? after - before : nil
    }
    let whole = all.compactMap { $0.after?.quantity.converted(to: unit) }
    let numbers = grown.isEmpty ? whole : grown
    let sum = numbers.reduce(Number.zero, +).rounded
    return sum > .zero ? Quantity(sum, unit) : nil
  }

  /// The one place of the batches to which something came; nil if there are several.
  fileprivate var place: String? {
    let places = Set(filter { $0.isMove || $0.hasGrown }.compactMap { $0.after?.locationID })
    return places.count == 1 ? places.first : nil
  }
}

extension Survey {
  /// Returns what somebody did, such as `put 2 l in the fridge`.
  public func words(_ change: ItemChange, of item: Entity) -> String {
    let title = naming.title(of: item)
    let amount = change.quantity.map { "\($0)" } ?? "some"
    let place = change.locationID.flatMap { household[.storageLocation, $0]?.title }.map(placed)
    switch change.kind {
    case .use: return "used \(amount)"
    case .spoil: return "threw away \(amount)"
    case .count: return "counted \(amount)"
    case .put: return "put \(amount)" + (place.map { " in \($0)" } ?? "")
    case .bought: return "bought \(amount)"
    case .move: return "moved \(amount)" + (place.map { " to \($0)" } ?? "")
    case .open: return "opened \(amount)"
    case .date: return "said until when \(amount) keeps"
    case .edit: return "edited \(title)" + (change.isByHand ? " by hand" : "")
    case .new: return "made \(title)"
    case .archive: return "archived \(title)"
    case .unarchive: return "restored \(title)"
    case nil: return "took a change back"
    }
  }

  /// The places that are called by an article and what they are.
  private static let plainPlaces: Set<String> = [
    "fridge", "freezer", "cupboard", "pantry", "cellar", "kitchen cupboard",
  ]

  private func placed(_ name: String) -> String {
    Self.plainPlaces.contains(fold(name)) ? "the \(name.lowercased())" : name
  }
}
