public import LarderText

/// A backward walk through the history of files, along every parent and across renames.
///
/// An added file was renamed if the commit removed one with the same content, or of the same thing.
struct FileHistory {
  /// The names of the files in one commit, each with the requested files.
  private typealias Names = [FilePath: [FilePath]]

  private let repository: Repository
  private let identity: FileIdentity
  /// The names to look for in commits that come later in the walk.
  private var awaited: [ObjectID: Names] = [:]

  init(
    _ repository: Repository, of paths: [FilePath], from: ObjectID,
    by identity: @escaping FileIdentity
  ) {
    self.repository = repository
    self.identity = identity
    awaited = [from: Names(paths.map { ($0, [$0]) }) { first, _ in first }]
  }

  /// Whether there is nothing left to look for.
  var isOver: Bool { awaited.isEmpty }

  /// Returns the versions of the followed files that a commit made.
  mutating func versions(in commit: Commit) throws(GitError) -> [(asked: FilePath, FileVersion)] {
    guard let names = awaited.removeValue(forKey: commit.id) else { return [] }
    guard let first = commit.parents.first else { return try beginnings(names, commit) }
    var changed = try follow(names, in: commit, to: first)
    for parent in commit.parents.dropFirst() {
      let others = try follow(names, in: commit, to: parent)
      // A merge has its own version of a file if the file differs from all parents.
      changed = changed.filter { others[$0.key] != nil }
    }
    return changed.sorted { $0.key < $1.key }.flatMap { name, blob in
      (names[name] ?? []).map { ($0, FileVersion(commit: commit, path: name, blob: blob)) }
    }
  }

  private func beginnings(_ names: Names, _ commit: Commit) throws(GitError)
    -> [(asked: FilePath, FileVersion)]
  {
    var versions: [(asked: FilePath, FileVersion)] = []
    for (name, asked) in names.sorted(by: { $0.key < $1.key }) {
      guard let entry = try repository.entry(at: name, in: commit.tree) else { continue }
      let blob = entry.content
      versions += asked.map { ($0, FileVersion(commit: commit, path: name, blob: blob)) }
    }
    return versions
  }

  /// Returns the names whose files differ from a parent's, with their content.
  ///
  /// Notes the names to look for in the parent.
  private mutating func follow(
    _ names: Names, in commit: Commit, to parent: ObjectID
  ) throws(GitError) -> [FilePath: ObjectID?] {
    let old = try repository.commit(parent).tree
    let changes = try changes(of: names, from: old, to: commit.tree)
    var changed: [FilePath: ObjectID?] = [:]
    var earlier = names
    var removed: RemovedFiles?
    for change in changes {
      guard let asked = names[change.path] else { continue }
      changed.updateValue(change.new?.content, forKey: change.path)
      guard change.old == nil, let entry = change.new else { continue }
      if removed == nil {
        let all = try self.changes(from: old, to: commit.tree, or: changes)
        removed = RemovedFiles(all, by: identity)
      }
      guard let source = try removed?.source(of: entry) else { continue }
      earlier[change.path] = nil
      earlier[source, default: []] += asked
    }
    expect(earlier, in: parent)
    return changed
  }

  /// Returns the differences in the root's folders that hold the names, or in the whole tree if a
  /// name is a file of the root.
  private func changes(of names: Names, from old: ObjectID, to new: ObjectID) throws(GitError)
    -> [TreeChange]
  {
    let folders = names.keys.map(\.folders.first)
    do throws(GitError) {
      return try repository.changes(
        from: old, to: new, inFolders: folders.contains(nil) ? nil : Set(folders.compactMap(\.self))
      )
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

  /// Returns all differences, because a file may come from any folder.
  ///
  /// Returns `few` if there are too many to read.
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

/// Returns the name of the thing that a file is of, wherever it lies; nil if it has none.
public typealias FileIdentity = (TreeEntry) throws(GitError) -> String?

/// The files that a commit removed, of which one may have become an added one.
private final class RemovedFiles {
  private let entries: [TreeEntry]
  private let identity: FileIdentity
  private let byContent: [ObjectID: [FilePath]]
  /// Read at the first request.
  private var byIdentity: [String: FilePath]?

  init(_ changes: [TreeChange], by identity: @escaping FileIdentity) {
    entries = changes.compactMap { $0.new == nil && $0.old?.content != nil ? $0.old : nil }
    byContent = Dictionary(grouping: entries, by: \.id).mapValues { $0.map(\.path) }
    self.identity = identity
  }

  /// Returns the path of the removed file that an added one comes from; of several with the same
  /// content, one that keeps its name in another folder.
  func source(of added: TreeEntry) throws(GitError) -> FilePath? {
    if let same = byContent[added.id] {
      return same.first { $0.name.hasSameBytes(as: added.path.name) } ?? same.first
    }
    guard !entries.isEmpty, added.content != nil, let name = try identity(added) else { return nil }
    if byIdentity == nil {
      var names: [String: FilePath] = [:]
      for entry in entries { if let name = try identity(entry) { names[name] = entry.path } }
      byIdentity = names
    }
    return byIdentity?[name]
  }
}

extension Repository {
  /// Visits the commits that changed a file, starting at `from`, newest first.
  ///
  /// Follows all parents of merges, so that changes dropped by a merge are found too. Follows
  /// renames with the same content, or, by `identity`, of the same thing. A merge is visited if its
  /// file differs from all parents. The visit ends when it returns false. Throws `shallow` in a
  /// shallow clone.
  public func history(
    ofFile path: FilePath, from: ObjectID, by identity: @escaping FileIdentity,
    _ visit: (FileVersion) -> Bool
  ) throws(GitError) {
    try history(ofFiles: [path], from: from, by: identity) { visit($1) }
  }

  /// Visits the commits that changed any of several files, each version with the requested path.
  ///
  /// Costs little more than for one file.
  public func history(
    ofFiles paths: [FilePath], from: ObjectID, by identity: @escaping FileIdentity,
    _ visit: (_ path: FilePath, FileVersion) -> Bool
  ) throws(GitError) {
    var history = FileHistory(self, of: paths, from: from, by: identity)
    try self.history(from: from) { (commit) throws(GitError) in
      for (path, version) in try history.versions(in: commit) where !visit(path, version) {
        return false
      }
      return !history.isOver
    }
  }
}

extension TreeEntry {
  /// The content of an ordinary file; nil for a link or a submodule.
  fileprivate var content: ObjectID? { mode == .file || mode == .executable ? id : nil }
}

/// A version of a file: a commit that changed it.
public struct FileVersion: Sendable, Hashable {
  /// The commit that changed the file.
  public var commit: Commit
  /// The path of the file in that commit; for a removal, the path before it.
  public var path: FilePath
  /// The content after the commit.
  ///
  /// Nil if the commit removed the file, or replaced it by a link or a submodule.
  public var blob: ObjectID?
}
