import LarderJSON
import LarderText
import Testing
import TestSupport

@testable import LarderModel

@Suite("A packed household")
struct PackedHouseholdTests {
  @Test("has the same entities, with the same single fields", arguments: Kind.allCases)
  func entities(kind: Kind) {
    for seed in (0..<40).map({ Seed.ofRun &+ $0 }) {
      var versions = RandomVersions(kind, SeededGenerator(seed: seed))
      for entity in versions.pool(of: 12) {
        let packed = Entity(PackedEntity(entity))
        let note: Comment = "seed \(seed)"
        #expect(packed == entity, note)
        #expect(packed.fileBytes == entity.fileBytes, note)
        #expect(packed.id == entity.id && packed.kind == entity.kind, note)
        #expect(packed.title == entity.title && packed.isTombstone == entity.isTombstone, note)
        #expect(packed.createdAt == entity.createdAt, note)
        #expect(packed.updatedAt == entity.updatedAt, note)
        #expect(packed.quantity == entity.quantity && packed.unit == entity.unit, note)
        #expect(packed.productID == entity.productID, note)
        #expect(packed.expiryDay == entity.expiryDay, note)
        for register in entity.registers {
          #expect(packed[register.name] == register.value, note)
        }
        #expect(packed[FieldName("nothing of that")] == nil, note)
        var (one, other) = (packed, entity)
        one.write(.note, .string("é"), at: one.stamp(now: one.createdAt))
        other.write(.note, .string("é"), at: other.stamp(now: other.createdAt))
        #expect(one == other, note)
      }
    }
  }

  @Test("answers as one that is not packed, whatever is put, moved, recorded and forgotten")
  func households() {
    for seed in (0..<150).map({ Seed.ofRun &+ $0 }) {
      var generator = SeededGenerator(seed: seed)
      var plain = Household()
      for _ in 0..<30 { change(&plain, &generator) }
      var packed = Household(PackedHousehold(PackedHousehold.pack(plain)))
      // An entity whose path another one took has no file, so none is packed.
      for key in plain.keys where plain.path(of: key) == nil { expectGone(key, packed) }
      plain = refilled(plain)
      packed.untaken = plain.untaken
      expectSame(packed, plain, seed)
      let before = (packed, plain)
      for _ in 0..<20 {
        var other = generator
        change(&plain, &generator)
        change(&packed, &other)
        expectSame(packed, plain, seed)
        #expect(
          packed.keys(differingFrom: before.0) == plain.keys(differingFrom: before.1),
          "seed \(seed)")
        #expect(
          before.0.keys(differingFrom: packed) == before.1.keys(differingFrom: plain),
          "seed \(seed)")
      }
      let bytes = PackedHousehold.pack(packed)
      expectSame(Household(PackedHousehold(bytes)), refilled(plain), seed)
      // What stands is only copied, and it is the same as packing everything.
      #expect(bytes == PackedHousehold.pack(refilled(plain)), "seed \(seed)")
    }
  }

  @Test("a new entity gets no path that a packed one has")
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
    let packed = Household(PackedHousehold(PackedHousehold.pack(plain)))
    #expect(packed.key(at: "stock/milk-123456.json") == first.key)
    #expect(packed.defaultPath(for: second) == "stock/milk-0123456.json")
    #expect(packed.defaultPath(for: second) == plain.defaultPath(for: second))
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
    let id = "\(Int.random(in: 0..<12, using: &generator))"
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
      }
      household.put(entity, at: path)
    }
  }

  private func expectSame(_ packed: Household, _ plain: Household, _ seed: UInt64) {
    let note: Comment = "seed \(seed)"
    #expect(packed.count == plain.count, note)
    #expect(Set(packed.keys) == Set(plain.keys), note)
    #expect(packed.paths.sorted() == plain.paths.sorted(), note)
    for key in plain.keys {
      #expect(packed[key] == plain[key], note)
      #expect(packed.path(of: key) == plain.path(of: key), note)
    }
    for path in plain.paths { #expect(packed.key(at: path) == plain.key(at: path), note) }
    #expect(packed.key(at: "stock/none.json") == nil, note)
    for kind in Kind.allCases {
      #expect(Set(packed.all(kind).map(\.key)) == Set(plain.all(kind).map(\.key)), note)
    }
    for product in (0..<5).map({ "p\($0)" }) {
      #expect(
        packed.products.items(claiming: product) == plain.products.items(claiming: product), note)
      #expect(
        Set(packed.batches(of: product).map(\.id)) == Set(plain.batches(of: product).map(\.id)),
        note)
    }
    #expect(packed.products.contested == plain.products.contested, note)
    let items = plain.all(.stockItem)
    for (item, holding) in zip(items, Stock(packed).holdings(of: items)) {
      let batches = Stock(plain).batches(of: item)
      #expect(holding.batches.map(\.key) == batches.map(\.key), note)
      #expect(holding.batches == batches, note)
    }
  }
}
