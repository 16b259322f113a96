package import LarderText

/// The rows of the cache in two orders, in which they are found without preparation.
///
/// A row is the offset of a ``StoredRow`` in the cache's bytes.
package struct StoredRows: Sendable {
  package typealias Row = UInt32

  /// All rows in the order of the bytes of their paths: so those of a folder and of a kind are together.
  package private(set) var byPath: [Row]
  /// The rows that have an entity, in the order of the bytes of their ids, and then of kinds.
  package private(set) var byID: [Row]

  package init(byPath: [Row], byID: [Row]) {
    self.byPath = byPath
    self.byID = byID
  }

  /// Orders rows that are in the order of paths by their ids too.
  package init(byPath: [Row], of bytes: [UInt8]) {
    self.byPath = byPath
    byID = byPath.filter { StoredRow(bytes, at: $0).isRead }
      .sorted { StoredRow(bytes, at: $0).hasSmallerID(than: StoredRow(bytes, at: $1)) }
  }

  /// The rows that have an entity.
  package func read(of bytes: [UInt8]) -> StoredRows {
    if byPath.count == byID.count { return self }
    return StoredRows(
      byPath: byPath.filter { StoredRow(bytes, at: $0).isRead }, byID: byID)
  }

  /// Removes the rows with some paths, and puts others in the places of those with theirs.
  package mutating func replace(_ paths: [FilePath], with rows: [Row], of bytes: [UInt8]) {
    // Two files may exchange their entities, so all that is old goes first.
    for path in paths { remove(path, of: bytes) }
    for row in rows { remove(StoredRow(bytes, at: row).path, of: bytes) }
    for place in rows {
      let row = StoredRow(bytes, at: place)
      byPath.insert(place, at: row.withPath { self.place(ofPath: $0, bytes) })
      if row.isRead { byID.insert(place, at: self.place(ofIDOf: row, bytes)) }
    }
  }

  private mutating func remove(_ path: FilePath, of bytes: [UInt8]) {
    guard let place = find(path, of: bytes) else { return }
    let row = StoredRow(bytes, at: place)
    byPath.remove(at: row.withPath { self.place(ofPath: $0, bytes) })
    if row.isRead { byID.remove(at: self.place(ofIDOf: row, bytes)) }
  }
}

extension StoredRows {
  /// Returns the row with a path; nil if there is none.
  package func find(_ path: FilePath, of bytes: [UInt8]) -> Row? {
    var path = path.text
    return path.withUTF8 { path in
      let place = place(ofPath: path, bytes)
      guard place < byPath.count, StoredRow(bytes, at: byPath[place]).comparePath(path) == 0 else {
        return nil
      }
      return byPath[place]
    }
  }

  /// Returns the row of an entity; nil if there is none.
  func find(_ key: EntityKey, of bytes: [UInt8]) -> Row? {
    var id = key.id
    return id.withUTF8 { id in
      let place = byID.indices.lowerBound {
        StoredRow(bytes, at: byID[$0]).compareKey(key.kind, id) < 0
      }
      guard place < byID.count, StoredRow(bytes, at: byID[place]).compareKey(key.kind, id) == 0
      else { return nil }
      return byID[place]
    }
  }

  /// Returns the rows below a folder, at any depth.
  package func below(_ folder: FilePath, of bytes: [UInt8]) -> ArraySlice<Row> {
    func end(_ end: String) -> Int {
      var bound = folder.text + end
      return bound.withUTF8 { place(ofPath: $0, bytes) }
    }
    // Of all bytes, "0" is next to "/".
    return byPath[end("/")..<end("0")]
  }

  /// Returns the rows in a folder itself.
  package func inside(_ folder: FilePath, of bytes: [UInt8]) -> [Row] {
    if folder.isEmpty { return find(Kind.householdPath, of: bytes).map { [$0] } ?? [] }
    let length = folder.utf8.count
    return below(folder, of: bytes).filter { row in
      StoredRow(bytes, at: row).withPath { $0.lastIndex(of: UInt8(ascii: "/")) == length }
    }
  }

  private func place(ofPath path: UnsafeBufferPointer<UInt8>, _ bytes: [UInt8]) -> Int {
    byPath.indices.lowerBound { StoredRow(bytes, at: byPath[$0]).comparePath(path) < 0 }
  }

  private func place(ofIDOf row: StoredRow, _ bytes: [UInt8]) -> Int {
    byID.indices.lowerBound { StoredRow(bytes, at: byID[$0]).hasSmallerID(than: row) }
  }
}

extension Range<Int> {
  /// Returns the first index for which `isBefore` is false; it is true for all indices before that.
  fileprivate func lowerBound(_ isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// A path and its entity, as the cache keeps them.
package struct StoredRow {
  private let bytes: [UInt8]
  private let start: Int

  /// Finds a row at an offset of some bytes.
  package init(_ bytes: [UInt8], at start: StoredRows.Row) {
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
    let place = start + Place.path
    let length = pathLength
    return bytes.withUnsafeBufferPointer {
      body(UnsafeBufferPointer(rebasing: $0[place..<(place + length)]))
    }
  }

  /// Whether there is an entity.
  package var isRead: Bool { entityStart < end }

  /// The entity, which must be there.
  var entity: StoredEntity { StoredEntity(bytes, at: entityStart) }

  /// Returns the order of the path's bytes and other bytes: below zero if the path comes first.
  func comparePath(_ other: UnsafeBufferPointer<UInt8>) -> Int {
    withPath { compareBytes($0, other) }
  }

  /// Returns the order of the entity by its id and kind.
  fileprivate func compareKey(_ kind: Kind, _ id: UnsafeBufferPointer<UInt8>) -> Int {
    let entity = entity
    let order = entity.compareID(id)
    return order == 0 ? entity.kind.number - kind.number : order
  }

  fileprivate func hasSmallerID(than other: StoredRow) -> Bool {
    let entity = other.entity
    return entity.withID { compareKey(entity.kind, $0) } < 0
  }

  /// Whether another row has the same path and entity.
  func hasSameBytes(as other: StoredRow) -> Bool {
    other.withPath { comparePath($0) } == 0 && entity.hasSameBytes(as: other.entity)
  }
}

// Numbers of the cache are as this machine has them, because nobody else reads them. Readers expect the
// bytes to be complete: the cache has a checksum.
extension [UInt8] {
  /// Returns the number at an offset.
  package func number<Number: FixedWidthInteger>(at offset: Int) -> Number {
    withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Number.self) }
  }

  /// Returns the size, or other offset, at an offset.
  package func size(at offset: Int) -> Int { Int(number(at: offset) as UInt32) }

  package mutating func append(number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number) { append(contentsOf: $0) }
  }

  package mutating func append(size: Int) { append(number: UInt32(size)) }

  /// Writes a size over the one at an offset.
  package mutating func fill(size: Int, at offset: Int) {
    Swift.withUnsafeBytes(of: UInt32(size)) {
      replaceSubrange(offset..<(offset + $0.count), with: $0)
    }
  }
}
