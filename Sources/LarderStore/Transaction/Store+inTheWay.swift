internal import LarderGit
internal import LarderModel
public import LarderText

/// A file of the work tree that is no entity, that no commit has as it is, and that a commit from elsewhere
/// would overwrite or remove.
public struct FileInTheWay: Sendable, Hashable {
  public enum Reason: Sendable, Hashable {
    /// Git has the file, and it was edited, replaced or given another mode since.
    case edited
    /// The index has another version than the last commit, or has the file removed.
    case staged
    /// Git does not have the file.
    case untracked
    /// A link is in the place of a new folder.
    case link
  }

  /// The file, or the link in the place of a folder.
  public let path: FilePath
  public let reason: Reason
}

extension Store {
  /// Looks at the files of a transaction that are no entities, as git does before a merge: what nobody
  /// committed is not overwritten.
  ///
  /// Returns the transaction's files with what is in the work tree in place of what HEAD has there: a file
  /// that was only removed comes back, and one that git filters is replaced. What git ignores gives way, as
  /// with git, but is kept in `.git/larder/kept`; `setAside` has it. Throws `inTheWay` before anything is
  /// written.
  func clearWay(for transaction: Transaction) throws(StoreError) -> [Transaction.File] {
    // A clone that has no files yet moves to where it is.
    guard let move = transaction.move, move.from != move.to,
      transaction.files.contains(where: \.isPlain)
    else { return transaction.files }
    var look = try git { repository throws(GitError) in
      try WayLook(self.files, repository, from: move.from, transaction.files)
    }
    var files = transaction.files
    for index in files.indices where files[index].isPlain { try look.look(at: &files[index]) }
    guard look.found.isEmpty else { throw .inTheWay(look.found) }
    for path in look.ignored.sorted() { try setAside(path) }
    for folder in look.emptied.sorted().reversed() {
      try self.files.removeEmptyFolders(above: folder.appending(folder.name))
    }
    return files
  }

  /// Throws what a join of a commit would find in the way, as far as that is known before.
  func refuseInTheWay(of theirs: ObjectID) throws(StoreError) {
    let transaction = try git { repository throws(GitError) -> Transaction? in
      guard let head = try repository.head().commit else { return nil }
      let base = try repository.mergeBases(head, theirs).min()
      let trees = try [base, head, theirs].map { id throws(GitError) in
        try id.map { id throws(GitError) in try repository.commit(id).tree }
      }
      let listing = trees[1].map { TreeListing(repository, $0) }
      var files: [Transaction.File] = []
      for change in try repository.changes(from: trees[0], to: trees[2])
      where Kind(path: change.path) == nil {
        let old = try listing?.entry(at: change.path)
        guard old != change.new else { continue }
        files.append(
          Transaction.File(
            path: change.path, old: old?.id, new: change.new?.id, mode: change.new?.mode ?? .file))
      }
      return Transaction(
        move: Transaction.Move(reference: "HEAD", from: head, to: theirs), files: files)
    }
    guard let transaction, let repository, !transaction.files.isEmpty else { return }
    var look = try git { _ throws(GitError) in
      try WayLook(self.files, repository, from: transaction.move?.from, transaction.files)
    }
    for var file in transaction.files { try look.look(at: &file) }
    guard look.found.isEmpty else { throw .inTheWay(look.found) }
  }

  /// Throws if somebody wrote one of a transaction's plain files since the look at them.
  func refuseLateEdits(of files: [Transaction.File]) throws(StoreError) {
    for file in files where file.isPlain && file.mode != .submodule && !file.isOutOfReach {
      do throws(StoreError) {
        guard let current = try blob(at: file.path), current != file.old, current != file.new else {
          continue
        }
        // One that left the index stays; nothing is done to it.
        guard file.old != file.new else { continue }
      } catch {
        guard case .noFolder = error else { throw error }
        continue
      }
      throw .inTheWay([FileInTheWay(path: file.path, reason: .edited)])
    }
  }

  /// Moves an ignored file out of the way.
  private func setAside(_ path: FilePath) throws(StoreError) {
    guard let repository, let bytes = try files.content(at: path) else { return }
    let kept = KeptFiles(gitDirectory: repository.gitDirectory)
    try kept.keep(bytes, as: path)
    try files.remove(path)
    setAside.append((path, FilePath(kept.place(of: path, bytes))))
  }

  /// Returns what was set aside since the last call.
  func takeSetAside() -> [(path: FilePath, second: FilePath)] {
    defer { setAside = [] }
    return setAside
  }
}

extension Transaction.File {
  /// Whether it is no file of the household's own.
  var isPlain: Bool { Kind(path: path) == nil }
}

/// A look at the work tree and the index, at the places that a transaction will change.
private struct WayLook {
  private let folder: HouseholdFolder
  private let repository: Repository
  private let head: TreeListing?
  private var index: [FilePath: IndexEntry] = [:]
  private var unmerged: Set<FilePath> = []
  private let removed: Set<FilePath>
  private let placed: Set<FilePath>
  private let followsModes: Bool

  private(set) var found: [FileInTheWay] = []
  /// Ignored files that have to give way.
  private(set) var ignored: Set<FilePath> = []
  /// Folders that have to give way and hold nothing, or nothing but ignored files.
  private(set) var emptied: Set<FilePath> = []

  init(
    _ folder: HouseholdFolder, _ repository: Repository, from: ObjectID?,
    _ files: [Transaction.File]
  ) throws(GitError) {
    (self.folder, self.repository) = (folder, repository)
    head = try from.map { id throws(GitError) in
      TreeListing(repository, try repository.commit(id).tree)
    }
    for entry in try repository.indexEntries() {
      if entry.stage == 0 { index[entry.path] = entry } else { unmerged.insert(entry.path) }
    }
    removed = Set(files.filter { $0.new == nil }.map(\.path))
    placed = Set(files.filter { $0.new != nil }.map(\.path))
    followsModes = try repository.followsModes
  }

  private struct Version: Equatable {
    let id: ObjectID
    let mode: FileMode
  }

  mutating func look(at file: inout Transaction.File) throws(StoreError) {
    guard file.mode != .submodule, !file.isOutOfReach else { return }
    let path = file.path
    let committed = try mapGit { head throws(GitError) in try head?.entry(at: path) }
    guard committed?.mode != .submodule || file.new != nil else { return }
    // Whoever expects another version than HEAD's has read it here, and takes it into the new one.
    if let expected = file.old, expected != committed?.id {
      return try blob(at: path) == expected ? () : note(path, .edited)
    }
    let old = committed.map { Version(id: $0.id, mode: $0.mode) }
    let new = file.new.map { Version(id: $0, mode: file.mode) }
    let staged = index[path]
    let indexed = staged.map { Version(id: $0.id, mode: $0.mode) }
    if staged?.isIntentToAdd == true { return note(path, .untracked) }
    if unmerged.contains(path) || indexed != old && indexed != new { return note(path, .staged) }
    if let above = try obstacle(above: path) {
      // Nothing of it is there.
      if file.new != nil { try look(above: path, at: above) }
      file.old = nil
      return
    }
    guard let state = try folder.state(of: path) else {
      // A sparse checkout leaves it out; anyone else only removed it, and git brings it back.
      if staged?.isSkipWorktree != true { file.old = nil }
      return
    }
    if file.new == nil, indexed == nil {
      // Git was told to forget it, and it stays.
      file.old = nil
      return
    }
    switch state.kind {
    case .folder:
      file.old = nil
      if file.new != nil { try lookBelow(path) }
      return
    case .other: return note(path, indexed == nil ? .untracked : .edited)
    case .file, .link: break
    }
    guard let id = try blob(at: path) else { return note(path, .edited) }
    let mode = try mode(of: path, state, like: old?.mode ?? new?.mode)
    let present = Version(id: id, mode: mode)
    if present == new || present == old {
      file.old = id
    } else if let indexed, try isClean(path, indexed, mode) {
      file.old = id
    } else if indexed == nil, try isIgnored(path) {
      ignored.insert(path)
      file.old = nil
    } else {
      note(path, indexed == nil ? .untracked : .edited)
    }
  }

  /// Returns the first link or file in the place of a folder above a path.
  private func obstacle(above path: FilePath) throws(StoreError) -> FilePath? {
    for place in path.folders {
      guard let state = try folder.state(of: place) else { return nil }
      if state.kind != .folder { return place }
    }
    return nil
  }

  private mutating func look(above path: FilePath, at place: FilePath) throws(StoreError) {
    // Its own turn comes, as a file that goes.
    if removed.contains(place) { return }
    let isTracked = index.keys.contains { $0.folders.contains(place) }
    if try folder.state(of: place)?.kind == .link {
      // People may keep a folder of theirs behind a link, which is left alone.
      return isTracked ? () : note(place, .link)
    }
    if index[place] != nil { return note(place, .staged) }
    if !isTracked, try isIgnored(place) {
      ignored.insert(place)
    } else {
      note(place, isTracked ? .edited : .untracked)
    }
  }

  /// Looks at everything in a folder whose name a file gets.
  private mutating func lookBelow(_ place: FilePath) throws(StoreError) {
    guard let open = try OpenFolder(root: folder.root).folder(at: place) else { return }
    emptied.insert(place)
    var inner: [FilePath] = []
    try open.visit { name, state throws(StoreError) in
      let path = place.appending(name)
      if state.kind == .folder { return inner.append(path) }
      if removed.contains(path) || ignored.contains(path) { return }
      if index[path] != nil { return note(path, .staged) }
      if state.kind != .other, try isIgnored(path) {
        ignored.insert(path)
      } else {
        note(path, .untracked)
      }
    }
    // Each level keeps a folder open, and the system allows only a few.
    guard place.folders.count < 4 * PathRule.deepest else { return note(place, .untracked) }
    for path in inner { try lookBelow(path) }
  }

  private mutating func note(_ path: FilePath, _ reason: FileInTheWay.Reason) {
    let file = FileInTheWay(path: path, reason: reason)
    if !found.contains(file) { found.append(file) }
  }

  private func blob(at path: FilePath) throws(StoreError) -> ObjectID? {
    try folder.content(at: path).map { Repository.blobID(of: $0) }
  }

  /// Returns the mode of a file, as far as this clone follows modes.
  private func mode(of path: FilePath, _ state: FileState, like known: FileMode?)
    throws(StoreError) -> FileMode
  {
    if state.kind == .link { return .symlink }
    guard followsModes else { return known?.isOrdinary == true ? known ?? .file : .file }
    return try folder.isExecutable(path) ? .executable : .file
  }

  /// Whether git would store a file as the index has it, after its filters.
  private func isClean(_ path: FilePath, _ indexed: Version, _ mode: FileMode)
    throws(StoreError) -> Bool
  {
    guard mode == indexed.mode, mode != .symlink else { return false }
    return try mapGit { _ throws(GitError) in try repository.cleanBlobID(of: path) } == indexed.id
  }

  private func isIgnored(_ path: FilePath) throws(StoreError) -> Bool {
    try mapGit { _ throws(GitError) in try repository.isIgnored(path) }
  }

  private func mapGit<Value>(_ body: (TreeListing?) throws(GitError) -> Value) throws(StoreError)
    -> Value
  {
    do throws(GitError) {
      return try body(head)
    } catch {
      throw .git(error)
    }
  }
}
