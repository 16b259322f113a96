/// A commit and all before it, read commit by commit.
///
/// libgit2 compares histories quicker, but gives up at a commit without an author or with a time that
/// no clock shows.
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

  /// How many commits are in this history only.
  func count(without other: Ancestry) -> Int {
    parents.keys.count { !other.contains($0) }
  }

  /// The best common ancestors: those that no other common one follows.
  func bases(with other: Ancestry) -> [ObjectID] {
    let common = parents.filter { other.contains($0.key) }
    let followed = Set(common.values.joined())
    return common.keys.filter { !followed.contains($0) }.sorted()
  }
}
