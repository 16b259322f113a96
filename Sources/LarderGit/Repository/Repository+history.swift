internal import Clibgit2

extension Repository {
  /// Returns the merge bases of two commits: none for unrelated histories, several after
  /// criss-cross merges.
  ///
  /// Throws `shallow` if the clone lacks commits that could be one.
  public func mergeBases(_ a: ObjectID, _ b: ObjectID) throws(GitError) -> [ObjectID] {
    let action = "find the common ancestor"
    return try compare(action, a, b) { () throws(GitError) in
      var one = a.oid
      var two = b.oid
      var found = git_oidarray()
      let status = git_merge_bases(&found, pointer, &one, &two)
      defer { git_oidarray_dispose(&found) }
      if status == GIT_ENOTFOUND.rawValue, try has(a), try has(b) { return [] }
      try check(status, action)
      return (0..<found.count).map { ObjectID(found.ids[$0]) }
    } byReading: {
      $0.bases(with: $1)
    }
  }

  /// Whether `a` is `b` or an ancestor of `b`.
  ///
  /// Throws `shallow` if `a` may be behind the boundary of a shallow clone.
  public func isAncestor(_ a: ObjectID, of b: ObjectID) throws(GitError) -> Bool {
    if a == b { return true }
    let action = "look for an ancestor"
    if !isHistoryKnown {
      let history = try ancestry(of: b, action)
      guard history.names(a) || history.isWhole else { throw boundary(action) }
      return history.names(a)
    }
    return try compare(action, a, b) { () throws(GitError) in
      var ancestor = a.oid
      var commit = b.oid
      let status = git_graph_descendant_of(pointer, &commit, &ancestor)
      try check(status, action)
      return status == 1
    } byReading: {
      $1.contains(a)
    }
  }

  /// Returns the number of commits that only `local` has, and that only `upstream` has.
  public func aheadBehind(
    _ local: ObjectID, _ upstream: ObjectID
  ) throws(GitError) -> (ahead: Int, behind: Int) {
    let action = "compare two histories"
    return try compare(action, local, upstream) { () throws(GitError) in
      var ours = local.oid
      var theirs = upstream.oid
      var ahead = 0
      var behind = 0
      try check(git_graph_ahead_behind(&ahead, &behind, pointer, &ours, &theirs), action)
      return (ahead, behind)
    } byReading: {
      ($0.commits(without: [$1]).count, $1.commits(without: [$0]).count)
    }
  }

  /// Compares two histories by libgit2, or by reading all of both where libgit2 can't.
  private func compare<Value>(
    _ action: String, _ a: ObjectID, _ b: ObjectID,
    byLibrary: () throws(GitError) -> Value, byReading: (Ancestry, Ancestry) -> Value
  ) throws(GitError) -> Value {
    if isHistoryKnown {
      do throws(GitError) {
        return try byLibrary()
      } catch  where !error.isOfMalformedHistory {
        throw error
      } catch {}
    }
    let one = try ancestry(of: a, action)
    let other = try ancestry(of: b, action)
    guard one.isWhole(without: [other]), other.isWhole(without: [one]) else {
      throw boundary(action)
    }
    return byReading(one, other)
  }

  /// Reads a history; the error names the commit that is missing.
  private func ancestry(of commit: ObjectID, _ action: String) throws(GitError) -> Ancestry {
    do throws(GitError) {
      return try Ancestry(self, of: commit)
    } catch  where error.code == .notFound {
      if isShallow { throw boundary(action) }
      throw GitError(.notFound, action: action, detail: error.detail, path: error.path)
    }
  }

  /// Makes libgit2 read each commit from its object, not from git's commit graph.
  ///
  /// libgit2 1.5 hashes the whole graph before it uses it, and is no faster with it.
  static func passOverCommitGraph(of repository: OpaquePointer) {
    var database: OpaquePointer?
    guard git_repository_odb(&database, repository) == 0, let database else { return }
    defer { git_odb_free(database) }
    // If it fails, the graph is used.
    _ = git_odb_set_commit_graph(database, nil)
  }

  /// Visits a commit and its ancestors, newest first, except those reachable from `hiding`.
  ///
  /// Every commit comes before its parents. The visit ends when it returns false. If nothing is
  /// hidden, only as much of the history is read as is visited. Throws `shallow` before any visit
  /// if the history ends at the boundary of a shallow clone.
  public func history(
    from: ObjectID, hiding: [ObjectID] = [], _ visit: (Commit) throws(GitError) -> Bool
  ) throws(GitError) {
    if !isHistoryKnown { return try visitByReading(from, hiding, visit) }
    if hiding.isEmpty { return try visitAll(from, visit) }
    var walk: Revwalk
    do throws(GitError) {
      walk = try Revwalk(self, from: from, hiding: hiding)
    } catch  where error.isOfMalformedHistory {
      return try visitByReading(from, hiding, visit)
    }
    while let id = walk.current {
      guard try visit(commit(id)) else { return }
      try walk.advance()
    }
  }

  private func visitAll(
    _ from: ObjectID, _ visit: (Commit) throws(GitError) -> Bool
  ) throws(GitError) {
    var walk = try HistoryWalk(self, from: from)
    while let commits = try walk.next() {
      for commit in commits where try !visit(commit) { return }
    }
  }

  private func visitByReading(
    _ from: ObjectID, _ hiding: [ObjectID], _ visit: (Commit) throws(GitError) -> Bool
  ) throws(GitError) {
    let action = "walk the history"
    let hidden = try hiding.map { id throws(GitError) in try ancestry(of: id, action) }
    let history = try ancestry(of: from, action)
    guard history.isWhole(without: hidden) else { throw boundary(action) }
    let commits = try history.commits(without: hidden).map { id throws(GitError) in try commit(id) }
    for commit in HistoryWalk.sorted(commits) where try !visit(commit) { return }
  }

  /// Returns the error for a shallow clone's end.
  public func boundary(_ action: String) -> GitError {
    GitError(
      .shallow, action: action,
      detail: "the clone is shallow; 'git fetch --unshallow' completes it", path: commonDirectory)
  }
}

/// libgit2's walk through a history without that of other commits.
private struct Revwalk: ~Copyable {
  private static let action = "walk the history"
  private let walk: Handle<OpaquePointer>
  /// The commit that the walk has come to; nil at its end.
  private(set) var current: ObjectID?

  /// Reads the history that is not hidden, as far as its first commit.
  init(
    _ repository: Repository, from: ObjectID, hiding: [ObjectID]
  ) throws(GitError) {
    let walk = try Handle(Self.action, free: { git_revwalk_free($0) }) {
      git_revwalk_new($0, repository.pointer)
    }
    let order = GIT_SORT_TOPOLOGICAL.rawValue | GIT_SORT_TIME.rawValue
    try check(git_revwalk_sorting(walk.pointer, order), Self.action)
    var oid = from.oid
    try check(git_revwalk_push(walk.pointer, &oid), Self.action)
    for hidden in hiding {
      oid = hidden.oid
      try check(git_revwalk_hide(walk.pointer, &oid), Self.action)
    }
    current = try Self.next(walk.pointer)
    self.walk = walk
  }

  mutating func advance() throws(GitError) { current = try Self.next(walk.pointer) }

  private static func next(_ walk: OpaquePointer) throws(GitError) -> ObjectID? {
    var oid = git_oid()
    let status = git_revwalk_next(&oid, walk)
    guard status != GIT_ITEROVER.rawValue else { return nil }
    try check(status, action)
    return ObjectID(oid)
  }
}

extension GitError {
  /// Whether libgit2 may have failed at a commit that git would not have written, or at a missing one.
  fileprivate var isOfMalformedHistory: Bool {
    code == .other(-1) || code == .invalid || code == .notFound
  }
}
