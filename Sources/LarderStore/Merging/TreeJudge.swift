public import LarderGit
public import LarderModel
public import LarderText

/// The check of a tree from elsewhere, before anything of it is written or joined.
///
/// Git forbids much of this too, but only when it writes files itself, and a bare repository
/// accepts everything.
struct TreeJudge {
  /// The largest file accepted from others, in bytes: 100 MiB.
  static let largestFile = 100 * 1024 * 1024
  /// The maximum number of items in one folder of the root, including its subfolders.
  static let mostItems = 1_000_000

  let repository: Repository

  /// One folder of a tree.
  private struct Place {
    var path: FilePath = ""
    var bytes = 0
    var depth = 0
    /// Whether it is one of the household's own folders, or inside one.
    var isOurs = false

    func inner(_ name: UnsafeRawBufferPointer) -> Place {
      Place(
        path: path.appending(String(decoding: name, as: UTF8.self)),
        bytes: bytes + name.count + 1, depth: depth + 1,
        isOurs: isOurs || depth == 0 && PathRule.isOwnFolder(name))
    }
  }

  /// Returns the faults of a tree, except those of another tree that was judged before.
  ///
  /// The items of a folder come before those of its subfolders. There are at most
  /// ``RefusedCommit/most``.
  func faults(of tree: ObjectID, since known: ObjectID? = nil) throws(GitError) -> [TreeFault] {
    var faults: [TreeFault] = []
    try judge(tree, since: known, Place(), &faults)
    return faults
  }

  private func isOverfull(_ folder: ObjectID) throws(GitError) -> Bool {
    try repository.itemCount(of: folder, upTo: TreeJudge.mostItems) > TreeJudge.mostItems
  }

  private func judge(
    _ tree: ObjectID, since known: ObjectID?, _ place: Place, _ faults: inout [TreeFault]
  ) throws(GitError) {
    guard tree != known else { return }
    if try !repository.isOrdered(tree) {
      faults.append(TreeFault(path: place.path, reason: .disorder))
    }
    var folders: [(name: NewTreeItem, known: ObjectID?)] = []
    func look(_ item: TreeItem, _ old: TreeItem?) throws(GitError) {
      guard faults.count < RefusedCommit.most else { return }
      if let reason = try reason(item, in: place) {
        let path = place.path.appending(String(decoding: item.name, as: UTF8.self))
        faults.append(TreeFault(path: path, reason: reason))
      } else if item.mode == nil {
        folders.append((NewTreeItem(item), old?.mode == nil ? old?.id : nil))
      }
    }
    if let known {
      try repository.visitNewItems(of: tree, since: known) { (old, item) throws(GitError) in
        try look(item, old)
      }
    } else {
      try repository.visitItems(of: tree) { (item) throws(GitError) in
        try look(item, nil)
        return faults.count < RefusedCommit.most
      }
    }
    for folder in folders where faults.count < RefusedCommit.most {
      let inner = folder.name.name.withUnsafeBytes { place.inner($0) }
      let isOverfull = place.depth == 0 ? try isOverfull(folder.name.id) : false
      if isOverfull {
        faults.append(TreeFault(path: inner.path, reason: .tooMany))
      } else {
        try judge(folder.name.id, since: folder.known, inner, &faults)
      }
    }
  }

  /// Returns the reason why an item is not allowed in a folder, or nil.
  private func reason(_ item: TreeItem, in place: Place) throws(GitError) -> TreeFault.Reason? {
    let isFolder = item.mode == nil
    if let fault = PathRule.fault(inName: item.name, isFolder: isFolder, isOurs: place.isOurs) {
      return .path(fault)
    }
    if place.depth + (isFolder ? 1 : 0) > PathRule.deepest { return .path(.tooDeep) }
    let length = place.bytes + item.name.count
    if length > PathRule.longestPath { return .path(.longPath(bytes: length)) }
    if place.depth == 0 {
      if PathRule.isOwnFolder(item.name), !isFolder { return item.mode.strange ?? .notAFolder }
      if item.name.elementsEqual(Kind.householdPath.utf8) {
        if isFolder { return .notAFile }
        if let strange = item.mode.strange { return strange }
      }
      // Git reads these files, and would follow a link.
      if item.name.starts(with: ".git".utf8), item.mode == .symlink { return .link }
    }
    if isFolder { return nil }
    if place.isOurs, let strange = item.mode.strange { return strange }
    guard item.mode != .submodule else { return nil }
    let bytes = try repository.size(ofBlob: item.id)
    return bytes > TreeJudge.largestFile ? .tooLarge(bytes: bytes) : nil
  }
}

extension FileMode? {
  /// The reason why the household's own files can't have this mode.
  fileprivate var strange: TreeFault.Reason? {
    switch self {
    case .symlink: .link
    case .submodule: .submodule
    case .executable: .executable
    case .file, nil: nil
    }
  }
}

// MARK: - Cleaning

extension TreeJudge {
  /// Stores a tree without its faults; items of a valid tree take the place of faulty ones.
  func cleaned(_ tree: ObjectID, by sound: ObjectID?) throws(GitError) -> ObjectID {
    if let cleaned = try cleaned(tree, by: sound, Place()) { return cleaned }
    return try repository.writeTree(of: [])
  }

  /// Returns nil if nothing is left.
  private func cleaned(_ tree: ObjectID, by sound: ObjectID?, _ place: Place) throws(GitError)
    -> ObjectID?
  {
    if place.depth > 0, try isOverfull(tree) { return sound }
    var faults: [TreeFault] = []
    try judge(tree, since: sound, place, &faults)
    guard !faults.isEmpty else { return tree }
    let sounds = try items(of: sound)
    var kept: [NewTreeItem] = []
    try repository.visitItems(of: tree) { (item) throws(GitError) in
      let instead = sounds[Array(item.name)]
      if instead?.id == item.id, instead?.mode == item.mode {
        kept.append(NewTreeItem(item))
      } else if try reason(item, in: place) != nil {
        if let instead { kept.append(instead) }
      } else if item.mode == nil {
        let known = instead?.mode == nil ? instead?.id : nil
        if let inner = try cleaned(item.id, by: known, place.inner(item.name)) {
          kept.append(NewTreeItem(name: Array(item.name), mode: nil, id: inner))
        }
      } else {
        kept.append(NewTreeItem(item))
      }
      return true
    }
    return kept.isEmpty ? nil : try repository.writeTree(of: kept)
  }

  private func items(of tree: ObjectID?) throws(GitError) -> [[UInt8]: NewTreeItem] {
    var items: [[UInt8]: NewTreeItem] = [:]
    guard let tree else { return items }
    try repository.visitItems(of: tree) { item in
      items[Array(item.name)] = NewTreeItem(item)
      return true
    }
    return items
  }
}

/// Content of a tree that is not allowed in a household.
public struct TreeFault: Hashable, Sendable {
  public enum Reason: Hashable, Sendable {
    /// The path is not allowed.
    case path(PathFault)
    /// A symbolic link among the household's own files.
    case link
    /// A submodule among the household's own files.
    case submodule
    /// An executable file among the household's own files.
    case executable
    /// A file in the place of one of the household's folders.
    case notAFolder
    /// A folder in the place of `household.json`.
    case notAFile
    /// A file is larger than accepted from others.
    case tooLarge(bytes: Int)
    /// A folder has more files than accepted from others.
    case tooMany
    /// A folder lists a name twice or out of order.
    case disorder
  }

  /// The path from the household's root; damaged bytes are replaced.
  public let path: FilePath
  public let reason: Reason
}

/// A commit that is not followed, with the reasons.
public struct RefusedCommit: Error, Hashable, Sendable {
  public let commit: Commit
  /// The faults of its tree, at most the first hundred.
  public let faults: [TreeFault]

  /// The maximum number of reported faults.
  static let most = 100
}
