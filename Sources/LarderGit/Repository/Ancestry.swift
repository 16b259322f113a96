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
