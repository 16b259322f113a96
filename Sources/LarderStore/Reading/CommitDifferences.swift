public import LarderGit
public import LarderModel
public import LarderText

/// The changes of commits to the household's files, as the files were written.
public struct CommitDifferences {
  private let repository: Repository
  private let known: KnownVersions
  /// Whether files that were only stamped anew are told too: what was written again.
  private let ofStampsToo: Bool

  public init(_ repository: Repository) {
    self.repository = repository
    known = KnownVersions()
    ofStampsToo = false
  }

  /// Creates differences of stamps too, that read with others who need the same versions.
  init(ofStampsIn repository: Repository, _ versions: KnownVersions = KnownVersions()) {
    self.repository = repository
    known = versions
    ofStampsToo = true
  }

  /// Returns the differences of a commit's files from its first parent's.
  ///
  /// Only changed files are read.
  ///
  /// A file that is broken in the commit is left out. If it was broken before, it is
  /// compared with its last readable version.
  public func differences(of commit: Commit) throws(GitError) -> [EntityDifference] {
    try differences(of: commit, at: nil).read
  }

  /// Returns the differences of a commit's files, and the number of new files that were not read.
  ///
  /// An import has thousands of new files. So of those, only the ones at `paths` are read, or, if
  /// it is nil, the first `most` by path. All are read if a file that is gone may have come back
  /// among them. If `most` is 0, no file is read.
  public func differences(
    of commit: Commit, at paths: Set<FilePath>?, most: Int = .max
  ) throws(GitError) -> (read: [EntityDifference], unread: Int) {
    let parent = commit.parents.first
    let old = try parent.map { id throws(GitError) in try repository.commit(id).tree }
    let changes = try changes(from: old, to: commit.tree)
    guard most > 0 else { return ([], changes.count) }
    let new = changes.filter { $0.old == nil }
    let rest =
      paths.map { paths in new.filter { !paths.contains($0.path) } }
      ?? Array(new.dropFirst(most))
    let left = Set(rest.map(\.path))
    let earlier = { (path: FilePath) throws(GitError) in
      try parent.flatMap { id throws(GitError) in try lastReadable(path, before: id) }
    }
    var versions = Versions(ofStampsToo: ofStampsToo)
    for change in changes where !left.contains(change.path) {
      try read(change, into: &versions, earlier: earlier)
    }
    if versions.lacksAny {
      for change in rest { try read(change, into: &versions, earlier: earlier) }
      return (versions.differences, 0)
    }
    return (versions.differences, paths == nil ? rest.count : 0)
  }

  private func lastReadable(_ path: FilePath, before commit: ObjectID) throws(GitError)
    -> EntityFile?
  {
    var found: EntityFile?
    var failure: GitError?
    try repository.history(ofFile: path, from: commit, by: repository.entityID) { version in
      guard let blob = version.blob else { return true }
      do throws(GitError) {
        if case .readable(let file)? = try repository.ownFile(at: version.path, blob) {
          found = file
        }
      } catch {
        failure = error
      }
      return found == nil && failure == nil
    }
    if let failure { throw failure }
    return found
  }

  /// Returns the differences of a commit by entity.
  ///
  /// `paths` are where the wanted entities are after the commit: only these files are read, unless
  /// files moved. Then all are read, and `paths` becomes nil, because before it they may be elsewhere.
  func byKey(of commit: Commit, at paths: inout Set<FilePath>?) throws(GitError) -> [EntityKey:
    EntityDifference]
  {
    guard let wanted = paths else { return try differences(of: commit).byKey }
    let parent = commit.parents.first
    let old = try parent.map { id throws(GitError) in try repository.commit(id).tree }
    let changes = try changes(from: old, to: commit.tree)
    if !changes.haveMoved {
      var versions = Versions(ofStampsToo: ofStampsToo)
      let wanted = changes.filter { wanted.contains($0.path) }
      readAtOnce(wanted)
      for change in wanted {
        try read(change, into: &versions) { (path: FilePath) throws(GitError) in
          try parent.flatMap { id throws(GitError) in try lastReadable(path, before: id) }
        }
      }
      if !versions.lacksAny { return versions.differences.byKey }
    }
    paths = nil
    return try differences(of: commit).byKey
  }

  /// Whether a commit changed a file at one of the paths, or removed or renamed any file in the
  /// same folders.
  ///
  /// It compares trees only and reads no files.
  public func touches(_ paths: Set<FilePath>, _ commit: Commit) throws(GitError) -> Bool {
    var parentTree: ObjectID?
    if let parent = commit.parents.first { parentTree = try repository.commit(parent).tree }
    let folders = Set(paths.map { path in Kind(path: path)?.folder.map { FilePath($0) } })
    do throws(GitError) {
      let changes = try repository.changes(
        from: parentTree, to: commit.tree,
        inFolders: folders.contains(nil) ? nil : Set(folders.compactMap(\.self)))
      return changes.contains { $0.new == nil || paths.contains($0.path) }
    } catch  where error.code == .tooLarge {
      return true
    }
  }

  /// Returns the differences between the files of two trees, ordered by path.
  ///
  /// Nil is the empty tree.
  ///
  /// With `paths`, only the files there are read, unless one of their entities is elsewhere. If either
  /// tree has too many files to read, the result is empty.
  func differences(
    from old: ObjectID?, to new: ObjectID, at paths: Set<FilePath>? = nil
  ) throws(GitError) -> [EntityDifference] {
    var versions = Versions(ofStampsToo: ofStampsToo)
    let changes = try changes(from: old, to: new)
    let wanted = changes.filter { paths?.contains($0.path) ?? true }
    readAtOnce(wanted)
    for change in wanted { try read(change, into: &versions) { _ in nil } }
    if let paths, versions.lacksAny {
      for change in changes where !paths.contains(change.path) {
        try read(change, into: &versions) { _ in nil }
      }
    }
    return versions.differences
  }

  /// Reads both sides of a changed file.
  ///
  /// `earlier` returns a version for a file that is broken as it was before.
  private func read(
    _ change: TreeChange, into versions: inout Versions,
    earlier: (_ path: FilePath) throws(GitError) -> EntityFile?
  ) throws(GitError) {
    let new = try file(change.new)
    if change.new != nil, new == nil { return }
    var old = try file(change.old)
    if old == nil, change.old != nil { old = try earlier(change.path) }
    // A file that got its id only now is the same entity as before.
    let isSame = old?.id == nil
    if let old { versions.before(.init(old, at: change.path, id: isSame ? new?.id : nil)) }
    if let new { versions.after(.init(new, at: change.path)) }
  }

  /// Returns the changes between two trees.
  ///
  /// If something else is in the place of one of the household's folders, the files in that folder
  /// are left out.
  private func changes(from old: ObjectID?, to new: ObjectID) throws(GitError) -> [TreeChange] {
    do throws(GitError) {
      let changes = try repository.ownChanges(from: old, to: new)
      guard !changes.isEmpty else { return [] }
      var hidden = try repository.hiddenFolders(of: new)
      if let old { hidden += try repository.hiddenFolders(of: old) }
      guard !hidden.isEmpty else { return changes }
      return changes.filter { change in !hidden.contains { change.path.hasPrefix("\($0)/") } }
    } catch  where error.code == .tooLarge {
      return []
    }
  }

  /// Reads and parses the files of changes on all cores, unless there are more than are kept.
  private func readAtOnce(_ changes: [TreeChange]) {
    let entries = changes.flatMap { [$0.old, $0.new] }.compactMap(\.self)
    guard entries.count <= KnownVersions.many else { return }
    do throws(GitError) {
      _ = try known.files(entries, in: repository)
    } catch {
      // It comes again where the file is needed, which may be nowhere.
      return
    }
  }

  func file(_ entry: TreeEntry?) throws(GitError) -> EntityFile? {
    // Broken versions are left out.
    guard let entry, entry.mode.isOrdinary else { return nil }
    let written = try known.file(entry, in: repository)
    return if case .readable(let file)? = written { file } else { nil }
  }
}

/// The entities of changed files, as they were before and after.
private struct Versions {
  private var before: [EntityKey: EntityDifference.Version] = [:]
  private var after: [EntityKey: EntityDifference.Version] = [:]
  private let ofStampsToo: Bool

  init(ofStampsToo: Bool) { self.ofStampsToo = ofStampsToo }

  mutating func before(_ version: EntityDifference.Version) { before[version.entity.key] = version }

  mutating func after(_ version: EntityDifference.Version) { after[version.entity.key] = version }

  /// Whether an entity is no longer in any of the files.
  var lacksAny: Bool { before.keys.contains { after[$0] == nil } }

  /// The differences, ordered by path.
  var differences: [EntityDifference] {
    Array(Set(before.keys).union(after.keys)).sorted(byBytesOf: \.id)
      .compactMap {
        EntityDifference(from: before[$0], to: after[$0], ofStampsToo: ofStampsToo)
      }
      .sorted(byBytesOf: \.anyPath.text)
  }
}

extension [TreeChange] {
  /// Whether a file may be at another path than before.
  var haveMoved: Bool { contains { $0.old == nil } && contains { $0.new == nil } }
}

extension [EntityDifference] {
  /// The differences by entity; of two files with one id, the one with the smaller path counts.
  var byKey: [EntityKey: EntityDifference] {
    Dictionary(map { ($0.key, $0) }) { first, _ in first }
  }
}
