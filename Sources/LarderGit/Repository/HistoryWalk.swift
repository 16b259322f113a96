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

/// A commit and all its ancestors that the clone has, read one by one.
///
/// libgit2 compares histories faster. But it fails at a commit without an author or with an impossible
/// time; and at the end of a shallow clone it fails before version 1.7, and from then on takes it for
/// the beginning of the history.
struct Ancestry {
  private let parents: [ObjectID: [ObjectID]]
  /// The commits whose parents a shallow clone lacks.
  private let ends: Set<ObjectID>

  init(_ repository: Repository, of commit: ObjectID) throws(GitError) {
    let isShallow = repository.isShallow
    var parents: [ObjectID: [ObjectID]] = [:]
    var ends: Set<ObjectID> = []
    var waiting = [commit]
    while let next = waiting.popLast() {
      guard parents[next] == nil else { continue }
      let read = try repository.commit(next).parents
      parents[next] = read
      for parent in read {
        if isShallow, try !repository.has(parent) {
          ends.insert(next)
        } else {
          waiting.append(parent)
        }
      }
    }
    self.parents = parents
    self.ends = ends
  }

  /// Whether the clone has all ancestors.
  var isWhole: Bool { ends.isEmpty }

  func contains(_ commit: ObjectID) -> Bool { parents[commit] != nil }

  /// Whether a commit that the clone may lack is a parent of one of these.
  func names(_ commit: ObjectID) -> Bool {
    contains(commit) || ends.contains { parents[$0]?.contains(commit) ?? false }
  }

  /// Returns the commits that only this history has.
  func commits(without others: [Ancestry]) -> Set<ObjectID> {
    Set(parents.keys.filter { commit in !others.contains { $0.contains(commit) } })
  }

  /// Whether the clone has all commits that only this history has, as far as it can be known.
  ///
  /// What is missing behind a commit of the others, they have too.
  func isWhole(without others: [Ancestry]) -> Bool {
    isWhole || commits(without: others).isDisjoint(with: ends)
  }

  /// Returns the merge bases: the common ancestors that are not ancestors of another common
  /// ancestor.
  func bases(with other: Ancestry) -> [ObjectID] {
    let common = parents.filter { other.contains($0.key) }
    let followed = Set(common.values.joined())
    return common.keys.filter { !followed.contains($0) }.sorted()
  }
}

/// A priority queue of commits, the newest first.
///
/// For commits of the same second, the first inserted is first.
struct CommitQueue {
  private var heap: [(commit: Commit, number: Int)] = []
  private var arrivals = 0

  var count: Int { heap.count }

  mutating func insert(_ commit: Commit) {
    heap.append((commit, arrivals))
    arrivals += 1
    var place = heap.count - 1
    while place > 0, isBefore(place, (place - 1) / 2) {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  mutating func removeFirst() -> Commit? {
    guard let first = heap.first else { return nil }
    let last = heap.removeLast()
    guard !heap.isEmpty else { return first.commit }
    heap[0] = last
    var place = 0
    while let child = smallerChild(of: place), isBefore(child, place) {
      heap.swapAt(place, child)
      place = child
    }
    return first.commit
  }

  private func smallerChild(of place: Int) -> Int? {
    let left = 2 * place + 1
    guard left < heap.count else { return nil }
    return left + 1 < heap.count && isBefore(left + 1, left) ? left + 1 : left
  }

  private func isBefore(_ place: Int, _ other: Int) -> Bool {
    let (one, two) = (heap[place], heap[other])
    let (mine, theirs) = (one.commit.committer.seconds, two.commit.committer.seconds)
    return mine == theirs ? one.number < two.number : mine > theirs
  }
}
