import LarderJSON
package import LarderText

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

  private func number<Number: FixedWidthInteger>(at offset: Int) -> Number {
    bytes.withUnsafeBytes {
      Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
  }
}

extension PackedHousehold {
  /// The rows of a kind.
  func rows(of kind: Kind) -> Range<Int> { kinds[kind.number]..<kinds[kind.number + 1] }

  func packed(_ row: Int) -> PackedEntity {
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

  package func path(_ row: Int) -> FilePath { readPath(row) { FilePath($0.text()) } }

  /// Returns the packed path of an entity.
  func packedPath(_ row: Int) -> ArraySlice<UInt8> {
    let start = heap + Int(number(at: rows + row * Self.rowSize + 4) as UInt32)
    let end = readPath(row) { reader in
      reader.skipText()
      return reader.offset
    }
    return bytes[start..<end]
  }

  /// Returns the row before which an entity would be.
  func rowFor(_ key: EntityKey) -> Int {
    PackedText.with(key.id) { wanted in
      lowerBound(rows(of: key.kind)) { packed($0).compareID(wanted) < 0 }
    }
  }

  /// Returns the place before which a path would be in the order of paths.
  func placeFor(path: FilePath) -> Int {
    PackedText.with(path.text) { wanted in
      lowerBound(0..<count) { place in readPath(row(place: place)) { $0.compareText(wanted) } < 0 }
    }
  }

  /// Returns the keys of the entities that are not the same in another packed household, in content
  /// and path.
  func keys(differingFrom other: PackedHousehold) -> [EntityKey] {
    var next = 0
    return (0..<count).compactMap { row in
      // Rows are in one order, so the next one is nearly always that of the same entity.
      if next < other.count, isSame(row, as: next, in: other) {
        next += 1
        return nil
      }
      let key = key(row)
      guard let found = other.row(of: key) else { return key }
      next = found + 1
      return isSame(row, as: found, in: other) ? nil : key
    }
  }

  private func isSame(_ row: Int, as found: Int, in other: PackedHousehold) -> Bool {
    packed(row).hasSameBytes(as: other.packed(found)) && packedPath(row) == other.packedPath(found)
  }

  /// Returns the row of an entity; nil if there is none.
  func row(of key: EntityKey) -> Int? {
    PackedText.with(key.id) { wanted in
      binarySearch(rows(of: key.kind)) { packed($0).compareID(wanted) }
    }
  }

  /// Returns the row of the entity at a path; nil if there is none.
  func row(at path: FilePath) -> Int? {
    PackedText.with(path.text) { wanted in
      binarySearch(0..<count) { place in readPath(row(place: place)) { $0.compareText(wanted) } }
    }
    .map(row(place:))
  }

  /// Returns the row whose path has a place in the order of paths.
  func row(place: Int) -> Int { Int(number(at: paths + place * 4) as UInt32) }
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

  /// The products that items and batches name, with their rows.
  var allClaims: [(hash: UInt64, row: Int)] { (0..<claimCount).map(claim) }

  private func claim(_ place: Int) -> (hash: UInt64, row: Int) {
    let offset = claims + place * Self.claimSize
    return (number(at: offset), Int(number(at: offset + 8) as UInt32))
  }

  private func firstClaim(of hash: UInt64) -> Int {
    lowerBound(0..<claimCount) { claim($0).hash < hash }
  }
}

extension Kind {
  /// The place among all kinds.
  var number: Int { Kind.allCases.firstIndex(of: self) ?? 0 }
}

extension Entity {
  /// The products that an item lists, or the one of a batch.
  var claimedProducts: [String] {
    let schema = Schema.of(kind)
    if schema.namesProduct { return [productID] }
    return schema.listsProducts ? productIDs : []
  }
}
