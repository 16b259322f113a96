public import LarderGit
public import LarderModel

/// The changes of commits to the household's files, as the files were written.
public struct CommitDifferences {
  private let repository: Repository

  public init(_ repository: Repository) {
    self.repository = repository
  }

  /// Returns the differences of a commit's files from its first parent's.
  ///
  /// Only changed files are read.
  ///
  /// A file that is unreadable in the commit is left out. If it was unreadable before, it is
  /// compared with its last readable version.
  public func differences(of commit: Commit) throws(GitError) -> [EntityDifference] {
    try differences(of: commit, at: nil).read
  }

  /// Returns the differences of a commit's files, and the number of changed files that were not
  /// read.
  ///
  /// An import may have thousands of them, so at most `most` are read, the first ones by path. With
  /// `paths`, files that are new at other paths are left out.
  public func differences(
    of commit: Commit, at paths: Set<String>?, most: Int = .max
  ) throws(GitError) -> (read: [EntityDifference], unread: Int) {
    let parent = commit.parents.first
    let old = try parent.map { id throws(GitError) in try repository.commit(id).tree }
    var changes = try changes(from: old, to: commit.tree)
    if let paths { changes.removeAll { $0.old == nil && !paths.contains($0.path) } }
    let read = try differences(in: changes.prefix(most)) { (path) throws(GitError) in
      try parent.flatMap { id throws(GitError) in try lastReadable(path, before: id) }
    }
    return (read, max(0, changes.count - most))
  }

  private func lastReadable(_ path: String, before commit: ObjectID) throws(GitError)
    -> EntityFile?
  {
    var found: EntityFile?
    var failure: GitError?
    try repository.history(ofFile: path, from: commit) { version in
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
  func byKey(of commit: Commit) throws(GitError) -> [EntityKey: EntityDifference] {
    try differences(of: commit).byKey
  }

  /// Whether a commit changed a file at one of the paths, or removed or renamed any file in the
  /// same folders.
  ///
  /// It compares trees only and reads no files.
  public func touches(_ paths: Set<String>, _ commit: Commit) throws(GitError) -> Bool {
    var parentTree: ObjectID?
    if let parent = commit.parents.first { parentTree = try repository.commit(parent).tree }
    let folders = Set(paths.map { Kind(path: $0)?.folder })
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
  /// If either tree has too many files to read, the result is empty.
  func differences(from old: ObjectID?, to new: ObjectID) throws(GitError) -> [EntityDifference] {
    try differences(in: try changes(from: old, to: new)[...]) { _ in nil }
  }

  /// Returns the differences between files, ordered by path.
  ///
  /// `earlier` returns a version for a file that is unreadable as it was before.
  private func differences(
    in changes: ArraySlice<TreeChange>,
    earlier: (_ path: String) throws(GitError) -> EntityFile?
  ) throws(GitError) -> [EntityDifference] {
    var before: [EntityKey: EntityDifference.Version] = [:]
    var after: [EntityKey: EntityDifference.Version] = [:]
    for change in changes {
      let new = try file(change.new)
      if change.new != nil, new == nil { continue }
      var old = try file(change.old)
      if old == nil, change.old != nil { old = try earlier(change.path) }
      // A file that got its id only now is the same entity as before.
      let isSame = old?.id == nil
      if let old {
        let version = EntityDifference.Version(old, at: change.path, id: isSame ? new?.id : nil)
        before[version.entity.key] = version
      }
      if let new {
        let version = EntityDifference.Version(new, at: change.path)
        after[version.entity.key] = version
      }
    }
    let keys = Set(before.keys).union(after.keys)
    return keys.compactMap { EntityDifference(from: before[$0], to: after[$0]) }
      .sorted { ($0.path ?? $0.oldPath ?? "") < ($1.path ?? $1.oldPath ?? "") }
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
      return changes.filter { change in !hidden.contains { change.path.hasPrefix($0 + "/") } }
    } catch  where error.code == .tooLarge {
      return []
    }
  }

  func file(_ entry: TreeEntry?) throws(GitError) -> EntityFile? {
    // Unreadable versions are left out.
    guard let entry, entry.mode.isOrdinary,
      case .readable(let file)? = try repository.ownFile(at: entry.path, entry.id)
    else { return nil }
    return file
  }
}

extension [EntityDifference] {
  /// The differences by entity; of two files with one id, the one with the smaller path counts.
  var byKey: [EntityKey: EntityDifference] {
    Dictionary(map { ($0.key, $0) }) { first, _ in first }
  }
}
