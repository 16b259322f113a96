package import LarderGit
internal import LarderModel

extension Store {
  /// Returns the reason why a commit from elsewhere is not followed.
  ///
  /// Nil if it may be.
  ///
  /// Content that HEAD already has was judged when it came.
  package func refusal(of id: ObjectID) throws(StoreError) -> RefusedCommit? {
    try git { repository throws(GitError) in
      let known = try repository.head().commit.map { head throws(GitError) in
        try repository.commit(head).tree
      }
      return try CommitJudge(repository).refusal(of: try repository.commit(id), since: known)
    }
  }

  /// Returns the reason why other devices would not follow the checked-out commit.
  ///
  /// Content that the remote's branch already has is not reported again: its owner has to repair
  /// it.
  package func ownRefusal(since theirs: ObjectID?) throws(StoreError) -> RefusedCommit? {
    try git { repository throws(GitError) in
      guard let head = try repository.head().commit else { return nil }
      let known = try theirs.map { id throws(GitError) in try repository.commit(id).tree }
      return try CommitJudge(repository).refusal(of: try repository.commit(head), since: known)
    }
  }

  /// Returns the household's format in the upstream branch, as this clone last saw it.
  ///
  /// Nil if nothing new is there.
  public func formatOfUpstream() throws(StoreError) -> String? {
    try git { repository throws(GitError) in
      guard case .branch(let branch, let head) = try repository.head(),
        let tracking = try repository.upstream(ofBranch: branch)?.tracking,
        let theirs = try repository.reference(tracking),
        try !repository.isAncestor(theirs, of: head),
        let entry = try repository.entry(
          at: Kind.householdPath, in: try repository.commit(theirs).tree), entry.mode.isOrdinary,
        case .readable(let file)? = try repository.ownFile(at: entry.path, entry.id)
      else { return nil }
      return Entity(file)?.format
    }
  }

  /// Returns a commit on a refused one, without its faults.
  ///
  /// A damaged file gets its last good version. Every device makes the same commit, so two devices
  /// that do it separately need no merge.
  func soundCommit(on refused: RefusedCommit) throws(StoreError) -> ObjectID {
    let bad = refused.commit
    return try git { repository throws(GitError) in
      let judge = TreeJudge(repository: repository)
      let sound = try CommitJudge(repository).soundTree(before: bad)
      let tree = try judge.cleaned(bad.tree, by: sound)
      let nobody = Signature(
        name: "larder", email: "larder@larder.invalid", seconds: 0, offsetMinutes: 0)
      let author = bad.isSound && !bad.author.name.isEmpty ? bad.author : nobody
      let subject = "take \(bad.id.short) without what no household may have"
      return try repository.writeCommit(
        tree: tree, parents: [bad.id], author: author, committer: author, message: subject + "\n")
    }
  }
}

// MARK: - Mending

extension Store {
  /// Makes a commit on HEAD without its faults.
  func takeOutOwn() throws {
    try whileLocked { () throws(any Error) in
      var loaded = try load()
      _ = try adopt(&loaded)
      guard let refused = try ownRefusal(since: nil) else { return }
      _ = try join(try soundCommit(on: refused), from: "doctor", joiningHistories: false)
    }
  }

  /// Joins a remote's commit without its faults; `reference` is the tracking branch.
  func take(_ refused: RefusedCommit, from reference: String) throws {
    try whileLocked { () throws(any Error) in
      let remote = reference.split(separator: "/").dropFirst(2).first.map(String.init) ?? reference
      _ = try join(try soundCommit(on: refused), from: remote, joiningHistories: false)
    }
  }
}

/// The check of commits: their trees, and whether git can read their authors.
struct CommitJudge {
  private let repository: Repository

  init(_ repository: Repository) {
    self.repository = repository
  }

  func refusal(of commit: Commit, since known: ObjectID?) throws(GitError) -> RefusedCommit? {
    let faults = try TreeJudge(repository: repository).faults(of: commit.tree, since: known)
    return faults.isEmpty && commit.isSound ? nil : RefusedCommit(commit: commit, faults: faults)
  }

  /// Returns the tree of the nearest ancestor, by first parents, without faults.
  ///
  /// Nil if there is none.
  func soundTree(before commit: Commit) throws(GitError) -> ObjectID? {
    var next = commit.parents.first
    while let id = next {
      let commit = try repository.commit(id)
      if try TreeJudge(repository: repository).faults(of: commit.tree).isEmpty {
        return commit.tree
      }
      next = commit.parents.first
    }
    return nil
  }
}
