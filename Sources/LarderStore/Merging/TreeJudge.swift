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

extension Store {
  /// Returns the reason why a commit from elsewhere is not followed.
  ///
  /// Nil if it may be.
  ///
  /// Content that HEAD already has was judged when it came.
  package func refusal(of id: ObjectID) throws(StoreError) -> RefusedCommit? {
    try git { repository throws(GitError) in
      let known = try repository.head().commit.map { head throws(GitError) in
        try repository.commit(head).tree
      }
      return try CommitJudge(repository).refusal(of: try repository.commit(id), since: known)
    }
  }

  /// Returns the reason why other devices would not follow the checked-out commit.
  ///
  /// Content that the remote's branch already has is not reported again: its owner has to repair
  /// it.
  package func ownRefusal(since theirs: ObjectID?) throws(StoreError) -> RefusedCommit? {
    try git { repository throws(GitError) in
      guard let head = try repository.head().commit else { return nil }
      let known = try theirs.map { id throws(GitError) in try repository.commit(id).tree }
      return try CommitJudge(repository).refusal(of: try repository.commit(head), since: known)
    }
  }

  /// Returns the household's format in the upstream branch, as this clone last saw it.
  ///
  /// Nil if nothing new is there.
  public func formatOfUpstream() throws(StoreError) -> String? {
    try git { repository throws(GitError) in
      guard case .branch(let branch, let head) = try repository.head(),
        let tracking = try repository.upstream(ofBranch: branch)?.tracking,
        let theirs = try repository.reference(tracking),
        try !repository.isAncestor(theirs, of: head),
        let entry = try repository.entry(
          at: Kind.householdPath, in: try repository.commit(theirs).tree), entry.mode.isOrdinary,
        case .readable(let file)? = try repository.ownFile(at: entry.path, entry.id)
      else { return nil }
      return Entity(file)?.format
    }
  }

  /// Returns a commit on a refused one, without its faults.
  ///
  /// A damaged file gets its last good version. Every device makes the same commit, so two devices
  /// that do it separately need no merge.
  func soundCommit(on refused: RefusedCommit) throws(StoreError) -> ObjectID {
    let bad = refused.commit
    return try git { repository throws(GitError) in
      let judge = TreeJudge(repository: repository)
      let sound = try CommitJudge(repository).soundTree(before: bad)
      let tree = try judge.cleaned(bad.tree, by: sound)
      let nobody = Signature(
        name: "larder", email: "larder@larder.invalid", seconds: 0, offsetMinutes: 0)
      let author = bad.isSound && !bad.author.name.isEmpty ? bad.author : nobody
      let subject = "take \(bad.id.short) without what no household may have"
      return try repository.writeCommit(
        tree: tree, parents: [bad.id], author: author, committer: author, message: subject + "\n")
    }
  }
}

// MARK: - Mending

extension Store {
  /// Makes a commit on HEAD without its faults.
  func takeOutOwn() throws {
    try whileLocked { () throws(any Error) in
      var loaded = try load()
      _ = try adopt(&loaded)
      guard let refused = try ownRefusal(since: nil) else { return }
      _ = try join(try soundCommit(on: refused), from: "doctor", joiningHistories: false)
    }
  }

  /// Joins a remote's commit without its faults; `reference` is the tracking branch.
  func take(_ refused: RefusedCommit, from reference: String) throws {
    try whileLocked { () throws(any Error) in
      let remote = reference.split(separator: "/").dropFirst(2).first.map(String.init) ?? reference
      _ = try join(try soundCommit(on: refused), from: remote, joiningHistories: false)
    }
  }
}

/// The check of commits: their trees, and whether git can read their authors.
struct CommitJudge {
  private let repository: Repository

  init(_ repository: Repository) {
    self.repository = repository
  }

  func refusal(of commit: Commit, since known: ObjectID?) throws(GitError) -> RefusedCommit? {
    let faults = try TreeJudge(repository: repository).faults(of: commit.tree, since: known)
    return faults.isEmpty && commit.isSound ? nil : RefusedCommit(commit: commit, faults: faults)
  }

  /// Returns the tree of the nearest ancestor, by first parents, without faults.
  ///
  /// Nil if there is none.
  func soundTree(before commit: Commit) throws(GitError) -> ObjectID? {
    var next = commit.parents.first
    while let id = next {
      let commit = try repository.commit(id)
      if try TreeJudge(repository: repository).faults(of: commit.tree).isEmpty {
        return commit.tree
      }
      next = commit.parents.first
    }
    return nil
  }
}
