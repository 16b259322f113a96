internal import Clibgit2

extension TreeWriter {
  /// Writes a folder in which files only get other content: each id is written over the old one.
  ///
  /// For a folder of many files, this costs half of building it anew. Returns nil if anything else
  /// changes, for a tree with a name twice, which building it mends, and for one that can't be read, of
  /// which building it tells. `offset` is the start of this folder's names in the paths of the changes.
  func replace(
    in base: ObjectID, _ changes: ArraySlice<Change>, from offset: Int
  ) throws(GitError) -> ObjectID? {
    // Without removals, no folder becomes empty.
    guard changes.allSatisfy({ $0.value != nil }), var bytes = try? contentInOrder(of: base) else {
      return nil
    }
    let groups = groups(of: changes, from: offset)
    guard let places = try places(of: groups, in: bytes) else { return nil }
    for (group, place) in zip(groups, places) {
      var id = group.file?.0
      if id == nil {
        id = try write(base: ObjectID(bytes: bytes[place]), group.below, from: group.end + 1)
      }
      guard let id else { return nil }
      bytes.replaceSubrange(place, with: id.bytes)
    }
    return try repository.writeTree(bytes)
  }

  private func contentInOrder(of tree: ObjectID) throws(GitError) -> [UInt8]? {
    let folder = try Folder(repository, tree)
    return try folder.isOrdered() ? folder.content : nil
  }

  /// Returns the places of the ids that the groups change; nil if a group changes more than an id.
  private func places(of groups: [Group], in bytes: [UInt8]) throws(GitError) -> [Range<Int>]? {
    var places: [Range<Int>] = []
    var start = 0
    for group in groups {
      if let (file, mode) = group.file {
        guard group.below.isEmpty, try repository.has(file),
          let place = Self.place(of: mode.gitMode, group.name, in: bytes, from: start)
        else { return nil }
        // Files are in the order of the changes, but a folder may stand elsewhere.
        start = place.upperBound
        places.append(place)
      } else {
        guard let place = Self.place(of: GIT_FILEMODE_TREE, group.name, in: bytes, from: 0) else {
          return nil
        }
        places.append(place)
      }
    }
    return places
  }

  /// Returns the place of an entry's id.
  ///
  /// An entry is its mode, a space, its name, a zero, and 20 bytes of id.
  private static func place(
    of mode: git_filemode_t, _ name: ArraySlice<UInt8>, in bytes: [UInt8], from first: Int
  ) -> Range<Int>? {
    let wanted = Array("\(String(mode.rawValue, radix: 8)) ".utf8) + name
    var start = first
    while start < bytes.count, let end = bytes[start...].firstIndex(of: 0) {
      let next = end + 21
      guard next <= bytes.count else { return nil }
      if bytes[start..<end].elementsEqual(wanted) { return end + 1..<next }
      start = next
    }
    return nil
  }
}

extension Repository {
  /// Stores a tree in git's form.
  fileprivate func writeTree(_ bytes: [UInt8]) throws(GitError) -> ObjectID {
    let action = "write a tree"
    let objects = try Handle(action, free: { git_odb_free($0) }) {
      git_repository_odb($0, pointer)
    }
    var oid = git_oid()
    try store(action) {
      bytes.withUnsafeBytes {
        git_odb_write(&oid, objects.pointer, $0.baseAddress, $0.count, GIT_OBJECT_TREE)
      }
    }
    return ObjectID(oid)
  }
}
