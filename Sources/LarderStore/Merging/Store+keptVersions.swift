public import LarderGit
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

extension Store {
  /// Returns the computation of values that merges did not take.
  public func mergeLosses() throws(StoreError) -> MergeLosses {
    MergeLosses(try commitReader())
  }

  /// Visits the values that merges and joins with the cloud did not take, newest first, until a
  /// visit returns false.
  ///
  /// With `known`, it visits only merges that are not ancestors of it, and no joins with the cloud.
  /// Values are computed from the merges' parents, so merges by plain git are included. A value
  /// that lost in several merges is visited once, with the newest. Writes nothing.
  public func losses(
    since known: ObjectID? = nil, _ visit: (LostWrite) -> Bool
  ) throws(StoreError) {
    let search = try mergeLosses()
    try git { repository throws(GitError) in
      var seen: Set<String> = []
      func visitAll(_ merge: Commit) throws(GitError) -> Bool {
        for loss in try search.losses(in: merge) where seen.insert(loss.id).inserted {
          guard visit(loss) else { return false }
        }
        return true
      }
      var cloudMerges = known == nil ? try cloudMerges(repository)[...] : []
      func visitCloud(from time: Int64) throws(GitError) -> Bool {
        while let next = cloudMerges.first, next.committer.seconds >= time {
          cloudMerges.removeFirst()
          guard try visitAll(next) else { return false }
        }
        return true
      }
      var goesOn = true
      if let head = try repository.head().commit {
        try repository.history(from: head, hiding: known.map { [$0] } ?? []) {
          (commit) throws(GitError) in
          guard commit.parents.count > 1 else { return true }
          goesOn = try visitCloud(from: commit.committer.seconds)
          if goesOn { goesOn = try visitAll(commit) }
          return goesOn
        }
      }
      if goesOn { _ = try visitCloud(from: .min) }
    }
  }

  /// Returns the joins with the cloud in which values lost, newest first.
  private func cloudMerges(_ repository: Repository) throws(GitError) -> [Commit] {
    guard let last = try repository.reference(Store.cloudMergesReference) else { return [] }
    var merges: [Commit] = []
    try repository.history(from: last) { commit in
      if commit.parents.count > 1 { merges.append(commit) }
      return true
    }
    return merges
  }

  /// Returns the values that lost in the last merge, whose winning values are still there, and that
  /// are not dismissed.
  ///
  /// Follows first parents only, at most 1000 commits, so it is fast.
  public func lossesOfLastMerge(in household: Household) throws(StoreError) -> [LostWrite] {
    let search = try mergeLosses()
    let dismissed = try dismissedLosses()
    return try git { repository throws(GitError) in
      var next = try repository.head().commit
      for _ in 0..<1000 {
        guard let id = next, case let commit = try repository.commit(id) else { return [] }
        guard commit.parents.count < 2 else {
          return try search.losses(in: commit).filter { loss in
            !dismissed.contains(loss.id)
              && household[loss.value.key].map { loss.value.isKept(in: $0) } ?? false
          }
        }
        next = commit.parents.first
      }
      return []
    }
  }
}

/// The lost values that are settled on this device; other devices settle their own.
extension Store {
  private static let dismissedFile = "dismissed"

  /// Returns the ids of the lost values that were dismissed on this device.
  public func dismissedLosses() throws(StoreError) -> Set<String> {
    let bytes = try deviceFile(Self.dismissedFile) ?? []
    return Set(String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init))
  }

  /// Remembers that lost values are settled, by their ids.
  public func dismissLosses(_ ids: [String]) throws(StoreError) {
    try whileLocked { () throws(StoreError) in
      let all = try dismissedLosses().union(ids).sorted()
      try writeDeviceFile(Self.dismissedFile, Array((all.joined(separator: "\n") + "\n").utf8))
    }
  }
}

/// A value that lost in a merge, and the commits that wrote both values.
public struct LostWrite: Sendable {
  public let value: LostValue
  public let merge: Commit
  /// The commit that wrote the lost value; nil if unknown.
  public let lostBy: Commit?
  /// The commit that wrote the winning value; nil if unknown.
  public let keptBy: Commit?

  /// The id of the lost value, which is the same on all devices and in all merges.
  public var id: String {
    Identifier.derived(
      from: "lost", value.key.kind.rawValue, value.key.id,
      value.names.map(\.text).joined(separator: ","), value.lostAt.description)
  }
}
