internal import LarderGit

/// What the work tree's files held when they were last read, so that reading a household costs one
/// look at each file's status.
///
/// It lies under `.git/larder/` and may be deleted at any time; a damaged one is ignored.
struct FileCache {
  struct Entry {
    let state: FileState
    let blob: ObjectID
    let bytes: ArraySlice<UInt8>
    /// The file's place in ``decoding``; nil for one that the cache did not have.
    var place: Int?
  }

  /// Nil for a household that is not a repository, which is read anew each time.
  private let path: String?
  private var entries: [String: Entry] = [:]
  /// What the cached files hold, which is found out while the work tree is looked at.
  let decoding: Decoding
  /// How many files were noted since the cache was written, and how many were found in it.
  private var fresh = 0
  private var used = 0

  /// Files changed so recently that a later change could leave the same times are not noted, in
  /// nanoseconds.
  private static let settling: Int64 = 2_000_000_000

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

  /// What a file holds, if it is as it was when it was read.
  mutating func entry(_ path: String, _ state: FileState) -> Entry? {
    guard let entry = entries[path], entry.state == state else { return nil }
    used += 1
    return entry
  }

  /// Whatever the cached files held.
  var contents: [[UInt8]] { entries.values.map { Array($0.bytes) } }

  mutating func note(
    _ path: String, _ state: FileState, _ blob: ObjectID, _ bytes: ArraySlice<UInt8>, now: Int64
  ) {
    guard now - max(state.modified, state.changed) > FileCache.settling else { return }
    entries[path] = Entry(state: state, blob: blob, bytes: bytes)
    fresh += 1
  }

  /// Writes the cache where enough has changed to be worth it; that it can't be written is no error,
  /// as in a repository that may only be read.
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
