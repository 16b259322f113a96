internal import LarderJSON
internal import LarderText

extension Household {
  /// Returns the join of two households.
  ///
  /// Entities are matched by id, and a missing one never means deletion.
  ///
  /// `base` is any common ancestor. It shows which side renamed a file. A file that one side
  /// removed since then comes back as a tombstone. The result does not depend on the order of the
  /// sides.
  public func joined(with theirs: Household, base: Household?) -> Household {
    var merge = HouseholdMerge(ours: self, theirs: theirs, base: base)
    merge.joinEntities()
    merge.settleHousehold()
    merge.ensureShoppingForLowStock()
    return merge.result
  }
}

private struct HouseholdMerge {
  let ours: Household
  let theirs: Household
  let base: Household?
  var result: Household
  /// The entities that the join changed on either side; their stock may have run out.
  var touched: Set<EntityKey> = []

  init(ours: Household, theirs: Household, base: Household?) {
    self.ours = ours
    self.theirs = theirs
    self.base = base
    result = ours
  }

  mutating func joinEntities() {
    var homeless: [EntityKey: Entity] = [:]
    let keys = differingKeys()
    for (key, joined) in zip(keys, joined(keys)) {
      guard let joined else { continue }
      touched.insert(key)
      let path = path(of: key)
      if key.kind == .household, result.own != nil, result.own?.id != key.id {
        result.put(joined, at: "household/\(key.id).json")
        continue
      }
      if let holder = result.key(at: path), holder != key {
        let holderStays = EntityKey.precedes(holder, key)
        guard !holderStays, let displaced = result[holder] else {
          if let old = result.path(of: key) { result.forget(path: old) }
          homeless[key] = joined
          continue
        }
        result.forget(path: path)
        homeless[holder] = displaced
      }
      result.put(joined, at: path)
    }
    for (_, entity) in homeless.sorted(by: { EntityKey.precedes($0.key, $1.key) })
    where result.path(of: entity.key) == nil {
      result.put(entity, at: result.defaultPath(for: entity))
    }
    for (path, mistakes) in theirs.untaken where result.untaken[path] == nil {
      result.untaken[path] = mistakes
    }
  }

  /// Merges two households with separate histories into the one with the smaller id.
  ///
  /// Entities of the other then belong to it.
  mutating func settleHousehold() {
    let own = result.all(.household).map(\.id).sorted { JSON.precedes($0, $1) }
    guard let kept = own.first, own.count > 1 else { return }
    for id in own.dropFirst() {
      if let path = result.path(of: EntityKey(.household, id)) { result.forget(path: path) }
    }
    if let household = result[.household, kept] { result.put(household, at: Kind.householdPath) }
    for var entity in result.entities {
      guard let owner = entity[.householdID]?.string, own.dropFirst().contains(owner),
        let path = result.path(of: entity.key)
      else { continue }
      entity.write(.householdID, .string(kept), at: entity.updatedAt.next)
      result.put(entity, at: path)
      touched.insert(entity.key)
    }
  }

  /// Returns the keys in which the sides differ, ordered by kind and id.
  private func differingKeys() -> [EntityKey] {
    (theirs.keys(differingFrom: ours) + theirs.keys(missingOf: ours))
      .sorted(by: EntityKey.precedes)
  }

  /// Returns the joins of entities, on all cores.
  private func joined(_ keys: [EntityKey]) -> [Entity?] {
    keys.concurrentMap { [ours, theirs, base] key in
      switch (ours[key], theirs[key]) {
      case (let mine?, let other?): mine.joined(with: other)
      case (let present?, nil), (nil, let present?):
        base?[key].map { present.joined(with: $0.deleted(at: $0.updatedAt.next)) } ?? present
      case (nil, nil): nil
      }
    }
  }

  /// Returns the path of the side that renamed the file since the ancestor, otherwise the smaller
  /// path.
  private func path(of key: EntityKey) -> FilePath {
    let (mine, other) = (ours.path(of: key), theirs.path(of: key))
    guard let mine, let other else { return mine ?? other ?? "" }
    let old = base?.path(of: key)
    if mine == other || other == old { return mine }
    return mine == old ? other : min(mine, other)
  }

  /// Puts an item on the shopping list if the join brought its stock to a lower level than either
  /// side had.
  ///
  /// A side that has it on the list says nothing about that if the join took it off: whoever removed
  /// it, or bought it, may not have known how low it is.
  mutating func ensureShoppingForLowStock() {
    let stocks = (ours: Stock(ours), theirs: Stock(theirs), joined: Stock(result))
    for id in touchedItems(stocks.joined) {
      guard let item = result[.stockItem, id], !item.isTombstone else { continue }
      let level = stocks.joined.holding(of: item).level
      let entry = result[.shoppingListEntry, ShoppingEntry.id(of: item)]
      let isOff = entry?.isTombstone ?? false
      let known = [(ours, stocks.ours), (theirs, stocks.theirs)].filter { side, _ in
        !(isOff && side[.shoppingListEntry, ShoppingEntry.id(of: item)]?.isTombstone == false)
      }
      guard known.allSatisfy({ level > self.level($0[.stockItem, id], $1) }), level > .enough
      else { continue }
      let stamp = stocks.joined.latest(of: item)
      guard
        let ensured = ShoppingEntry.ensured(
          for: item, at: level, in: stocks.joined, over: entry, stamp)
      else { continue }
      result.put(ensured, at: result.path(of: ensured.key) ?? result.defaultPath(for: ensured))
    }
  }

  private func level(_ item: Entity?, _ stock: Stock) -> StockLevel {
    item.map { stock.holding(of: $0).level } ?? .enough
  }

  private func touchedItems(_ stock: Stock) -> [String] {
    var ids: Set<String> = []
    for key in touched {
      if key.kind == .stockItem { ids.insert(key.id) }
      if key.kind == .inventoryItem, let item = result[key].flatMap({ stock.item(of: $0) }) {
        ids.insert(item.id)
      }
    }
    return ids.sorted()
  }
}

extension EntityKey {
  /// The order of entities in joins: by kind, then by the bytes of the id.
  package static func precedes(_ left: EntityKey, _ right: EntityKey) -> Bool {
    left.kind == right.kind
      ? JSON.precedes(left.id, right.id) : left.kind.rawValue < right.kind.rawValue
  }
}

extension Entity {
  /// Returns the entity with its tombstone set; a household has none and is returned unchanged.
  public func deleted(at stamp: Instant) -> Entity {
    guard let tombstone = Schema.of(kind).tombstone, !isTombstone else { return self }
    var result = self
    result.write(tombstone.field, tombstone.value, at: stamp)
    return result
  }
}
