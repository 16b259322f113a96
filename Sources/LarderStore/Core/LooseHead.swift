public import LarderGit
internal import LarderText

/// A HEAD that names a commit and no branch, so that a new commit would belong to none.
public struct LooseHead: Sendable, Hashable {
  public let commit: ObjectID
  /// The number of commits that no branch would have any more if HEAD went elsewhere.
  public let unkept: Int
  /// The branch to go to; nil if there is none.
  public let branch: String?
  /// Whether jj keeps HEAD without a branch.
  public let isJujutsu: Bool
}

/// A commit of larder's that was made while no branch was checked out, and that no branch has.
public struct LeftCommit: Sendable, Hashable {
  public let commit: Commit
  /// The number of such commits up to this one.
  public let count: Int
}

extension Store {
  /// Returns the branch that commits go to: HEAD's, or the only one at its commit if jj has taken HEAD
  /// from it; nil if there is none.
  package func branch(of head: Head) throws(StoreError) -> String? {
    switch head {
    case .branch(let name, _), .unborn(let name): return name
    case .detached(let commit):
      let here = branches.filter { $0.target == commit }
      return isJujutsu && here.count == 1 ? here.first?.name : nil
    }
  }

  /// Returns a HEAD on no branch; nil if commits go to a branch.
  public func looseHead() throws(StoreError) -> LooseHead? {
    let head = try git { repository throws(GitError) in try repository.head() }
    guard case .detached(let commit) = head, try branch(of: head) == nil else { return nil }
    return try git { repository throws(GitError) in
      LooseHead(
        commit: commit, unkept: try unkept(commit, in: repository),
        branch: try branchBefore(in: repository), isJujutsu: isJujutsu)
    }
  }

  /// Throws `looseHead` if a commit would belong to no branch.
  ///
  /// Where jj has taken HEAD from its branch, the branch is checked out again, as by `git switch`.
  package func standOnBranch() throws(StoreError) {
    let head = try git { repository throws(GitError) in try repository.head() }
    guard case .detached = head else { return }
    if let loose = try looseHead() { throw .looseHead(loose) }
    guard let branch = try branch(of: head) else { return }
    try git { repository throws(GitError) in try repository.setHead(toBranch: branch) }
  }

  /// Returns the commits of larder's that were left when HEAD, on no branch, went elsewhere; the last
  /// of each line, the latest first.
  public func leftCommits() throws(StoreError) -> [LeftCommit] {
    guard let repository, !repository.isShallow else { return [] }
    return try git { repository throws(GitError) in
      var left: [LeftCommit] = []
      var known = Set(keepers)
      if let head = try repository.head().commit { known.insert(head) }
      for id in ReferenceFiles(folder: repository.gitDirectory).leftHeads {
        guard !known.contains(id), try repository.has(id) else { continue }
        var commits: [Commit] = []
        try repository.history(from: id, hiding: Array(known)) { commit in
          commits.append(commit)
          return true
        }
        guard let last = commits.first, commits.contains(where: { !$0.isPlain }) else { continue }
        known.insert(id)
        left.append(LeftCommit(commit: last, count: commits.count))
      }
      return left
    }
  }

  /// Joins commits that were left without a branch into this one.
  package func takeLeftCommits() throws {
    for left in try leftCommits() {
      try whileLocked { () throws(any Error) in
        _ = try join(left.commit.id, from: "doctor", joiningHistories: false)
      }
    }
  }

  /// Whether the repository is a jj workspace too, where HEAD is on no branch most of the time.
  private var isJujutsu: Bool { FileState(of: root + "/.jj/repo") != nil }

  private var references: [ReferenceFiles.Entry] {
    repository.map { ReferenceFiles(folder: $0.commonDirectory).entries() } ?? []
  }

  private var branches: [(name: String, target: ObjectID)] {
    references.compactMap { entry in
      guard let name = entry.name.afterBytes(of: "refs/heads/"), let target = entry.target else {
        return nil
      }
      return (name, target)
    }
  }

  /// The commits of all branches, here and on remotes.
  private var keepers: [ObjectID] {
    let kept = references.filter {
      $0.name.begins(withBytesOf: "refs/heads/") || $0.name.begins(withBytesOf: "refs/remotes/")
    }
    return Array(Set(kept.compactMap(\.target)))
  }

  /// Returns the number of commits that no branch has; 1 for an unknown number.
  private func unkept(_ commit: ObjectID, in repository: Repository) throws(GitError) -> Int {
    var kept: [ObjectID] = []
    for id in keepers where try repository.has(id) { kept.append(id) }
    if kept.contains(commit) { return 0 }
    if repository.isShallow { return 1 }
    var count = 0
    try repository.history(from: commit, hiding: kept) { _ in
      count += 1
      return true
    }
    return count
  }

  /// Returns the branch that was checked out before, otherwise main, otherwise the only one.
  private func branchBefore(in repository: Repository) throws(GitError) -> String? {
    var names: [String] = []
    for (name, _) in branches where try !repository.isCheckedOut(branch: name) {
      names.append(name)
    }
    let before = ReferenceFiles(folder: repository.gitDirectory).branchesLeft
    return before.first { names.contains($0) } ?? names.first { $0 == "main" }
      ?? (names.count == 1 ? names.first : nil)
  }
}
