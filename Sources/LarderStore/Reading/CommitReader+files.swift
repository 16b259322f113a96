internal import LarderGit
internal import LarderModel
internal import LarderText

extension CommitReader {
  /// Returns what a commit's files say; of files that are broken or refused, what is known of their
  /// entities.
  func files(of commit: Commit) throws(GitError) -> Household {
    var household = try files(in: commit.tree)
    let broken = household.untaken.filter { $0.value.hasNoMeaning }.map(\.key)
    let refused = CommitContent.refused(in: commit).filter { path in
      household.key(at: path) != nil || household.untaken[path]?.hasNoMeaning == false
    }
    guard !broken.isEmpty || !refused.isEmpty else { return household }
    try leaveOut(refused, of: commit.tree, &household)
    for path in (broken + refused).sorted() {
      let known = try known(at: path, before: commit)
      if let mistakes = known.mistakes, mistakes.isRefused {
        household.untaken[path] = mistakes
      }
      guard let entity = known.entity, household[entity.key] == nil else { continue }
      household.put(entity, at: path)
    }
    return household
  }

  /// Takes refused files out of a tree's household; another file with the id of one counts then.
  private func leaveOut(
    _ refused: Set<FilePath>, of tree: ObjectID, _ household: inout Household
  ) throws(GitError) {
    for path in refused {
      household.forget(path: path)
      household.untaken[path] = FileMistakes([.refusedEarlier])
    }
    let seconds = household.untaken.filter { _, mistakes in
      mistakes.all.contains { mistake in
        if case .duplicateID(_, let first) = mistake { refused.contains(first) } else { false }
      }
    }
    for path in seconds.keys.sorted() {
      guard let file = try written(path, in: tree) else { continue }
      household.untaken[path] = nil
      household.take(HouseholdReader.decoded(file), at: path)
    }
  }

  /// Returns what a commit's parents mean of a broken or refused file's entity, joined, and the
  /// mistakes of the file.
  ///
  /// Only the way to the nearest commits that took a version of the file is read.
  private func known(at path: FilePath, before commit: Commit) throws(GitError) -> (
    entity: Entity?, mistakes: FileMistakes?
  ) {
    var known: Entity?
    var mistakes: FileMistakes?
    func take(_ entity: Entity?) {
      guard let entity, known.map({ $0.key == entity.key }) ?? true else { return }
      known = known?.joined(with: entity) ?? entity
    }
    var waiting = commit.parents[...]
    var seen: Set<ObjectID> = []
    // The other side of a join may have the entity at another path.
    var others: [ObjectID] = []
    while let next = waiting.popFirst() {
      guard seen.insert(next).inserted else { continue }
      let parent = try ancestor(next)
      guard try isLiteral(parent) else {
        let household = try meaning(of: next).household
        if let key = household.key(at: path) { take(household[key]) } else { others.append(next) }
        mistakes = mistakes ?? household.untaken[path]
        continue
      }
      let isRefused = CommitContent.refused(in: parent).contains(path)
      guard let file = try written(path, in: parent.tree) else {
        others.append(next)
        continue
      }
      if !isRefused, case .success(let entity) = HouseholdReader.decoded(file) {
        take(entity)
      } else {
        waiting = parent.parents + waiting
      }
    }
    if let key = known?.key { for id in others { take(try meaning(of: id).household[key]) } }
    return (known, mistakes)
  }

  private func ancestor(_ id: ObjectID) throws(GitError) -> Commit {
    if repository.isShallow, try !repository.has(id) {
      throw repository.boundary("read the history")
    }
    return try repository.commit(id)
  }

  /// Whether a version of a file was neither broken nor refused.
  private func isTaken(_ version: FileVersion) throws(GitError) -> Bool {
    if try isLiteral(version.commit) {
      return !CommitContent.refused(in: version.commit).contains(version.path)
    }
    return try meaning(of: version.commit.id).household.untaken[version.path] == nil
  }

  /// Returns what the files of a tree say, taken literally; they are decoded by the difference from a
  /// known tree.
  func files(in tree: ObjectID) throws(GitError) -> Household {
    // Which of two files with one id counts depends on both, so neither can be decoded alone.
    let near = decoded.flatMap { $0.household.hasDuplicates ? nil : $0 }
    var household = near?.household ?? Household()
    let changes = try repository.ownChanges(from: near?.tree, to: tree)
    for change in changes { household.forget(path: change.path) }
    let entries = changes.compactMap(\.new)
    if near == nil { household.reserve(entries.count) }
    for (entry, entity) in zip(entries, try decode(entries)) {
      household.take(entity, at: entry.path)
    }
    if near == nil { know(tree, household) }
    return household
  }

  /// Stores the files of the cache.
  func know(_ cache: FileCache) throws(GitError) {
    var household = Household(cache.household)
    let unread = cache.unread
    for (entry, entity) in zip(unread, try decode(unread)) {
      household.take(entity, at: entry.path)
    }
    know(cache.tree, household)
  }

  private func decode(_ entries: [TreeEntry]) throws(GitError) -> [Result<Entity, FileMistakes>] {
    guard entries.count > KnownVersions.many else {
      return try versions.files(entries, in: repository, or: workTree).map(HouseholdReader.decoded)
    }
    let files = try entries.map { entry throws(GitError) in
      (path: entry.path, bytes: try repository.ownBytes(entry, or: workTree))
    }
    return files.concurrentMap { file in
      HouseholdReader.decoded(HouseholdReader.written(file.path, file.bytes)).map(\.compact)
    }
  }

  /// Returns the readable versions of some files before commits, newest first.
  func histories(
    of paths: [FilePath], from commits: [ObjectID], noting failed: @escaping (GitError) -> Void
  ) throws(GitError) -> [FilePath: [OlderFile]] {
    var versions: [FilePath: [OlderFile]] = [:]
    for path in paths { versions[path] = [] }
    for id in commits {
      try visitReadable(paths, from: id) { path, version, file in
        let older = OlderFile(file) {
          do throws(GitError) {
            return try self.isTaken(version)
          } catch {
            failed(error)
            return false
          }
        }
        versions[path]?.append(older)
      }
    }
    return versions
  }

  private func visitReadable(
    _ paths: [FilePath], from commit: ObjectID, _ visit: (FilePath, FileVersion, EntityFile) -> Void
  ) throws(GitError) {
    var failure: GitError?
    try repository.history(ofFiles: paths, from: commit, by: repository.entityID) { path, version in
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
  private let failed: (GitError) -> Void
  private var read: [FilePath: [OlderFile]] = [:]

  /// The number of single reads after which all other files are read in one walk through the
  /// history.
  private static let few = 4

  /// Creates the histories of the files at some paths, before some commits.
  init(
    _ reader: CommitReader, of paths: [FilePath], from commits: [ObjectID],
    noting failed: @escaping (GitError) -> Void
  ) {
    self.reader = reader
    self.paths = paths
    self.commits = commits
    self.failed = failed
  }

  /// Returns a file's readable versions, newest first.
  func versions(of path: FilePath) -> [OlderFile] {
    if let known = read[path] { return known }
    let others = read.count < FileHistories.few ? [] : paths.filter { read[$0] == nil }
    let wanted = others.contains(path) ? others : [path]
    do throws(GitError) {
      read.merge(try reader.histories(of: wanted, from: commits, noting: failed)) { $1 }
    } catch {
      failed(error)
    }
    return read[path] ?? []
  }
}

/// The record in a commit of what Larder wrote.
///
/// Git keeps the trailers of a commit that is amended, rebased or picked, even if its content
/// changed. But then the ids of its tree and parents differ.
enum CommitContent {
  private static let trailer = "Larder-Tree"
  /// The paths of files that the commit carries and does not mean: their edits were refused.
  private static let refusedTrailer = "Larder-Refused"

  /// Returns the last lines of a message.
  static func lines(
    tree: ObjectID, parents: [ObjectID], refused: some Collection<FilePath>
  ) -> String {
    let paths = refused.sorted().map { encoded($0) }.joined(separator: " ")
    let line = paths.isEmpty ? "" : "\(refusedTrailer): \(paths)\n"
    return line + "\(trailer): \(value(tree, parents))\n"
  }

  /// Returns the paths of the refused files that a commit of Larder's carries.
  static func refused(in commit: Commit) -> Set<FilePath> {
    guard isOriginal(commit), let paths = Trailers(commit.message)[refusedTrailer] else {
      return []
    }
    return Set(paths.split(separator: " ").map { decoded($0) })
  }

  private static func value(_ tree: ObjectID, _ parents: [ObjectID]) -> String {
    ([tree] + parents).map(\.hex).joined(separator: " ")
  }

  /// Whether a commit of Larder is unchanged.
  ///
  /// Earlier programs did not record the content. When git amends a commit, it changes the
  /// committer, except within the same second.
  static func isOriginal(_ commit: Commit) -> Bool {
    let trailers = Trailers(commit.message)
    guard trailers["Larder-Command"] != nil else { return false }
    guard let written = trailers[trailer] else { return commit.author == commit.committer }
    return written == value(commit.tree, commit.parents)
  }

  /// Returns a path as a trailer has it: `%` and what is not visible ASCII as `%` and two digits.
  private static func encoded(_ path: FilePath) -> String {
    path.text.utf8.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return (0x21...0x7e).contains(byte) && byte != UInt8(ascii: "%")
        ? String(UnicodeScalar(byte)) : "%" + (digits.count < 2 ? "0" : "") + digits
    }.joined()
  }

  private static func decoded(_ text: Substring) -> FilePath {
    var bytes: [UInt8] = []
    var rest = text.utf8
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let code = UInt8(String(Substring(rest.prefix(2))), radix: 16) {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return FilePath(String(decoding: bytes, as: UTF8.self))
  }
}
