import LarderGit
import LarderModel
import LarderStore
import LarderText

/// Actions with plain git, done as the git program does them.
extension Device {
  private var signature: Signature {
    Signature(
      name: name, email: "\(name)@example.org", seconds: clock.now().milliseconds / 1000,
      offsetMinutes: 0)
  }

  /// Returns the paths at which the work tree and a tree differ.
  func changedPaths(since tree: ObjectID) throws -> [FilePath] {
    let known = Dictionary(
      uniqueKeysWithValues: try repository.entries(of: tree).map { ($0.path, $0.id) })
    // As in .git/info/exclude.
    let present = try allPaths().filter { !$0.hasSuffix(".larder-new") }
    let changed = present.filter { path in
      bytes(path).map { Repository.blobID(of: $0) } != known[path]
    }
    return (changed + Set(known.keys).subtracting(present)).sorted()
  }

  /// Commits the files at some paths; false if there is nothing to commit, or if git would refuse
  /// because of a lock.
  func commit(_ paths: [FilePath], _ message: String) throws -> Bool {
    guard !repository.isIndexLocked else { return false }
    let tree = try headTree
    let paths = Set(try changedPaths(since: tree)).intersection(paths)
    guard !paths.isEmpty else { return false }
    var changes: [FilePath: (ObjectID, FileMode)?] = [:]
    for path in paths {
      changes[path] = .some(try bytes(path).map { (try repository.writeBlob($0), .file) })
    }
    let made = try repository.writeTree(from: tree, changing: changes)
    try move(to: made, [try head], changes, message)
    for path in paths { looseFiles[path] = nil }
    return true
  }

  private func move(
    to tree: ObjectID, _ parents: [ObjectID], _ changes: [FilePath: (ObjectID, FileMode)?],
    _ message: String
  ) throws {
    let repository = repository
    let author = signature
    let commit = try repository.writeCommit(
      tree: tree, parents: parents, author: author, committer: author, message: message)
    try repository.updateReference(
      "refs/heads/main", to: commit, expecting: parents[0], reason: "commit", by: author)
    try repository.refreshIndex(changes)
    acknowledged.append(commit)
  }

  /// Writes some files of a tree into the work tree, as `git checkout` does.
  func checkOut(_ paths: [FilePath], of tree: ObjectID) throws {
    for path in paths {
      if let entry = try repository.entry(at: path, in: tree) {
        try write(try repository.readBlob(entry.id), to: path)
      } else if bytes(path) != nil {
        try remove(path)
      }
      looseFiles[path] = nil
    }
  }

  /// Returns the commit some steps back along the first parents.
  func ancestor(_ steps: Int) throws -> ObjectID? {
    var commit = try head
    for _ in 0..<steps {
      guard let parent = try repository.commit(commit).parents.first else { return nil }
      commit = parent
    }
    return commit
  }

  /// Merges a commit as `git merge` does, with or without larder's driver; false if git would
  /// refuse or conflict.
  func merge(_ other: ObjectID, hasDriver: Bool) throws -> Bool {
    let repository = repository
    let (ours, tree) = (try head, try headTree)
    let bases = try repository.mergeBases(ours, other)
    guard try changedPaths(since: tree).isEmpty, let base = bases.min(), base != other else {
      return false
    }
    let theirs = try repository.commit(other).tree
    if base == ours { return try forward(to: other, theirs, from: tree) }
    let driver: MergeDriver = { base, ours, theirs, path in
      guard let ours, let theirs else { return nil }
      return MergeFile.merge(base: base, ours: ours, theirs: theirs, path: path)
    }
    let merged = try repository.mergeTrees(
      base: try repository.commit(base).tree, ours: tree, theirs: theirs,
      driver: hasDriver ? driver : nil)
    guard merged.conflicts.isEmpty else { return false }
    let changes = try changes(from: tree, to: merged.tree)
    try checkOut(Array(changes.keys), of: merged.tree)
    try move(to: merged.tree, [ours, other], changes, "Merge with plain git")
    return true
  }

  private func forward(to commit: ObjectID, _ tree: ObjectID, from old: ObjectID) throws -> Bool {
    let changes = try changes(from: old, to: tree)
    try checkOut(Array(changes.keys), of: tree)
    try repository.updateReference(
      "refs/heads/main", to: commit, expecting: try head, reason: "merge", by: signature)
    try repository.refreshIndex(changes)
    return true
  }

  private func changes(from old: ObjectID, to new: ObjectID) throws
    -> [FilePath: (ObjectID, FileMode)?]
  {
    var changes: [FilePath: (ObjectID, FileMode)?] = [:]
    for change in try repository.changes(from: old, to: new) {
      changes[change.path] = .some(change.new.map { ($0.id, $0.mode) })
    }
    return changes
  }
}
