public import LarderJSON
public import LarderText

/// The findings of `check` about a whole household, beyond what the program itself would write.
///
/// Facts only, each about one file. Files that are not taken are in ``Household/untaken``.
public struct HouseholdCheck: Sendable {
  /// One finding.
  public struct Finding: Hashable, Sendable {
    /// The file's path from the household's root.
    public let path: FilePath
    public let place: Place
    public let kind: Kind
  }

  /// The place in the file.
  public enum Place: Hashable, Sendable {
    case value([JSONStep])
    /// The key of the last member, not its value.
    case key([JSONStep])
    /// The ledger entry with this id.
    case entry(String)
  }

  public enum Kind: Hashable, Sendable {
    /// Another item, at a path, also claims the product; the item with the smaller id has it.
    case contestedProduct(String, otherPath: FilePath)
    /// Another item or location, at a path, has this name too.
    case sharedName(String, otherPath: FilePath)
    /// The ledger entry does not convert to the entity's unit, and is left out.
    case unconvertible(LedgerEntry, unit: Unit)
    /// The batch does not convert to its item's unit, and is left out of the total.
    case unconvertibleBatch(Unit, item: String, unit: Unit)
    /// The ledger entry is later than the time when the batch was discarded.
    case afterDiscard(LedgerEntry, discarded: Instant)
    /// A batch was archived when it was empty, or an item was archived or merged, but another
    /// device changed its quantity in the meantime.
    ///
    /// That change does not count.
    case archivedWithQuantity(Quantity)
    /// More was taken of a batch than was in it, as when two devices each use the last one, and
    /// there is too little of the others as well.
    case batchBelowZero(Quantity)
    /// The ledger has this number of entries, which every change writes again; a count begins a new
    /// page.
    case longLedger(Int)
    /// A time more than a day ahead of the clock.
    case aheadOfClock(field: String, Instant)
    /// Different devices, without knowing of each other, served one request from different files.
    case servedTwice(request: String, otherPath: FilePath, devices: [String])
    /// No time zone has the name, so days begin and end in UTC.
    case unknownTimeZone(String)
    /// The entity names another household.
    case otherHousehold(String)
    /// No entity of the kind has the id that the file names.
    case unknownReference(to: LarderModel.Kind, id: String)
    /// No item has the product of the batch, so the batch counts for none.
    case unclaimedProduct(String)
    /// The quantity of an item on a receipt's lines differs from the item's ledger.
    ///
    /// Nil if the ledger has nothing of it.
    case receiptDiffers(item: String, bought: Quantity, ledger: Quantity?)
    /// A product's number has a wrong check digit, so it is not a barcode.
    case wrongCheckDigit(Barcode, written: String)
    /// A key that is unknown at its place.
    case unknownKey(String, known: [String])
  }

  let household: Household
  let stock: Stock
  let now: Instant
  var findings: [Finding] = []
  /// The entries that serve a request, by the request.
  var served: [String: [(entity: Entity, entry: LedgerEntry)]] = [:]

  private init(_ household: Household, now: Instant) {
    self.household = household
    self.now = now
    stock = Stock(household)
  }

  /// Returns all findings, ordered by the paths of their files.
  ///
  /// `now` is the clock that stamps are compared with.
  public static func findings(in household: Household, now: Instant) -> [Finding] {
    var check = HouseholdCheck(household, now: now)
    for part in looks(at: household, now: now) { check.take(part) }
    check.findContestedProducts()
    check.findSharedNames()
    check.findRequestsServedTwice()
    check.checkReceipts()
    return check.findings.enumerated().sorted { left, right in
      left.element.path == right.element.path
        ? left.offset < right.offset : left.element.path < right.element.path
    }.map(\.element)
  }

  /// Returns what looking at each entity alone finds, a part for some hundred entities.
  private static func looks(at household: Household, now: Instant) -> [HouseholdCheck] {
    household.entities.concurrentMap(inChunksOf: 256) { entities in
      var part = HouseholdCheck(household, now: now)
      for entity in entities { part.look(at: entity.decoded) }
      return part
    }
  }

  private mutating func take(_ part: HouseholdCheck) {
    findings += part.findings
    served.merge(part.served) { $0 + $1 }
  }

  mutating func note(_ kind: Kind, _ entity: Entity, at place: Place) {
    findings.append(Finding(path: path(of: entity), place: place, kind: kind))
  }

  func path(of entity: Entity) -> FilePath { household.path(of: entity.key) ?? "" }
}

extension HouseholdCheck {
  private mutating func look(at entity: Entity) {
    checkHousehold(of: entity)
    checkReferences(of: entity)
    checkLedger(of: entity)
    checkStamps(of: entity)
    checkNumbers(of: entity)
    checkKeys(of: entity)
    for entry in entity.ledger.counting {
      if let request = entry.request { served[request, default: []].append((entity, entry)) }
    }
  }

  private mutating func checkHousehold(of entity: Entity) {
    if entity.kind == .household, let zone = entity[.timeZone]?.string,
      !Day.knows(timeZone: zone)
    {
      note(.unknownTimeZone(zone), entity, at: .value([.key("timeZone")]))
    }
    guard !stock.isOurs(entity), let id = entity.householdID else { return }
    note(.otherHousehold(id), entity, at: .value([.key("householdId")]))
  }

  private mutating func checkReferences(of entity: Entity) {
    let schema = Schema.of(entity.kind)
    for field in schema.references {
      if let value = entity[field.name] { check(value, of: field, in: entity, at: []) }
    }
    if schema.namesProduct, entity.isActive { checkItem(of: entity) }
  }

  private mutating func check(
    _ value: JSON, of field: Field, in entity: Entity, at path: [JSONStep]
  ) {
    let path = path + [.key(field.name.text)]
    checkReference(value, to: field.target, in: entity, at: path)
    for (index, element) in (value.array ?? []).enumerated() {
      let path = path + [.index(index)]
      checkReference(element, to: field.target, in: entity, at: path)
      guard case .list(of: .object(let fields)) = field.type else { continue }
      for field in fields {
        guard let value = element[field.name] else { continue }
        check(value, of: field, in: entity, at: path)
      }
    }
  }

  private mutating func checkReference(
    _ value: JSON, to kind: LarderModel.Kind?, in entity: Entity, at path: [JSONStep]
  ) {
    guard let kind, let id = value.string, !id.isEmpty, household[kind, id] == nil else { return }
    note(.unknownReference(to: kind, id: id), entity, at: .value(path))
  }

  private mutating func checkItem(of batch: Entity) {
    guard let item = stock.item(of: batch) else {
      note(
        .unclaimedProduct(batch.productID), batch,
        at: .value([.key("productRef"), .key("productId")]))
      return
    }
    guard !batch.unit.converts(to: item.unit) else { return }
    note(
      .unconvertibleBatch(batch.unit, item: item.title, unit: item.unit), batch,
      at: .value([.key("quantity"), .key("unit")]))
  }

  /// Archived products are not checked, because nobody needs to repair them.
  private mutating func checkNumbers(of entity: Entity) {
    guard entity.kind == .product, !entity.isTombstone else { return }
    if entity.id.hasPrefix("ean_") { checkNumber(entity.id, of: entity, at: [.key("id")]) }
    for (index, text) in (entity[.barcodes]?.array ?? []).enumerated() {
      checkNumber(text.string ?? "", of: entity, at: [.key("barcodes"), .index(index)])
    }
  }

  private mutating func checkNumber(_ text: String, of entity: Entity, at path: [JSONStep]) {
    guard let barcode = Barcode(written: text), !barcode.isSound else { return }
    note(.wrongCheckDigit(barcode, written: text), entity, at: .value(path))
  }

  private mutating func checkLedger(of entity: Entity) {
    for entry in entity.ledger.unconvertible(to: entity.unit) {
      note(.unconvertible(entry, unit: entity.unit), entity, at: .entry(entry.id))
    }
    let count = entity.ledger.entries.count
    if count > 500, !entity.isTombstone {
      note(.longLedger(count), entity, at: .key([.key("changes")]))
    }
    if entity.kind == .stockItem, let left = stock.leftBehind(of: entity) {
      let name: FieldName = entity.showsLoose ? .quantityLoose : .quantityInStock
      note(.archivedWithQuantity(left), entity, at: .value([.key(name.text)]))
    }
    if entity.kind == .inventoryItem, entity.isActive, entity.quantity.value < .zero,
      stock.withoutLack(entity).quantity.value < .zero
    {
      note(.batchBelowZero(entity.quantity), entity, at: .value([.key("quantity"), .key("value")]))
    }
    guard entity.kind == .inventoryItem, let status = entity.register(.status) else { return }
    if status.value == .string("archived"), entity.quantity.value != .zero {
      note(.archivedWithQuantity(entity.quantity), entity, at: .value([.key("status")]))
    }
    guard status.value == .string("discarded") else { return }
    for entry in entity.ledger.counting where entry.at > status.stamp {
      note(.afterDiscard(entry, discarded: status.stamp), entity, at: .entry(entry.id))
    }
  }

  private mutating func checkStamps(of entity: Entity) {
    let limit = now.adding(milliseconds: 86_400_000)
    guard entity.updatedAt > limit else { return }
    if entity.createdAt > limit {
      note(
        .aheadOfClock(field: "createdAt", entity.createdAt), entity, at: .value([.key("createdAt")])
      )
    }
    for register in entity.registers
    where register.stamp > limit && register.stamp != entity.createdAt {
      note(
        .aheadOfClock(field: register.name.text, register.stamp), entity,
        at: .value([.key("edited"), .key(register.name.text)]))
    }
    for entry in entity.ledger.entries where entry.at > limit {
      note(.aheadOfClock(field: "changes", entry.at), entity, at: .entry(entry.id))
    }
  }
}

/// The check for unknown keys; they are kept and may be intended, or they are misspelled.
extension HouseholdCheck {
  mutating func checkKeys(of entity: Entity) {
    let members = entity.registers.compactMap { register in
      register.value.map { JSONMember(register.name, $0) }
    }
    look(at: members, Schema.of(entity.kind).fields, of: entity, below: [])
  }

  private mutating func look(
    at members: [JSONMember], _ fields: [Field], of entity: Entity, below path: [JSONStep]
  ) {
    for member in members {
      let place = path + [.key(member.key)]
      if member.key == FieldName.edited.text, path.first == .key(FieldName.items.text) { continue }
      guard let field = fields.first(where: { $0.name.text == member.key }) else {
        findings.append(
          Finding(
            path: household.path(of: entity.key) ?? "", place: .key(place),
            kind: .unknownKey(member.key, known: fields.map(\.name.text))))
        continue
      }
      look(at: member.value, field.type, of: entity, below: place)
    }
  }

  private mutating func look(
    at value: JSON, _ type: FieldType, of entity: Entity, below path: [JSONStep]
  ) {
    switch (type, value) {
    case (.object(let fields), .object(let members)):
      look(at: members, fields, of: entity, below: path)
    case (.list(let element), .array(let values)):
      for (index, value) in values.enumerated() {
        look(at: value, element, of: entity, below: path + [.index(index)])
      }
    default: break
    }
  }
}

/// Findings about products and names that several files have, but only one may have.
extension HouseholdCheck {
  mutating func findContestedProducts() {
    for (product, ids) in stock.contested {
      let items = Set(ids).sorted().compactMap { household[.stockItem, $0] }
      guard let owner = items.first else { continue }
      for item in items.dropFirst() {
        let index = item.productIDs.firstIndex(of: product) ?? 0
        note(
          .contestedProduct(product, otherPath: path(of: owner)), item,
          at: .value([.key("products"), .index(index)]))
      }
    }
  }

  /// Finds names and other names that several things have; commands refuse such a name.
  mutating func findSharedNames() {
    for kind in LarderModel.Kind.allCases where Schema.of(kind).namesAreUnique {
      let all = household.all(kind)
      let title = Schema.of(kind).title ?? .name
      var holders: [String: Entity] = [:]
      let live = all.filter { !$0.isTombstone && stock.isOurs($0) }
      for entity in live.sorted(by: { $0.id < $1.id }) {
        for (index, name) in entity.ownNames.enumerated() {
          let holder = holders[fold(name), default: entity]
          holders[fold(name)] = holder
          guard holder.key != entity.key else { continue }
          let place: [JSONStep] =
            index == 0 ? [.key(title.text)] : [.key("aliases"), .index(index - 1)]
          note(.sharedName(name, otherPath: path(of: holder)), entity, at: .value(place))
        }
      }
    }
  }

  /// Finds requests served by several devices; one device may serve a request from several files.
  mutating func findRequestsServedTwice() {
    for (request, all) in served {
      let devices = Set(all.map(\.entry.by)).sorted()
      let ordered = all.sorted { LedgerEntry.precedes($0.entry, $1.entry) }
      guard devices.count > 1, let first = ordered.first else { continue }
      for later in ordered.dropFirst()
      where later.entry.by != first.entry.by && later.entity.key != first.entity.key {
        note(
          .servedTwice(request: request, otherPath: path(of: first.entity), devices: devices),
          later.entity, at: .entry(later.entry.id))
      }
    }
  }
}
