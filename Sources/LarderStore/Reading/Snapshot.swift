internal import LarderGit
internal import LarderModel
internal import LarderText

/// The known files of the household: their blobs in a tree of git, their content, and their status
/// in the work tree.
///
/// Reading the household then costs one `lstat` a file, and only changed files are read. The two
/// parts are in `.git/larder/snapshot` and `.git/larder/snapshot-later`. They may be deleted at any
/// time.
struct Snapshot: Sendable {
  let first: SnapshotPart
  let later: SnapshotPart?
  /// The household in the files of the tree, without files that can't be read.
  let household: Household

  init(_ first: SnapshotPart, _ later: SnapshotPart?) {
    self.first = first
    self.later = later
    var household = Household(first.household)
    if let later {
      for path in later.head.removed.union(later.files.paths) { household.forget(path: path) }
      household.put(later.household)
    }
    self.household = household
  }

  /// Reads a snapshot; nil if there is none that can be used.
  init?(folder: String) {
    guard let first = SnapshotPart(file: folder + Self.firstName) else { return nil }
    let later = SnapshotPart(file: folder + Self.laterName)
    self.init(first, later.flatMap { $0.head.first == first.checksum ? $0 : nil })
  }

  static let firstName = "/snapshot"
  static let laterName = "/snapshot-later"

  /// The tree with these files.
  var tree: ObjectID { (later ?? first).head.tree }

  var untaken: [TreeEntry] { (later ?? first).head.untaken }

  subscript(path: FilePath) -> KnownFile? {
    guard let later else { return first.files[path] }
    return later.files[path] ?? (later.head.removed.contains(path) ? nil : first.files[path])
  }

  /// Returns the status of a folder while it had these files and no others; nil if it is not known.
  func state(ofFolder path: FilePath) -> FileState? {
    (later?.files.folder(path) ?? first.files.folder(path))?.state
  }

  /// Returns the names of the known folders in a folder.
  func folders(in path: FilePath) -> [String] {
    let all = first.files.folders + (later?.files.folders ?? [])
    let depth = path.names.count
    let inner = all.compactMap { folder -> FilePath? in
      folder.path.hasPrefix("\(path)/") ? FilePath(folder.path.names[depth]) : nil
    }
    return Set(inner).map(\.text)
  }

  /// Returns the names of a folder's known files.
  func names(in path: FilePath) -> [String] {
    names(in: path) { _, folder in Array(folder.rows) }
  }

  /// Returns the number of a folder's known files.
  func count(in path: FilePath) -> Int {
    let standing = first.files.folder(path)?.rows.count ?? 0
    guard let later else { return standing }
    let changed = later.head.removed.union(later.files.paths)
      .filter { $0.folder == path }
    let gone = changed.count { first.files[$0] != nil && later.files[$0] == nil }
    let fresh = changed.count { first.files[$0] == nil && later.files[$0] != nil }
    return standing - gone + fresh
  }

  /// Whether some names of a folder's files are those of the known ones, by their number.
  ///
  /// `changed` are the names of known files that no longer have their known status. A file that is
  /// renamed gets another status, so all others have their known names.
  func areAll(_ names: [String], in path: FilePath, changed: [String]) -> Bool {
    // Each of these is looked for among all names.
    let few = 8
    return changed.count <= few && names.count == count(in: path)
      && changed.allSatisfy { name in names.contains { $0.hasSameBytes(as: name) } }
  }

  /// Returns those of some names that no known file of a folder has.
  func unknown(_ names: [String], in path: FilePath) -> [String] {
    let folder = first.files.folder(path)
    return names.filter { name in
      if let later {
        let path = path.appending(name)
        if later.files[path] != nil { return false }
        if later.head.removed.contains(path) { return true }
      }
      return folder.flatMap { first.files.row(of: name, in: $0) } == nil
    }
  }

  /// Returns the names of a folder's known files that no longer have their known status.
  func changedNames(in path: FilePath, _ folder: borrowing OpenFolder) -> [String] {
    let descriptor = folder.descriptor
    return names(in: path) { files, folder in files.changedRows(of: folder, in: descriptor) }
  }

  private func names(in path: FilePath, _ rows: (KnownFiles, KnownFiles.Folder) -> [Int])
    -> [String]
  {
    func names(_ files: KnownFiles) -> [String] {
      files.folder(path).map { rows(files, $0).map(files.name) } ?? []
    }
    guard let later else { return names(first.files) }
    let standing = names(first.files).filter { name in
      let path = path.appending(name)
      return later.files[path] == nil && !later.head.removed.contains(path)
    }
    return standing + names(later.files)
  }
}

extension Snapshot {
  /// The largest number of files in a later part.
  ///
  /// Each change writes the later part, and every so many changes write the first one, so the root
  /// of the number of files costs least.
  var mostLater: Int { 64 + 2 * Int(Double(first.files.count).squareRoot()) }

  /// The paths of all files.
  var paths: Set<FilePath> {
    guard let later else { return Set(first.files.paths) }
    return Set(first.files.paths).subtracting(later.head.removed).union(later.files.paths)
  }

  /// The paths that the later part changes.
  var laterPaths: Set<FilePath> { later.map { $0.head.removed.union($0.files.paths) } ?? [] }
}

/// The household's files in HEAD's tree.
struct CommittedFiles: Sendable {
  private let known: Snapshot?
  /// The files that differ from those of the snapshot; nil for one that is gone.
  private(set) var changes: [FilePath: TreeEntry?] = [:]

  init(_ known: Snapshot?) {
    self.known = known
  }

  subscript(path: FilePath) -> TreeEntry? {
    get {
      if let change = changes[path] { return change }
      return known?[path].map { TreeEntry(path: path, id: $0.blob, mode: $0.mode) }
    }
    set { changes[path] = .some(newValue) }
  }
}
