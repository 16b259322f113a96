#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif
internal import LarderGit
internal import LarderModel

/// The household's files as they lie in the work tree, read through the cache.
struct WorkTree {
  /// One of our files: its blob id, and its bytes.
  struct File {
    var blob: ObjectID
    var bytes: ArraySlice<UInt8>
    /// When it was last written.
    var modified: Instant
    /// The file's place among those that the cache decodes; nil for one that it did not have.
    var place: Int?
  }

  private(set) var files: [String: File] = [:]
  /// Paths with a name of ours that are no ordinary files, or too large to read.
  private(set) var refused: [String: FileMistakes] = [:]

  /// One without any files yet.
  init() {}

  /// Reads the files of a household; one of its own folders that is a link or a file is refused, since
  /// everything in it would count as removed.
  init(_ household: HouseholdFolder, cache: inout FileCache) throws(StoreError) {
    let root = try OpenFolder(root: household.root)
    if let state = root.state(of: Kind.householdPath) {
      try add(Kind.householdPath, state, in: root, Kind.householdPath, &cache)
    }
    for name in Kind.allCases.compactMap(\.folder) {
      guard let folder = try root.folder(name) else { continue }
      try scan(folder, at: name, depth: 1, &cache)
    }
  }

  private mutating func scan(
    _ folder: borrowing OpenFolder, at place: String, depth: Int, _ cache: inout FileCache
  ) throws(StoreError) {
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
      return
    }
    guard state.kind == .file else {
      refused[path] = FileMistakes([state.kind == .folder ? .isFolder : .notAFile])
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

  mutating func note(_ file: File, at path: String) { files[path] = file }

  mutating func refuse(_ path: String, _ mistakes: FileMistakes) { refused[path] = mistakes }

  /// Notes what a transaction wrote.
  mutating func note(_ path: String, _ bytes: [UInt8]?, at modified: Instant) {
    files[path] = bytes.map {
      File(blob: Repository.blobID(of: $0), bytes: $0[...], modified: modified)
    }
  }
}
