internal import LarderGit
public import LarderModel

/// The second version of a file that two sides changed, in a file beside the first.
public struct KeptVersion: Hashable, Sendable {
  /// Where it lies, from the household's root.
  public let path: String
  /// The file that it is a version of.
  public let original: String

  /// Reads a file's name; nil for one that is no such version's.
  init?(path: String) {
    guard let original = ConflictFile.original(of: path) else { return nil }
    self.path = path
    self.original = original
  }
}

extension Store {
  /// The second versions that merges and edits at one time left, until somebody takes them away, in
  /// order of their paths.
  public func keptVersions() throws(StoreError) -> [KeptVersion] {
    var paths = Set(try KeptVersion.paths(in: root))
    if repository != nil {
      let entries = try git { repository throws(GitError) in
        try repository.head().commit.map { id throws(GitError) in
          try repository.otherEntries(of: try repository.commit(id).tree)
        }
      }
      for entry in entries ?? [] { paths.insert(entry.path) }
    }
    return paths.compactMap { KeptVersion(path: $0) }
      .filter { version(of: $0.path)?.kind == .file }
      .sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  /// Puts a second version in the place of the first, as somebody would with an editor, and takes it
  /// away from beside it.
  ///
  /// What made way is in the history. Throws `uncommitted` where it is not, and `unreadable` where
  /// people have to mend it first.
  public func restore(
    _ version: KeptVersion, adopted: (Writing.Adoption, Household) -> Void = { _, _ in }
  ) throws -> Writing {
    try whileLocked { () throws(StoreError) in
      var loaded = try load()
      try checkFormat(loaded)
      if let adoption = try adopt(&loaded) { adopted(adoption, loaded.household) }
      let before = loaded.household
      let bytes = try self.files.read(version.path)
      let tree = loaded.tree
      let entries = try git { repository throws(GitError) in
        try tree.map { tree throws(GitError) in
          (
            try repository.entry(at: version.original, in: tree),
            try repository.entry(at: version.path, in: tree)
          )
        }
      }
      let blob = try git { repository throws(GitError) in try repository.writeBlob(bytes) }
      try refuseLoss(at: version.original, committed: entries?.0, before)
      var files = [PlannedFile(path: version.path, committed: entries?.1)]
      if Kind(path: version.original) == nil {
        files.append(
          PlannedFile(path: version.original, bytes: bytes, blob: blob, committed: entries?.0))
      } else {
        try exchange([
          Transaction.File(
            path: version.original, old: entries?.0?.id, new: blob,
            mode: entries?.0?.mode ?? .file)
        ])
      }
      let message = try message("take back \(version.path)", command: "conflicts restore")
      let commit = try commit(
        files, parents: [loaded.head.commit].compactMap(\.self), message, by: try signature(),
        &loaded)
      // What no commit has, git does not take away.
      if entries?.1 == nil { try self.files.remove(version.path) }
      var after = try load()
      let adoption = try adopt(&after)
      return Writing(
        household: after.household, changed: adoption?.changed ?? [],
        commit: adoption?.commits.last ?? commit, adoption: adoption,
        base: (before, loaded.head.commit))
    }
  }

  /// What is to make way has to be in the history.
  private func refuseLoss(at path: String, committed: TreeEntry?, _ household: Household)
    throws(StoreError)
  {
    guard let state = try files.state(of: path) else { return }
    guard state.kind == .file, state.size <= Int64(HouseholdReader.largest) else {
      throw .uncommitted(path: path)
    }
    let found = Repository.blobID(of: try files.read(path))
    guard found != committed?.id else { return }
    if let mistakes = household.unreadable[path] { throw .unreadable(path: path, mistakes) }
    throw .uncommitted(path: path)
  }
}

extension KeptVersion {
  /// Files with such names in the household's folders, those among them that git does not know.
  fileprivate static func paths(in root: String) throws(StoreError) -> [String] {
    var paths: [String] = []
    let household = try OpenFolder(root: root)
    for name in Kind.allCases.compactMap(\.folder) {
      guard let folder = try household.folder(name) else { continue }
      try collect(folder, at: name, depth: 1, into: &paths)
    }
    return paths
  }

  private static func collect(
    _ folder: borrowing OpenFolder, at place: String, depth: Int, into paths: inout [String]
  ) throws(StoreError) {
    var inner: [String] = []
    try folder.visitNames { name, isFolder in
      if isFolder {
        inner.append(name)
      } else if !name.hasSuffix(".json"), ConflictFile.original(of: place + "/" + name) != nil {
        paths.append(place + "/" + name)
      }
    }
    for name in inner where depth < PathRule.deepest {
      guard let folder = try folder.folder(name) else { continue }
      try collect(folder, at: place + "/" + name, depth: depth + 1, into: &paths)
    }
  }
}
