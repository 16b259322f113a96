internal import LarderJSON
internal import LarderText

/// What was done under the id of a request.
public struct ServedRequest: Hashable, Sendable {
  public let id: String
  public let why: LedgerEntry.Reason
  public let quantity: Quantity
  /// The name of the item or the product.
  public let title: String
  public let at: Instant
}

/// Named requests: repeating one changes nothing.
extension Edit {
  /// Returns the id of one of the acts of a request for several things, counted from 0.
  public static func request(_ id: String, act index: Int) -> String {
    index == 0 ? id : "\(id)/\(index + 1)"
  }

  /// Returns what was done before under a request's id; nil for a new request.
  public func served(under request: String?) -> ServedRequest? {
    guard let request else { return nil }
    let served = entries(of: request)
    guard let first = served.first else { return nil }
    let sum = served.reduce(Number.zero) { sum, one in
      sum + (one.quantity.converted(to: first.quantity.unit) ?? .zero)
    }
    let item = Stock(after).item(holding: first.entity)
    return ServedRequest(
      id: request, why: first.entry.why, quantity: Quantity(sum.rounded, first.quantity.unit),
      title: title(of: item ?? first.entity), at: first.entry.at)
  }

  /// Throws `requestIsTaken` if some of a request's acts were done before and others were not, or
  /// if it had more acts then.
  public func checkIsWhole(
    _ request: String?, _ acts: [QuantityChange]
  ) throws(RuleError) {
    guard let request, let done = acts.firstIndex(where: \.isRepeated) else { return }
    let isSame = acts.allSatisfy(\.isRepeated)
    let other = Edit.request(request, act: isSame ? acts.count : done)
    if let served = served(under: other) { throw .requestIsTaken(served) }
  }

  /// Returns the result of a request that was served before, or nil for a new request.
  ///
  /// The same request asks for the same act, with the same thing and quantity: `isOf` says whether
  /// an item or a batch belongs to the thing. A quantity that is taken `partially` may have come to
  /// less. Throws `requestIsTaken` if something else was done under the id.
  func served(
    _ request: String?, _ why: LedgerEntry.Reason, _ quantity: Quantity, partially: Bool = false,
    _ isOf: (Entity) -> Bool
  ) throws(RuleError) -> QuantityChange? {
    guard let request, let known = served(under: request) else { return nil }
    let served = entries(of: request)
    guard served.allSatisfy({ $0.entry.why == why && isOf($0.entity) }),
      hasQuantity(served, quantity, partially)
    else { throw .requestIsTaken(known) }
    return result(of: request, served)
  }

  /// Whether the entries of a request come to a quantity.
  ///
  /// Several devices that served it apart may have come to more.
  private func hasQuantity(_ served: [Served], _ wanted: Quantity, _ partially: Bool) -> Bool {
    let parts = served.compactMap { $0.quantity.converted(to: wanted.unit) }
    guard parts.count == served.count else { return false }
    if Set(served.map(\.entry.by)).count > 1 { return true }
    let there = parts.reduce(.zero, +).rounded
    return wanted.isAlmost(there) || (partially && there <= wanted.value)
  }

  private typealias Served = (entity: Entity, entry: LedgerEntry, quantity: Quantity)

  /// Returns the entries of a request, in the order in which the things were taken.
  ///
  /// Ids don't tell the order, and times are often equal.
  private func entries(of request: String) -> [Served] {
    let stock = Stock(after)
    var served: [Served] = []
    for entity in after.entities {
      for entry in entity.ledger.entries where entry.request == request && stock.isOurs(entity) {
        guard case .delta(let number) = entry.event else { continue }
        served.append((entity, entry, Quantity(max(number, -number), entry.unit)))
      }
    }
    return served.sorted { UseOrder($0.entity) < UseOrder($1.entity) }
  }

  private func result(of request: String, _ served: [Served]) -> QuantityChange? {
    guard let first = served.first?.entity, let end = served.map(\.entry.at).max() else {
      return nil
    }
    let parts = served.map { one in
      QuantityChange.Part(
        key: one.entity.key, quantity: one.quantity,
        rest: one.entity.heard(until: one.entry.at).quantity)
    }
    let then = Edit(household(around: first, until: end))
    var result =
      first.kind == .stockItem
      ? then.change(of: first, parts) : then.change(ofProduct: first.productID, parts)
    result.isNewBatch = served.contains { one in
      one.entity.kind == .inventoryItem
        && one.entity.id == Identifier.derived(from: "request", request, one.entity.productID)
    }
    result.isRepeated = true
    result.isTakenBack = served.allSatisfy { $0.entity.ledger.counting(for: $0.entry.id).isEmpty }
    return result
  }

  /// Returns the item of an entity, with all its batches, as they were at a moment.
  private func household(around entity: Entity, until end: Instant) -> Household {
    let stock = Stock(after)
    let item = stock.item(holding: entity)
    let batches =
      item.map { stock.batches(of: $0) } ?? stock.batches(ofProduct: entity.productID)
    var household = Household()
    for entity in [item].compactMap(\.self) + batches {
      household.put(entity.heard(until: end), at: after.path(of: entity.key) ?? FilePath(entity.id))
    }
    return household
  }
}

extension Entity {
  /// Returns the entity as its ledger and status were at a moment.
  fileprivate func heard(until end: Instant) -> Entity {
    var entity = self
    // An entry that was undone later and added again has its old time. It existed at the moment, in
    // its first form.
    let anew = ledger.entries.filter { $0.quantity == nil && $0.at > end }
      .map { Identifier.derived(from: "undo", $0.id) }
    entity.ledger = Ledger(
      ledger.entries.filter { $0.at <= end && !anew.contains($0.id) }, from: ledger.pageFrom)
    if let status = register(.status), status.stamp > end, status.stamp > createdAt {
      entity.write(.status, .string("active"), at: createdAt)
    }
    return entity
  }
}

extension Stock {
  /// Returns the item that holds something: itself, or the item of a batch.
  fileprivate func item(holding entity: Entity) -> Entity? {
    entity.kind == .stockItem ? entity : item(of: entity)
  }

  /// Whether something is held by an item, or was before its item was merged into this one.
  func isHeld(_ entity: Entity, by item: Entity) -> Bool {
    guard let holder = self.item(holding: entity) else { return false }
    return holder.id == item.id
      || holder.isTombstone && item.ownNames.contains { fold($0) == fold(holder.title) }
  }
}

extension Quantity {
  /// Whether a number in the quantity's unit differs from it by less than a hundred-thousandth.
  ///
  /// Three thirds differ from a whole by less than that.
  public func isAlmost(_ number: Number) -> Bool {
    guard let limit = Number("0.00001") else { return number == value }
    return number < value + limit && value < number + limit
  }
}

extension Edit {
  /// The values and counts that this edit could not replace: they have the latest time that can be
  /// written, so no new write is later.
  ///
  /// In all other cases, a write has a later time than its base version, and wins.
  public var standing: [LaterWrite] {
    changed.flatMap { key in
      guard let old = before[key], let new = after[key] else { return [LaterWrite]() }
      return new.withstood(by: old)
    }
  }
}

extension Entity {
  /// Returns the writes of an older version that win against those of this version, which is based
  /// on it.
  func withstood(by old: Entity) -> [LaterWrite] {
    guard old.updatedAt == .latest, old != self else { return [] }
    let joined = old.joined(with: self)
    let cells = Schema.of(kind).cells(of: registers.map(\.name))
    var writes = cells.compactMap { names -> LaterWrite? in
      guard names.contains(where: { joined[$0] != self[$0] }),
        let stamp = Cell(joined, names).stamp
      else { return nil }
      return LaterWrite(key: key, content: .fields(names), at: stamp, isSameValue: false)
    }
    let known = Set(old.ledger.entries.map(\.id))
    let sets = joined.ledger.counting.filter { $0.isCount && $0.unit.converts(to: unit) }
    let isCounted = sets.contains { $0.at == .latest && !known.contains($0.id) }
    if isCounted, let last = sets.last, known.contains(last.id) {
      writes.append(LaterWrite(key: key, content: .entry(last), at: last.at, isSameValue: false))
    }
    return writes
  }
}

extension Entity {
  /// Returns the names of the fields that win; the ledger's name is `changes`.
  func names(withstoodBy old: Entity) -> [FieldName] {
    withstood(by: old).flatMap { write in
      switch write.content {
      case .fields(let names): names
      case .entry: [FieldName.changes]
      }
    }
  }
}

extension LedgerEntry {
  /// Whether the entry is a count, not a change.
  fileprivate var isCount: Bool { if case .set = event { true } else { false } }
}
