internal import LarderText
internal import Synchronization

/// The entities of a household with their paths, as the cache keeps them.
package final class StoredHousehold: Sendable {
  typealias Row = StoredRows.Row

  private let bytes: [UInt8]
  private let ordered: StoredRows
  /// The rows of each kind by the products that they name, from the first use on.
  private let products = Mutex<[Kind: [EntityKey: [Row]]]>([:])

  /// Finds entities in some bytes.
  package init(_ bytes: [UInt8], _ rows: StoredRows) {
    self.bytes = bytes
    ordered = rows.read(of: bytes)
  }
}

extension StoredHousehold {
  /// The rows in the order of paths.
  var rows: [Row] { ordered.byPath }

  /// Returns the rows of a kind.
  func rows(of kind: Kind) -> ArraySlice<Row> {
    guard let folder = kind.folder else { return row(at: Kind.householdPath).map { [$0] } ?? [] }
    return ordered.below(FilePath(folder), of: bytes)
  }

  /// Returns the row of the entity at a path; nil if there is none.
  func row(at path: FilePath) -> Row? { ordered.find(path, of: bytes) }

  /// Returns the row of an entity; nil if there is none.
  func row(of key: EntityKey) -> Row? { ordered.find(key, of: bytes) }

  func entity(_ row: Row) -> Entity { Entity(StoredRow(bytes, at: row).entity) }

  func key(_ row: Row) -> EntityKey {
    let entity = StoredRow(bytes, at: row).entity
    return EntityKey(entity.kind, entity.id)
  }

  func path(_ row: Row) -> FilePath { StoredRow(bytes, at: row).path }

  /// Returns the keys of the entities that are not the same in another household, in content and path.
  func keys(differingFrom other: StoredHousehold) -> [EntityKey] {
    var next = other.rows[...]
    return rows.compactMap { place in
      let row = StoredRow(bytes, at: place)
      let isSame = row.withPath { path in
        while let first = next.first {
          let near = StoredRow(other.bytes, at: first)
          let order = near.comparePath(path)
          if order >= 0 { return order == 0 && near.hasSameBytes(as: row) }
          next.removeFirst()
        }
        return false
      }
      return isSame ? nil : key(place)
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

extension Entity {
  /// The products that an item lists, or the one of a batch.
  var claimedProducts: [String] {
    let schema = Schema.of(kind)
    if schema.namesProduct { return [productID] }
    return schema.listsProducts ? productIDs : []
  }
}
