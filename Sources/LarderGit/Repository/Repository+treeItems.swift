internal import Clibgit2

/// An item of a tree, as its bytes say: the name may be anything but empty.
public struct TreeItem {
  /// The name's bytes, valid only during the visit.
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

/// A new item of a tree.
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
  /// Visits the items of one tree, in their stored order; the visit ends when it returns false.
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

  /// Visits the items of a tree that another tree lacks or has with other content, with the old
  /// item.
  public func visitNewItems(
    of tree: ObjectID, since known: ObjectID,
    _ visit: (_ old: TreeItem?, _ new: TreeItem) throws(GitError) -> Void
  ) throws(GitError) {
    try Folder(self, known).differences(to: Folder(self, tree)) { (was, now) throws(GitError) in
      if let now { try visit(was.map { TreeItem($0) }, TreeItem(now)) }
    }
  }

  /// Whether the items of a tree are in git's order and each name occurs once.
  public func isOrdered(_ tree: ObjectID) throws(GitError) -> Bool {
    try Folder(self, tree).isOrdered()
  }

  /// Returns the size of a blob in bytes, without reading it.
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

  /// Stores a tree of items; if two have the same name, the first one counts.
  public func writeTree(of items: [NewTreeItem]) throws(GitError) -> ObjectID {
    let action = "write a tree"
    return try storing { () throws(GitError) in
      let builder = try Handle(action, free: { git_treebuilder_free($0) }) {
        git_treebuilder_new($0, quarantine?.pointer, nil)
      }
      for item in items {
        let name = item.name.map { CChar(bitPattern: $0) } + [0]
        guard git_treebuilder_get(builder.pointer, name) == nil else { continue }
        var oid = item.id.oid
        let mode = item.mode?.gitMode ?? GIT_FILEMODE_TREE
        try check(git_treebuilder_insert(nil, builder.pointer, name, &oid, mode), action)
      }
      return try store(action) { oid, _ in git_treebuilder_write(&oid, builder.pointer) }
    }
  }
}
