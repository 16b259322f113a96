internal import Clibgit2
public import LarderText

/// A writer of trees that differ from a base tree in some paths.
///
/// It opens only the folders above them.
struct TreeWriter {
  /// A file to set, or to remove if the value is nil.
  struct Change {
    var path: [UInt8]
    var value: (ObjectID, FileMode)?
  }

  let repository: Repository
  private let changes: [Change]

  /// Each path may occur only once.
  init(_ repository: Repository, _ changes: [Change]) {
    self.repository = repository
    // With the slash as the lowest byte, a path and everything below it are neighbours.
    self.changes = changes.sorted { left, right in
      left.path.lexicographicallyPrecedes(right.path) { Self.rank($0) < Self.rank($1) }
    }
  }

  private static func rank(_ byte: UInt8) -> UInt8 { byte == UInt8(ascii: "/") ? 0 : byte }

  func write(base: ObjectID?) throws(GitError) -> ObjectID {
    try repository.storing { () throws(GitError) in
      if let tree = try write(base: base, changes[...], from: 0) { return tree }
      let empty = try builder(on: nil as OpaquePointer?)
      return try finish(empty.pointer)
    }
  }

  /// Writes one folder.
  ///
  /// Returns nil if it becomes empty.
  ///
  /// `offset` is the start of this folder's names in the paths of the changes.
  private func write(
    base: ObjectID?, _ changes: ArraySlice<Change>, from offset: Int
  ) throws(GitError) -> ObjectID? {
    let handle = try builder(on: base)
    let builder = handle.pointer
    for group in groups(of: changes, from: offset) { try apply(group, to: builder) }
    return git_treebuilder_entrycount(builder) == 0 ? nil : try finish(builder)
  }

  /// The changes of one name in a folder: to the file itself, and to files below it.
  private struct Group {
    let name: ArraySlice<UInt8>
    /// The end of the name in the paths of the changes.
    let end: Int
    /// What the file is set to.
    let file: (ObjectID, FileMode)?
    /// Whether a file of that name is removed.
    let removesFile: Bool
    let below: ArraySlice<Change>
  }

  /// Returns the changes in one folder by their names in it.
  private func groups(of changes: ArraySlice<Change>, from offset: Int) -> [Group] {
    var groups: [Group] = []
    var rest = changes
    while let first = rest.first {
      let name = first.path[offset...].prefix { $0 != UInt8(ascii: "/") }
      let end = offset + name.count
      let all = rest.prefix {
        $0.path[offset...].starts(with: name)
          && ($0.path.count == end || $0.path[end] == UInt8(ascii: "/"))
      }
      rest = rest[all.endIndex...]
      let isFile = first.path.count == end
      groups.append(
        Group(
          name: name, end: end, file: isFile ? first.value : nil,
          removesFile: isFile && first.value == nil, below: isFile ? all.dropFirst() : all))
    }
    return groups
  }

  /// Applies the changes of one name in a folder.
  private func apply(_ group: Group, to builder: OpaquePointer) throws(GitError) {
    let fileName = String(decoding: group.name, as: UTF8.self)
    let (presentID, presentMode) = present(fileName, in: builder)
    if let (id, mode) = group.file {
      if let inside = group.below.first(where: { $0.value != nil }) {
        throw GitError(
          .invalid, action: "write a tree", detail: "'\(fileName)' would be a file and a folder",
          path: String(decoding: inside.path, as: UTF8.self))
      }
      return try insert(id, mode.gitMode, fileName, into: builder)
    }
    if group.removesFile, let presentMode, presentMode != GIT_FILEMODE_TREE {
      try check(git_treebuilder_remove(builder, fileName), "write a tree", path: fileName)
    }
    guard !group.below.isEmpty else { return }
    let folder = presentMode == GIT_FILEMODE_TREE ? presentID : nil
    if let written = try write(base: folder, group.below, from: group.end + 1) {
      try insert(written, GIT_FILEMODE_TREE, fileName, into: builder)
    } else if folder != nil {
      try check(git_treebuilder_remove(builder, fileName), "write a tree", path: fileName)
    }
  }

  private func present(
    _ name: String, in builder: OpaquePointer
  ) -> (ObjectID?, git_filemode_t?) {
    guard let entry = git_treebuilder_get(builder, name) else { return (nil, nil) }
    return (git_tree_entry_id(entry).map { ObjectID($0) }, git_tree_entry_filemode(entry))
  }

  private func insert(
    _ id: ObjectID, _ mode: git_filemode_t, _ name: String, into builder: OpaquePointer
  ) throws(GitError) {
    var oid = id.oid
    try check(
      git_treebuilder_insert(nil, builder, name, &oid, mode), "write a tree", path: name)
  }

  private func finish(_ builder: OpaquePointer) throws(GitError) -> ObjectID {
    try repository.store("write a tree") { oid, _ in git_treebuilder_write(&oid, builder) }
  }

  private func builder(on base: ObjectID?) throws(GitError) -> Handle<OpaquePointer> {
    guard let base else { return try builder(on: nil as OpaquePointer?) }
    let tree = try repository.treeHandle(base)
    return try builder(on: tree.pointer)
  }

  private func builder(on tree: OpaquePointer?) throws(GitError) -> Handle<OpaquePointer> {
    try Handle("write a tree", free: { git_treebuilder_free($0) }) {
      git_treebuilder_new($0, repository.quarantine?.pointer, tree)
    }
  }
}

extension Repository {
  /// Stores `base` (nil is the empty tree) with the given files set, or removed if nil, and returns
  /// the new tree.
  ///
  /// Paths are files. Setting a file replaces a folder of that name with everything in it. Setting
  /// a file in a folder replaces a file that has the folder's name. Empty folders vanish. Removing
  /// a missing file changes nothing. Throws `invalid` if a path would be a file and a folder, or
  /// has a part that git forbids, such as `..` or `.git`.
  public func writeTree(
    from base: ObjectID?, changing changes: [FilePath: (ObjectID, FileMode)?]
  ) throws(GitError) -> ObjectID {
    let list = changes.map { TreeWriter.Change(path: [UInt8]($0.key.utf8), value: $0.value) }
    return try TreeWriter(self, list).write(base: base)
  }
}
