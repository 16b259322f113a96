package import LarderText
internal import Synchronization

/// The entities of a household with their paths, as the cache keeps them, in two orders in which they
/// are found without preparation.
///
/// A row is the offset of a ``StoredRow`` in the bytes.
package final class StoredHousehold: Sendable {
  package typealias Row = UInt32

  private let bytes: [UInt8]
  /// The rows in the order of the bytes of their paths: so those of a kind are together.
  package let rows: [Row]
  /// The rows in the order of the bytes of their ids.
  private let byID: [Row]
  /// The rows of each kind by the products that they name, from the first use on.
  private let products = Mutex<[Kind: [EntityKey: [Row]]]>([:])

  /// Finds entities in some bytes; `byID` is what ``ordered(byID:of:)`` returns.
  package init(_ bytes: [UInt8], rows: [Row], byID: [Row]) {
    self.bytes = bytes
    self.rows = rows
    self.byID = byID
  }

  /// Returns those of some rows that have an entity, in the order of the bytes of their ids.
  package static func ordered(byID rows: [Row], of bytes: [UInt8]) -> [Row] {
    rows.filter { StoredRow(bytes, at: $0).isRead }.sorted { isBefore($0, $1, byID: bytes) }
  }

  /// Whether a row is before another in the order of ids; those with one id are in the order of kinds.
  package static func isBefore(_ row: Row, _ other: Row, byID bytes: [UInt8]) -> Bool {
    let (one, two) = (StoredRow(bytes, at: row).stored, StoredRow(bytes, at: other).stored)
    let order = two.withID { one.compareID($0) }
    return order == 0 ? one.kind.number < two.kind.number : order < 0
  }
}

extension StoredHousehold {
  private func stored(_ row: Row) -> StoredEntity { StoredRow(bytes, at: row).stored }

  func entity(_ row: Row) -> Entity { Entity(stored(row)) }

  func key(_ row: Row) -> EntityKey {
    let stored = stored(row)
    return EntityKey(stored.kind, stored.id)
  }

  func path(_ row: Row) -> FilePath { StoredRow(bytes, at: row).path }

  /// Returns the rows of a kind.
  func rows(of kind: Kind) -> ArraySlice<Row> {
    guard let folder = kind.folder else { return row(at: Kind.householdPath).map { [$0] } ?? [] }
    return rows[StoredRow.range(below: FilePath(folder), of: rows, bytes)]
  }

  /// Returns the row of the entity at a path; nil if there is none.
  func row(at path: FilePath) -> Row? { StoredRow.find(path, in: rows, bytes) }

  /// Returns the row of an entity; nil if there is none.
  func row(of key: EntityKey) -> Row? {
    var id = key.id
    return id.withUTF8 { id in
      binarySearch(byID.indices) { place in
        let stored = stored(byID[place])
        let order = stored.compareID(id)
        return order == 0 ? stored.kind.number - key.kind.number : order
      }
    }
    .map { byID[$0] }
  }

  /// Returns the keys of the entities that are not the same in another household, in content and path.
  func keys(differingFrom other: StoredHousehold) -> [EntityKey] {
    var next = other.rows[...]
    return rows.compactMap { row in
      let order = StoredRow(bytes, at: row)
      while let first = next.first, StoredRow(other.bytes, at: first).precedes(order) {
        next.removeFirst()
      }
      let isSame = next.first.map { StoredRow(other.bytes, at: $0).hasSameBytes(as: order) }
      return isSame ?? false ? nil : key(row)
    }
  }

  /// Returns the rows of the entities of a kind that name a product.
  func rows(naming product: String, _ kind: Kind) -> [Row] {
    rowsByProduct(kind)[EntityKey(.product, product)] ?? []
  }

  /// The products that several items list.
  var contested: [String] {
    rowsByProduct(.stockItem).filter { $0.value.count > 1 }.map(\.key.id)
  }

  private func rowsByProduct(_ kind: Kind) -> [EntityKey: [Row]] {
    products.withLock { products in
      if let known = products[kind] { return known }
      var found: [EntityKey: [Row]] = [:]
      for row in rows(of: kind) {
        for product in entity(row).claimedProducts {
          found[EntityKey(.product, product), default: []].append(row)
        }
      }
      products[kind] = found
      return found
    }
  }
}

/// A path and its entity, as the cache keeps them.
package struct StoredRow {
  private let bytes: [UInt8]
  private let start: Int

  /// Finds a row at an offset of some bytes.
  package init(_ bytes: [UInt8], at start: UInt32) {
    self.bytes = bytes
    self.start = Int(start)
  }

  /// Returns the bytes of a row; without an entity, of a file that has none.
  package static func bytes(_ path: FilePath, _ entity: Entity?) -> [UInt8] {
    let stored = entity.map { $0.stored ?? StoredEntity($0) }?.slice ?? []
    var bytes: [UInt8] = []
    bytes.append(size: path.utf8.count)
    bytes.append(size: Place.path + path.utf8.count + 1 + stored.count)
    bytes += path.utf8
    bytes.append(0)
    bytes += stored
    return bytes
  }

  private enum Place {
    static let pathLength = 0
    static let length = 4
    static let path = 8
  }

  private var pathLength: Int { bytes.size(at: start + Place.pathLength) }

  /// The offset of the entity.
  private var entityStart: Int { start + Place.path + pathLength + 1 }

  /// The offset after the row.
  package var end: Int { start + bytes.size(at: start + Place.length) }

  package var path: FilePath { FilePath(withPath { String(decoding: $0, as: UTF8.self) }) }

  /// Runs `body` with the bytes of the path, which a zero follows.
  package func withPath<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
    let start = start + Place.path
    return bytes.withUnsafeBufferPointer {
      body(UnsafeBufferPointer(rebasing: $0[start..<(start + pathLength)]))
    }
  }

  /// Whether there is an entity.
  package var isRead: Bool { entityStart < end }

  package var entity: Entity? { isRead ? Entity(stored) : nil }

  fileprivate var stored: StoredEntity { StoredEntity(bytes, at: entityStart) }

  /// Whether it is before another row in the order of paths.
  package func precedes(_ other: StoredRow) -> Bool { other.withPath { compare($0) } < 0 }

  private func compare(_ path: UnsafeBufferPointer<UInt8>) -> Int {
    withPath { compareBytes($0, path) }
  }

  fileprivate func hasSameBytes(as other: StoredRow) -> Bool {
    other.withPath { compare($0) } == 0 && stored.hasSameBytes(as: other.stored)
  }

  /// Returns the row with a path among rows in the order of paths; nil if there is none.
  package static func find(_ path: FilePath, in rows: [UInt32], _ bytes: [UInt8]) -> UInt32? {
    var path = path.text
    return path.withUTF8 { path in
      binarySearch(rows.indices) { StoredRow(bytes, at: rows[$0]).compare(path) }
    }
    .map { rows[$0] }
  }

  /// Returns the rows below a folder, at any depth.
  package static func range(below folder: FilePath, of rows: [UInt32], _ bytes: [UInt8])
    -> Range<Int>
  {
    func place(_ end: String) -> Int {
      var bound = folder.text + end
      return bound.withUTF8 { bound in
        lowerBound(rows.indices) { StoredRow(bytes, at: rows[$0]).compare(bound) < 0 }
      }
    }
    // Of all bytes, "0" is next to "/".
    return place("/")..<place("0")
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
