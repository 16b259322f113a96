public import LarderText

/// The content of a household at one moment: its entities, and the path of each one's file.
///
/// It may be based on the household of the cache; then it holds only what differs from it.
public struct Household: Sendable {
  private struct Place: Equatable {
    var entity: Entity
    /// Nil while another entity has its path.
    var path: FilePath?
  }

  private let base: StoredHousehold?
  /// The rows of the base that don't count any more.
  private var hidden: Set<StoredHousehold.Row> = []
  private var places: [EntityKey: Place] = [:]
  private var keyOfPath: [FilePath: EntityKey] = [:]
  private(set) var products: ProductIndex
  private(set) var freezers = FreezerIndex()
  /// The files that are not taken, with all their mistakes.
  ///
  /// They are broken, refused, or the second of one id, and are not changed.
  public var untaken: [FilePath: FileMistakes] = [:]

  /// The files that programs for syncing folders left as copies of others, ordered by path.
  public var syncCopies: [(path: FilePath, mistakes: FileMistakes)] {
    untaken.filter { $0.value.isSyncCopy }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  public init() {
    base = nil
    products = ProductIndex(base: nil)
  }

  package init(_ base: StoredHousehold) {
    self.base = base
    products = ProductIndex(base: base)
    for row in base.rows(of: .storageLocation) {
      freezers.replace(nil, with: base.entity(row))
    }
  }

  /// Reserves space for a number of entities.
  public mutating func reserve(_ count: Int) {
    places.reserveCapacity(count)
    keyOfPath.reserveCapacity(count)
  }

  /// The number of entities.
  public var count: Int { (base?.rows.count ?? 0) - hidden.count + places.count }

  /// All entities, in no particular order.
  public var entities: [Entity] {
    (based { $0.entity($1) } + places.values.map(\.entity)).map(freezers.reading)
  }

  public var keys: [EntityKey] {
    based { $0.key($1) } + places.keys
  }

  public subscript(key: EntityKey) -> Entity? {
    (places[key]?.entity ?? row(of: key).flatMap { base?.entity($0) }).map(freezers.reading)
  }

  public subscript(kind: Kind, id: String) -> Entity? { self[EntityKey(kind, id)] }

  public func path(of key: EntityKey) -> FilePath? {
    if let place = places[key] { return place.path }
    return row(of: key).flatMap { base?.path($0) }
  }

  public func key(at path: FilePath) -> EntityKey? {
    keyOfPath[path] ?? row(at: path).flatMap { base?.key($0) }
  }

  /// Returns the entities of a kind, in no particular order.
  public func all(_ kind: Kind) -> [Entity] {
    let all =
      based(kind) { $0.entity($1) }
      + places.values.lazy.map(\.entity).filter { $0.kind == kind }
    return kind == .inventoryItem ? all.map(freezers.reading) : all
  }

  /// Returns the batches of a product, in no particular order.
  func batches(of product: String) -> [Entity] {
    if let ids = products.changedBatches(of: product) {
      return ids.compactMap { self[.inventoryItem, $0] }
    }
    guard let base else { return [] }
    return base.rows(naming: product, .inventoryItem).compactMap { row in
      hidden.contains(row) ? self[base.key(row)] : freezers.reading(base.entity(row))
    }
  }

  /// The entity of the household itself.
  public var own: Entity? { key(at: Kind.householdPath).flatMap { self[$0] } }

  /// Puts an entity at a path; it replaces the earlier version and its path.
  public mutating func put(_ entity: Entity, at path: FilePath) {
    let entity = entity.written
    let key = entity.key
    let old = open(key)
    products.replace(old?.entity, with: entity)
    freezers.replace(old?.entity, with: entity)
    if let left = old?.path, left != path, keyOfPath[left] == key { keyOfPath[left] = nil }
    if let holder = self.key(at: path), holder != key { _ = open(holder) }
    if let holder = keyOfPath.updateValue(key, forKey: path), holder != key {
      places[holder]?.path = nil
    }
    places[key] = Place(entity: entity, path: path)
  }

  /// Adds a ledger entry to an existing entity, in place.
  ///
  /// With `put`, each of many entries would copy the whole entity.
  mutating func record(_ entry: LedgerEntry, in key: EntityKey) {
    _ = open(key)
    places[key]?.entity.record(entry)
  }

  /// Removes the entity or the untaken file at a path; to delete an entity, write its tombstone.
  public mutating func forget(path: FilePath) {
    untaken[path] = nil
    guard let key = key(at: path), let place = open(key) else { return }
    keyOfPath[path] = nil
    guard place.path == path else { return }
    let old = places.removeValue(forKey: key)?.entity
    products.replace(old, with: nil)
    freezers.replace(old, with: nil)
  }

  /// Returns the keys of entities that differ from another household in content or path, ordered by
  /// kind and id.
  ///
  /// Entities that only the other has are left out.
  package func keys(differingFrom other: Household) -> [EntityKey] {
    candidates(differingFrom: other)
      .filter { key in place(of: key).map { $0 != other.place(of: key) } ?? false }
      .sorted(by: EntityKey.precedes)
  }

  /// Returns the keys of entities that only another household has, in no particular order.
  package func keys(missingOf other: Household) -> [EntityKey] {
    other.candidates(differingFrom: self).filter { self[$0] == nil && other[$0] != nil }
  }

  /// Returns the keys that may differ: what either changed on its base, and the differences of the
  /// bases.
  private func candidates(differingFrom other: Household) -> some Collection<EntityKey> {
    guard let base, let otherBase = other.base else { return Set(keys) }
    let replaced = other.hidden.map { otherBase.key($0) }
    let differing = base === otherBase ? [] : base.keys(differingFrom: otherBase)
    return Set(places.keys).union(replaced).union(differing)
  }

  /// All paths of entities and of untaken files.
  public var paths: [FilePath] {
    based { $0.path($1) } + Array(keyOfPath.keys) + untaken.keys
  }
}

/// The rows of the base.
extension Household {
  /// Returns what is read of the base's rows that count: of all, or those of a kind.
  private func based<Value>(
    _ kind: Kind? = nil, _ read: (StoredHousehold, StoredHousehold.Row) -> Value
  ) -> [Value] {
    guard let base else { return [] }
    let rows = kind.map { base.rows(of: $0) } ?? base.rows[...]
    if hidden.isEmpty { return rows.map { read(base, $0) } }
    return rows.compactMap { hidden.contains($0) ? nil : read(base, $0) }
  }

  private func row(of key: EntityKey) -> StoredHousehold.Row? {
    base?.row(of: key).flatMap { hidden.contains($0) ? nil : $0 }
  }

  private func row(at path: FilePath) -> StoredHousehold.Row? {
    base?.row(at: path).flatMap { hidden.contains($0) ? nil : $0 }
  }

  private func place(of key: EntityKey) -> Place? {
    if let place = places[key] { return place }
    guard let base, let row = row(of: key) else { return nil }
    return Place(entity: base.entity(row), path: base.path(row))
  }

  /// Takes an entity from the base to those that differ from it, and returns it.
  private mutating func open(_ key: EntityKey) -> Place? {
    if let place = places[key] { return place }
    guard let row = row(of: key), let place = place(of: key) else { return nil }
    hidden.insert(row)
    places[key] = place
    if let path = place.path { keyOfPath[path] = key }
    return place
  }
}

extension Household {
  /// Returns the path for a new entity's file: a readable name, and enough digits of the id to make
  /// it unique.
  public func defaultPath(for entity: Entity) -> FilePath {
    guard let folder = entity.kind.folder else { return Kind.householdPath }
    let stem = Slug.stem(of: entity, in: self)
    let digits = entity.id.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    let beginning = "\(folder)/\(stem.isEmpty ? "" : stem + "-")"
    for count in min(6, digits.count)...digits.count {
      let path: FilePath = "\(beginning)\(digits.suffix(count)).json"
      if isFree(path, for: entity.key) { return path }
    }
    var number = 2
    while !isFree("\(beginning)\(digits)-\(number).json", for: entity.key) { number += 1 }
    return "\(beginning)\(digits)-\(number).json"
  }

  private func isFree(_ path: FilePath, for key: EntityKey) -> Bool {
    untaken[path] == nil && (self.key(at: path) ?? key) == key
  }
}

/// The items that claim a product and a product's batches, updated with the household.
struct ProductIndex: Sendable {
  private let base: StoredHousehold?
  // Product ids may be any text, and two that look the same may differ: keys compare bytes.
  /// The products whose items or batches may differ from the base's.
  private var items: [EntityKey: Set<String>] = [:]
  private var batches: [EntityKey: Set<String>] = [:]

  init(base: StoredHousehold?) {
    self.base = base
  }

  /// Replaces an entity's version by a new one.
  mutating func replace(_ old: Entity?, with new: Entity?) {
    if let old { note(old) { ids, id in ids.remove(id) } }
    if let new { note(new) { ids, id in ids.insert(id) } }
  }

  /// Returns the ids of the items that claim a product.
  func items(claiming product: String) -> Set<String> {
    items[EntityKey(.product, product)] ?? standing(product, .stockItem)
  }

  /// Returns the ids of a product's batches; nil if they are those of the base.
  func changedBatches(of product: String) -> Set<String>? {
    batches[EntityKey(.product, product)]
  }

  /// The products that several items claim, with the items' ids.
  var contested: [String: [String]] {
    var contested: [String: [String]] = [:]
    for product in Set(base?.contested ?? []).union(items.keys.map(\.id)) {
      let claims = items(claiming: product)
      if claims.count > 1 { contested[product] = claims.sorted() }
    }
    return contested
  }

  private func standing(_ product: String, _ kind: Kind) -> Set<String> {
    guard let base else { return [] }
    return Set(base.rows(naming: product, kind).map { base.key($0).id })
  }

  private mutating func note(_ entity: Entity, _ change: (inout Set<String>, String) -> Void) {
    for product in entity.claimedProducts {
      let key = EntityKey(.product, product)
      if entity.kind == .stockItem {
        if items[key] == nil { items[key] = standing(product, .stockItem) }
        change(&items[key, default: []], entity.id)
      } else {
        if batches[key] == nil { batches[key] = standing(product, .inventoryItem) }
        change(&batches[key, default: []], entity.id)
      }
    }
  }
}
