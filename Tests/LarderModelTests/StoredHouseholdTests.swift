import LarderJSON
import LarderText
import Testing
import TestSupport

@testable import LarderModel

@Suite("A household of the cache")
struct StoredHouseholdTests {
  @Test("has the same entities, with the same single fields", arguments: Kind.allCases)
  func entities(kind: Kind) {
    for seed in (0..<40).map({ Seed.ofRun &+ $0 }) {
      var versions = RandomVersions(kind, SeededGenerator(seed: seed))
      for entity in versions.pool(of: 12) { expectSame(entity, "seed \(seed)") }
    }
  }

  @Test("and whatever people and other programs write into a file", arguments: Kind.allCases)
  func fuzzed(kind: Kind) throws {
    for seed in (0..<150).map({ Seed.ofRun &+ $0 }) {
      var generator = SeededGenerator(seed: seed)
      var versions = RandomVersions(kind, generator)
      guard case .object(var members) = versions.pool(of: 3)[2].json else { continue }
      for name in [
        "a\"b", "b", "\\", "x\u{e9}", "xe\u{301}", "tab\t", "\n", "\\n", " ", "zz\\\"zz",
        "changes\"", "",
      ] {
        let value = Self.values[generator.number(0...(Self.values.count - 1))]
        if generator.number(0...1) == 0 { members.append(JSONMember(name, value)) }
      }
      if kind == .inventoryItem, generator.number(0...1) == 0 {
        members = members.map { member in
          guard member.key == "quantity", case .object(let inner) = member.value else {
            return member
          }
          let more = [JSONMember("a\"b", .bool(true)), JSONMember("value\"", .number("7"))]
          return JSONMember("quantity", .object(inner + more))
        }
      }
      if generator.number(0...2) == 0 {
        members.removeAll { $0.key == "unit" }
        members.append(JSONMember("unit", .string("tin")))
      }
      let text = JSON.object(members).writeFile()
      guard let file = try? EntityFile(kind, parsing: text), let entity = Entity(file) else {
        continue
      }
      expectSame(entity, "seed \(seed): \(String(decoding: text, as: UTF8.self))")
    }
  }

  /// Values that look like the lines between which others are found.
  private static let values: [JSON] = [
    .object([]), .array([]), .null, .bool(true), .bool(false), .number("-1.5"), .number("0"),
    .string(""), .string("x,"), .string("\n  \"name\": \"no\""), .string("\\"), .string("\"\\\""),
    .string("e\u{301}"), .string("consumed"),
    .array([.string("a"), .object([JSONMember("name", .string("no"))]), .array([])]),
    .object([
      JSONMember("name", .string("in\"ner")), JSONMember("e\u{301}", .number("1")),
      JSONMember(
        "\u{e9}", .object([JSONMember("name", .object([])), JSONMember("x", .array([]))])),
      JSONMember("a\"b", .array([.number("1")])), JSONMember("b", .string("}")),
    ]),
  ]

  private func expectSame(_ entity: Entity, _ note: Comment) {
    let stored = entity.compact
    #expect(stored.stored != nil && entity.stored == nil, note)
    #expect(stored == entity, note)
    #expect(stored.registers == entity.registers && stored.ledger == entity.ledger, note)
    #expect(stored.fileBytes == entity.fileBytes, note)
    #expect(stored.id == entity.id && stored.kind == entity.kind, note)
    #expect(stored.idLength == entity.id.utf8.count, note)
    #expect(stored.title == entity.title && stored.isTombstone == entity.isTombstone, note)
    #expect(stored.isActive == entity.isActive && stored.isConsumed == entity.isConsumed, note)
    #expect(stored.createdAt == entity.createdAt, note)
    #expect(stored.updatedAt == entity.updatedAt, note)
    #expect(stored.showsLoose == entity.showsLoose, note)
    #expect(stored.quantity == entity.quantity && stored.unit == entity.unit, note)
    #expect(stored.productID == entity.productID && stored.snapshot == entity.snapshot, note)
    #expect(stored.expiry == entity.expiry && stored.expiryDay == entity.expiryDay, note)
    #expect(stored.batchDay == entity.batchDay && stored.opened == entity.opened, note)
    #expect(stored.lines == entity.lines && stored.aliases == entity.aliases, note)
    let bookkeeping = Schema.bookkeeping.union([
      "value", "nothing of that", "b\"", "\\\"", "\n", "\\n", "\\u00e9",
    ])
    let names = bookkeeping.union(entity.registers.map(\.name))
    for name in names {
      #expect(stored[name] == entity[name], note)
      #expect(stored.register(name) == entity.register(name), note)
      #expect(stored.text(name) == entity.text(name), note)
      let members = ["value", "unit", "name", "a\"b", "b", "x", "\u{e9}", "e\u{301}", "productId"]
      for member in members.map({ FieldName($0) }) {
        #expect(stored.text(name, member) == entity.text(name, member), note)
        #expect(stored.value(name, member) == entity.value(name, member), note)
      }
    }
    var (one, other) = (stored, entity)
    one.write(.note, .string("é"), at: one.stamp(now: one.createdAt))
    other.write(.note, .string("é"), at: other.stamp(now: other.createdAt))
    #expect(one == other, note)
    #expect(one.fileBytes == other.fileBytes, note)
  }

  @Test("answers as one that is in no cache, whatever is put, moved, recorded and forgotten")
  func households() {
    for seed in (0..<150).map({ Seed.ofRun &+ $0 }) {
      var generator = SeededGenerator(seed: seed)
      var plain = Household()
      for _ in 0..<30 { change(&plain, &generator) }
      var cached = Household(stored(plain))
      // An entity whose path another one took has no file, so the cache has none.
      for key in plain.keys where plain.path(of: key) == nil { expectGone(key, cached) }
      plain = refilled(plain)
      cached.untaken = plain.untaken
      expectSame(cached, plain, seed)
      let before = (cached, plain)
      for _ in 0..<20 {
        var other = generator
        change(&plain, &generator)
        change(&cached, &other)
        expectSame(cached, plain, seed)
        #expect(
          cached.keys(differingFrom: before.0) == plain.keys(differingFrom: before.1),
          "seed \(seed)")
        #expect(
          before.0.keys(differingFrom: cached) == before.1.keys(differingFrom: plain),
          "seed \(seed)")
      }
      expectSame(Household(stored(cached)), refilled(plain), seed)
      // Each reading of the cache is another household to compare with.
      let again = Household(stored(cached))
      #expect(
        again.keys(differingFrom: before.0) == refilled(plain).keys(differingFrom: before.1),
        "seed \(seed)")
      #expect(
        before.0.keys(differingFrom: again) == before.1.keys(differingFrom: refilled(plain)),
        "seed \(seed)")
    }
  }

  /// Returns a household as the cache keeps it.
  private func stored(_ household: Household) -> StoredHousehold {
    var bytes: [UInt8] = []
    var rows: [StoredRows.Row] = []
    for path in household.paths.sorted() where household.untaken[path] == nil {
      rows.append(StoredRows.Row(bytes.count))
      bytes += StoredRow.bytes(path, household.key(at: path).flatMap { household[$0] })
    }
    return StoredHousehold(bytes, StoredRows(byPath: rows, of: bytes))
  }

  @Test("rows that come and go one after the other are in the same orders as all at once")
  func orders() {
    for seed in (0..<60).map({ Seed.ofRun &+ $0 }) {
      var generator = SeededGenerator(seed: seed)
      var household = Household()
      var bytes: [UInt8] = []
      var rows = StoredRows(byPath: [], byID: [])
      var places: [FilePath: StoredRows.Row] = [:]
      for _ in 0..<60 {
        let before = household
        for _ in 0..<generator.number(1...3) { change(&household, &generator) }
        var (gone, new): ([FilePath], [StoredRows.Row]) = ([], [])
        for path in Set(before.paths + household.paths) {
          let entity = household.key(at: path).flatMap { household[$0] }
          if entity == before.key(at: path).flatMap({ before[$0] }) { continue }
          places[path] = entity.map { _ in StoredRows.Row(bytes.count) }
          if let entity {
            new.append(StoredRows.Row(bytes.count))
            // Some files say nothing.
            bytes += StoredRow.bytes(path, generator.number(0...9) == 0 ? nil : entity)
          } else {
            gone.append(path)
          }
        }
        rows.replace(gone, with: new, of: bytes)
        let ordered = places.sorted { $0.key < $1.key }
        let expected = StoredRows(byPath: ordered.map(\.value), of: bytes)
        #expect(rows.byPath == expected.byPath && rows.byID == expected.byID, "seed \(seed)")
        for folder in ["stock", "batches", "batches/1", ""].map({ FilePath($0) }) {
          let inside = ordered.filter { $0.key.folder == folder && !folder.isEmpty }
          #expect(rows.inside(folder, of: bytes) == inside.map(\.value), "seed \(seed)")
        }
      }
    }
  }

  @Test("a new entity gets no path that one of the cache has")
  func paths() throws {
    func milk(_ id: String) -> Entity {
      var milk = Entity(.stockItem, id: id, createdAt: moment(1))
      milk.write(.name, .string("Milk"), at: moment(1))
      return milk
    }
    let first = milk("1aaaaaaa-0000-4000-8000-000000123456")
    let second = milk("2aaaaaaa-0000-4000-8000-000000123456")
    var plain = Household()
    plain.put(first, at: plain.defaultPath(for: first))
    let cached = Household(stored(plain))
    #expect(cached.key(at: "stock/milk-123456.json") == first.key)
    #expect(cached.defaultPath(for: second) == "stock/milk-0123456.json")
    #expect(cached.defaultPath(for: second) == plain.defaultPath(for: second))
  }

  /// Returns the household with only those that have a path, as a cache has it.
  private func refilled(_ household: Household) -> Household {
    var refilled = Household()
    for key in household.keys {
      guard let path = household.path(of: key), let entity = household[key] else { continue }
      refilled.put(entity, at: path)
    }
    refilled.untaken = household.untaken
    return refilled
  }

  private func expectGone(_ key: EntityKey, _ household: Household) {
    #expect(household[key] == nil && household.path(of: key) == nil)
  }

  private func change(_ household: inout Household, _ generator: inout SeededGenerator) {
    let kinds = [Kind.stockItem, .inventoryItem, .storageLocation, .product]
    let kind = kinds[generator.number(0...3)]
    let id = uuid(Int.random(in: 0..<12, using: &generator))
    let path: FilePath = "\(kind.folder ?? "")/\(Int.random(in: 0..<14, using: &generator)).json"
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: household.forget(path: path)
    case 1 where kind == .stockItem:
      household.record(
        LedgerEntry(
          id: uuid(Int.random(in: 0..<99, using: &generator)), at: moment(3), .delta(Number(2)),
          unit: .piece, why: .add, by: "x"), in: EntityKey(kind, id))
    default:
      var entity = Entity(kind, id: id, createdAt: moment(1))
      entity.write(kind == .product ? .title : .name, .string("T\(id)"), at: moment(2))
      let products = (0..<Int.random(in: 0..<3, using: &generator)).map { _ in
        "p\(Int.random(in: 0..<5, using: &generator))"
      }
      if kind == .stockItem {
        entity.write(.products, .array(products.map { .string($0) }), at: moment(2))
      } else if kind == .inventoryItem {
        let product = JSONMember("productId", .string(products.first ?? "p0"))
        entity.write(.productRef, .object([product]), at: moment(2))
        // Every file of a batch says these.
        entity.write(.quantity, .object([JSONMember("unit", .string("piece"))]), at: moment(2))
        entity.write(.status, .string("active"), at: moment(2))
      }
      household.put(entity, at: path)
    }
  }

  private func expectSame(_ cached: Household, _ plain: Household, _ seed: UInt64) {
    let note: Comment = "seed \(seed)"
    #expect(cached.count == plain.count, note)
    #expect(Set(cached.keys) == Set(plain.keys), note)
    #expect(cached.paths.sorted() == plain.paths.sorted(), note)
    for key in plain.keys {
      #expect(cached[key] == plain[key], note)
      #expect(cached.path(of: key) == plain.path(of: key), note)
    }
    for path in plain.paths { #expect(cached.key(at: path) == plain.key(at: path), note) }
    #expect(cached.key(at: "stock/none.json") == nil, note)
    for kind in Kind.allCases {
      #expect(Set(cached.all(kind).map(\.key)) == Set(plain.all(kind).map(\.key)), note)
    }
    for product in (0..<5).map({ "p\($0)" }) {
      #expect(
        cached.products.items(claiming: product) == plain.products.items(claiming: product), note)
      #expect(
        Set(cached.batches(of: product).map(\.id)) == Set(plain.batches(of: product).map(\.id)),
        note)
    }
    #expect(cached.products.contested == plain.products.contested, note)
    let items = plain.all(.stockItem)
    for (item, holding) in zip(items, Stock(cached).holdings(of: items)) {
      let batches = Stock(plain).batches(of: item)
      #expect(holding.batches.map(\.key) == batches.map(\.key), note)
      #expect(holding.batches == batches, note)
    }
  }
}
