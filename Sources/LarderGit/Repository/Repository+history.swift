internal import Clibgit2

extension Repository {
  /// Returns the merge bases of two commits: none for unrelated histories, several after
  /// criss-cross merges.
  public func mergeBases(_ a: ObjectID, _ b: ObjectID) throws(GitError) -> [ObjectID] {
    var one = a.oid
    var two = b.oid
    var found = git_oidarray()
    let status = git_merge_bases(&found, pointer, &one, &two)
    defer { git_oidarray_dispose(&found) }
    if status == GIT_ENOTFOUND.rawValue, try has(a), try has(b) {
      try refuseBoundary("find the common ancestor")
      return []
    }
    return try pastMalformed { () throws(GitError) in
      try checkWalk(status, "find the common ancestor", [a, b])
      return (0..<found.count).map { ObjectID(found.ids[$0]) }
    } or: { () throws(GitError) in
      try Ancestry(self, of: a).bases(with: Ancestry(self, of: b))
    }
  }

  /// Whether `a` is `b` or an ancestor of `b`.
  public func isAncestor(_ a: ObjectID, of b: ObjectID) throws(GitError) -> Bool {
    if a == b { return true }
    var ancestor = a.oid
    var commit = b.oid
    let status = git_graph_descendant_of(pointer, &commit, &ancestor)
    do throws(GitError) {
      return try pastMalformed { () throws(GitError) in
        try checkWalk(status, "look for an ancestor", [a, b])
        return status == 1
      } or: { () throws(GitError) in
        try Ancestry(self, of: b).contains(a)
      }
    } catch  where error.code == .shallow {
      // libgit2 stops at the boundary, although the answer may be before it.
      if try finds(a, behind: b) { return true }
      throw error
    }
  }

  private func finds(_ ancestor: ObjectID, behind commit: ObjectID) throws(GitError) -> Bool {
    var waiting = [commit]
    var seen: Set<ObjectID> = []
    while let next = waiting.popLast() {
      guard next != ancestor else { return true }
      guard seen.insert(next).inserted, try has(next) else { continue }
      waiting += try self.commit(next).parents
    }
    return false
  }

  /// Returns the number of commits that only `local` has, and that only `upstream` has.
  public func aheadBehind(
    _ local: ObjectID, _ upstream: ObjectID
  ) throws(GitError) -> (ahead: Int, behind: Int) {
    var ours = local.oid
    var theirs = upstream.oid
    var ahead = 0
    var behind = 0
    let status = git_graph_ahead_behind(&ahead, &behind, pointer, &ours, &theirs)
    return try pastMalformed { () throws(GitError) in
      try checkWalk(status, "compare two histories", [local, upstream])
      return (ahead, behind)
    } or: { () throws(GitError) in
      let mine = try Ancestry(self, of: local)
      let others = try Ancestry(self, of: upstream)
      return (mine.count(without: others), others.count(without: mine))
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

  /// Runs `other`, without libgit2, if libgit2 fails at a commit that git would not have written.
  private func pastMalformed<Value>(
    _ body: () throws(GitError) -> Value, or other: () throws(GitError) -> Value
  ) throws(GitError) -> Value {
    do throws(GitError) {
      return try body()
    } catch  where error.code == .other(-1) || error.code == .invalid {
      return try other()
    }
  }

  /// Visits a commit and its ancestors, newest first, except those reachable from `hiding`.
  ///
  /// Every commit comes before its parents. The visit ends when it returns false. If nothing is
  /// hidden, only as much of the history is read as is visited. Throws `shallow` before any visit
  /// if the history ends at the boundary of a shallow clone.
  public func history(
    from: ObjectID, hiding: [ObjectID] = [], _ visit: (Commit) throws(GitError) -> Bool
  ) throws(GitError) {
    let action = "walk the history"
    if hiding.isEmpty, !isShallow { return try visitAll(from, visit) }
    let walk = try Handle(action, free: { git_revwalk_free($0) }) {
      git_revwalk_new($0, pointer)
    }
    let order = GIT_SORT_TOPOLOGICAL.rawValue | GIT_SORT_TIME.rawValue
    try check(git_revwalk_sorting(walk.pointer, order), action)
    var oid = from.oid
    // The first step reads the history that is not hidden.
    let begun = try pastMalformed { () throws(GitError) -> Int32? in
      try checkWalk(git_revwalk_push(walk.pointer, &oid), action, [from])
      for hidden in hiding {
        oid = hidden.oid
        try checkWalk(git_revwalk_hide(walk.pointer, &oid), action, [hidden])
      }
      let status = git_revwalk_next(&oid, walk.pointer)
      if status != GIT_ITEROVER.rawValue { try checkWalk(status, action, []) }
      return status
    } or: { () throws(GitError) in
      nil
    }
    guard var status = begun else {
      let hidden = try hiding.map { id throws(GitError) in try Ancestry(self, of: id) }
      return try visitAll(from) { (commit) throws(GitError) in
        if hidden.contains(where: { $0.contains(commit.id) }) { return true }
        return try visit(commit)
      }
    }
    while status != GIT_ITEROVER.rawValue {
      guard try visit(commit(ObjectID(oid))) else { return }
      status = git_revwalk_next(&oid, walk.pointer)
      if status != GIT_ITEROVER.rawValue { try checkWalk(status, action, []) }
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

  /// Throws the right error for a shallow boundary and for missing commits.
  ///
  /// libgit2 reports most of them as a general failure.
  private func checkWalk(
    _ status: Int32, _ action: String, _ commits: [ObjectID]
  ) throws(GitError) {
    do throws(GitError) {
      try check(status, action)
    } catch  where error.code == .notFound || error.code == .other(-1) {
      try refuseBoundary(action)
      for commit in commits where try !has(commit) {
        throw GitError(.notFound, action: action, detail: error.detail, path: commit.hex)
      }
      throw error
    }
  }

  private func refuseBoundary(_ action: String) throws(GitError) {
    if isShallow { throw boundary(action) }
  }

  /// Returns the error for a shallow clone's end.
  public func boundary(_ action: String) -> GitError {
    GitError(
      .shallow, action: action,
      detail: "the clone is shallow; 'git fetch --unshallow' completes it", path: commonDirectory)
  }
}
