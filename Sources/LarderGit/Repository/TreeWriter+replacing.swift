internal import Clibgit2

extension TreeWriter {
  /// Writes a folder in which files only get other content: each id is written over the old one.
  ///
  /// For a folder of many files, this costs half of building it anew. Returns nil if anything else
  /// changes, and for a tree that can't be read, of which building it tells. `offset` is the start of
  /// this folder's names in the paths of the changes.
  func replace(
    in base: ObjectID, _ changes: ArraySlice<Change>, from offset: Int
  ) throws(GitError) -> ObjectID? {
    let isInFolder = changes.allSatisfy { !$0.path[offset...].contains(UInt8(ascii: "/")) }
    guard isInFolder, let tree = try? repository.object(base), tree.kind == GIT_OBJECT_TREE else {
      return nil
    }
    var wanted: [(entry: [UInt8], id: ObjectID)] = []
    for change in changes {
      guard let (id, mode) = change.value, try repository.has(id) else { return nil }
      wanted.append((Array("\(String(mode.number, radix: 8)) ".utf8) + change.path[offset...], id))
    }
    // An entry is its mode and name, a zero, and 20 bytes of id. Files are in the order of the changes.
    var bytes = tree.bytes
    var found = 0
    var start = 0
    while found < wanted.count, let end = bytes[start...].firstIndex(of: 0) {
      let next = end + 21
      guard next <= bytes.count else { return nil }
      if bytes[start..<end].elementsEqual(wanted[found].entry) {
        bytes.replaceSubrange(end + 1..<next, with: wanted[found].id.bytes)
        found += 1
      }
      start = next
    }
    return found == wanted.count ? try repository.writeTree(bytes) : nil
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
