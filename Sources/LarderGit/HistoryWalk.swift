/// Visits a history newest first, every commit before its parents, reading no further than it has to.
///
/// libgit2 reads all commits there are before it gives the first one of a sorted walk. Most of a
/// household's history is a string of beads, though: wherever all that was read leads to one commit
/// that was not, what was read can be put in order by itself.
struct HistoryWalk {
  private let repository: Repository
  private var waiting = CommitQueue()
  /// The commits that were read, or wait, since the last one that all led to.
  private var seen: Set<ObjectID>

  init(_ repository: Repository, from: ObjectID) throws(GitError) {
    self.repository = repository
    seen = [from]
    waiting.insert(try repository.commit(from))
  }

  /// The next commits in their order; nil at the end.
  mutating func next() throws(GitError) -> [Commit]? {
    guard let first = waiting.removeFirst() else { return nil }
    seen = [first.id]
    var read = [first]
    try expect(first.parents)
    // By bad clocks, what still waits may follow a commit that was read. That one's own beginnings
    // were read then, a first commit among them.
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

  /// Newest first, but for those that others are yet to lead to.
  private static func sorted(_ commits: [Commit]) -> [Commit] {
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
