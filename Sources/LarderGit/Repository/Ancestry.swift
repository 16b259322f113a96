/// A commit and all its ancestors, read one by one.
///
/// libgit2 compares histories faster, but fails at a commit without an author or with an impossible
/// time.
struct Ancestry {
  private let parents: [ObjectID: [ObjectID]]

  init(_ repository: Repository, of commit: ObjectID) throws(GitError) {
    var parents: [ObjectID: [ObjectID]] = [:]
    var waiting = [commit]
    while let next = waiting.popLast() {
      guard parents[next] == nil else { continue }
      let read = try repository.commit(next).parents
      parents[next] = read
      waiting += read
    }
    self.parents = parents
  }

  func contains(_ commit: ObjectID) -> Bool { parents[commit] != nil }

  /// Returns the number of commits that only this history has.
  func count(without other: Ancestry) -> Int {
    parents.keys.count { !other.contains($0) }
  }

  /// Returns the merge bases: the common ancestors that are not ancestors of another common
  /// ancestor.
  func bases(with other: Ancestry) -> [ObjectID] {
    let common = parents.filter { other.contains($0.key) }
    let followed = Set(common.values.joined())
    return common.keys.filter { !followed.contains($0) }.sorted()
  }
}
