internal import Clibgit2
internal import Libc

extension Repository {
  /// Returns the disk space of the loose objects in bytes, counted in blocks of 4 KiB as on most
  /// disks.
  public func looseObjectBytes() throws(GitError) -> Int {
    try looseObjects().reduce(0) { $0 + Self.room(of: $1.path) }
  }

  /// Returns an estimate of the disk space of the loose objects, from one folder in sixteen.
  ///
  /// It is fast.
  ///
  /// Ids are spread evenly over the 256 folders, so the estimate is close for thousands of objects.
  public func estimatedLooseObjectBytes() throws(GitError) -> Int {
    let sample = try looseObjects { $0.utf8.last == UInt8(ascii: "7") }
    return 16 * sample.reduce(0) { $0 + Self.room(of: $1.path) }
  }

  private static func room(of path: String) -> Int {
    let block = 4096
    return ((FileStatus(of: path)?.size ?? 0) + block - 1) / block * block
  }

  /// Moves the loose objects into a pack, where similar objects take little space.
  ///
  /// The git program does it with `git gc`, by its own rules for unreachable objects. Without it,
  /// all loose objects are packed, and each one is removed only after it was read back from the
  /// pack. Other processes may work at the same time.
  ///
  /// Temporary object files of killed processes are removed too, if they are older than an hour.
  public func pack() throws(GitError) {
    let action = "pack the objects"
    try removeAbandonedObjects(action)
    if gitProgram != nil {
      let outcome = try runGit(["gc", "--quiet"], action: action)
      guard outcome.status == 0 else {
        throw RemoteFailure.error(outcome, action: action, path: commonDirectory)
      }
      return
    }
    let loose = try looseObjects()
    guard !loose.isEmpty else { return }
    let builder = try Handle(action, free: { git_packbuilder_free($0) }) {
      git_packbuilder_new($0, pointer)
    }
    for object in loose {
      var oid = object.id.oid
      let status = git_packbuilder_insert(builder.pointer, &oid, nil)
      try check(status, action, path: object.path)
    }
    let folder = commonDirectory + "/objects/pack"
    try check(git_packbuilder_write(builder.pointer, folder, 0, nil, nil), action, path: folder)
    guard let name = git_packbuilder_name(builder.pointer) else { return }
    for ending in ["pack", "idx"] {
      try wait(for: "\(folder)/pack-\(String(cString: name)).\(ending)")
    }
    try remove(loose, heldBy: "\(folder)/pack-\(String(cString: name)).idx", action: action)
  }

  /// Removes old temporary files of libgit2, which `git gc` does not know.
  private func removeAbandonedObjects(_ action: String) throws(GitError) {
    let root = commonDirectory + "/objects"
    let limit = time(nil) - 3600
    for name in try Self.names(in: root) where name.hasPrefix(Quarantine.prefix) {
      guard let status = FileStatus(of: "\(root)/\(name)"), status.modified.tv_sec < limit else {
        continue
      }
      Quarantine.remove("\(root)/\(name)")
    }
    let inner = try Self.names(in: root).filter { $0.utf8.count == 2 }.map { "\(root)/\($0)" }
    for folder in [root] + inner {
      for name in try Self.names(in: folder) where name.hasPrefix("tmp_object_git2_") {
        let path = "\(folder)/\(name)"
        guard let status = FileStatus(of: path), status.modified.tv_sec < limit else { continue }
        guard unlink(path) == 0 || errno == ENOENT else {
          throw GitError.system(action: action, path: path)
        }
      }
    }
  }

  private func remove(
    _ loose: [(id: ObjectID, path: String)], heldBy indexFile: String, action: String
  ) throws(GitError) {
    let pack = try Handle(action, free: { git_odb_free($0) }) { git_odb_new($0) }
    var backend: UnsafeMutablePointer<git_odb_backend>?
    try check(git_odb_backend_one_pack(&backend, indexFile), action, path: indexFile)
    try check(git_odb_add_backend(pack.pointer, backend, 1), action, path: indexFile)
    for object in loose {
      var oid = object.id.oid
      // Reading checks the content against its id.
      _ = try Handle(action, path: object.id.hex, free: { git_odb_object_free($0) }) {
        git_odb_read($0, pack.pointer, &oid)
      }
      guard unlink(object.path) == 0 || errno == ENOENT else {
        throw GitError.system(action: action, path: object.path)
      }
    }
  }

  private func looseObjects(
    inFolders isWanted: (String) -> Bool = { _ in true }
  ) throws(GitError) -> [(id: ObjectID, path: String)] {
    var objects: [(id: ObjectID, path: String)] = []
    let root = commonDirectory + "/objects"
    for folder in try Self.names(in: root) where folder.utf8.count == 2 && isWanted(folder) {
      for name in try Self.names(in: root + "/" + folder) {
        guard let id = ObjectID(hex: folder + name) else { continue }
        objects.append((id, "\(root)/\(folder)/\(name)"))
      }
    }
    return objects
  }

  static func names(in folder: String) throws(GitError) -> [String] {
    guard let stream = opendir(folder) else {
      if errno == ENOENT { return [] }
      throw GitError.system(action: "list the objects", path: folder)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
          String(cString: $0)
        }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
}
