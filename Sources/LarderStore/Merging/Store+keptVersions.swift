internal import LarderGit
public import LarderModel
public import LarderText

/// The second version of a file that two sides changed, stored beside the first.
public struct KeptVersion: Hashable, Sendable {
  /// The path from the household's root.
  public let path: FilePath
  /// The path of the original file.
  public let original: FilePath

  /// Parses a file's name; nil for the name of any other file.
  init?(path: FilePath) {
    guard let original = ConflictFile.original(of: path) else { return nil }
    self.path = path
    self.original = original
  }
}

extension Store {
  /// Returns the second versions that merges and simultaneous edits left, ordered by path, until
  /// somebody removes them.
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
      .sorted { $0.path < $1.path }
  }

  /// Replaces the first version by a second version, as with an editor, and removes the second
  /// file.
  ///
  /// The replaced version is in the history. Throws `uncommitted` if it is not, and `untaken` if
  /// people must repair it first.
  public func restore(
    _ version: KeptVersion, adopted: (Writing.Adoption, Household) -> Void = { _, _ in }
  ) throws -> Writing {
    try whileLocked { () throws(StoreError) in
      var loaded = try load()
      try checkWritable(loaded)
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
      // Git does not remove a file that no commit has.
      if entries?.1 == nil { try self.files.remove(version.path) }
      var after = try load()
      let adoption = try adopt(&after)
      return Writing(
        household: after.household, changed: adoption?.changed ?? [],
        commit: adoption?.commits.last ?? commit, adoption: adoption,
        base: (before, loaded.head.commit))
    }
  }

  /// Throws if the version to be replaced is not in the history.
  private func refuseLoss(at path: FilePath, committed: TreeEntry?, _ household: Household)
    throws(StoreError)
  {
    guard let state = try files.state(of: path) else { return }
    guard state.kind == .file, state.size <= Int64(HouseholdReader.largest) else {
      throw .uncommitted(path: path)
    }
    let found = Repository.blobID(of: try files.read(path))
    guard found != committed?.id else { return }
    if let mistakes = household.untaken[path] { throw .untaken(path: path, mistakes) }
    throw .uncommitted(path: path)
  }
}

extension KeptVersion {
  /// Returns the files with such names in the household's folders, also those that git does not
  /// know.
  fileprivate static func paths(in root: String) throws(StoreError) -> [FilePath] {
    var paths: [FilePath] = []
    let household = try OpenFolder(root: root)
    for name in Kind.allCases.compactMap(\.folder) {
      guard let folder = try household.folder(name) else { continue }
      try collect(folder, at: FilePath(name), depth: 1, into: &paths)
    }
    return paths
  }

  private static func collect(
    _ folder: borrowing OpenFolder, at place: FilePath, depth: Int, into paths: inout [FilePath]
  ) throws(StoreError) {
    var inner: [String] = []
    try folder.visitNames { name, isFolder in
      if isFolder {
        inner.append(name)
      } else if !name.hasSuffix(".json"), ConflictFile.original(of: place.appending(name)) != nil {
        paths.append(place.appending(name))
      }
    }
    for name in inner where depth < PathRule.deepest {
      guard let folder = try folder.folder(name) else { continue }
      try collect(folder, at: place.appending(name), depth: depth + 1, into: &paths)
    }
  }
}
