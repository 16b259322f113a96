internal import LarderGit
internal import LarderModel
internal import LarderText

/// A loaded household: the meaning of HEAD, and the edits since then.
struct Loaded {
  var head: Head
  /// The tree of HEAD; nil before the first commit.
  var tree: ObjectID?
  /// The household's files in HEAD's tree.
  var committed: CommittedFiles
  /// What the files of HEAD's tree say, taken literally.
  var literal = Household()
  var workTree: WorkTree
  var reader: CommitReader?
  /// The meaning of HEAD.
  var meaning: CommitReader.Meaning
  /// The edits of the work tree, adopted onto the meaning of HEAD; nil if there are none.
  var edits: HouseholdAdoption.Outcome?
  /// The paths edited since HEAD.
  var edited: [FilePath]
  /// The files that are broken or refused in HEAD; others are so only in the work tree.
  var leftInHead: Set<FilePath> = []
  /// The paths that a sparse checkout leaves out of the work tree.
  var skipped: Set<FilePath> = []

  /// The files of HEAD that can be read, but whose edits were refused.
  var refusedInHead: Set<FilePath> {
    leftInHead.filter { literal.untaken[$0]?.hasNoMeaning != true && committed[$0] != nil }
  }

  var household: Household { edits?.household ?? meaning.household }

  /// The paths that keep their work tree content when HEAD moves: files that people must repair
  /// first, and those of a sparse checkout.
  var left: Set<FilePath> {
    skipped.union(household.untaken.keys.filter { !leftInHead.contains($0) })
  }

  /// Returns the expected blob in the work tree at the path of a planned file.
  func present(_ file: PlannedFile) -> ObjectID? {
    if let known = workTree[file.path] { return known.blob }
    let isRead = Kind(path: file.path) != nil && workTree.broken[file.path] == nil
    return isRead ? nil : file.committed?.id
  }
}

/// The household's files in HEAD's tree.
struct CommittedFiles: Sendable {
  private let known: FileCache?
  /// The files that differ from those of the cache; nil for one that is gone.
  private(set) var changes: [FilePath: TreeEntry?] = [:]

  init(_ known: FileCache?) {
    self.known = known
  }

  subscript(path: FilePath) -> TreeEntry? {
    get {
      if let change = changes[path] { return change }
      return known?[path].map { TreeEntry(path: path, id: $0.blob, mode: $0.mode) }
    }
    set { changes[path] = .some(newValue) }
  }
}

extension Loaded {
  /// The paths that differ from the cache in HEAD's tree or in the work tree; all others are the
  /// same in both.
  var changedPaths: Set<FilePath> { Set(workTree.changes.keys).union(committed.changes.keys) }

  /// Notes files that were committed.
  mutating func note(_ files: [PlannedFile]) {
    let own = files.filter { Kind(path: $0.path) != nil }
    // A file takes the place of a folder with everything in it.
    let placed = Set(own.filter { $0.bytes != nil && $0.committed == nil }.map(\.path))
    for path in own.map(\.path) + paths(below: placed) {
      literal.forget(path: path)
      committed[path] = nil
    }
    for file in own {
      committed[file.path] = file.entry.flatMap { $0.isReadable ? $0 : nil }
      guard let bytes = file.bytes else { continue }
      let written = file.written ?? HouseholdReader.written(file.path, bytes[...])
      literal.take(HouseholdReader.decoded(written), at: file.path)
    }
  }

  /// Returns the known paths in some folders, at any depth.
  private func paths(below folders: Set<FilePath>) -> [FilePath] {
    let others = Set(literal.untaken.keys).union(committed.changes.keys)
    return others.filter { !folders.isDisjoint(with: $0.folders) }
      + folders.flatMap { knownPaths(below: $0) }
  }

  private func knownPaths(below folder: FilePath) -> [FilePath] {
    guard let known = workTree.known else { return [] }
    return known.names(in: folder).map { folder.appending($0) }
      + known.folders(in: folder).flatMap { knownPaths(below: folder.appending($0)) }
  }
}

extension Store {
  func load() throws(StoreError) -> Loaded {
    let loaded = try loadWithoutKeeping()
    keepCache(of: loaded)
    return loaded
  }

  /// Loads the household for a command that commits, which keeps the cache once, at its end.
  func loadWithoutKeeping() throws(StoreError) -> Loaded {
    let known = fileCache()
    return try load(WorkTree(self.files, known: known), known)
  }

  /// Loads the household for the holder of the lock, and removes temporary files.
  ///
  /// All that the journal knows of are settled by now; a power cut took the record of the others, and
  /// with it whatever would have made them more than copies.
  func loadForWriting() throws(StoreError) -> Loaded {
    let loaded = try loadWithoutKeeping()
    for path in loaded.workTree.leftovers { try files.remove(path) }
    return loaded
  }

  /// Loads the household with its files as in a work tree or an index.
  func load(_ workTree: WorkTree, _ known: FileCache?) throws(StoreError) -> Loaded {
    var loaded = try committedState(workTree, known)
    defer { timeZone = loaded.household.own?.timeZone ?? timeZone }
    loaded.leftInHead = Set(loaded.meaning.household.untaken.keys)
    let changes = try changes(in: &loaded)
    loaded.edited = changes.map(\.path).sorted()
    guard !changes.isEmpty else { return loaded }
    var edits = try adopting(changes, onto: loaded)
    // A file that only moved to a path that no file may have is not written again at its old path.
    for (path, place) in edits.misplaced {
      edits.household.untaken[path] = FileMistakes([.misplaced(path: place)])
    }
    loaded.edits = edits
    return loaded
  }

  /// Loads the content and the meaning of HEAD.
  private func committedState(_ workTree: WorkTree, _ known: FileCache?) throws(StoreError)
    -> Loaded
  {
    let head = try currentHead()
    guard let repository, let head, let commit = head.commit else {
      if case .unborn(let branch)? = head { try refuseLostBranch(branch) }
      return Loaded(
        head: head ?? .unborn(branch: "main"), tree: nil, committed: CommittedFiles(nil),
        workTree: workTree, reader: nil,
        meaning: CommitReader.Meaning(household: Household()), edits: nil, edited: [])
    }
    let adopted = adopted
    return try git { _ throws(GitError) in
      let tree = try repository.commit(commit).tree
      let reader = CommitReader(repository, versions, adopted: adopted, workTree: workTree)
      if let known { try reader.know(known) }
      var committed = CommittedFiles(known)
      for change in try repository.ownChanges(from: known?.tree, to: tree) {
        committed[change.path] = change.new.flatMap { $0.isReadable ? $0 : nil }
      }
      let literal = try reader.files(in: tree)
      reader.know(tree, literal)
      return Loaded(
        head: head, tree: tree, committed: committed,
        literal: literal, workTree: workTree, reader: reader,
        meaning: try reader.meaning(of: commit), edits: nil, edited: [])
    }
  }

  /// Returns HEAD; nil without a repository.
  ///
  /// Throws `lostBranch` if its branch lost its newest commits.
  func currentHead() throws(StoreError) -> Head? {
    guard repository != nil else { return nil }
    let head = try git { repository throws(GitError) in try repository.head() }
    if case .branch(let name, _) = head { try refuseFallenBack(name) }
    return head
  }

  /// Throws `lostBranch` if a branch lost its newest commits: work must not continue without them.
  private func refuseFallenBack(_ branch: String) throws(StoreError) {
    guard let repository else { return }
    let references = ReferenceFiles(folder: repository.commonDirectory)
    if references.hasFallenBack("refs/heads/\(branch)") { throw .lostBranch(branch) }
  }

  /// Throws if a branch without a commit had one, or if other branches exist.
  ///
  /// This is damage: all files would be committed again, without their history.
  private func refuseLostBranch(_ branch: String) throws(StoreError) {
    guard let repository else { return }
    let references = ReferenceFiles(folder: repository.commonDirectory)
    guard references.log(of: "refs/heads/\(branch)").isEmpty else { throw .lostBranch(branch) }
    guard repository.gitDirectory == repository.commonDirectory else { return }
    if let damage = try GitFolder(path: repository.gitDirectory).damage().last, damage == .head {
      throw .damagedFolder(path: repository.gitDirectory, damage)
    }
  }

  /// Returns the differences of the work tree from HEAD.
  private func changes(in loaded: inout Loaded) throws(StoreError) -> [(
    path: FilePath, file: WrittenFile?
  )] {
    var present: [(path: FilePath, bytes: ArraySlice<UInt8>)] = []
    var gone: [FilePath] = []
    for path in loaded.changedPaths {
      let committed = loaded.committed[path]
      if let file = loaded.workTree[path] {
        guard file.blob != committed?.id else { continue }
        present.append((path, try content(of: file, at: path)))
      } else if committed != nil, loaded.workTree.broken[path] == nil {
        gone.append(path)
      }
    }
    var changes: [(path: FilePath, file: WrittenFile?)] = present.concurrentMap {
      ($0.path, HouseholdReader.written($0.path, $0.bytes))
    }
    for (path, mistakes) in loaded.workTree.broken {
      let strays = loaded.workTree.strays[path]
      changes.append(
        (path, strays.map { .misplaced(mistakes, of: $0) } ?? .broken(mistakes)))
    }
    if !gone.isEmpty {
      loaded.skipped = try skippedPaths().intersection(gone)
      gone.removeAll { loaded.skipped.contains($0) }
      // A file behind a link, or in a folder that became a file, is not removed. `state(of:)`
      // throws for it.
      for path in gone { _ = try self.files.state(of: path) }
    }
    return changes + gone.map { ($0, nil) }
  }

  /// Returns the paths that a sparse checkout leaves out of the work tree.
  private func skippedPaths() throws(StoreError) -> Set<FilePath> {
    do throws(StoreError) {
      return try git { repository throws(GitError) in
        Set(try repository.indexEntries().filter(\.isSkipWorktree).map(\.path))
      }
    } catch {
      guard repository?.indexDamage() != nil, let repository else { throw error }
      if repository.isIndexUnchecked { throw .indexUnchecked(path: repository.indexPath) }
      throw .indexDamaged(path: repository.indexPath)
    }
  }

  /// Returns the content of one of the household's files.
  func content(of file: WorkTree.File, at path: FilePath) throws(StoreError)
    -> ArraySlice<UInt8>
  {
    if let bytes = file.bytes { return bytes }
    do throws(StoreError) {
      return try git { repository throws(GitError) in try repository.readBlob(file.blob)[...] }
    } catch {
      // Git may have removed the blob of a file that is in no commit and no index.
      return try self.files.read(path, atMost: HouseholdReader.largest)[...]
    }
  }

  private func adopting(_ changes: [(path: FilePath, file: WrittenFile?)], onto loaded: Loaded)
    throws(StoreError) -> HouseholdAdoption.Outcome
  {
    let now = context.now()
    let userID = try userIDOrNone()
    var failure: GitError?
    let histories = loaded.reader.map { reader in
      FileHistories(
        reader, of: changes.map(\.path), from: [loaded.head.commit].compactMap(\.self)
      ) { failure = $0 }
    }
    let source = HouseholdAdoption.Source(
      userID: userID,
      time: { path in min(loaded.workTree[path]?.modified ?? now, now) },
      newID: { path in
        loaded.meaning.household.newID(
          ofFile: path, savedAt: loaded.workTree[path]?.modified ?? now, by: userID)
      },
      history: { histories?.versions(of: $0) ?? [] })
    let literal = loaded.literal
    knowVersions(changes.compactMap { loaded.committed[$0.path] }, in: literal)
    let base = HouseholdAdoption.Base(loaded.meaning.household) { path in
      guard let tree = loaded.tree, let reader = loaded.reader else { return nil }
      let known = loaded.committed[path].flatMap { self.versions[$0] ?? literal.canonicalFile($0) }
      if let known { return known }
      do throws(GitError) {
        return try reader.written(path, in: tree)
      } catch {
        failure = error
        return nil
      }
    }
    var adoption = HouseholdAdoption(
      known: loaded.meaning.household, bases: loaded.tree == nil ? [] : [base], source: source)
    let outcome = adoption.adopt(changes)
    if let failure { throw .git(failure) }
    return outcome
  }

  /// Makes files of HEAD known on all cores, without reading them.
  private func knowVersions(_ entries: [TreeEntry], in household: Household) {
    guard entries.count <= KnownVersions.many else { return }
    for (entry, file) in zip(entries, entries.concurrentMap { household.canonicalFile($0) }) {
      versions[entry] = file
    }
  }

  /// Returns the device's user; a household that is only read has none and needs none.
  private func userIDOrNone() throws(StoreError) -> String {
    let none = "00000000-0000-0000-0000-000000000000"
    return repository == nil ? none : try userID ?? none
  }
}

extension Household {
  /// Returns the id of a file without one: the same for everyone who reads the file before it is
  /// adopted.
  fileprivate func newID(ofFile path: FilePath, savedAt time: Instant, by userID: String) -> String
  {
    var id = Identifier.derived(from: "saved", userID, path.text, time.description)
    // A backup may bring the file back as it was.
    while Kind.allCases.contains(where: { self[$0, id] != nil }) {
      id = Identifier.derived(from: "saved", id)
    }
    return id
  }
}

extension TreeEntry {
  /// Whether it is an ordinary file at a path that is allowed.
  var isReadable: Bool { mode.isOrdinary && PathRule.fault(in: path) == nil }
}
