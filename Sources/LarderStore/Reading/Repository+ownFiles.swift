internal import LarderGit
internal import LarderModel
internal import LarderText

/// The household's own files in trees; other files of a tree cost nothing.
extension Repository {
  private static let ownFolders = Set(Kind.allCases.compactMap { $0.folder.map { FilePath($0) } })

  /// Returns the differences of the household's files between two trees, `household.json` first.
  ///
  /// Nil is the empty tree.
  ///
  /// Throws `tooLarge` if either tree has too many to read.
  func ownChanges(from old: ObjectID?, to new: ObjectID?) throws(GitError) -> [TreeChange] {
    let before = try household(in: old)
    let after = try household(in: new)
    let own =
      before == after
      ? [] : [TreeChange(path: Kind.householdPath, old: before, new: after)]
    let others = try changes(from: old, to: new, inFolders: Self.ownFolders)
      .filter { Kind(path: $0.path) != nil }
    return own + others
  }

  /// Returns the household's own folders that are a link, a file or a submodule in a tree.
  func hiddenFolders(of tree: ObjectID) throws(GitError) -> [FilePath] {
    var hidden: [FilePath] = []
    try visitItems(of: tree) { item in
      let name = FilePath(String(decoding: item.name, as: UTF8.self))
      if item.mode != nil, Self.ownFolders.contains(name) { hidden.append(name) }
      return true
    }
    return hidden
  }

  /// Whether a tree is still there, and the household's folders in it.
  func hasOwnFolders(_ tree: ObjectID) -> Bool {
    do throws(GitError) {
      guard try has(tree) else { return false }
      for name in Self.ownFolders {
        if let folder = try folder(at: name, in: tree), try !has(folder) { return false }
      }
      return true
    } catch {
      return false
    }
  }

  /// Whether a tree has too many files in one of the household's own folders to be read.
  func isOverfull(_ tree: ObjectID) throws(GitError) -> Bool {
    do throws(GitError) {
      _ = try ownChanges(from: nil, to: tree)
      return false
    } catch  where error.code == .tooLarge {
      return true
    }
  }

  /// Returns one of the household's files as written.
  func ownFile(at path: FilePath, _ blob: ObjectID) throws(GitError) -> WrittenFile? {
    HouseholdReader.written(path, try ownBytes(blob))
  }

  /// Returns the kind and id of the entity in a file; nil if the file is not of the household, or says
  /// none.
  func entityID(_ entry: TreeEntry) throws(GitError) -> String? {
    guard let written = HouseholdReader.written(entry.path, try ownBytes(entry)),
      case .readable(let file) = written
    else { return nil }
    return file.id.map { "\(file.kind) \($0)" }
  }

  /// Returns the bytes of one of the household's files, if a work tree has not read them already; of one
  /// that is too large, only the size is read.
  func ownBytes(_ entry: TreeEntry, or workTree: WorkTree? = nil) throws(GitError)
    -> Result<[UInt8], FileMistakes>
  {
    guard entry.mode.isOrdinary else { return .failure(FileMistakes([.notAFile])) }
    if let file = workTree?[entry.path], file.blob == entry.id, let bytes = file.bytes {
      return .success(Array(bytes))
    }
    return try ownBytes(entry.id)
  }

  private func ownBytes(_ blob: ObjectID) throws(GitError) -> Result<[UInt8], FileMistakes> {
    let size = try size(ofBlob: blob)
    guard size <= HouseholdReader.largest else {
      return .failure(FileMistakes([.tooLarge(bytes: size)]))
    }
    return .success(try readBlob(blob))
  }

  /// Returns the files of a tree outside of the household's own folders.
  func otherEntries(of tree: ObjectID) throws(GitError) -> [TreeEntry] {
    var others: [TreeEntry] = []
    try visitItems(of: tree) { (item) throws(GitError) in
      let name = FilePath(String(decoding: item.name, as: UTF8.self))
      if let mode = item.mode {
        others.append(TreeEntry(path: name, id: item.id, mode: mode))
      } else if !Self.ownFolders.contains(name) {
        others += try entries(of: tree, inFolders: [name])
      }
      return true
    }
    return others
  }

  private func household(in tree: ObjectID?) throws(GitError) -> TreeEntry? {
    guard let tree else { return nil }
    return try entry(at: Kind.householdPath, in: tree)
  }
}
