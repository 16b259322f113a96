internal import LarderJSON
package import LarderModel

/// Random versions of one entity, as devices with wrong clocks, people and plain git could make
/// them.
///
/// Stamps, values and ledger entries come from small sets, so ties and overlaps are common.
package struct RandomVersions {
  package let kind: Kind
  private let id: String
  package var generator: SeededGenerator
  private let moments: [Instant] = (0..<5).map { moment(2, $0 * 7) }
  private var entries: [LedgerEntry] = []

  package init(_ kind: Kind, _ generator: SeededGenerator, id: String? = nil) {
    self.kind = kind
    self.id = id ?? (kind == .product ? "ean_é" : uuid(1))
    self.generator = generator
    entries = (0..<9).flatMap { randomEntries(number: $0) }
  }

  /// Returns unrelated versions, and versions made from each other by edits, forks and joins.
  package mutating func pool(of count: Int) -> [Entity] {
    var versions = (0..<3).map { _ in anyVersion() }
    while versions.count < count {
      let base = generator.one(of: versions)
      versions.append(
        generator.chance(1, in: 4) ? base.joined(with: generator.one(of: versions)) : edited(base))
    }
    return versions
  }

  private mutating func anyVersion() -> Entity {
    let created = generator.one(of: [moment(1), moment(1), moment(1, 500), moments[1]])
    var entity = Entity(kind, id: id, createdAt: created)
    for (name, values) in stock {
      let isRequired = values.required
      if !isRequired, generator.chance(1, in: 4) { continue }
      let isRemoved = !isRequired && generator.chance(1, in: 4)
      let stamp = generator.chance(1, in: 3) ? created : generator.one(of: moments)
      entity.write(FieldName(name), isRemoved ? nil : generator.one(of: values.values), at: stamp)
    }
    nameTheEntry(&entity)
    guard hasLedger else { return entity }
    for entry in entries where generator.chance(1, in: 3) { entity.record(entry) }
    if generator.chance(1, in: 3) { entity.openPage(at: generator.one(of: moments)) }
    return entity
  }

  /// Returns a version edited on a device with its own clock.
  private mutating func edited(_ base: Entity) -> Entity {
    var entity = base
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      let stamp = entity.stamp(now: generator.one(of: moments))
      if hasLedger, generator.chance(1, in: 3) {
        entity.record(generator.one(of: entries))
        continue
      }
      if hasLedger, generator.chance(1, in: 6) {
        entity.openPage(at: generator.one(of: moments))
        continue
      }
      let (name, values) = generator.one(of: stock)
      let isRemoved = !values.required && generator.chance(1, in: 3)
      entity.write(FieldName(name), isRemoved ? nil : generator.one(of: values.values), at: stamp)
    }
    nameTheEntry(&entity)
    return entity
  }

  /// Gives a shopping entry a name if it has neither an item nor a name.
  private func nameTheEntry(_ entity: inout Entity) {
    guard kind == .shoppingListEntry, entity["itemId"] == nil, entity["name"] == nil else { return }
    entity.write("name", .string("Bread"), at: entity.register("name")?.stamp ?? moments[0])
  }

  private var hasLedger: Bool { kind == .stockItem || kind == .inventoryItem }

  /// Returns entries with one id: usually one, sometimes two that differ in time or in a single
  /// byte.
  private mutating func randomEntries(number: Int) -> [LedgerEntry] {
    let id = entryID(number)
    let amount = generator.one(of: ["0", "1", "-3", "0.5", "2.25", "0.000001", "-0.000005", "1250"])
    let value = Number(amount) ?? .zero
    let undone = LedgerEntry.Event.undoes(entryID(Int.random(in: 0..<9, using: &generator)))
    let event = generator.one(of: [.delta(value), .delta(value), .set(value), undone])
    let units: [Unit] = [
      .piece, .gram, .kilogram, .kilogram, .liter, .milliliter, .pack, .own("tin"),
    ]
    let unit = generator.one(of: units)
    var total: Number?
    if case .set = event {
      total = generator.one(of: [nil, Number(7), Number("0.5"), Number("-12.25")])
    }
    let entry = LedgerEntry(
      id: id, at: generator.one(of: moments), event, unit: unit,
      why: generator.one(of: [.add, .count, .consume]), by: generator.one(of: ["phone", "laptop"]),
      note: generator.one(of: [nil, "caf\u{e9}"]), total: total)
    switch Int.random(in: 0..<4, using: &generator) {
    case 0:
      return [
        entry,
        LedgerEntry(
          id: id, at: generator.one(of: moments), event, unit: unit, why: .edit, by: "edit",
          unknown: [JSONMember("x", .number("1"))]),
      ]
    case 1:
      var other = entry
      if case .set = event { other.total = generator.one(of: [nil, Number(8), total]) }
      other.note = "cafe\u{301}"
      return [entry, other]
    default: return [entry]
    }
  }
}

// MARK: - The possible values of each field

extension RandomVersions {
  struct Values {
    let required: Bool
    let values: [JSON]
  }

  var stock: [(name: String, values: Values)] {
    fields + [
      // Two keys that look the same but differ in bytes, and another one.
      ("\u{e9}", Values(required: false, values: texts("one", "two"))),
      ("e\u{301}", Values(required: false, values: texts("one", "two"))),
      ("zeta", Values(required: false, values: [.array([.null, .number("1.5")]), .object([])])),
    ]
  }

  private func texts(_ words: String...) -> [JSON] { words.map { .string($0) } }

  private func needed(_ name: String, _ values: [JSON]) -> (name: String, values: Values) {
    (name, Values(required: true, values: values))
  }

  private func optional(_ name: String, _ values: [JSON]) -> (name: String, values: Values) {
    (name, Values(required: false, values: values))
  }

  private var units: [JSON] { texts("piece", "gram", "kilogram", "liter", "milliliter", "tin") }
  private var flags: [JSON] { [.bool(false), .bool(true)] }
  private var numbers: [JSON] { [.number("0"), .number("2"), .number("1.5"), .number("10")] }
  private var names: [JSON] { texts("Milk", "caf\u{e9}", "cafe\u{301}", "\"\\\n") }

  private var fields: [(name: String, values: Values)] {
    switch kind {
    case .household:
      [
        needed("format", [.number("1")]), needed("name", names),
        needed("timeZone", texts("UTC", "Asia/Singapore")),
        optional("currency", texts("EUR", "SGD")),
        needed("expiringWithinDays", numbers.dropLast(2)),
      ]
    case .stockItem:
      [
        needed("name", names), optional("aliases", [.array(names), .array([])]),
        optional("category", names), needed("unit", units),
        needed("quantityFullStock", numbers), optional("quantityMinimum", numbers),
        optional("keepsDays", [.number("0"), .number("14")]),
        optional("storageLocationId", texts("", "place 1")),
        optional("products", [.array(texts("ean_1")), .array([])]), optional("note", names),
        needed("isArchived", flags),
      ]
    case .inventoryItem: batchFields
    case .storageLocation:
      [needed("name", names), needed("isColdStorage", flags), needed("isArchived", flags)]
    case .product:
      [
        needed("title", names), optional("brand", names), optional("unit", units),
        optional("packSize", numbers), needed("isArchived", flags),
      ]
    case .shoppingListEntry:
      [
        optional("itemId", texts(uuid(100), uuid(101))), optional("name", names),
        needed("desiredQuantity", numbers), needed("unit", units), optional("note", names),
        needed("isCompleted", flags), needed("isDeleted", flags),
      ]
    case .receipt:
      [
        needed("shopName", names), needed("timestamp", texts("2026-11-02T10:00:00.000Z")),
        optional("amount", numbers), optional("currency", texts("EUR", "SGD")),
        needed("items", lines), needed("isDeleted", flags),
      ]
    }
  }

  /// Lists of lines of one basket, of which several people said something.
  private var lines: [JSON] {
    let milk: [JSONMember] = [
      JSONMember("id", .string(uuid(77))), JSONMember("itemName", .string("Milk")),
      JSONMember("quantity", .number("2")),
    ]
    let edited = { (names: [String], moment: Instant) in
      JSONMember(
        "edited", .object(names.map { JSONMember($0, .string(moment.description)) }))
    }
    let priced = JSON.object(
      milk + [JSONMember("price", .number("1.5")), edited(["price"], moments[1])])
    let counted = JSON.object(
      milk.dropLast() + [
        JSONMember("quantity", .number("500")), JSONMember("unit", .string("milliliter")),
        JSONMember("price", .number("1")), edited(["quantity", "unit"], moments[1]),
      ])
    let dated = JSON.object(
      milk + [
        JSONMember("price", .number("1.4")), JSONMember("expiry", .string("2026-12-01")),
        edited(["expiry", "price"], moments[2]),
      ])
    let bread = JSON.object([
      JSONMember("id", .string(uuid(78))), JSONMember("itemName", .string("Bread")),
      JSONMember("quantity", .number("1")),
    ])
    return [
      .array([]), .array([.object(milk)]), .array([priced]), .array([counted, bread]),
      .array([dated]), .array([bread, priced]),
    ]
  }

  private var batchFields: [(name: String, values: Values)] {
    let products = ["ean_1", "ean_2"].map {
      JSON.object([JSONMember("productId", .string($0))])
    }
    return [
      needed("productRef", products),
      needed("quantity", units.map { .object([JSONMember("unit", $0)]) }),
      needed("status", texts("active", "active", "discarded", "archived")),
      needed("storageLocationId", texts("", uuid(300))), optional("lotOrBatchCode", names),
      optional("notes", names),
    ]
  }
}

extension SeededGenerator {
  fileprivate mutating func chance(_ one: Int, in all: Int) -> Bool {
    Int.random(in: 0..<all, using: &self) < one
  }

  fileprivate mutating func one<Element>(of elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &self)]
  }
}

/// Returns midnight of a day of November 2026, plus some milliseconds.
private func moment(_ day: Int, _ milliseconds: Int = 0) -> Instant {
  Instant(milliseconds: 1_793_491_200_000 + Int64(day - 1) * 86_400_000 + Int64(milliseconds))
}

private func uuid(_ number: Int) -> String {
  let digits = String(number)
  return "00000000-0000-7000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
}

/// Returns the id of an entry; every other one is derived, of version 5.
private func entryID(_ number: Int) -> String {
  let id = uuid(900 + number)
  return number % 2 == 0 ? id : id.replacing("-7000-", with: "-5000-")
}
