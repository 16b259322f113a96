/// A walk through a history, newest first and every commit before its parents, that reads only as
/// much as needed.
///
/// libgit2 reads all commits before it returns the first one of a sorted walk. But most of a
/// household's history is linear: when all commits that were read lead to a single unread commit,
/// they can be sorted by themselves.
struct HistoryWalk {
  private let repository: Repository
  private var waiting = CommitQueue()
  /// The commits read or queued since the last commit that all others led to.
  private var seen: Set<ObjectID>

  init(_ repository: Repository, from: ObjectID) throws(GitError) {
    self.repository = repository
    seen = [from]
    waiting.insert(try repository.commit(from))
  }

  /// Returns the next commits in order, or nil at the end.
  mutating func next() throws(GitError) -> [Commit]? {
    guard let first = waiting.removeFirst() else { return nil }
    seen = [first.id]
    var read = [first]
    try expect(first.parents)
    // With wrong clocks, a commit that is still queued may be a descendant of one that was read.
    // Then the ancestors of that one were read too, up to a first commit.
    var hasBeginning = first.parents.isEmpty
    while waiting.count > 1 || hasBeginning, let commit = waiting.removeFirst() {
      read.append(commit)
      try expect(commit.parents)
      hasBeginning = hasBeginning || commit.parents.isEmpty
    }
    return read.count == 1 ? read : Self.sorted(read)
  }

  private mutating func expect(_ parents: [ObjectID]) throws(GitError) {
    for parent in parents where seen.insert(parent).inserted {
      waiting.insert(try repository.commit(parent))
    }
  }

  /// Returns the commits newest first, each after all its children.
  static func sorted(_ commits: [Commit]) -> [Commit] {
    let known = Dictionary(uniqueKeysWithValues: commits.map { ($0.id, $0) })
    var children: [ObjectID: Int] = [:]
    for parent in commits.flatMap(\.parents) { children[parent, default: 0] += 1 }
    var ready = CommitQueue()
    for commit in commits where children[commit.id] == nil { ready.insert(commit) }
    var sorted: [Commit] = []
    while let commit = ready.removeFirst() {
      sorted.append(commit)
      for parent in commit.parents {
        children[parent, default: 0] -= 1
        if children[parent] == 0, let next = known[parent] { ready.insert(next) }
      }
    }
    return sorted
  }
}
