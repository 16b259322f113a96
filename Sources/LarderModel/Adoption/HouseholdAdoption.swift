internal import LarderJSON
public import LarderText

/// One file of the household as it was written.
public enum WrittenFile: Sendable {
  case readable(EntityFile)
  case broken(FileMistakes)
  /// A file at a path that is not allowed; its entities are not gone.
  case misplaced(FileMistakes, of: Set<EntityKey>)
}

/// The adoption of changes to a household's files since an earlier version: hand edits, or a plain
/// commit.
///
/// It does no I/O: the files are passed in as they were written. The rules are in
/// docs/adoption.md, section 14.
public struct HouseholdAdoption {
  /// An earlier version: the meaning of its files, and the files as written.
  public struct Base {
    public let household: Household
    public let file: (_ path: FilePath) -> WrittenFile?

    public init(_ household: Household, file: @escaping (_ path: FilePath) -> WrittenFile?) {
      self.household = household
      self.file = file
    }

    /// A file of a kind as it was written, unless it was broken or refused.
    fileprivate func readable(_ path: FilePath, of kind: Kind) -> EntityFile? {
      guard household.untaken[path]?.hasNoMeaning != true,
        case .readable(let file)? = file(path), file.kind == kind
      else { return nil }
      return file
    }
  }

  /// The source of an edit, which decides its time, its user and new ids.
  public struct Source {
    public var time: (_ path: FilePath) -> Instant
    public var userID: String
    public var newID: (_ path: FilePath) -> String
    /// Returns older versions of the file at a path, newest first.
    public var history: (_ path: FilePath) -> [OlderFile]

    public init(
      userID: String, time: @escaping (_ path: FilePath) -> Instant,
      newID: @escaping (_ path: FilePath) -> String,
      history: @escaping (_ path: FilePath) -> [OlderFile]
    ) {
      self.time = time
      self.userID = userID
      self.newID = newID
      self.history = history
    }
  }

  /// A message for people about an adopted file.
  public enum Note: Hashable, Sendable {
    /// An old version of these fields was written over newer values, which stay.
    case stale(path: FilePath, fields: [FieldName])
    /// A removed file is restored, marked as deleted.
    case removed(path: FilePath)
    /// A copy got a new id.
    case copied(path: FilePath, of: String)
    /// The file is not changed until its mistakes are repaired.
    case untaken(path: FilePath)
    /// These fields of the file win against the edit, because they have the latest possible time.
    case outlived(path: FilePath, fields: [FieldName])
  }

  /// The earlier version, or the parents of a merge.
  let bases: [Base]
  let source: Source
  /// Whether there is a file at a path now; for a merge only, whose files may be elsewhere than in
  /// any parent.
  public var isThere: (_ path: FilePath) -> Bool = { _ in true }
  private(set) var edit: Edit
  private(set) var notes: [Note] = []
  private var receipts: [(old: Entity?, new: Entity)] = []
  /// The items and batches that receipts change.
  private var replenished: Set<EntityKey> = []
  /// The paths of entities whose files were moved to paths that are not allowed.
  private var strays: [EntityKey: FilePath] = [:]
  private var misplaced: [FilePath: FilePath] = [:]
  /// Items whose files were untaken, so receipts could not be recorded in them.
  private var mendedItems: Set<String> = []
  /// What people counted of items, loose and in batches.
  private var totals: [(item: EntityKey, count: TotalCount)] = []

  /// Creates an adoption.
  ///
  /// `known` is the meaning of the earlier version, or for a merge the join of the parents'
  /// meanings.
  public init(known: Household, bases: [Base], source: Source) {
    self.bases = bases
    self.source = source
    edit = Edit(known)
  }

  var isMerge: Bool { bases.count > 1 }
}

extension HouseholdAdoption {
  /// The result of the adoption.
  public struct Outcome: Sendable {
    public var household: Household
    public let changed: [EntityKey]
    public let notes: [Note]
    /// The new paths of files that were moved to paths that are not allowed, by their earlier
    /// paths.
    public let misplaced: [FilePath: FilePath]
  }

  /// Adopts the files at the paths that differ from every earlier version; nil is a removed file.
  public mutating func adopt(_ changes: [(path: FilePath, file: WrittenFile?)]) -> Outcome {
    let changes = changes.sorted(byBytesOf: \.path.text)
    var arrivals: [Arrival] = []
    var copies: [Arrival] = []
    let marked = Set(changes.map(\.path).filter(isNamedAsSyncCopy))
    let named = Set(changes.filter { !marked.contains($0.path) }.compactMap { $0.file?.key })
    for change in changes {
      switch change.file {
      case .readable(let file):
        let arrival = arrival(file, at: change.path, named)
        if marked.contains(change.path) { copies.append(arrival) } else { arrivals.append(arrival) }
      case .broken(let mistakes): leave(change.path, mistakes)
      case .misplaced(let mistakes, let keys):
        leave(change.path, mistakes)
        for key in keys { strays[key] = change.path }
      case nil: break
      }
    }
    copies += settleCopies(&arrivals, changes)
    for copy in copies { leave(copy, among: arrivals) }
    // The household gives its id to the others, and receipts add to items.
    let first: [Kind] = [.household, .receipt]
    for kind in first {
      for arrival in arrivals where arrival.file.kind == kind { adopt(arrival) }
    }
    for arrival in arrivals where !first.contains(arrival.file.kind) { adopt(arrival) }
    let present = Set(arrivals.map(\.key))
    for change in changes { remove(change.path, isGone: change.file == nil, present: present) }
    replenish()
    countTotals()
    edit.showLooseStock()
    edit.ensureShoppingForLowStock()
    return Outcome(
      household: edit.after, changed: edit.changed, notes: notes, misplaced: misplaced)
  }

  private mutating func leave(_ path: FilePath, _ mistakes: FileMistakes) {
    edit.leave(path, mistakes)
    notes.append(.untaken(path: path))
  }

  /// Leaves a copy of an entity's file; the entity is not gone, even if nothing else is of it.
  private mutating func leave(_ copy: Arrival, among arrivals: [Arrival]) {
    let other = arrivals.first { $0.key == copy.key }?.path
    leave(copy.path, FileMistakes([.syncCopy(of: other ?? edit.before.path(of: copy.key))]))
    strays[copy.key] = copy.path
  }
}

extension HouseholdAdoption {
  private mutating func adopt(_ arrival: Arrival) {
    let path = arrival.path
    let source = source
    let mended = arrival.isCopy ? nil : lastReadable(arrival)
    let present = arrival.isCopy ? nil : edit.after[arrival.key] ?? mended.flatMap { Entity($0) }
    let known = present?.decoded
    let old = edit.after.path(of: arrival.key) ?? path
    var adoption = FileAdoption(
      after: arrival.file,
      befores: known == nil ? [] : mended.map { [$0] } ?? befores(of: arrival), known: known,
      id: arrival.key.id, at: time(of: arrival), userID: source.userID,
      householdID: edit.after.own?.id ?? arrival.key.id, history: { source.history(old) })
    adoption.isAlone = false
    adoption.isCopy = arrival.isCopy || arrival.isOfCopy
    adoption.hasReceipt = replenished.contains(arrival.key)
    do {
      var outcome = try adoption.outcome()
      if let known, case let fields = outcome.entity.names(withstoodBy: known), !fields.isEmpty {
        outcome.entity = known.joined(with: outcome.entity)
        notes.append(.outlived(path: path, fields: fields))
      }
      place(outcome.entity, arrival)
      if let total = outcome.total { totals.append((arrival.key, total)) }
      if !outcome.stale.isEmpty {
        notes.append(.stale(path: path, fields: outcome.stale))
      }
      if arrival.isCopy, let original = arrival.file.id {
        notes.append(.copied(path: path, of: original))
      }
      if arrival.key.kind == .receipt { note(receipt: outcome.entity, was: known) }
    } catch {
      leave(path, arrival.file.refusal(error))
      // The entity stands where its file is, and nothing is written over the file.
      if let known, let home = edit.after.path(of: known.key), home != path,
        !isMerge || !isThere(home)
      {
        edit.put(known, at: path)
      }
    }
  }

  /// Returns when a file was edited; that of a batch after the last count of all there is of its
  /// item, also by a clock that is behind.
  private func time(of arrival: Arrival) -> Instant {
    let time = source.time(arrival.path)
    guard arrival.key.kind == .inventoryItem,
      let product = arrival.file[.productRef]?[.productID]?.string
    else { return time }
    let stock = Stock(edit.before)
    let item = edit.before[.stockItem, product] ?? stock.item(ofProduct: product)
    return item?.anchor.map { max(time, $0.at.next) } ?? time
  }

  private mutating func place(_ entity: Entity, _ arrival: Arrival) {
    let other = edit.after.path(of: entity.key)
    let isJoined = isMerge && other.map { $0 != arrival.path && isThere($0) } ?? false
    let path = isJoined ? min(other ?? arrival.path, arrival.path) : arrival.path
    if edit.before.untaken[arrival.path] != nil, entity.kind == .stockItem {
      mendedItems.insert(entity.id)
    }
    edit.clear(arrival.path)
    edit.put(entity, at: path)
  }

  /// Returns the version of a file before it became untaken, if that file was repaired now and
  /// nothing else is known of the entity.
  private func lastReadable(_ arrival: Arrival) -> EntityFile? {
    guard edit.before[arrival.key] == nil, edit.before.untaken[arrival.path] != nil else {
      return nil
    }
    return source.history(arrival.path).first {
      $0.file.id == arrival.key.id && $0.file.isComplete && $0.isTaken()
    }?.file
  }

  /// Returns the entity's file as written in each earlier version.
  ///
  /// A parent of a merge may mean another entity at the file's path, such as the original of a copy.
  /// What its file says is an edit of that entity, and so none of this one; it comes last.
  private func befores(of arrival: Arrival) -> [EntityFile] {
    let own = bases.map { before(of: arrival, in: $0) }
    guard isMerge else { return own.compactMap(\.self) }
    let others = zip(bases, own).compactMap { base, own in
      own == nil ? base.readable(arrival.path, of: arrival.key.kind) : nil
    }
    return own.compactMap(\.self) + others
  }

  private func before(of arrival: Arrival, in base: Base) -> EntityFile? {
    let home = base.household.path(of: arrival.key) ?? arrival.path
    if arrival.isBack, let known = base.household[arrival.key] {
      // What was broken is edited from what there was before it was taken for removed.
      let last = source.history(home).first {
        $0.isTaken() && !(Entity($0.file)?.isTombstone ?? false)
      }
      if let last { return last.file.with(tombstoneOf: known) }
    }
    for path in [home, arrival.path] {
      guard let file = base.readable(path, of: arrival.key.kind),
        file.id == arrival.key.id || base.household.key(at: path) == arrival.key
      else { continue }
      return file
    }
    return base.household[arrival.key].flatMap { known in
      let last = source.history(home).first { $0.isTaken() }?.file
      return base.file(home) == nil ? last?.with(tombstoneOf: known) : last
    }
  }

  private mutating func note(receipt: Entity, was known: Entity?) {
    receipts.append((known, receipt))
    for line in (known?.lines ?? []) + receipt.lines {
      guard let item = line.itemID else { continue }
      replenished.insert(EntityKey(.stockItem, item))
      replenished.insert(EntityKey(.inventoryItem, line.batchID(ofItem: item)))
    }
  }

  /// Restores the entity of a removed or replaced file, as a tombstone.
  private mutating func remove(_ path: FilePath, isGone: Bool, present: Set<EntityKey>) {
    if isGone { edit.clear(path) }
    guard let key = edit.before.key(at: path), !present.contains(key),
      edit.after.untaken[path] == nil || edit.after.path(of: key) != path,
      let known = edit.before[key]
    else { return }
    if let stray = strays[key] {
      misplaced[path] = stray
      return
    }
    notes.append(.removed(path: path))
    let deleted = known.deleted(at: known.stamp(now: source.time(path)))
    edit.put(deleted, at: isGone ? path : edit.after.defaultPath(for: deleted))
    if key.kind == .receipt { note(receipt: deleted, was: known) }
  }

  private mutating func countTotals() {
    for total in totals {
      do {
        try edit.count(total.count, of: total.item)
      } catch {
        let path = edit.after.path(of: total.item) ?? ""
        notes.append(.stale(path: path, fields: [.quantityInStock]))
      }
    }
  }

  private mutating func replenish() {
    let before = edit.before
    for (old, new) in receipts {
      let path = edit.after.path(of: new.key) ?? ""
      let time = source.time(path)
      edit.replenish(from: old, to: new, device: "edit") { item in
        before[item.key]?.stamp(now: time) ?? item.createdAt
      }
    }
    replenishMended()
  }

  /// Records what receipts added while an item's file was untaken.
  private mutating func replenishMended() {
    guard !mendedItems.isEmpty else { return }
    let before = edit.before
    for receipt in edit.after.all(.receipt).sorted(by: { EntityKey.precedes($0.key, $1.key) })
    where !receipt.isTombstone {
      guard receipt.lines.contains(where: { $0.itemID.map(mendedItems.contains) ?? false }) else {
        continue
      }
      edit.replenish(from: nil, to: receipt, device: "edit") { item in
        (before[item.key] ?? item).stamp(now: receipt.updatedAt)
      }
    }
  }
}

extension WrittenFile {
  /// The key of the entity that the file names.
  fileprivate var key: EntityKey? {
    guard case .readable(let file) = self else { return nil }
    return file.id.map { EntityKey(file.kind, $0) }
  }
}

extension EntityFile {
  /// Returns the file with the tombstone of a deleted entity.
  ///
  /// A removed file that exists again, for example after `git revert`, lacks it.
  fileprivate func with(tombstoneOf entity: Entity) -> EntityFile {
    guard let tombstone = Schema.of(kind).tombstone, entity.isTombstone,
      let value = entity[tombstone.field]
    else { return self }
    var file = self
    file.values.removeAll { $0.key == tombstone.field.text }
    file.values.append(JSONMember(tombstone.field, value))
    return file
  }
}
