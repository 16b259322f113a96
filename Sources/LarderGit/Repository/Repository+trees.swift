import Clibgit2
public import LarderText

extension Repository {
  /// Returns all files of a tree, ordered by the bytes of their paths.
  ///
  /// Throws `notFound` if there is no such tree.
  public func entries(of tree: ObjectID) throws(GitError) -> [TreeEntry] {
    var entries: [TreeEntry] = []
    try collect(tree, below: [], into: &entries)
    return entries
  }

  /// Returns all files in some folders of a tree's root, ordered by the bytes of their paths.
  public func entries(of tree: ObjectID, inFolders folders: Set<FilePath>) throws(GitError)
    -> [TreeEntry]
  {
    var entries: [TreeEntry] = []
    for name in folders.sorted() {
      guard let folder = try folder(at: name, in: tree) else { continue }
      try collect(folder, below: Array("\(name)/".utf8), into: &entries)
    }
    return entries
  }

  /// Returns the file at a path from the root; nil if there is none or it is a folder.
  public func entry(at path: FilePath, in tree: ObjectID) throws(GitError) -> TreeEntry? {
    guard let (id, mode) = try find(path, in: tree), let mode = FileMode(mode) else { return nil }
    return TreeEntry(path: path, id: id, mode: mode)
  }

  /// Returns the tree of the folder at a path from the root.
  ///
  /// Nil if there is none or it is a file.
  ///
  /// Two folders with the same tree have the same files, so this shows cheaply if any file changed.
  public func folder(at path: FilePath, in tree: ObjectID) throws(GitError) -> ObjectID? {
    guard let (id, mode) = try find(path, in: tree), mode == GIT_FILEMODE_TREE else { return nil }
    return id
  }

  func treeHandle(_ id: ObjectID) throws(GitError) -> Handle<OpaquePointer> {
    var oid = id.oid
    return try Handle("read a tree", path: id.hex, free: { git_tree_free($0) }) {
      git_tree_lookup($0, pointer, &oid)
    }
  }

  private func find(
    _ path: FilePath, in tree: ObjectID
  ) throws(GitError) -> (ObjectID, git_filemode_t)? {
    var place = (id: tree, mode: GIT_FILEMODE_TREE)
    for name in path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      guard place.mode == GIT_FILEMODE_TREE else { return nil }
      let folder = try Folder(self, place.id)
      guard let item = try folder.item(named: Array(name)) else { return nil }
      place = (item.id, item.mode)
    }
    return place
  }

  /// The largest number of files that are read at once; a tree with more was made to block others.
  private static let mostEntries = 2_000_000

  /// Adds the files of a folder.
  ///
  /// `prefix` is its path with a final slash.
  ///
  /// It is in bytes, because creating a string for each folder would take most of the time. Throws
  /// `tooLarge` for more than ``mostEntries``.
  func collect(
    _ tree: ObjectID, below prefix: [UInt8], into entries: inout [TreeEntry]
  ) throws(GitError) {
    let most = Self.mostEntries - entries.count
    guard try itemCount(of: tree, upTo: most) <= most else {
      throw GitError(
        .tooLarge, action: "read a tree", detail: "it has more files than are read at once",
        path: tree.hex)
    }
    try collectAll(tree, below: prefix, into: &entries)
  }

  /// Returns the number of files and folders below a folder.
  ///
  /// A result above `most` is not exact.
  ///
  /// A folder that occurs many times is read once, so that a few objects that expand to billions of
  /// files cost nothing.
  public func itemCount(of tree: ObjectID, upTo most: Int) throws(GitError) -> Int {
    var counts: [ObjectID: Int] = [:]
    return try itemCount(of: tree, upTo: most, &counts)
  }

  private func itemCount(
    of tree: ObjectID, upTo most: Int, _ counts: inout [ObjectID: Int]
  ) throws(GitError) -> Int {
    if let known = counts[tree] { return known }
    let folder = try Folder(self, tree)
    var count = 0
    var offset = 0
    while let item = try folder.item(at: offset), count <= most {
      offset = item.end
      count += 1
      if item.isFolder { count += try itemCount(of: item.id, upTo: most, &counts) }
    }
    counts[tree] = count
    return count
  }

  private func collectAll(
    _ tree: ObjectID, below prefix: [UInt8], into entries: inout [TreeEntry]
  ) throws(GitError) {
    let folder = try Folder(self, tree)
    var offset = 0
    while let item = try folder.item(at: offset) {
      offset = item.end
      if let mode = FileMode(item.mode) {
        entries.append(TreeEntry(path: item.path(below: prefix), id: item.id, mode: mode))
      } else {
        try collectAll(item.id, below: prefix + item.name + [UInt8(ascii: "/")], into: &entries)
      }
    }
  }
}

/// A file in a tree.
public struct TreeEntry: Sendable, Hashable {
  /// The path from the root, with `/` between folders.
  ///
  /// Read as UTF-8; damaged bytes are replaced.
  public var path: FilePath
  /// The blob, or the commit if the mode is `submodule`.
  public var id: ObjectID
  /// The kind of file.
  public var mode: FileMode

  /// Creates a tree entry.
  public init(path: FilePath, id: ObjectID, mode: FileMode) {
    self.path = path
    self.id = id
    self.mode = mode
  }
}

/// The kind of an entry in a tree; git knows no finer permissions.
public enum FileMode: Sendable, Hashable {
  /// An ordinary file.
  case file
  /// An executable file.
  case executable
  /// A symbolic link; its content is the path of its target.
  case symlink
  /// A submodule: another repository, named by a commit.
  case submodule

  /// Nil for a folder, because folders are not entries here.
  init?(_ mode: git_filemode_t) {
    switch mode {
    case GIT_FILEMODE_BLOB: self = .file
    case GIT_FILEMODE_BLOB_EXECUTABLE: self = .executable
    case GIT_FILEMODE_LINK: self = .symlink
    case GIT_FILEMODE_COMMIT: self = .submodule
    default: return nil
    }
  }

  /// Reads the number used in trees and in the index.
  public init?(_ number: UInt32) {
    self.init(git_filemode_t(rawValue: number))
  }

  /// The number used in trees and in the index.
  public var number: UInt32 { gitMode.rawValue }

  var gitMode: git_filemode_t {
    switch self {
    case .file: GIT_FILEMODE_BLOB
    case .executable: GIT_FILEMODE_BLOB_EXECUTABLE
    case .symlink: GIT_FILEMODE_LINK
    case .submodule: GIT_FILEMODE_COMMIT
    }
  }
}
