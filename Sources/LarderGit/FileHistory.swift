/// Follows files backwards through the history, along every parent and across renames, all in one
/// walk.
struct FileHistory {
  /// The names that the files have in one commit, each with the files that were asked for.
  private typealias Names = [String: [String]]

  private let repository: Repository
  /// What to look for in commits that are still to come.
  private var awaited: [ObjectID: Names] = [:]

  init(_ repository: Repository, of paths: [String], from: ObjectID) {
    self.repository = repository
    awaited = [from: Names(paths.map { ($0, [$0]) }) { first, _ in first }]
  }

  /// Whether nothing is looked for any more.
  var isOver: Bool { awaited.isEmpty }

  /// What a commit did to the files under each name that they are followed by.
  mutating func versions(in commit: Commit) throws(GitError) -> [(asked: String, FileVersion)] {
    guard let names = awaited.removeValue(forKey: commit.id) else { return [] }
    guard let first = commit.parents.first else { return try beginnings(names, commit) }
    var changed = try follow(names, in: commit, to: first)
    for parent in commit.parents.dropFirst() {
      let others = try follow(names, in: commit, to: parent)
      // A merge is a version where its file is none of its parents'.
      changed = changed.filter { others[$0.key] != nil }
    }
    return changed.sorted { $0.key < $1.key }.flatMap { name, blob in
      (names[name] ?? []).map { ($0, FileVersion(commit: commit, path: name, blob: blob)) }
    }
  }

  private func beginnings(_ names: Names, _ commit: Commit) throws(GitError)
    -> [(asked: String, FileVersion)]
  {
    var versions: [(asked: String, FileVersion)] = []
    for (name, asked) in names.sorted(by: { $0.key < $1.key }) {
      guard let entry = try repository.entry(at: name, in: commit.tree) else { continue }
      let blob = entry.content
      versions += asked.map { ($0, FileVersion(commit: commit, path: name, blob: blob)) }
    }
    return versions
  }

  /// The names whose files differ from a parent's, with what they hold; notes where to look on.
  private mutating func follow(
    _ names: Names, in commit: Commit, to parent: ObjectID
  ) throws(GitError) -> [String: ObjectID?] {
    let old = try repository.commit(parent).tree
    let changes = try changes(of: names, from: old, to: commit.tree)
    var changed: [String: ObjectID?] = [:]
    var earlier = names
    var renames: Renames?
    for change in changes {
      // Names that only their bytes tell apart are two.
      guard let place = names.index(forKey: change.path),
        names[place].key.utf8.elementsEqual(change.path.utf8)
      else { continue }
      changed.updateValue(change.new?.content, forKey: change.path)
      guard change.old == nil, let entry = change.new else { continue }
      if renames == nil {
        let all = try self.changes(from: old, to: commit.tree, or: changes)
        renames = Renames(repository, all)
      }
      guard let source = try renames?.source(of: entry) else { continue }
      earlier[change.path] = nil
      earlier[source, default: []] += names[place].value
    }
    expect(earlier, in: parent)
    return changed
  }

  /// What differs in the folders of the root that names lie in, or in all of it for a file there.
  private func changes(of names: Names, from old: ObjectID, to new: ObjectID) throws(GitError)
    -> [TreeChange]
  {
    let folders = names.keys.map { $0.split(separator: "/", maxSplits: 1) }
    let isAny = folders.contains { $0.count < 2 }
    do throws(GitError) {
      return try repository.changes(
        from: old, to: new, inFolders: isAny ? nil : Set(folders.map { String($0[0]) }))
    } catch  where error.code == .tooLarge {
      var changes: [TreeChange] = []
      for name in names.keys.sorted() {
        let was = try repository.entry(at: name, in: old)
        let now = try repository.entry(at: name, in: new)
        if was != now { changes.append(TreeChange(path: name, old: was, new: now)) }
      }
      return changes
    }
  }

  /// All that differs, for a file may come from any folder; `few` where that is more than anybody reads.
  private func changes(from old: ObjectID, to new: ObjectID, or few: [TreeChange]) throws(GitError)
    -> [TreeChange]
  {
    do throws(GitError) {
      return try repository.changes(from: old, to: new)
    } catch  where error.code == .tooLarge {
      return few
    }
  }

  private mutating func expect(_ names: Names, in commit: ObjectID) {
    guard !names.isEmpty else { return }
    guard let known = awaited[commit] else {
      awaited[commit] = names
      return
    }
    awaited[commit] = known.merging(names) { one, other in
      one == other ? one : one + other.filter { !one.contains($0) }
    }
  }
}

extension Repository {
  /// Visits the commits that changed a file, starting at `from` and newest first.
  ///
  /// All parents of merges are followed, so that what a merge dropped is seen too, and so are renames,
  /// by the same or at least half the same content. A merge is visited when its file is
  /// none of its parents'. The visit ends when it returns false. Throws `shallow` in a shallow clone.
  public func history(
    ofFile path: String, from: ObjectID, _ visit: (FileVersion) -> Bool
  ) throws(GitError) {
    try history(ofFiles: [path], from: from) { visit($1) }
  }

  /// The same for many files at once, each version with the path that was asked for; it costs little
  /// more than for one.
  public func history(
    ofFiles paths: [String], from: ObjectID, _ visit: (_ path: String, FileVersion) -> Bool
  ) throws(GitError) {
    var history = FileHistory(self, of: paths, from: from)
    try self.history(from: from) { (commit) throws(GitError) in
      for (path, version) in try history.versions(in: commit) where !visit(path, version) {
        return false
      }
      return !history.isOver
    }
  }
}

extension TreeEntry {
  /// The content of an ordinary file; nil for a link or another repository.
  fileprivate var content: ObjectID? { mode == .file || mode == .executable ? id : nil }
}
