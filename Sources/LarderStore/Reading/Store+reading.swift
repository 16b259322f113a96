public import LarderGit
internal import LarderJSON
public import LarderModel
public import LarderText
internal import Libc

/// A household as read by a command.
public struct Reading: Sendable {
  public let household: Household
  /// The notes that adopting now would give.
  public let notes: [HouseholdAdoption.Note]
  /// The paths edited since HEAD.
  public let edited: [FilePath]
  /// The number of plain commits that are not adopted yet.
  public let plainCommits: Int
  /// The value of HEAD; nil for a household that is not a repository.
  public let head: Head?
}

extension Store {
  /// Reads the household with hand edits understood, and writes nothing.
  public func read() throws(StoreError) -> Reading {
    try recoverBeforeReading()
    let loaded = try load()
    guard loaded.household.own != nil || loaded.household.untaken[Kind.householdPath] != nil
    else { throw .notAHousehold(directory: root) }
    let plain = loaded.meaning.plainCommits
    return Reading(
      household: loaded.household,
      notes: (plain > 0 ? loaded.meaning.notes : []) + (loaded.edits?.notes ?? []),
      edited: loaded.edited, plainCommits: plain, head: repository == nil ? nil : loaded.head)
  }

  /// Returns the household of HEAD without a look at the work tree; nil before the first commit.
  ///
  /// Throws the same as ``read()`` if HEAD is damaged.
  public func committed() throws(StoreError) -> Household? {
    try recoverBeforeReading()
    guard let commit = try currentHead()?.commit else { return nil }
    let reader = try commitReader()
    return try git { _ throws(GitError) in try reader.meaning(of: commit).household }
  }

  /// Finishes what a killed command left, so that half of it is never taken for an edit.
  func recoverBeforeReading() throws(StoreError) {
    guard hasUnfinishedTransaction, let folder = deviceFolder else { return }
    do throws(StoreError) {
      let lock = try HouseholdLock(folder: folder, context)
      defer { lock.release() }
      // A commit that has to be joined waits for the next one who writes.
      _ = try reinstate()
      try recoverForReading()
    } catch {
      // A backup, or somebody else's household, is read as it is, unless a process was killed in it.
      guard case .system(_, _, let code) = error, [EROFS, EACCES, EPERM].contains(code),
        try journal?.isApplied ?? false
      else { throw error }
    }
  }

  /// Returns a reader of commits that knows the files of the cache.
  func commitReader() throws(StoreError) -> CommitReader {
    let (adopted, known) = (adopted, fileCache())
    return try git { repository throws(GitError) in
      let reader = CommitReader(repository, versions, adopted: adopted)
      if let known { try reader.know(known) }
      return reader
    }
  }

  /// Returns the household that a commit means; nil if there is no such commit.
  public func household(at revision: String) throws(StoreError) -> Household? {
    let reader = try commitReader()
    return try git { repository throws(GitError) in
      guard let commit = try repository.resolve(revision) else { return nil }
      return try reader.meaning(of: commit).household
    }
  }
}

extension Store {
  /// The reference to the known state of the cloud.
  static let cloudReference = "refs/larder/cloud"

  /// Returns those of some entities that others may know: they are in a remote's branch as last
  /// seen, or in the cloud.
  ///
  /// Only the others may be removed completely, by `Edit.remove(_:)` in the same `write`. A removed
  /// entity that a remote has comes back from there.
  public func knownElsewhere(_ keys: Set<EntityKey>) throws(StoreError) -> Set<EntityKey> {
    let reader = try commitReader()
    return try git { repository throws(GitError) in
      let names = ReferenceFiles(folder: repository.commonDirectory).entries().map(\.name)
      var commits: Set<ObjectID> = []
      for name in names
      where name.begins(withBytesOf: "refs/remotes/") || name == Store.cloudReference {
        // A remote's HEAD may point to a branch that no longer exists.
        if let commit = try repository.reference(name) { commits.insert(commit) }
      }
      var known: Set<EntityKey> = []
      for commit in commits where known != keys {
        let household = try reader.meaning(of: commit).household
        known.formUnion(keys.filter { household[$0] != nil })
      }
      return known
    }
  }
}

/// The decoding of files.
enum HouseholdReader {
  /// The largest file that is read, in bytes: 16 MiB.
  static let largest = 16 * 1024 * 1024

  static func written(_ path: FilePath, _ bytes: ArraySlice<UInt8>) -> WrittenFile? {
    guard let kind = Kind(path: path) else { return nil }
    if let fault = PathRule.fault(in: path) {
      let mistakes = FileMistakes([.badPath(fault)])
      return key(kind, bytes).map { .misplaced(mistakes, of: [$0]) } ?? .broken(mistakes)
    }
    guard bytes.count <= largest else {
      return .broken(FileMistakes([.tooLarge(bytes: bytes.count)]))
    }
    do {
      return .readable(try EntityFile(kind, parsing: bytes))
    } catch {
      return .broken(error)
    }
  }

  /// Returns a file that may be too large to be read.
  static func written(_ path: FilePath, _ bytes: Result<[UInt8], FileMistakes>) -> WrittenFile? {
    switch bytes {
    case .success(let bytes): written(path, bytes[...])
    case .failure(let mistakes): .broken(mistakes)
    }
  }

  /// Returns the entity that a file names, or nil if it names none.
  static func key(_ kind: Kind, _ bytes: ArraySlice<UInt8>) -> EntityKey? {
    guard bytes.count <= largest, let json = try? JSON(parsing: bytes) else { return nil }
    return json[.id]?.string.map { EntityKey(kind, $0) }
  }

  /// Decodes a complete file that needs no adoption.
  static func decoded(_ path: FilePath, _ bytes: ArraySlice<UInt8>) -> Result<Entity, FileMistakes>
  {
    decoded(written(path, bytes))
  }

  /// Returns the entity of a complete file that needs no adoption.
  static func decoded(_ file: WrittenFile?) -> Result<Entity, FileMistakes> {
    switch file {
    case .readable(let file):
      guard file.isComplete, let entity = Entity(file) else {
        return .failure(FileMistakes([.incomplete]))
      }
      return .success(entity)
    case .broken(let mistakes), .misplaced(let mistakes, _): return .failure(mistakes)
    case nil: return .failure(FileMistakes([.notAFile]))
    }
  }
}

extension Household {
  /// Returns a file of a tree as written, without reading it; nil if it is not in canonical form.
  func canonicalFile(_ entry: TreeEntry) -> WrittenFile? {
    guard let bytes = key(at: entry.path).flatMap({ self[$0]?.fileBytes }),
      Repository.blobID(of: bytes) == entry.id
    else { return nil }
    return HouseholdReader.written(entry.path, bytes[...])
  }

  var hasDuplicates: Bool { untaken.values.contains { !$0.hasNoMeaning } }

  /// Adds a decoded file; of two files with one id, the one with the smaller path counts.
  mutating func take(_ decoded: Result<Entity, FileMistakes>, at path: FilePath) {
    switch decoded {
    case .failure(let mistakes): untaken[path] = mistakes
    case .success(let entity):
      guard let other = self.path(of: entity.key), other != path else {
        put(entity, at: path)
        return
      }
      let (home, copy) = other < path ? (other, path) : (path, other)
      if home == path { put(entity, at: path) }
      untaken[copy] = FileMistakes([.duplicateID(entity.id, path: home)])
    }
  }
}
