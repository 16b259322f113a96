internal import LarderGit

/// A cache of the work tree's files, so that reading a household costs one `stat` for each file.
///
/// It is in `.git/larder/` and may be deleted at any time. A damaged cache is ignored.
struct FileCache {
  struct Entry {
    let state: FileState
    let blob: ObjectID
    let bytes: ArraySlice<UInt8>
    /// The file's index in ``decoding``; nil if the cache did not have it.
    var place: Int?
  }

  /// Nil for a household that is not a repository; such a household is never cached.
  private let path: String?
  private var entries: [String: Entry] = [:]
  /// The decoding of the cached files, which runs while the work tree is scanned.
  let decoding: Decoding
  /// The number of files added since the cache was written, and of files found in it.
  private var fresh = 0
  private var used = 0

  /// The time in nanoseconds for which changed files are not cached: a later change could have the
  /// same file times.
  static let settling: Int64 = 2_000_000_000

  init(path: String?) {
    self.path = path
    var cached: [(path: String, entry: Entry)] = []
    if let path, FileState(of: path)?.kind == .file {
      do {
        cached = try FileCacheReader.entries(in: SystemFile.read(path))
      } catch {
        cached = []
      }
    }
    decoding = Decoding(cached.map { ($0.path, $0.entry.bytes) })
    entries.reserveCapacity(cached.count)
    for (path, entry) in cached { entries[path] = entry }
  }

  /// Returns the cached file, if its status is unchanged.
  mutating func entry(_ path: String, _ state: FileState) -> Entry? {
    guard let entry = entries[path], entry.state == state else { return nil }
    used += 1
    return entry
  }

  /// Returns the status of a file that was the same for a while.
  func state(of path: String) -> FileState? { entries[path]?.state }

  /// The contents of all cached files.
  var contents: [[UInt8]] { entries.values.map { Array($0.bytes) } }

  mutating func note(
    _ path: String, _ state: FileState, _ blob: ObjectID, _ bytes: ArraySlice<UInt8>, now: Int64
  ) {
    guard now - max(state.modified, state.changed) > FileCache.settling else { return }
    entries[path] = Entry(state: state, blob: blob, bytes: bytes)
    fresh += 1
  }

  /// Writes the cache if enough has changed.
  ///
  /// Errors are ignored, for example in a read-only repository.
  mutating func save() {
    defer { used = 0 }
    guard let path, fresh > 32 || fresh * 8 > used else { return }
    do {
      try SystemFile.replace(path, with: FileCacheWriter.bytes(of: entries), durably: false)
      fresh = 0
    } catch {
      return
    }
  }
}
