internal import Clibgit2

/// Follows a file backwards through the history, along every parent and across renames.
struct FileHistory {
  /// How many removed files of one commit are compared with an added one, at most.
  private static let candidateLimit = 1_000

  private let repository: Repository
  /// The paths to look at in commits that are still to come, newest name first.
  private var awaited: [ObjectID: [String]]

  init(_ repository: Repository, of path: String, from: ObjectID) {
    self.repository = repository
    awaited = [from: [path]]
  }

  /// What a commit did to the file under each name that it is followed by.
  mutating func versions(in commit: Commit) throws(GitError) -> [FileVersion] {
    guard let paths = awaited.removeValue(forKey: commit.id) else { return [] }
    var versions: [FileVersion] = []
    for path in paths {
      let entry = try repository.entry(at: path, in: commit.tree)
      if try changed(path, entry, in: commit) {
        let isFile = entry?.mode == .file || entry?.mode == .executable
        versions.append(FileVersion(commit: commit, path: path, blob: isFile ? entry?.id : nil))
      }
    }
    return versions
  }

  /// Whether the file differs from that of every parent; notes where to look on.
  private mutating func changed(
    _ path: String, _ entry: TreeEntry?, in commit: Commit
  ) throws(GitError) -> Bool {
    guard !commit.parents.isEmpty else { return entry != nil }
    var isChanged = true
    for parent in commit.parents {
      let parentTree = try repository.commit(parent).tree
      let before = try repository.entry(at: path, in: parentTree)
      var earlier = path
      if before?.id == entry?.id, before?.mode == entry?.mode {
        isChanged = false
      } else if before == nil, let entry {
        earlier = try source(of: entry, from: parentTree, to: commit.tree) ?? path
      }
      expect(earlier, in: parent)
    }
    return isChanged
  }

  private mutating func expect(_ path: String, in commit: ObjectID) {
    let isKnown = awaited[commit]?.contains { $0.utf8.elementsEqual(path.utf8) } ?? false
    if !isKnown { awaited[commit, default: []].append(path) }
  }

  /// The removed file that an added one was made of, if any.
  ///
  /// It has the same content or, as git has it, the most similar from one half on; a file that keeps
  /// its name in another folder wins a tie.
  private func source(
    of added: TreeEntry, from: ObjectID, to: ObjectID
  ) throws(GitError) -> String? {
    let removed = try repository.changes(from: from, to: to).compactMap { change in
      change.new == nil && change.old?.mode != .submodule ? change.old : nil
    }
    let exact = removed.filter { $0.id == added.id }
    if let same = exact.first(where: { fileName($0.path) == fileName(added.path) }) ?? exact.first {
      return same.path
    }
    guard added.mode != .submodule, !removed.isEmpty,
      let wanted = try ContentSignature(of: repository.readBlob(added.id))
    else { return nil }
    var best: (path: String, score: Int32)?
    for candidate in removed.prefix(Self.candidateLimit) {
      guard let signature = try ContentSignature(of: repository.readBlob(candidate.id))
      else { continue }
      var score = wanted.similarity(to: signature) * 2
      if score >= 100, fileName(candidate.path) == fileName(added.path) { score += 1 }
      if score >= 100, score > best?.score ?? 0 { best = (candidate.path, score) }
    }
    return best?.path
  }

  private func fileName(_ path: String) -> [UInt8] {
    Array(path.utf8.reversed().prefix { $0 != UInt8(ascii: "/") })
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
    var history = FileHistory(self, of: path, from: from)
    try self.history(from: from) { (commit) throws(GitError) in
      for version in try history.versions(in: commit) where !visit(version) { return false }
      return true
    }
  }
}
