internal import Libc
internal import LarderGit
internal import LarderModel

/// The household's files in the work tree, read through the cache.
struct WorkTree {
  /// One of the household's files: its blob id and its bytes.
  struct File {
    var blob: ObjectID
    var bytes: ArraySlice<UInt8>
    /// The modification time.
    var modified: Instant
    /// The file's index in the cache's decoding; nil if the cache did not have it.
    var place: Int?
  }

  private(set) var files: [String: File] = [:]
  /// Paths of the household that are not ordinary files, or are too large to read.
  private(set) var refused: [String: FileMistakes] = [:]
  /// The entities of files at paths that are not allowed, by the refused path at or above them.
  private(set) var strays: [String: Set<EntityKey>] = [:]
  /// The status of each of the household's folders before it was read; nil for one that is not there.
  private(set) var folders: [String: FileState?] = [:]

  /// Creates an empty work tree.
  init() {}

  /// Reads the files of a household.
  ///
  /// Throws if one of its own folders is a link or a file, because all its files would count as
  /// removed.
  init(_ household: HouseholdFolder, cache: inout FileCache) throws(StoreError) {
    let root = try OpenFolder(root: household.root)
    if let state = root.state(of: Kind.householdPath) {
      try add(Kind.householdPath, state, in: root, Kind.householdPath, &cache)
    }
    for name in Kind.allCases.compactMap(\.folder) {
      guard let folder = try root.folder(name) else {
        folders[name] = .some(nil)
        continue
      }
      try scan(folder, at: name, depth: 1, &cache)
    }
  }

  private mutating func scan(
    _ folder: borrowing OpenFolder, at place: String, depth: Int, _ cache: inout FileCache
  ) throws(StoreError) {
    folders[place] = .some(folder.state)
    var inner: [String] = []
    try folder.visit { name, state throws(StoreError) in
      let path = place + "/" + name
      let isOurs = Kind(path: path) != nil && !TemporaryFile.isOne(name)
      if isOurs {
        try add(path, state, in: folder, name, &cache)
      } else if state.kind == .folder {
        inner.append(name)
      }
    }
    for name in inner {
      let path = place + "/" + name
      guard depth < PathRule.deepest else {
        refused[path] = FileMistakes([.badPath(.tooDeep)])
        try noteStrays(in: folder, name, at: path, as: path)
        continue
      }
      if let folder = try folder.folder(name) {
        try scan(folder, at: path, depth: depth + 1, &cache)
      }
    }
  }

  private mutating func add(
    _ path: String, _ state: FileState, in folder: borrowing OpenFolder, _ name: String,
    _ cache: inout FileCache
  ) throws(StoreError) {
    if let fault = PathRule.fault(in: path) {
      refused[path] = FileMistakes([.badPath(fault)])
      try noteStray(path, state, in: folder, name, as: path)
      return
    }
    guard state.kind == .file else {
      refused[path] = FileMistakes([state.kind == .folder ? .isFolder : .notAFile])
      if state.kind == .folder { try noteStrays(in: folder, name, at: path, as: path) }
      return
    }
    guard state.size <= Int64(HouseholdReader.largest) else {
      refused[path] = FileMistakes([.tooLarge(bytes: Int(state.size))])
      return
    }
    let modified = Instant(milliseconds: state.modified / 1_000_000)
    if let known = cache.entry(path, state) {
      files[path] = File(
        blob: known.blob, bytes: known.bytes, modified: modified, place: known.place)
      return
    }
    let bytes: [UInt8]
    do {
      bytes = try folder.read(name, atMost: HouseholdReader.largest)
    } catch {
      guard case .system(_, _, let code) = error, code != ENOENT else { return }
      refused[path] = FileMistakes([.notReadable(code: code)])
      return
    }
    let blob = Repository.blobID(of: bytes)
    cache.note(path, state, blob, bytes[...], now: wallClock())
    files[path] = File(blob: blob, bytes: bytes[...], modified: modified)
  }

  /// Notes the entities of files in a folder that is not allowed, at any depth.
  private mutating func noteStrays(
    in folder: borrowing OpenFolder, _ name: String, at place: String, as refused: String
  ) throws(StoreError) {
    guard let inner = try folder.folder(name) else { return }
    var folders: [String] = []
    try inner.visit { name, state throws(StoreError) in
      let path = place + "/" + name
      if state.kind == .folder {
        folders.append(name)
      } else {
        try noteStray(path, state, in: inner, name, as: refused)
      }
    }
    // Each level keeps a folder open, and the system allows only a few.
    guard place.utf8.count(where: { $0 == UInt8(ascii: "/") }) < 4 * PathRule.deepest else {
      return
    }
    for name in folders {
      try noteStrays(in: inner, name, at: place + "/" + name, as: refused)
    }
  }

  private mutating func noteStray(
    _ path: String, _ state: FileState, in folder: borrowing OpenFolder, _ name: String,
    as refused: String
  ) throws(StoreError) {
    guard state.kind == .file, state.size <= Int64(HouseholdReader.largest),
      let kind = Kind(path: path)
    else { return }
    do throws(StoreError) {
      let bytes = try folder.read(name, atMost: HouseholdReader.largest)
      if let key = HouseholdReader.key(kind, bytes[...]) {
        strays[refused, default: []].insert(key)
      }
    } catch {
      // An unreadable file names no entity.
      return
    }
  }

  mutating func note(_ file: File, at path: String) { files[path] = file }

  mutating func refuse(_ path: String, _ mistakes: FileMistakes) { refused[path] = mistakes }

  /// Notes a file that a transaction wrote.
  mutating func note(_ path: String, _ bytes: [UInt8]?, at modified: Instant) {
    files[path] = bytes.map {
      File(blob: Repository.blobID(of: $0), bytes: $0[...], modified: modified)
    }
  }
}
