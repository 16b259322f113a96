internal import Clibgit2
internal import LarderText
internal import Libc

extension Repository {
  /// Moves the file of an unreadable loose object into a folder.
  ///
  /// Returns false if there is no such file.
  ///
  /// While the file exists, git treats the object as stored and does not store it again.
  public func setAside(_ id: ObjectID, into folder: String) throws(GitError) -> Bool {
    let path = "\(commonDirectory)/objects/\(id.hex.prefix(2))/\(id.hex.dropFirst(2))"
    guard FileStatus(of: path) != nil else { return false }
    guard rename(path, "\(folder)/object-\(id.hex)") == 0 else {
      throw GitError.system(action: "set a damaged object aside", path: path)
    }
    return true
  }

  /// Moves damaged packs into a folder and returns their names.
  ///
  /// Their readable objects are first stored as loose objects.
  ///
  /// This handle may still read packs that it has opened; a new handle does not.
  public func setDamagedPacksAside(into folder: String) throws(GitError) -> [String] {
    let packs = commonDirectory + "/objects/pack"
    var moved: [String] = []
    for name in try Self.names(in: packs) where name.hasSuffix(".pack") {
      let stem = String(name.dropLast(".pack".count))
      let objects = try readable(inPack: "\(packs)/\(stem).idx")
      guard objects.isDamaged else { continue }
      for object in objects.readable { try storeLoose(object.bytes, as: object.kind) }
      for ending in ["idx", "rev", "bitmap", "pack"] {
        let path = "\(packs)/\(stem).\(ending)"
        guard FileStatus(of: path) != nil else { continue }
        guard rename(path, "\(folder)/\(stem).\(ending)") == 0 else {
          throw GitError.system(action: "set a damaged pack aside", path: path)
        }
      }
      moved.append(name)
    }
    return moved
  }

  /// Rebuilds the index from a commit's tree; the old index file must have been moved away.
  public func rebuildIndex(from tree: ObjectID) throws(GitError) {
    var lines: [FilePath: (ObjectID, FileMode)?] = [:]
    for entry in try entries(of: tree) { lines[entry.path] = .some((entry.id, entry.mode)) }
    try refreshIndex(lines)
  }

  private typealias PackedObject = (kind: git_object_t, bytes: [UInt8])

  private func readable(
    inPack indexFile: String
  ) throws(GitError) -> (readable: [PackedObject], isDamaged: Bool) {
    let action = "read a pack"
    let database = try Handle(action, free: { git_odb_free($0) }) { git_odb_new($0) }
    var backend: UnsafeMutablePointer<git_odb_backend>?
    guard git_odb_backend_one_pack(&backend, indexFile) == 0 else { return ([], true) }
    try check(git_odb_add_backend(database.pointer, backend, 1), action, path: indexFile)
    var ids: [ObjectID] = []
    let listed = withUnsafeMutablePointer(to: &ids) { list in
      git_odb_foreach(
        database.pointer,
        { id, list in
          guard let id, let list else { return 0 }
          list.assumingMemoryBound(to: [ObjectID].self).pointee.append(ObjectID(id))
          return 0
        }, list)
    }
    var objects: [PackedObject] = []
    var isDamaged = listed != 0
    for id in ids {
      var oid = id.oid
      do throws(GitError) {
        let read = try Handle(action, path: id.hex, free: { git_odb_object_free($0) }) {
          git_odb_read($0, database.pointer, &oid)
        }
        let bytes = UnsafeRawBufferPointer(
          start: git_odb_object_data(read.pointer), count: git_odb_object_size(read.pointer))
        objects.append((git_odb_object_type(read.pointer), [UInt8](bytes)))
      } catch {
        isDamaged = true
      }
    }
    return (objects, isDamaged)
  }

  /// Stores an object as a loose file, even if a damaged pack claims to have it.
  private func storeLoose(_ bytes: [UInt8], as kind: git_object_t) throws(GitError) {
    let action = "store an object"
    let database = try Handle(action, free: { git_odb_free($0) }) { git_odb_new($0) }
    var backend: UnsafeMutablePointer<git_odb_backend>?
    try check(
      git_odb_backend_loose(&backend, commonDirectory + "/objects", -1, 1, 0, 0), action)
    try check(git_odb_add_backend(database.pointer, backend, 1), action)
    var oid = git_oid()
    let status = bytes.withUnsafeBytes {
      git_odb_write(&oid, database.pointer, $0.baseAddress, $0.count, kind)
    }
    try check(status, action)
  }
}
