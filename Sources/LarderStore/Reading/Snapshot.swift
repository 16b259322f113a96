internal import LarderGit
internal import LarderModel
internal import Libc

/// A household whose files were all as a tree of git has them, with the status of each file and folder.
///
/// While no status has changed, reading the household costs one `lstat` a file and decodes nothing.
/// It is in `.git/larder/snapshot` and may be deleted at any time. A damaged one, and one of another
/// version, counts as none.
struct Snapshot {
  /// The tree with the same files.
  let tree: ObjectID
  private let bytes: [UInt8]
  /// The offset of the folders in `bytes`.
  private let folders: Int

  private static let magic = Array("larder snapshot 1\n".utf8)

  /// Reads a snapshot; nil if there is none that can be used.
  init?(path: String) {
    guard FileState(of: path)?.kind == .file, let bytes = try? SystemFile.read(path),
      bytes.starts(with: Self.magic), bytes.count > Self.magic.count + 32
    else { return nil }
    var end = PackedReader(bytes: bytes, offset: bytes.count - 8)
    guard end.number() == checksum(bytes.dropLast(8)) else { return nil }
    let start = Self.magic.count
    guard let tree = ObjectID(bytes: bytes[start..<(start + 20)]) else { return nil }
    self.tree = tree
    self.bytes = bytes
    folders = start + 20
  }

  /// Returns the household, if all files and folders in the work tree have the same status.
  func household(in root: String) throws(StoreError) -> Household? {
    var reader = PackedReader(bytes: bytes, offset: folders)
    let root = try OpenFolder(root: root)
    for _ in 0..<reader.number(UInt32.self) {
      guard try isSame(folder: reader.text(), in: root, &reader) else { return nil }
    }
    return Household(PackedHousehold(bytes, at: reader.offset))
  }

  private func isSame(
    folder path: String, in root: borrowing OpenFolder, _ reader: inout PackedReader
  ) throws(StoreError) -> Bool {
    let isThere = reader.number(UInt8.self) != 0
    // The root's own status changes with files that are not the household's.
    if path.isEmpty { return areSame(in: root, &reader) }
    guard let folder = try root.folder(at: path) else { return !isThere }
    guard isThere, let state = folder.state, reader.number() == state.modified,
      reader.number() == state.changed, reader.number() == state.inode
    else { return false }
    return areSame(in: folder, &reader)
  }

  private func areSame(in folder: borrowing OpenFolder, _ reader: inout PackedReader) -> Bool {
    let descriptor = folder.descriptor
    for _ in 0..<reader.number(UInt32.self) {
      let length = Int(reader.number(UInt16.self))
      var status = stat()
      let isThere = bytes.withUnsafeBytes { raw in
        guard let start = raw.baseAddress else { return false }
        // The name ends with a zero byte.
        let name = (start + reader.offset).assumingMemoryBound(to: CChar.self)
        return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
      }
      guard isThere else { return false }
      reader.offset += length
      let state = FileState(status)
      guard state.kind == .file, reader.number() == state.size,
        reader.number() == state.modified, reader.number() == state.changed,
        reader.number() == state.inode
      else { return false }
    }
    return true
  }
}

extension Snapshot {
  /// Returns a snapshot's bytes; nil if a file or a folder changed too recently for its status to
  /// tell the next change.
  static func bytes(of loaded: Loaded, _ tree: ObjectID, _ cache: FileCache, now: Int64) -> [UInt8]?
  {
    var files: [String: [(name: Substring, state: FileState)]] = [:]
    for path in loaded.workTree.files.keys {
      guard let state = cache.state(of: path) else { return nil }
      let slash = path.lastIndex(of: "/")
      let folder = slash.map { String(path[..<$0]) } ?? ""
      let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
      files[folder, default: []].append((name, state))
    }
    var writer = PackedWriter()
    writer.append(magic)
    writer.append(tree.bytes)
    writer.number(UInt32(loaded.workTree.folders.count + 1))
    writer.text("")
    writer.number(1 as UInt8)
    writer.files(files[""] ?? [])
    for (path, state) in loaded.workTree.folders {
      writer.text(path)
      writer.number(UInt8(state == nil ? 0 : 1))
      guard let state else { continue }
      guard now - max(state.modified, state.changed) > FileCache.settling else { return nil }
      writer.number(state.modified)
      writer.number(state.changed)
      writer.number(state.inode)
      writer.files(files[path] ?? [])
    }
    writer.append(PackedHousehold.pack(loaded.household))
    writer.number(checksum(writer.bytes[...]))
    return writer.bytes
  }
}

extension PackedWriter {
  fileprivate mutating func files(_ files: [(name: Substring, state: FileState)]) {
    number(UInt32(files.count))
    for (name, state) in files {
      number(UInt16(name.utf8.count + 1))
      append(name.utf8)
      number(0 as UInt8)
      for part in [state.size, state.modified, state.changed] { number(part) }
      number(state.inode)
    }
  }
}

extension Store {
  private var snapshotPath: String? { deviceFolder.map { $0 + "/snapshot" } }

  /// Returns the household if nothing has changed since the snapshot; nil if something has, or may
  /// have.
  func unchangedReading() throws(StoreError) -> Reading? {
    guard let path = snapshotPath, let repository, let snapshot = Snapshot(path: path),
      let head = try currentHead(), let commit = head.commit
    else { return nil }
    let adopted = adopted
    let isTree = try git { _ throws(GitError) in
      let commit = try repository.commit(commit)
      guard commit.tree == snapshot.tree else { return false }
      return try CommitReader(repository, adopted: adopted).stands(commit)
    }
    guard isTree, let household = try snapshot.household(in: root) else { return nil }
    return Reading(household: household, notes: [], edited: [], plainCommits: 0, head: head)
  }

  /// Writes a snapshot if the work tree, HEAD's tree and its meaning are the same.
  ///
  /// Errors are ignored, for example in a read-only repository.
  func keepSnapshot(of loaded: Loaded) {
    guard let path = snapshotPath, let tree = loaded.tree, let cache, loaded.edits == nil,
      loaded.meaning.plainCommits == 0, loaded.meaning.touched.isEmpty, loaded.skipped.isEmpty,
      loaded.household.unreadable.isEmpty, loaded.workTree.refused.isEmpty,
      loaded.household.own != nil, loaded.household.count == loaded.workTree.files.count,
      let bytes = Snapshot.bytes(of: loaded, tree, cache, now: wallClock())
    else { return }
    do throws(StoreError) {
      try SystemFile.replace(path, with: bytes, durably: false)
    } catch {
      return
    }
  }
}
