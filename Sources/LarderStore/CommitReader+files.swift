internal import LarderGit
internal import LarderModel

extension CommitReader {
  /// What a commit's files say, with what is known of those that can't be read any more.
  func standing(_ commit: Commit) throws(GitError) -> Household {
    var household = try standing(commit.tree)
    for (path, mistakes) in household.unreadable.sorted(by: { $0.key < $1.key })
    where mistakes.isBroken {
      guard let known = try lastKnown(path, before: commit.id), household[known.key] == nil else {
        continue
      }
      household.put(known, at: path)
    }
    return household
  }

  /// What is known of the entity in a broken file: all that its readable versions say, on every
  /// road that led here.
  private func lastKnown(_ path: String, before commit: ObjectID) throws(GitError) -> Entity? {
    var versions: [(version: FileVersion, file: EntityFile)] = []
    try visitReadable(path, from: commit) { version, file in
      versions.append((version, file))
      return true
    }
    var known: Entity?
    for (version, file) in versions {
      guard let entity = try entity(file, in: version) else { continue }
      guard let other = known else {
        known = entity
        continue
      }
      if other.key == entity.key { known = other.joined(with: entity) }
    }
    return known
  }

  private func entity(_ file: EntityFile, in version: FileVersion) throws(GitError) -> Entity? {
    if try stands(version.commit) { return file.isComplete ? Entity(file) : nil }
    let household = try meaning(of: version.commit.id).household
    return household.key(at: version.path).flatMap { household[$0] }
  }

  /// A tree's files as they stand, decoded by the difference from one that is known.
  func standing(_ tree: ObjectID) throws(GitError) -> Household {
    // Which of two files has an id depends on both, so that neither can be decoded alone.
    guard let near = decoded, !near.household.hasDuplicates else {
      let household = try decodeAll(tree)
      know(tree, household)
      return household
    }
    var household = near.household
    let changes = try repository.ownChanges(from: near.tree, to: tree)
    for change in changes { household.forget(path: change.path) }
    for change in changes {
      guard let entry = change.new else { continue }
      household.take(try decode(entry), at: change.path)
    }
    return household
  }

  private func decodeAll(_ tree: ObjectID) throws(GitError) -> Household {
    var files: [Decoding.File] = []
    var others: [String] = []
    for entry in try repository.ownEntries(of: tree) {
      if entry.mode.isOrdinary {
        files.append((entry.path, try repository.readBlob(entry.id)[...]))
      } else {
        others.append(entry.path)
      }
    }
    return HouseholdReader.standing(files, others: others)
  }

  private func decode(_ entry: TreeEntry) throws(GitError) -> Result<Entity, FileMistakes> {
    guard entry.mode.isOrdinary else { return .failure(FileMistakes([.notAFile])) }
    return HouseholdReader.decoded(entry.path, try repository.readBlob(entry.id)[...])
  }

  /// A file's readable versions before commits, newest first.
  func history(of path: String, from commits: [ObjectID]) throws(GitError) -> [EntityFile] {
    var versions: [EntityFile] = []
    for id in commits {
      try visitReadable(path, from: id) { _, file in
        versions.append(file)
        return true
      }
    }
    return versions
  }

  private func visitReadable(
    _ path: String, from commit: ObjectID, _ visit: (FileVersion, EntityFile) -> Bool
  ) throws(GitError) {
    var failure: GitError?
    try repository.history(ofFile: path, from: commit) { version in
      guard let blob = version.blob else { return true }
      do throws(GitError) {
        let bytes = try repository.readBlob(blob)
        guard case .readable(let file)? = HouseholdReader.written(version.path, bytes[...]) else {
          return true
        }
        return visit(version, file)
      } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
  }
}
