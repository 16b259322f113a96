import LarderJSON

extension PackedHousehold {
  /// Returns the packed form of a household's entities; those without a path are left out.
  ///
  /// What stands in the household's base is copied in its order, so only the rest is sorted.
  package static func pack(_ household: Household) -> [UInt8] {
    let base = household.base
    let changes = household.changes.sorted { one, other in
      let (kind, otherKind) = (one.key.kind.number, other.key.kind.number)
      return kind == otherKind ? JSON.precedes(one.key.id, other.key.id) : kind < otherKind
    }
    let contents = changes.concurrentMap { change in
      (
        packed: change.entity.packed ?? PackedEntity(change.entity),
        claims: change.entity.claimedProducts.map(hashBytes)
      )
    }
    var draft = PackedDraft()
    /// The new rows of the base's rows, nil for those that don't count any more, and of the changes.
    var standing = [UInt32?](repeating: nil, count: base?.count ?? 0)
    var added: [UInt32] = []
    let rows = changes.map { base?.rowFor($0.key) ?? 0 }
    merge(standing.indices, rows) { row in
      guard let base, !household.hidden.contains(row) else { return }
      standing[row] = draft.add(base.packed(row), path: base.packedPath(row))
    } add: { change in
      var path = PackedWriter()
      path.text(changes[change].path)
      added.append(draft.add(contents[change].packed, path: path.bytes[...]))
    }
    let byPath = changes.indices.sorted { JSON.precedes(changes[$0].path, changes[$1].path) }
    let places = byPath.map { base?.placeFor(path: changes[$0].path) ?? 0 }
    merge(standing.indices, places) { place in
      if let row = base.flatMap({ standing[$0.row(place: place)] }) { draft.paths.number(row) }
    } add: { change in
      draft.paths.number(added[byPath[change]])
    }
    var claims = (base?.allClaims ?? []).compactMap { claim in
      standing[claim.row].map { (hash: claim.hash, row: $0) }
    }
    for (row, content) in zip(added, contents) { claims += content.claims.map { ($0, row) } }
    return draft.bytes(claims: claims.sorted { ($0.hash, $0.row) < ($1.hash, $1.row) })
  }
}

/// The parts of a packed household while it is written.
private struct PackedDraft {
  private var heap = PackedWriter()
  private var rows = PackedWriter()
  private var counts = Array(repeating: 0, count: Kind.allCases.count)
  private var count: UInt32 = 0
  /// The rows in the order of their paths.
  var paths = PackedWriter()

  /// Adds the next row and returns its number.
  mutating func add(_ entity: PackedEntity, path: ArraySlice<UInt8>) -> UInt32 {
    rows.number(UInt32(heap.bytes.count))
    heap.append(entity.slice)
    rows.number(UInt32(heap.bytes.count))
    heap.append(path)
    counts[entity.kind.number] += 1
    count += 1
    return count - 1
  }

  func bytes(claims: [(hash: UInt64, row: UInt32)]) -> [UInt8] {
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
