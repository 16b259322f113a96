internal import LarderGit
internal import LarderModel
internal import LarderText
internal import Libc

/// The household's files in the work tree.
///
/// Files with the status that the cache knows are not read.
struct WorkTree {
  /// One of the household's files.
  struct File {
    var blob: ObjectID
    /// The content; nil if the file was not read, because its blob was known.
    var bytes: ArraySlice<UInt8>?
    /// The modification time.
    var modified: Instant
  }

  let known: FileCache?
  /// The files that were read or are gone; all others are as in the cache.
  private(set) var changes: [FilePath: File?] = [:]
  /// Paths of the household that are not ordinary files, or are too large to read.
  private(set) var broken: [FilePath: FileMistakes] = [:]
  /// The entities of files at paths that are not allowed, by the path at or above them that is told of.
  private(set) var strays: [FilePath: Set<EntityKey>] = [:]
  /// The status of each folder that was listed, from before; nil if a later change could have the
  /// same.
  private(set) var folders: [FilePath: FileState?] = [:]
  /// Larder's temporary files, of commands that the power was cut off from.
  private(set) var leftovers: [FilePath] = []
  /// The files of git's attributes in the household's folders.
  private(set) var attributeFiles: [FilePath] = []
  /// The status of each file that was read, unless a later change could have the same.
  private(set) var states: [FilePath: FileState] = [:]

  /// Creates a work tree with the files of the cache.
  init(_ known: FileCache?) {
    self.known = known
  }

  subscript(path: FilePath) -> File? {
    if let change = changes[path] { return change }
    return known?[path].map { file in
      let modified = file.state?.modificationTime ?? Instant(milliseconds: 0)
      return File(blob: file.blob, bytes: nil, modified: modified)
    }
  }

  mutating func note(_ file: File, at path: FilePath) { changes[path] = file }

  mutating func noteBroken(_ path: FilePath, _ mistakes: FileMistakes) { broken[path] = mistakes }

  /// Notes a file that a transaction wrote.
  mutating func note(_ path: FilePath, _ bytes: [UInt8]?, at modified: Instant) {
    states[path] = nil
    changes[path] = .some(
      bytes.map { File(blob: Repository.blobID(of: $0), bytes: $0[...], modified: modified) })
  }
}

// MARK: - Reading

extension WorkTree {
  /// Reads the files of a household that are not as in the cache.
  ///
  /// Throws if one of its own folders is a link or a file, because all its files would count as
  /// removed.
  init(_ household: HouseholdFolder, known: FileCache?) throws(StoreError) {
    self.known = known
    let root = try OpenFolder(root: household.root)
    let own = Kind.householdPath
    let isKnown = known?[own] != nil
    try read(isKnown ? known?.changedNames(in: "", root) ?? [] : [own.name], of: root, at: "")
    for name in Kind.allCases.compactMap(\.folder) {
      try scan(name, of: root, at: FilePath(name), depth: 1)
    }
  }

  /// Reads a folder and those in it.
  private mutating func scan(
    _ name: String, of parent: borrowing OpenFolder, at place: FilePath, depth: Int
  ) throws(StoreError) {
    guard let folder = try parent.folder(name) else { return noteGone(folder: place) }
    let now = wallClock()
    let state = folder.state
    if folder.state(of: Store.attributesPath.text) != nil {
      attributeFiles.append(place.appending(Store.attributesPath.text))
    }
    var names = known?.changedNames(in: place, folder) ?? []
    var inner = known?.folders(in: place) ?? []
    if state == nil || known?.state(ofFolder: place) != state {
      let isKnown = state?.isSettled(at: now) ?? false && folder.keepsTimes
      folders[place] = .some(isKnown ? state : nil)
      let left = leftovers.count
      let listed = try list(folder, at: place)
      // Whoever writes next has to see them, too.
      if leftovers.count > left { folders[place] = .some(nil) }
      for name in others(of: inner, than: listed.folders) {
        noteGone(folder: place.appending(name))
      }
      inner = listed.folders
      let isSame =
        folder.keepsTimes && known?.areAll(listed.files, in: place, changed: names) ?? false
      let fresh = isSame ? [] : known?.unknown(listed.files, in: place) ?? listed.files
      let gone = goneNames(from: place, listed.files, fresh: fresh.count)
      for name in gone { changes[place.appending(name)] = .some(nil) }
      names = (gone.isEmpty ? names : others(of: names, than: gone)) + fresh
    }
    try read(names, of: folder, at: place)
    for name in inner {
      let path = place.appending(name)
      guard depth < PathRule.deepest else {
        noteBroken(path, FileMistakes([.badPath(.tooDeep)]))
        try noteStrays(in: folder, name, at: path, as: path)
        continue
      }
      try scan(name, of: folder, at: path, depth: depth + 1)
    }
  }

  /// Returns the names of a folder's known files that are not among those of its files.
  ///
  /// Some file systems find a file by another spelling of its name, so its status does not tell.
  private func goneNames(from place: FilePath, _ names: [String], fresh: Int) -> [String] {
    guard let known, names.count - fresh < known.count(in: place) else { return [] }
    return others(of: known.names(in: place), than: names)
  }

  /// Returns those of some names that are not among others, by their bytes.
  private func others(of names: [String], than others: [String]) -> [String] {
    let known = Set(others.map { FilePath($0) })
    return names.filter { !known.contains(FilePath($0)) }
  }

  /// Returns the names of the household's files in a folder, and those of its folders.
  private mutating func list(_ folder: borrowing OpenFolder, at place: FilePath) throws(StoreError)
    -> (
      files: [String], folders: [String]
    )
  {
    var files: [String] = []
    var folders: [String] = []
    try folder.visitNames { name, isFolder in
      if TemporaryFile.isOne(name), !isFolder {
        leftovers.append(place.appending(name))
      } else if Kind(path: place.appending(name)) != nil {
        files.append(name)
      } else if isFolder {
        folders.append(name)
      }
    }
    return (files, folders)
  }

  private mutating func noteGone(folder place: FilePath) {
    guard let known else { return }
    for name in known.names(in: place) { changes[place.appending(name)] = .some(nil) }
    for name in known.folders(in: place) { noteGone(folder: place.appending(name)) }
  }

  /// Reads files of a folder.
  private mutating func read(
    _ names: [String], of folder: borrowing OpenFolder, at place: FilePath
  ) throws(StoreError) {
    var found: [(path: FilePath, name: String, state: FileState)] = []
    let now = wallClock()
    for name in names {
      let path = place.appending(name)
      if known?[path] != nil { changes[path] = .some(nil) }
      guard let state = try folder.presentState(of: name) else { continue }
      if try isReadable(path, state, in: folder, name) { found.append((path, name, state)) }
    }
    let reader = folder.reader
    let contents = found.concurrentMap { reader.contents(of: $0.name) }
    for ((path, _, state), content) in zip(found, contents) {
      switch content {
      case .success(let (bytes, blob)):
        changes[path] = File(blob: blob, bytes: bytes[...], modified: state.modificationTime)
        if state.isSettled(at: now) { states[path] = state }
      case .failure(.system(_, _, ENOENT)): break
      case .failure(.system(let action, let path, let code)) where code.isOfThisProcess:
        // The file is none the worse for it.
        throw .system(action: action, path: path, code: code)
      case .failure(.system(_, _, let code)):
        noteBroken(path, FileMistakes([.notReadable(code: code)]))
      case .failure(let error): throw error
      }
    }
  }

  /// Whether there is an ordinary file at a path that is allowed; notes it as broken otherwise.
  private mutating func isReadable(
    _ path: FilePath, _ state: FileState, in folder: borrowing OpenFolder, _ name: String
  ) throws(StoreError) -> Bool {
    if let fault = PathRule.fault(in: path) {
      noteBroken(path, FileMistakes([.badPath(fault)]))
      try noteStray(path, state, in: folder, name, as: path)
      return false
    }
    guard state.kind == .file else {
      noteBroken(path, FileMistakes([state.kind == .folder ? .isFolder : .notAFile]))
      if state.kind == .folder { try noteStrays(in: folder, name, at: path, as: path) }
      return false
    }
    guard state.size <= Int64(HouseholdReader.largest) else {
      noteBroken(path, FileMistakes([.tooLarge(bytes: Int(state.size))]))
      return false
    }
    return true
  }
}

// MARK: - Paths that are not allowed

extension WorkTree {
  /// Notes the entities of files in a folder that is not allowed, at any depth.
  private mutating func noteStrays(
    in folder: borrowing OpenFolder, _ name: String, at place: FilePath, as broken: FilePath
  ) throws(StoreError) {
    guard let inner = try folder.folder(name) else { return }
    var folders: [String] = []
    try inner.visit { name, state throws(StoreError) in
      let path = place.appending(name)
      if state.kind == .folder {
        folders.append(name)
      } else {
        try noteStray(path, state, in: inner, name, as: broken)
      }
    }
    // Each level keeps a folder open, and the system allows only a few.
    guard place.folders.count < 4 * PathRule.deepest else {
      return
    }
    for name in folders {
      try noteStrays(in: inner, name, at: place.appending(name), as: broken)
    }
  }

  private mutating func noteStray(
    _ path: FilePath, _ state: FileState, in folder: borrowing OpenFolder, _ name: String,
    as broken: FilePath
  ) throws(StoreError) {
    guard state.kind == .file, state.size <= Int64(HouseholdReader.largest),
      let kind = Kind(path: path)
    else { return }
    do throws(StoreError) {
      let bytes = try folder.read(name, atMost: HouseholdReader.largest)
      if let key = HouseholdReader.key(kind, bytes[...]) {
        strays[broken, default: []].insert(key)
      }
    } catch {
      // A broken file names no entity.
      return
    }
  }
}

extension FileState {
  /// The modification time, in milliseconds.
  var modificationTime: Instant { Instant(milliseconds: modified / 1_000_000) }

  /// Whether a change from `now` on, in nanoseconds since 1970, gives another status.
  ///
  /// File times have ticks, and a change in the tick of the last one leaves them as they are.
  func isSettled(at now: Int64) -> Bool { now - max(modified, changed) > 2_000_000_000 }
}

/// A reader of the files of an open folder, for several threads.
struct FolderReader: Sendable {
  let descriptor: Int32
  let path: String

  /// Reads an ordinary file of at most `limit` bytes.
  func read(_ name: String, atMost limit: Int) throws(StoreError) -> [UInt8] {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer.
    let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw SystemFile.failure("read", path + "/" + name) }
    defer { close(file) }
    return try SystemFile.read(file, path + "/" + name, atMost: limit)
  }

  /// Returns the content of one of the household's files and its blob id.
  func contents(of name: String) -> Result<([UInt8], ObjectID), StoreError> {
    do throws(StoreError) {
      let bytes = try read(name, atMost: HouseholdReader.largest)
      return .success((bytes, Repository.blobID(of: bytes)))
    } catch {
      return .failure(error)
    }
  }
}
