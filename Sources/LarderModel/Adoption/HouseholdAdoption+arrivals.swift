internal import LarderText

/// The assignment of files to entities.
extension HouseholdAdoption {
  /// A readable file and its entity.
  struct Arrival {
    let path: FilePath
    let file: EntityFile
    var key: EntityKey
    /// Whether it is a new copy, which gets a new id.
    var isCopy = false
    /// Whether it is a copy that plain git committed before: the file still has the original's id.
    var isOfCopy = false
    /// Whether it was moved and broken, so that its entity was taken for removed.
    var isBack = false
  }

  /// Returns the entity of a file.
  ///
  /// A file without an id, or with the id of the earlier version, belongs to the entity that its
  /// path had there, unless that entity has moved: then its id is in `named`.
  func arrival(_ file: EntityFile, at path: FilePath, _ named: Set<EntityKey>) -> Arrival {
    let known = edit.before.key(at: path).flatMap { key in
      key.kind == file.kind && !named.contains(key) ? key : nil
    }
    if let known, let id = file.id, isCopy(known, of: id, at: path) {
      return Arrival(path: path, file: file, key: known, isOfCopy: true)
    }
    return Arrival(
      path: path, file: file,
      key: EntityKey(file.kind, file.id ?? known?.id ?? source.newID(path)))
  }

  /// Whether an entity is a copy whose file, in the earlier version, has another entity's id.
  private func isCopy(_ key: EntityKey, of id: String, at path: FilePath) -> Bool {
    guard EntityKey(key.kind, id) != key else { return false }
    return bases.contains { base in
      guard base.household.key(at: path) == key, case .readable(let file)? = base.file(path) else {
        return false
      }
      return file.id.map { EntityKey(key.kind, $0) == EntityKey(key.kind, id) } ?? false
    }
  }

  /// Decides which of several files with one id keeps it: the known one, otherwise the smallest
  /// path that is not beside another one's.
  ///
  /// Takes those out, and returns them, that are no files of their own. In a merge all are joined
  /// instead.
  func settleCopies(
    _ arrivals: inout [Arrival], _ changes: [(path: FilePath, file: WrittenFile?)]
  ) -> [Arrival] {
    guard !isMerge else { return [] }
    let changed = Set(changes.map(\.path))
    let gone = Set(changes.filter { $0.file == nil }.map(\.path))
    let claims = Dictionary(grouping: arrivals.indices) { arrivals[$0].key }
    var copies: [Int] = []
    var keepers: [EntityKey: Arrival] = [:]
    for (key, indices) in claims {
      let home = edit.before.path(of: key)
      // A broken or refused file keeps its entity until it is repaired.
      let isHomeBroken = home.map { home in
        edit.after.untaken[home] != nil && !gone.contains(home)
          && !indices.contains { arrivals[$0].path == home }
      }
      let homeStands = home.map { !changed.contains($0) } ?? false || isHomeBroken ?? false
      let paths = indices.map { arrivals[$0].path }
      let first = indices.first { index in
        !paths.contains { arrivals[index].path.lies(beside: $0) }
      }
      var keeper = homeStands ? nil : indices.first { arrivals[$0].path == home } ?? first
      if homeStands, edit.before[key]?.isTombstone ?? false,
        let back = indices.first(where: { edit.before.untaken[arrivals[$0].path] != nil })
      {
        arrivals[back].isBack = true
        keeper = back
      }
      copies += indices.filter { $0 != keeper }
      keepers[key] = keeper.map { arrivals[$0] }
    }
    var moved = changes.filter { $0.file == nil }.map(\.path)
    var left: [Arrival] = []
    for index in copies.sorted() {
      if let place = moved.firstIndex(where: { isCopy(at: $0, of: arrivals[index], claims) }),
        let key = edit.before.key(at: moved.remove(at: place))
      {
        arrivals[index].key = key
        arrivals[index].isOfCopy = true
      } else if isSyncCopy(arrivals[index], keeper: keepers[arrivals[index].key]) {
        left.append(arrivals[index])
      } else {
        let kind = arrivals[index].key.kind
        var key = EntityKey(kind, source.newID(arrivals[index].path))
        while claims[key] != nil {
          key = EntityKey(kind, Identifier.derived(from: "saved", key.id))
        }
        arrivals[index].key = key
        arrivals[index].isCopy = true
      }
    }
    let paths = Set(left.map(\.path))
    arrivals.removeAll { paths.contains($0.path) }
    return left
  }

  /// Whether a removed path held a copy of the same file, which was then moved.
  private func isCopy(at path: FilePath, of arrival: Arrival, _ claims: [EntityKey: [Int]]) -> Bool
  {
    guard let key = edit.before.key(at: path), key.kind == arrival.key.kind, claims[key] == nil
    else { return false }
    return isCopy(key, of: arrival.key.id, at: path)
  }
}
