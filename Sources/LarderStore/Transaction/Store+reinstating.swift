internal import LarderGit
internal import LarderModel
internal import LarderText
internal import Libc

extension Store {
  /// Does again what the journal says, if the system was started anew since, or the disk was away: that may
  /// have taken back any of it.
  ///
  /// Returns the commits that are in the journal but can't be put back, because somebody committed with
  /// git where the branch had fallen back to; ``join(_:)`` joins them. The caller holds the lock.
  ///
  /// What was written since by anyone else stays as it is. A file that has an earlier version, and that
  /// nobody has written since the record, becomes the new one again; so does one that is empty, cut
  /// short, or of zeros from some place on.
  func reinstate() throws(StoreError) -> [ObjectID] {
    guard let journal else { return [] }
    let hasFallenBack = hasFallenBack(journal)
    guard try journal.isUnfinished || hasFallenBack else { return [] }
    let (records, whole) = try journal.read()
    if whole < FileState(of: journal.path)?.size ?? 0 { try journal.cut(to: whole) }
    guard let last = records.last, hasFallenBack || last.session != journal.session() else {
      return []
    }
    isReinstating = true
    defer { isReinstating = false }
    let all = records.map(\.record)
    try removeDeadLocks()
    let apart = try git { repository throws(GitError) in
      for record in all { try restoreObjects(of: record, repository) }
      return try reinstateReferences(all, repository)
    }
    try noteOwnCommits(of: all)
    try reinstateFiles(all, until: last.applied?.time)
    if apart.isEmpty {
      try journal.noteApplied()
      try emptyJournal()
    }
    return apart
  }

  /// Joins commits of the journal into the branch, as a sync does.
  func join(_ apart: [ObjectID]) throws(StoreError) {
    guard !apart.isEmpty else { return }
    isReinstating = true
    defer { isReinstating = false }
    do {
      for commit in apart { _ = try join(commit, from: "the journal", joiningHistories: false) }
    } catch let error as StoreError {
      throw error
    } catch {
      // The journal still has them.
      return
    }
    try emptyJournal()
  }

  /// Removes git's locks that no process holds: those from before the start of the system, by its clock if
  /// nothing else tells.
  private func removeDeadLocks() throws(StoreError) {
    guard let repository else { return }
    let start = systemStart()
    for path in repository.lockFiles() + [repository.indexLockPath] {
      guard let lock = FileState(of: path), isLeft(lock: path) ?? (lock.modified < start) else {
        continue
      }
      try SystemFile.remove(path)
    }
  }

  /// Writes a record's objects again if one of them is broken.
  private func restoreObjects(
    of record: Journal.Record, _ repository: Repository
  ) throws(GitError) {
    let transaction = record.transaction
    let paths = transaction.files.map(\.path)
    guard let bytes = transaction.commit, let move = transaction.move,
      !repository.isSound(commit: move.to, with: paths)
    else { return }
    var changes: [FilePath: (ObjectID, FileMode)?] = [:]
    for file in transaction.files { changes[file.path] = .some(file.new.map { ($0, file.mode) }) }
    let base = try move.from.map { from throws(GitError) in try repository.commit(from).tree }
    try repository.withoutWaiting { () throws(GitError) in
      _ = try repository.writeBlobs(transaction.files.compactMap(\.bytes))
      _ = try repository.writeTree(from: base, changing: changes)
      _ = try repository.writeCommit(bytes)
    }
  }

  /// Moves each branch to where the journal left it; returns the commits at which that can't be done.
  private func reinstateReferences(
    _ records: [Journal.Record], _ repository: Repository
  ) throws(GitError) -> [ObjectID] {
    var ways: [(name: String, start: ObjectID?, end: Journal.Record)] = []
    for record in records {
      guard let move = record.transaction.move else { continue }
      if let place = ways.firstIndex(where: { $0.name == move.reference }) {
        ways[place].end = record
      } else {
        ways.append((move.reference, move.from, record))
      }
    }
    var apart: [ObjectID] = []
    for way in ways {
      guard let end = way.end.transaction.move?.to,
        try !reinstate(way.name, from: way.start, to: end, way.end.reason, repository)
      else { continue }
      apart.append(end)
    }
    return apart
  }

  /// Returns false if the reference is neither where it was nor on the way to there.
  private func reinstate(
    _ name: String, from start: ObjectID?, to end: ObjectID, _ reason: String,
    _ repository: Repository
  ) throws(GitError) -> Bool {
    var state = repository.state(ofReference: name)
    if state == .broken {
      try repository.removeBrokenReference(name)
      // Packed, there may be an earlier one.
      state = repository.state(ofReference: name)
    }
    let current: ObjectID? = if case .commit(let id) = state { id } else { nil }
    // One of Larder's own was waited for, and only its file may be broken.
    if name.begins(withBytesOf: "refs/larder/") { return true }
    if current == end {
      // Git writes the log first, but the power cut may have taken its line alone.
      let author = try repository.commit(end).committer
      try repository.completeLog(of: name, at: end, reason: reason, by: author)
    }
    if let current {
      if try repository.isAncestor(end, of: current) { return true }
      if repository.wasMoved(name, from: end, to: current) { return true }
      guard try repository.isAncestor(current, of: end) else { return false }
      if let start, try !repository.isAncestor(start, of: current) { return false }
    } else if try repository.headReference() != name {
      // Somebody removed or renamed the branch.
      return true
    }
    let author = try repository.commit(end).committer
    try repository.updateReference(
      name, to: end, expecting: current, reason: reason, by: author)
    return true
  }

  /// Notes the commits as this clone's own that are not noted, because that fell back too.
  private func noteOwnCommits(of records: [Journal.Record]) throws(StoreError) {
    let text = String(decoding: try deviceFile(OwnCommits.file) ?? [], as: UTF8.self)
    let noted = Set(text.split(separator: "\n").map(String.init))
    for record in records {
      guard record.transaction.commit != nil, let move = record.transaction.move,
        !noted.contains(move.to.hex)
      else { continue }
      let commit = try git { repository throws(GitError) in try repository.commit(move.to) }
      if Trailers(commit.message)["Larder-Device"] != nil { try noteOwn(commit.id) }
    }
  }

  /// Writes again the files that HEAD has as the journal says, on whatever branch, and their lines in the
  /// index.
  private func reinstateFiles(
    _ records: [Journal.Record], until end: Int64?
  ) throws(StoreError) {
    let tree = try git { repository throws(GitError) in
      try repository.head().commit.map { id throws(GitError) in try repository.commit(id).tree }
    }
    guard let repository, let tree else { return }
    let listing = TreeListing(repository, tree)
    var committed: [FilePath: TreeEntry] = [:]
    var fallen: [Transaction.File] = []
    let paths = WrittenPath.all(in: records).filter { !$0.file.isOutOfReach }
    for path in paths {
      let entry = try git { _ throws(GitError) in try listing.entry(at: path.file.path) }
      committed[path.file.path] = entry
      let isOnBranch = entry?.id == path.file.new
      let file = try isOnBranch ? fallenFile(path, until: end) : tornFile(path, entry)
      if let file { fallen.append(file) }
    }
    try exchange(fallen)
    try reinstateIndex(paths, committed)
  }

  /// Returns the exchange that puts HEAD's version in the place of a torn one, on a branch that has not
  /// what the journal wrote; nil if the file is whole.
  private func tornFile(
    _ written: WrittenPath, _ committed: TreeEntry?
  ) throws(StoreError) -> Transaction.File? {
    let file = written.file
    guard let new = file.new, let current = try blob(at: file.path), current != new,
      !written.versions.contains(current), try isBeginning(file.path, of: new)
    else { return nil }
    return Transaction.File(
      path: file.path, old: current, new: committed?.id, mode: committed?.mode ?? file.mode,
      bytes: nil)
  }

  /// Returns the exchange that puts a file back; nil if it is there, or somebody wrote it since.
  private func fallenFile(
    _ written: WrittenPath, until end: Int64?
  ) throws(StoreError) -> Transaction.File? {
    var file = written.file
    do throws(StoreError) {
      try settle(file.temporary, file, file.path)
    } catch {
      guard case .noFolder = error else { throw error }
      return nil
    }
    guard file.mode != .submodule else { return nil }
    let current = try blob(at: file.path)
    guard current != file.new else { return nil }
    if let current {
      guard let state = try files.state(of: file.path) else { return nil }
      let isEarlier = written.versions.contains(current) && state.modified <= written.time
      let isTorn = if let new = file.new { try isBeginning(file.path, of: new) } else { false }
      guard isEarlier || isTorn else { return nil }
    } else {
      // A name that was given or taken since then changed the folder.
      guard try files.state(of: file.path) == nil else { return nil }
      if let end, try lastChange(ofFolderAbove: file.path) > end { return nil }
    }
    file = Transaction.File(
      path: file.path, old: current, new: file.new, mode: file.mode, bytes: file.bytes)
    return file
  }

  /// Returns the time at which the nearest folder above a path was changed, in nanoseconds since 1970.
  private func lastChange(ofFolderAbove path: FilePath) throws(StoreError) -> Int64 {
    for folder in path.folders.reversed() {
      if let state = try files.state(of: folder) { return state.modified }
    }
    return FileState(of: root)?.modified ?? 0
  }

  /// Makes a broken index from HEAD, and sets the lines that fell back, or that are ahead of HEAD and of
  /// the file.
  private func reinstateIndex(
    _ paths: [WrittenPath], _ committed: [FilePath: TreeEntry]
  ) throws(StoreError) {
    guard let repository else { return }
    let isThere = FileState(of: repository.indexPath) != nil
    if !isThere || repository.indexDamage() != nil { return try mendIndex() }
    var staged: [FilePath: ObjectID] = [:]
    try git { _ throws(GitError) in
      for entry in try repository.indexEntries() { staged[entry.path] = entry.id }
    }
    var changes: [FilePath: (ObjectID, FileMode)?] = [:]
    for path in paths {
      let (name, present) = (path.file.path, staged[path.file.path])
      let entry = committed[name]
      guard present != entry?.id else { continue }
      // Git takes a torn index for one with fewer files.
      if entry?.id == path.file.new {
        guard present.map({ path.versions.contains($0) }) ?? true else { continue }
      } else {
        guard present == path.file.new || present == nil else { continue }
        guard try blob(at: name) == entry?.id else { continue }
      }
      changes[name] = .some(entry.map { ($0.id, $0.mode) })
    }
    try git { _ throws(GitError) in
      try repository.refreshIndex(changes)
      startWriting(at: repository.indexPath)
    }
  }
}

/// A path as the journal's records wrote it.
private struct WrittenPath {
  /// What the last record made of it.
  let file: Transaction.File
  /// The time of the last record, in nanoseconds since 1970.
  let time: Int64
  /// The versions that it had before.
  let versions: Set<ObjectID>

  /// Returns the paths of some records, in order.
  static func all(in records: [Journal.Record]) -> [WrittenPath] {
    var paths: [FilePath: WrittenPath] = [:]
    for record in records {
      for file in record.transaction.files {
        let earlier = paths[file.path]
        let versions = (earlier?.versions ?? []).union(
          [earlier?.file.new, file.old].compactMap(\.self))
        paths[file.path] = WrittenPath(file: file, time: record.time, versions: versions)
      }
    }
    return paths.values.sorted { $0.file.path < $1.file.path }
  }
}
