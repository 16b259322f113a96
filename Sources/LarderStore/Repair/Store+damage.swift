public import LarderGit
internal import LarderJSON
internal import LarderModel
public import LarderText

extension Store {
  /// Returns all damage, in the order of repair.
  ///
  /// It reads the whole history and writes nothing.
  public func damage() throws(StoreError) -> [Damage] {
    guard let repository else { return [] }
    let references = try damagedReferences(repository)
    let objects = try git { _ throws(GitError) in try repository.damagedObjects(from: tips) }
    let index: [Damage] =
      try isIndexDamaged(repository)
      ? [repository.isIndexUnchecked ? .uncheckedIndex : .index] : []
    let found = objects.map(Damage.object) + references.map(Damage.reference) + index
    // Everything based on these can be checked only after their repair.
    guard found.isEmpty, !hasUnfinishedTransaction, !repository.isShallow else { return found }
    let hidden = try hiddenFolders(repository)
    guard hidden.isEmpty else { return hidden }
    return try conflicts(repository) + damagedFiles(repository) + refusals(repository)
  }

  /// Returns the household's own folders that are something else in HEAD, and also in the work
  /// tree.
  private func hiddenFolders(_ repository: Repository) throws(StoreError) -> [Damage] {
    let hidden = try git { _ throws(GitError) in
      try repository.head().commit.map { commit throws(GitError) in
        try repository.hiddenFolders(of: try repository.commit(commit).tree)
      } ?? []
    }
    var damage: [Damage] = []
    for name in hidden {
      guard let kind = try files.state(of: name)?.kind, kind != .folder else { continue }
      damage.append(.hiddenFolder(name))
    }
    return damage
  }

  /// Returns the commits that must not be followed, in HEAD and on the remotes' branches.
  private func refusals(_ repository: Repository) throws(StoreError) -> [Damage] {
    guard repository.operationInProgress() == nil,
      case .branch(let branch, let head) = try git({ _ throws(GitError) in try repository.head() })
    else { return [] }
    if let own = try ownRefusal(since: nil) { return [.wouldBeRefused(own)] }
    return try git { _ throws(GitError) in
      let followed = try repository.upstream(ofBranch: branch)?.tracking
      let entries = ReferenceFiles(folder: repository.commonDirectory).entries()
      var damage: [Damage] = []
      for entry in entries where entry.name.begins(withBytesOf: "refs/remotes/") {
        guard entry.name == followed || entry.name.hasSuffix("/\(branch)"),
          let theirs = entry.target, try !repository.isAncestor(theirs, of: head)
        else { continue }
        let commit = try repository.commit(theirs)
        let known = try repository.commit(head).tree
        if let refused = try CommitJudge(repository).refusal(of: commit, since: known) {
          damage.append(.refused(refused, reference: entry.name))
        }
      }
      return damage
    }
  }

  /// Returns the path at which the content of a damaged file is kept on repair.
  public func placeKept(_ damage: Damage) throws(StoreError) -> String? {
    guard let repository else { return nil }
    let kept = KeptFiles(gitDirectory: repository.gitDirectory)
    switch damage {
    case .hiddenFolder(let name): return kept.place(forFolder: name)
    case .file(let path), .conflict(let path), .syncCopy(let path, of: _):
      switch try files.state(of: path)?.kind {
      case .file: return kept.place(of: path, try files.read(path))
      case nil: return nil
      default: return kept.place(forFolder: path)
      }
    case .index:
      guard FileState(of: repository.indexPath)?.kind == .file else { return nil }
      return kept.place(of: ".git/index", try SystemFile.read(repository.indexPath))
    default: return nil
    }
  }

  /// The commits of all references, HEAD's first.
  var tips: [ObjectID] {
    guard let repository else { return [] }
    var tips: [ObjectID] = []
    for entry in ReferenceFiles(folder: repository.commonDirectory).entries()
    where !entry.name.begins(withBytesOf: "refs/tags/") {
      if let target = entry.target, !tips.contains(target) { tips.append(target) }
    }
    return tips
  }

  private func damagedReferences(_ repository: Repository) throws(StoreError) -> [String] {
    let files = ReferenceFiles(folder: repository.commonDirectory)
    let entries = files.entries()
    var damaged = entries.filter { entry in
      entry.target == nil
        || entry.isPacked && entry.name.begins(withBytesOf: "refs/heads/")
          && files.hasFallenBack(entry.name)
    }
    .map(\.name)
    let text = String(
      decoding: try SystemFile.read(repository.gitDirectory + "/HEAD"), as: UTF8.self)
    let word = text.prefix { !$0.isNewline }
    if word.hasPrefix("ref: ") {
      let name = String(word.dropFirst("ref: ".count))
      let isThere = entries.contains { $0.name == name }
      if !isThere, !files.log(of: name).isEmpty { damaged.append(name) }
    } else if let id = ObjectID(hex: String(word)), !repository.isReadable(id) {
      damaged.append("HEAD")
    }
    return damaged
  }

  private func isIndexDamaged(_ repository: Repository) throws(StoreError) -> Bool {
    if repository.isIndexLocked { return false }
    if repository.indexDamage() != nil { return true }
    guard FileState(of: repository.indexPath) == nil else { return false }
    return ReferenceFiles(folder: repository.commonDirectory).entries()
      .contains { $0.name.begins(withBytesOf: "refs/heads/") }
  }

  private func conflicts(_ repository: Repository) throws(StoreError) -> [Damage] {
    let stages = try git { _ throws(GitError) in
      try repository.indexEntries().filter { $0.stage > 0 }
    }
    var damage: [Damage] = []
    for path in Set(stages.map(\.path)).sorted() {
      let sides = ConflictSides(path, stages)
      if try resolution(of: sides) != nil, try isUntouched(sides) {
        damage.append(.conflict(path))
      } else {
        damage.append(.plainConflict(path))
      }
    }
    return damage
  }

  /// Returns broken and refused files with a known earlier version, and copies of other files.
  ///
  /// During a git merge there are none, because HEAD's version may not be the right one.
  private func damagedFiles(_ repository: Repository) throws(StoreError) -> [Damage] {
    // What git filters is not damaged.
    guard repository.operationInProgress() == nil, try filters().isEmpty else { return [] }
    let household = try load().household
    return household.untaken.sorted { $0.key < $1.key }.compactMap { path, mistakes in
      if case .syncCopy(of: let original?)? = mistakes.all.first {
        return household.untaken[original] == nil ? .syncCopy(path, of: original) : nil
      }
      return mistakes.hasNoMeaning && household.key(at: path) != nil ? .file(path) : nil
    }
  }
}

/// The versions of a file in a git conflict.
struct ConflictSides {
  let path: FilePath
  let base: IndexEntry?
  let ours: IndexEntry?
  let theirs: IndexEntry?

  init(_ path: FilePath, _ entries: [IndexEntry]) {
    self.path = path
    let own = entries.filter { $0.path == path }
    base = own.first { $0.stage == 1 }
    ours = own.first { $0.stage == 2 }
    theirs = own.first { $0.stage == 3 }
  }
}

extension Store {
  /// Returns the join of both sides of a conflict.
  ///
  /// Nil for a file that is not the household's or can't be joined.
  func resolution(of sides: ConflictSides) throws(StoreError) -> [UInt8]? {
    guard Kind(path: sides.path) != nil else { return nil }
    let base = try bytes(of: sides.base)
    // A side that removed the file only meant to delete the entity, which a tombstone can say.
    guard let ours = try bytes(of: sides.ours) ?? deleted(base, sides.path),
      let theirs = try bytes(of: sides.theirs) ?? deleted(base, sides.path)
    else { return nil }
    return MergeFile.merge(base: base, ours: ours, theirs: theirs, path: sides.path)
  }

  private func bytes(of entry: IndexEntry?) throws(StoreError) -> [UInt8]? {
    guard let entry, entry.mode.isOrdinary else { return nil }
    return try git { repository throws(GitError) in try repository.readBlob(entry.id) }
  }

  private func deleted(_ base: [UInt8]?, _ path: FilePath) -> [UInt8]? {
    guard let base, case .success(let known) = HouseholdReader.decoded(path, base[...]) else {
      return nil
    }
    return known.deleted(at: known.updatedAt.next).fileBytes
  }

  /// Whether a file in conflict is as git left it: with conflict markers, equal to one side, or
  /// missing.
  private func isUntouched(_ sides: ConflictSides) throws(StoreError) -> Bool {
    guard let state = try self.files.state(of: sides.path) else { return true }
    guard state.kind == .file else { return false }
    let bytes = try self.files.read(sides.path)
    let blob = Repository.blobID(of: bytes)
    if [sides.ours, sides.theirs].contains(where: { $0?.id == blob }) { return true }
    guard case .broken(let mistakes)? = HouseholdReader.written(sides.path, bytes[...]) else {
      return false
    }
    return mistakes.all.contains { mistake in
      if case .syntax(let syntax) = mistake { syntax.kind == .conflictMarker } else { false }
    }
  }
}

/// Damage of a household, beyond what single commands report.
public enum Damage: Hashable, Sendable {
  /// A reference leads to nothing readable.
  case reference(String)
  /// The index is unreadable or missing.
  case index
  /// The index is whole and has no checksum, though git's settings don't say that it is to be left out.
  case uncheckedIndex
  /// An object of the history is unreadable or missing.
  case object(DamagedObject)
  /// A commit replaced one of the household's own folders by a link, a file or a submodule, and git
  /// checked it out.
  case hiddenFolder(FilePath)
  /// A file is untaken, and its last good version is known.
  case file(FilePath)
  /// A program that syncs folders left a copy of another file, which can be joined with it.
  case syncCopy(FilePath, of: FilePath)
  /// Git left one of the household's files in conflict, and its sides can be joined.
  case conflict(FilePath)
  /// Git left another file in conflict.
  case plainConflict(FilePath)
  /// The checked-out commit has content that other devices would not follow.
  case wouldBeRefused(RefusedCommit)
  /// A remote's branch has a commit that is not followed.
  case refused(RefusedCommit, reference: String)
}

/// The `.git` folder of a household, read file by file for when git can't open it.
public struct GitFolder: Sendable {
  /// Damage that keeps git from opening the folder.
  public enum Damage: Hashable, Sendable {
    /// A folder that every repository has is missing.
    case missingFolder(String)
    /// HEAD is missing or unreadable, or names a branch that never existed.
    case head
    /// A line of the settings is unreadable; lines count from 1.
    case settings(line: Int)
    /// `packed-refs` has unreadable lines.
    case packedReferences
  }

  /// The path of the folder, absolute.
  public let path: String

  /// Finds the folder of the nearest household at or above a directory; nil if there is none.
  public init?(near directory: String) {
    var root = realPath(directory)
    while FileState(of: "\(root)/\(Kind.householdPath)") == nil
      || FileState(of: root + "/.git")?.kind != .folder
    {
      guard root != "/", let slash = root.lastIndex(of: "/") else { return nil }
      root = slash == root.startIndex ? "/" : String(root[..<slash])
    }
    self.init(path: root + "/.git")
  }

  init(path: String) {
    self.path = path
  }

  /// Returns all damage.
  public func damage() throws(StoreError) -> [Damage] {
    var damage = ["objects", "refs", "refs/heads"]
      .filter { FileState(of: "\(path)/\($0)")?.kind != .folder }.map(Damage.missingFolder)
    if let line = try damagedSetting() { damage.append(.settings(line: line)) }
    let references = ReferenceFiles(folder: path)
    if references.hasDamagedPackedLines { damage.append(.packedReferences) }
    if try !hasSoundHead(references) { damage.append(.head) }
    return damage
  }

  /// Whether HEAD names a commit, a branch that exists or existed, or the first branch of a new
  /// repository.
  private func hasSoundHead(_ references: ReferenceFiles) throws(StoreError) -> Bool {
    let head = path + "/HEAD"
    guard FileState(of: head) != nil else { return false }
    let text = String(decoding: try SystemFile.read(head), as: UTF8.self)
    let word = String(text.prefix { !$0.isNewline })
    if ObjectID(hex: word) != nil { return true }
    guard word.hasPrefix("ref: refs/heads/") else { return false }
    let name = String(word.dropFirst("ref: ".count))
    let branches = references.entries().map(\.name).filter { $0.begins(withBytesOf: "refs/heads/") }
    if branches.contains(name) || !references.log(of: name).isEmpty { return true }
    return branches.isEmpty && references.log(of: "HEAD").isEmpty
  }

  private func damagedSetting() throws(StoreError) -> Int? {
    do throws(GitError) {
      return try SettingsFile.damagedLine(of: path + "/config")
    } catch {
      throw .git(error)
    }
  }
}
