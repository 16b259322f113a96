import LarderJSON
internal import LarderText

extension PackedHousehold {
  /// Returns the packed form of a household's entities; those without a path are left out.
  ///
  /// What stands in the household's base is copied in its order, so only the rest is sorted.
  package static func pack(_ household: Household) -> [UInt8] {
    let base = household.base
    let changes = Dictionary(grouping: household.changes, by: \.key.kind)
      .sorted { $0.key.number < $1.key.number }
      .flatMap { $0.value.sorted(byBytesOf: \.key.id) }
    let contents = changes.concurrentMap { change in
      (
        packed: change.entity.packed ?? PackedEntity(change.entity),
        claims: change.entity.claimedProducts.map(hashBytes)
      )
    }
    var draft = PackedDraft(base: base)
    merge(0..<(base?.count ?? 0), changes.map { base?.rowFor($0.key) ?? 0 }) { row in
      if !household.hidden.contains(row) { draft.keep(row) }
    } add: { change in
      draft.add(contents[change].packed, at: changes[change].path)
    }
    draft.order(changes.map(\.path))
    return draft.bytes(claims: contents.map(\.claims))
  }
}

/// The parts of a packed household while it is written.
private struct PackedDraft {
  private let base: PackedHousehold?
  private var heap = PackedWriter()
  private var rows = PackedWriter()
  private var paths = PackedWriter()
  private var counts = Array(repeating: 0, count: Kind.allCases.count)
  private var count: UInt32 = 0
  /// The new rows of the base's rows; nil for those that don't count any more.
  private var kept: [UInt32?]
  /// The rows of what is added, in its order.
  private var added: [UInt32] = []

  init(base: PackedHousehold?) {
    self.base = base
    kept = Array(repeating: nil, count: base?.count ?? 0)
  }

  /// Takes over the next row from the base.
  mutating func keep(_ row: Int) {
    guard let base else { return }
    kept[row] = count
    write(base.packed(row), base.packedPath(row))
  }

  /// Adds the next row.
  mutating func add(_ entity: PackedEntity, at path: FilePath) {
    added.append(count)
    var packed = PackedWriter()
    packed.text(path.text)
    write(entity, packed.bytes[...])
  }

  private mutating func write(_ entity: PackedEntity, _ path: ArraySlice<UInt8>) {
    rows.number(UInt32(heap.bytes.count))
    heap.append(entity.slice)
    rows.number(UInt32(heap.bytes.count))
    heap.append(path)
    counts[entity.kind.number] += 1
    count += 1
  }

  /// Writes the order of the paths; those of what was added are in the order of adding.
  mutating func order(_ new: [FilePath]) {
    let byPath = Array(new.indices).sorted(byBytesOf: { new[$0].text })
    merge(kept.indices, byPath.map { base?.placeFor(path: new[$0]) ?? 0 }) { place in
      if let row = base.flatMap({ kept[$0.row(place: place)] }) { paths.number(row) }
    } add: { number in
      paths.number(added[byPath[number]])
    }
  }

  /// Returns all bytes; `claims` are the hashes of the products that what was added names.
  func bytes(claims new: [[UInt64]]) -> [UInt8] {
    var claims = (base?.allClaims ?? []).compactMap { claim in
      kept[claim.row].map { (hash: claim.hash, row: $0) }
    }
    for (row, hashes) in zip(added, new) { claims += hashes.map { ($0, row) } }
    claims.sort { ($0.hash, $0.row) < ($1.hash, $1.row) }
    var writer = PackedWriter()
    writer.number(count)
    writer.number(UInt32(claims.count))
    var start = 0
    for count in counts {
      writer.number(UInt32(start))
      start += count
    }
    writer.number(UInt32(start))
    writer.append(rows.bytes)
    writer.append(paths.bytes)
    for claim in claims {
      writer.number(claim.hash)
      writer.number(claim.row)
    }
    writer.append(heap.bytes)
    return writer.bytes
  }
}
