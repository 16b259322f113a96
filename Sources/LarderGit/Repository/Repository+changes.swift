import Clibgit2
public import LarderText
internal import Libc

extension Repository {
  /// Returns the paths that differ between two trees, ordered by their bytes.
  ///
  /// Nil is the empty tree.
  ///
  /// The cost depends on the difference: equal folders are not opened. With `folders`, only these
  /// folders of the root are opened.
  public func changes(
    from old: ObjectID?, to new: ObjectID?, inFolders folders: Set<FilePath>? = nil
  ) throws(GitError) -> [TreeChange] {
    var changes: [TreeChange] = []
    guard let folders else {
      try compare(old, new, below: [], into: &changes)
      return changes
    }
    for folder in folders.sorted() {
      let before = try old.flatMap { tree throws(GitError) in try self.folder(at: folder, in: tree)
      }
      let after = try new.flatMap { tree throws(GitError) in try self.folder(at: folder, in: tree) }
      try compare(before, after, below: Array("\(folder)/".utf8), into: &changes)
    }
    return changes
  }

  private func compare(
    _ old: ObjectID?, _ new: ObjectID?, below prefix: [UInt8], into changes: inout [TreeChange]
  ) throws(GitError) {
    guard old != new else { return }
    guard let old else { return try add(new, below: prefix, added: true, into: &changes) }
    guard let new else { return try add(old, below: prefix, added: false, into: &changes) }
    try Folder(self, old).differences(to: Folder(self, new)) { (was, now) throws(GitError) in
      try compare(was, now, below: prefix, into: &changes)
    }
  }

  private func compare(
    _ was: FolderItem?, _ now: FolderItem?, below prefix: [UInt8], into changes: inout [TreeChange]
  ) throws(GitError) {
    guard let item = now ?? was else { return }
    if item.isFolder {
      let inner = prefix + item.name + [UInt8(ascii: "/")]
      return try compare(was?.id, now?.id, below: inner, into: &changes)
    }
    let path = item.path(below: prefix)
    func entry(_ side: FolderItem?) -> TreeEntry? {
      guard let side, let mode = FileMode(side.mode) else { return nil }
      return TreeEntry(path: path, id: side.id, mode: mode)
    }
    changes.append(TreeChange(path: path, old: entry(was), new: entry(now)))
  }

  private func add(
    _ tree: ObjectID?, below prefix: [UInt8], added: Bool, into changes: inout [TreeChange]
  ) throws(GitError) {
    guard let tree else { return }
    var entries: [TreeEntry] = []
    try collect(tree, below: prefix, into: &entries)
    changes += entries.map {
      TreeChange(path: $0.path, old: added ? nil : $0, new: added ? $0 : nil)
    }
  }
}

/// The difference of one path between two trees.
///
/// A renamed file is two changes, a removal and an addition.
public struct TreeChange: Sendable, Hashable {
  /// The path from the root.
  public var path: FilePath
  /// The file in the first tree; nil if it was added.
  public var old: TreeEntry?
  /// The file in the second tree; nil if it was removed.
  public var new: TreeEntry?

  /// Creates a difference.
  public init(path: FilePath, old: TreeEntry?, new: TreeEntry?) {
    self.path = path
    self.old = old
    self.new = new
  }
}

/// The result of `lstat`: the status of a file, without following a final symbolic link.
struct FileStatus {
  private let status: stat

  /// Nil if there is no such file or its status can't be read.
  init?(of path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.status = status
  }

  var size: Int { Int(status.st_size) }
  var owner: UInt32 { status.st_uid }
  var device: UInt64 { UInt64(truncatingIfNeeded: status.st_dev) }
  var inode: UInt64 { UInt64(status.st_ino) }
  var isFolder: Bool { kind == S_IFDIR }
  var isFile: Bool { kind == S_IFREG }

  private var kind: mode_t { status.st_mode & S_IFMT }

  #if canImport(Darwin)
    var modified: timespec { status.st_mtimespec }
  #else
    var modified: timespec { status.st_mtim }
  #endif
}
