internal import LarderGit
internal import LarderModel
internal import LarderText

extension CommitReader {
  /// Returns what a commit's files say, with the known content of files that are now unreadable.
  func standing(_ commit: Commit) throws(GitError) -> Household {
    var household = try standing(commit.tree)
    let broken = household.unreadable.filter { $0.value.isBroken }.map(\.key).sorted()
    guard !broken.isEmpty else { return household }
    let known = try lastKnown(broken, before: commit.id)
    for path in broken {
      guard let entity = known[path], household[entity.key] == nil else { continue }
      household.put(entity, at: path)
    }
    return household
  }

  /// Returns the known entities of unreadable files: the join of all readable versions in the
  /// history.
  private func lastKnown(_ paths: [FilePath], before commit: ObjectID) throws(GitError)
    -> [FilePath: Entity]
  {
    var known: [FilePath: Entity] = [:]
    var versions: [(path: FilePath, version: FileVersion, file: EntityFile)] = []
    try visitReadable(paths, from: commit) { versions.append(($0, $1, $2)) }
    for (path, version, file) in versions {
      guard let entity = try entity(file, in: version) else { continue }
      guard let other = known[path] else {
        known[path] = entity
        continue
      }
      if other.key == entity.key { known[path] = other.joined(with: entity) }
    }
    return known
  }

  private func entity(_ file: EntityFile, in version: FileVersion) throws(GitError) -> Entity? {
    if try stands(version.commit) { return file.isComplete ? Entity(file) : nil }
    let household = try meaning(of: version.commit.id).household
    return household.key(at: version.path).flatMap { household[$0] }
  }

  /// Returns a tree's files taken literally, decoded by the difference from a known tree.
  func standing(_ tree: ObjectID) throws(GitError) -> Household {
    // Which of two files with one id counts depends on both, so neither can be decoded alone.
    guard let near = decoded, !near.household.hasDuplicates else {
      let household = try decodeAll(tree)
      know(tree, household)
      return household
    }
    var household = near.household
    let changes = try repository.ownChanges(from: near.tree, to: tree)
    for change in changes { household.forget(path: change.path) }
    let entries = changes.compactMap(\.new)
    for (entry, entity) in zip(entries, try decode(entries)) {
      household.take(entity, at: entry.path)
    }
    return household
  }

  private func decodeAll(_ tree: ObjectID) throws(GitError) -> Household {
    try standing(try repository.ownEntries(of: tree), asIn: WorkTree(nil))
  }

  /// Returns the files of a tree taken literally; those that are the same in the work tree are not
  /// read again.
  func standing(_ entries: [TreeEntry], asIn workTree: WorkTree) throws(GitError) -> Household {
    var household = Household()
    household.reserve(entries.count)
    var files: [(path: FilePath, bytes: ArraySlice<UInt8>)] = []
    for entry in entries {
      if !entry.isReadable {
        household.take(try decode([entry])[0], at: entry.path)
      } else if let file = workTree[entry.path], file.blob == entry.id, let bytes = file.bytes {
        files.append((entry.path, bytes))
      } else {
        files.append((entry.path, try repository.readBlob(entry.id)[...]))
      }
    }
    let decoded = files.concurrentMap { HouseholdReader.decoded($0.path, $0.bytes).map(\.compact) }
    for (file, decoded) in zip(files, decoded) { household.take(decoded, at: file.path) }
    return household
  }

  /// Stores the files of a snapshot.
  func know(_ snapshot: Snapshot) throws(GitError) {
    var household = snapshot.household
    for (entry, entity) in zip(snapshot.unreadable, try decode(snapshot.unreadable)) {
      household.take(entity, at: entry.path)
    }
    know(snapshot.tree, household)
  }

  private func decode(_ entries: [TreeEntry]) throws(GitError) -> [Result<Entity, FileMistakes>] {
    guard entries.count > KnownVersions.many else {
      return try versions.files(entries, in: repository).map(HouseholdReader.decoded)
    }
    let files = try entries.map { entry throws(GitError) in
      (path: entry.path, bytes: try repository.ownBytes(entry))
    }
    return files.concurrentMap { file in
      HouseholdReader.decoded(HouseholdReader.written(file.path, file.bytes))
    }
  }

  /// Returns the readable versions of some files before commits, newest first.
  func histories(of paths: [FilePath], from commits: [ObjectID]) throws(GitError)
    -> [FilePath: [EntityFile]]
  {
    var versions: [FilePath: [EntityFile]] = [:]
    for path in paths { versions[path] = [] }
    for id in commits {
      try visitReadable(paths, from: id) { path, _, file in versions[path]?.append(file) }
    }
    return versions
  }

  private func visitReadable(
    _ paths: [FilePath], from commit: ObjectID, _ visit: (FilePath, FileVersion, EntityFile) -> Void
  ) throws(GitError) {
    var failure: GitError?
    try repository.history(ofFiles: paths, from: commit) { path, version in
      guard let blob = version.blob else { return true }
      do throws(GitError) {
        if case .readable(let file)? = try repository.ownFile(at: version.path, blob) {
          visit(path, version, file)
        }
        return true
      } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
  }
}

/// The older versions of changed files, read on demand.
final class FileHistories {
  private let reader: CommitReader
  private let commits: [ObjectID]
  private let paths: [FilePath]
  private var read: [FilePath: [EntityFile]] = [:]

  /// The number of single reads after which all other files are read in one walk through the
  /// history.
  private static let few = 4

  /// Creates the histories of the files at some paths, before some commits.
  init(_ reader: CommitReader, of paths: [FilePath], from commits: [ObjectID]) {
    self.reader = reader
    self.paths = paths
    self.commits = commits
  }

  /// Returns a file's readable versions, newest first.
  func versions(of path: FilePath) throws(GitError) -> [EntityFile] {
    if let known = read[path] { return known }
    let others = read.count < FileHistories.few ? [] : paths.filter { read[$0] == nil }
    let wanted = others.contains(path) ? others : [path]
    read.merge(try reader.histories(of: wanted, from: commits)) { $1 }
    return read[path] ?? []
  }
}
