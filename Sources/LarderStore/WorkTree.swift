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

  let root: String

  /// One without any files yet.
  init(root: String) {
    self.root = root
  }

  init(root: String, cache: inout FileCache) throws(StoreError) {
    self.root = root
    if let state = FileState(of: root + "/" + Kind.householdPath) {
      try add(Kind.householdPath, state, &cache)
    }
    for folder in Kind.allCases.compactMap(\.folder) {
      guard FileState(of: root + "/" + folder)?.kind == .folder else { continue }
      try scan(folder, depth: 0, &cache)
    }
  }

  private mutating func scan(_ folder: String, depth: Int, _ cache: inout FileCache)
    throws(StoreError)
  {
    guard let directory = opendir(root + "/" + folder) else {
      throw SystemFile.failure("read the folder", root + "/" + folder)
    }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name == "." || name == ".." { continue }
      var status = stat()
      guard fstatat(dirfd(directory), name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
        // Gone since the folder was read; anything else must not pass for a removal.
        if errno == ENOENT { continue }
        throw SystemFile.failure("read the folder", root + "/" + folder)
      }
      let state = FileState(status)
      let path = folder + "/" + name
      if state.kind == .folder {
        if depth < 64 { try scan(path, depth: depth + 1, &cache) }
      } else if Kind(path: path) != nil, !TemporaryFile.isOne(name) {
        try add(path, state, &cache)
      }
    }
  }

  private mutating func add(_ path: String, _ state: FileState, _ cache: inout FileCache)
    throws(StoreError)
  {
    guard state.kind == .file else {
      if state.kind != .folder { refused[path] = FileMistakes([.notAFile]) }
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
      bytes = try SystemFile.read(root + "/" + path)
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
