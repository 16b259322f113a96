import LarderJSON

/// The entities of a household with their paths, packed and sorted so that looking one up needs no
/// preparation.
///
/// Rows are ordered by kind, then by the bytes of the id. `paths` are the rows in the order of the
/// bytes of their paths. `claims` are the products that items and batches name, by a hash.
package final class PackedHousehold: Sendable {
  private let bytes: [UInt8]
  package let count: Int
  private let kinds: [Int]
  private let rows: Int
  private let paths: Int
  private let claims: Int
  private let claimCount: Int
  private let heap: Int

  /// A hash of the words that packed entities have numbers for; another program may have others.
  package static var vocabulary: UInt64 { Vocabulary.fingerprint }

  private static let rowSize = 8
  private static let claimSize = 12

  /// Reads what ``pack(_:)`` returned, from an offset on.
  package init(_ bytes: [UInt8], at start: Int = 0) {
    self.bytes = bytes
    let head = bytes.withUnsafeBytes { raw in
      var reader = PackedReader(raw, at: start)
      return (0..<(3 + Kind.allCases.count)).map { _ in Int(reader.number(UInt32.self)) }
    }
    (count, claimCount, kinds) = (head[0], head[1], Array(head[2...]))
    rows = start + 4 * head.count
    paths = rows + count * Self.rowSize
    claims = paths + count * 4
    heap = claims + claimCount * Self.claimSize
  }

  /// Returns the packed form of a household's entities; those without a path are left out.
  package static func pack(_ household: Household) -> [UInt8] {
    var placed: [(key: EntityKey, path: String)] = []
    placed.reserveCapacity(household.count)
    for key in household.keys {
      if let path = household.path(of: key) { placed.append((key, path)) }
    }
    placed.sort { one, other in
      let (kind, otherKind) = (one.key.kind.number, other.key.kind.number)
      return kind == otherKind ? JSON.precedes(one.key.id, other.key.id) : kind < otherKind
    }
    let contents = placed.map(\.key).concurrentMap { key in
      household[key].map { (packed: $0.packed ?? PackedEntity($0), claims: $0.claimedProducts) }
    }
    var heap = PackedWriter()
    var rows = PackedWriter()
    var starts = Array(repeating: 0, count: Kind.allCases.count + 1)
    var claims: [(hash: UInt64, row: UInt32)] = []
    for (row, place) in placed.enumerated() {
      guard let content = contents[row] else { continue }
      starts[place.key.kind.number + 1] += 1
      rows.number(UInt32(heap.bytes.count))
      heap.append(content.packed.slice)
      rows.number(UInt32(heap.bytes.count))
      heap.text(place.path)
      claims += content.claims.map { (hashBytes($0), UInt32(row)) }
    }
    var writer = PackedWriter()
    writer.number(UInt32(placed.count))
    writer.number(UInt32(claims.count))
    var start = 0
    for count in starts {
      start += count
      writer.number(UInt32(start))
    }
    writer.append(rows.bytes)
    for row in placed.indices.sorted(by: { JSON.precedes(placed[$0].path, placed[$1].path) }) {
      writer.number(UInt32(row))
    }
    for claim in claims.sorted(by: { ($0.hash, $0.row) < ($1.hash, $1.row) }) {
      writer.number(claim.hash)
      writer.number(claim.row)
    }
    writer.append(heap.bytes)
    return writer.bytes
  }

  private func number<Number: FixedWidthInteger>(at offset: Int) -> Number {
    bytes.withUnsafeBytes {
      Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
  }
}

extension PackedHousehold {
  /// The rows of a kind.
  func rows(of kind: Kind) -> Range<Int> { kinds[kind.number]..<kinds[kind.number + 1] }

  private func packed(_ row: Int) -> PackedEntity {
    PackedEntity(bytes, at: heap + Int(number(at: rows + row * Self.rowSize) as UInt32))
  }

  func entity(_ row: Int) -> Entity { Entity(packed(row)) }

  func key(_ row: Int) -> EntityKey {
    let packed = packed(row)
    return EntityKey(packed.kind, packed.id)
  }

  private func readPath<Value>(_ row: Int, _ body: (inout PackedReader) -> Value) -> Value {
    let place: UInt32 = number(at: rows + row * Self.rowSize + 4)
    return bytes.withUnsafeBytes { raw in
      var reader = PackedReader(raw, at: heap + Int(place))
      return body(&reader)
    }
  }

  package func path(_ row: Int) -> String { readPath(row) { $0.text() } }

  /// Returns the row of an entity; nil if there is none.
  func row(of key: EntityKey) -> Int? {
    PackedText.with(key.id) { wanted in
      binarySearch(rows(of: key.kind)) { packed($0).compareID(wanted) }
    }
  }

  /// Returns the row of the entity at a path; nil if there is none.
  func row(at path: String) -> Int? {
    PackedText.with(path) { wanted in
      binarySearch(0..<count) { place in readPath(row(place: place)) { $0.compareText(wanted) } }
    }
    .map(row(place:))
  }

  private func row(place: Int) -> Int { Int(number(at: paths + place * 4) as UInt32) }
}

extension PackedHousehold {
  /// Returns the rows of the entities of a kind that name a product.
  func rows(naming product: String, _ kind: Kind) -> [Int] {
    let hash = hashBytes(product)
    let kindRows = rows(of: kind)
    var found: [Int] = []
    var place = firstClaim(of: hash)
    while place < claimCount, claim(place).hash == hash {
      let row = claim(place).row
      if kindRows.contains(row),
        entity(row).claimedProducts.contains(where: { $0.hasSameBytes(as: product) })
      {
        found.append(row)
      }
      place += 1
    }
    return found
  }

  /// The products that several items may list.
  var contestable: Set<String> {
    let items = rows(of: .stockItem)
    var products: Set<String> = []
    var last: (hash: UInt64, row: Int)?
    for place in 0..<claimCount {
      let claim = claim(place)
      guard items.contains(claim.row) else { continue }
      if let last, last.hash == claim.hash { products.formUnion(entity(claim.row).claimedProducts) }
      last = claim
    }
    return products
  }

  private func claim(_ place: Int) -> (hash: UInt64, row: Int) {
    let offset = claims + place * Self.claimSize
    return (number(at: offset), Int(number(at: offset + 8) as UInt32))
  }

  private func firstClaim(of hash: UInt64) -> Int {
    var (low, high) = (0, claimCount)
    while low < high {
      let middle = (low + high) / 2
      if claim(middle).hash < hash { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Kind {
  /// The place among all kinds.
  fileprivate var number: Int { Kind.allCases.firstIndex(of: self) ?? 0 }
}

extension Entity {
  /// The products that an item lists, or the one of a batch.
  var claimedProducts: [String] {
    let schema = Schema.of(kind)
    if schema.namesProduct { return [productID] }
    return schema.listsProducts ? productIDs : []
  }
}
