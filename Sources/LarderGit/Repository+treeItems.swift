internal import Clibgit2

/// An item of a tree, as the bytes of the tree say: the name may be anything but empty.
public struct TreeItem {
  /// Valid as long as the item is looked at.
  public let name: UnsafeRawBufferPointer
  /// The kind of file; nil for a folder.
  public let mode: FileMode?
  /// The blob, the tree of a folder, or the commit of a submodule.
  public let id: ObjectID

  init(_ item: FolderItem) {
    name = item.name
    mode = FileMode(item.mode)
    id = item.id
  }
}

/// An item to write into a tree.
public struct NewTreeItem: Sendable {
  public let name: [UInt8]
  /// Nil for a folder.
  public let mode: FileMode?
  public let id: ObjectID

  public init(_ item: TreeItem) {
    name = Array(item.name)
    mode = item.mode
    id = item.id
  }

  public init(name: [UInt8], mode: FileMode?, id: ObjectID) {
    self.name = name
    self.mode = mode
    self.id = id
  }
}

extension Repository {
  /// Visits the items of one tree, in the order in which they stand; false ends the visit.
  public func visitItems(
    of tree: ObjectID, _ visit: (TreeItem) throws(GitError) -> Bool
  ) throws(GitError) {
    let folder = try Folder(self, tree)
    var offset = 0
    while let item = try folder.item(at: offset) {
      guard try visit(TreeItem(item)) else { return }
      offset = item.end
    }
  }

  /// Visits the items of one tree that another has not, or has otherwise, with what that one has.
  public func visitNewItems(
    of tree: ObjectID, since known: ObjectID,
    _ visit: (_ old: TreeItem?, _ new: TreeItem) throws(GitError) -> Void
  ) throws(GitError) {
    try Folder(self, known).differences(to: Folder(self, tree)) { (was, now) throws(GitError) in
      if let now { try visit(was.map { TreeItem($0) }, TreeItem(now)) }
    }
  }

  /// Whether the items of a tree stand in git's order and each name is there once.
  public func isOrdered(_ tree: ObjectID) throws(GitError) -> Bool {
    let folder = try Folder(self, tree)
    var folders: Set<[UInt8]> = []
    var previous: FolderItem?
    var offset = 0
    while let item = try folder.item(at: offset) {
      if let previous, !previous.precedes(item) { return false }
      if item.isFolder { folders.insert(Array(item.name)) }
      previous = item
      offset = item.end
    }
    guard !folders.isEmpty else { return true }
    // A file and a folder of one name stand apart.
    offset = 0
    while let item = try folder.item(at: offset) {
      if !item.isFolder, folders.contains(Array(item.name)) { return false }
      offset = item.end
    }
    return true
  }

  /// The size of a blob in bytes, without reading it.
  public func size(ofBlob id: ObjectID) throws(GitError) -> Int {
    let action = "look at a file"
    let database = try Handle(action, free: { git_odb_free($0) }) {
      git_repository_odb($0, pointer)
    }
    var oid = id.oid
    var size = 0
    var kind = GIT_OBJECT_INVALID
    try check(git_odb_read_header(&size, &kind, database.pointer, &oid), action, path: id.hex)
    return size
  }

  /// Stores a tree of items; of two with one name the first one counts.
  ///
  /// Throws `invalid` for a name that git forbids.
  public func writeTree(of items: [NewTreeItem]) throws(GitError) -> ObjectID {
    let action = "write a tree"
    let builder = try Handle(action, free: { git_treebuilder_free($0) }) {
      git_treebuilder_new($0, pointer, nil)
    }
    for item in items {
      let name = item.name.map { CChar(bitPattern: $0) } + [0]
      guard git_treebuilder_get(builder.pointer, name) == nil else { continue }
      var oid = item.id.oid
      let mode = item.mode?.gitMode ?? GIT_FILEMODE_TREE
      try check(git_treebuilder_insert(nil, builder.pointer, name, &oid, mode), action)
    }
    var oid = git_oid()
    try store(action) { git_treebuilder_write(&oid, builder.pointer) }
    return ObjectID(oid)
  }
}
