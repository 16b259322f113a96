internal import LarderGit
internal import LarderModel
internal import LarderText
internal import Libc

/// One of the household's files in a tree of git.
struct CachedFile: Equatable {
  let blob: ObjectID
  let mode: FileMode
  /// The status of the file in the work tree while it had this content.
  ///
  /// Nil if there was none, or if a later change could have the same status.
  let state: FileState?
}

/// What is known of the household's files: their blobs in a tree of git, what they say, and their
/// status in the work tree.
///
/// Reading the household then costs one `lstat` a file, and only changed files are read. It is kept in
/// `.git/larder/cache`, which may be deleted at any time; see ``CacheBatch`` for its form.
final class FileCache: Sendable {
  /// The tree with these files.
  let tree: ObjectID
  /// The entities of the files, as the files of the tree have them; without files that can't be read.
  let household: StoredHousehold
  /// The status of each known folder while it had these files and no others; nil if it is not known.
  let folders: [FilePath: FileState?]
  private let bytes: [UInt8]
  private let rows: StoredRows
  /// The offset after the last batch, and its checksum.
  let end: (offset: Int, checksum: Int64)
  /// The number of rows in the batches after the first one.
  let laterRows: Int

  /// Reads the cache of a device; nil if there is none that can be used.
  convenience init?(file: String) {
    // One that can't be read, for whatever reason, only costs the time to make another.
    guard FileState(of: file)?.kind == .file, let bytes = try? SystemFile.read(file) else {
      return nil
    }
    self.init(bytes)
  }

  /// Reads batches up to one that is damaged or follows none of them; nil if there is no first one.
  init?(_ bytes: [UInt8]) {
    guard var batch = CacheBatch(first: bytes) else { return nil }
    var (rows, folders) = (batch.rows, batch.folders)
    var laterRows = 0
    while let next = CacheBatch(bytes, after: batch) {
      rows.replace(next.removed, with: next.rows.byPath, of: bytes)
      folders.merge(next.folders) { $1 }
      laterRows += next.rows.byPath.count + next.removed.count
      batch = next
    }
    tree = batch.tree
    self.folders = folders
    end = (batch.end, batch.checksum)
    self.laterRows = laterRows
    household = StoredHousehold(bytes, rows)
    (self.bytes, self.rows) = (bytes, rows)
  }
}

// MARK: - Files

extension FileCache {
  /// The number of rows after which the cache is written anew instead of a batch more.
  ///
  /// Each command reads all batches, and every so many changes write the whole cache, so the root of the
  /// number of files costs least.
  var mostLaterRows: Int { 64 + 2 * Int(Double(rows.byPath.count).squareRoot()) }

  subscript(path: FilePath) -> CachedFile? {
    guard let row = rows.find(path, of: bytes).map(row), row.isReadable else { return nil }
    return row.file
  }

  /// The paths of all files.
  var paths: Set<FilePath> {
    Set(rows.byPath.lazy.map(row).filter(\.isReadable).map(\.path))
  }

  /// The entries of files that say nothing: they are read from git each time.
  var unread: [TreeEntry] {
    if !hasUnread { return [] }
    return rows.byPath.map(row).filter { !$0.isRead }.compactMap(\.entry)
  }

  private var hasUnread: Bool { rows.byPath.count != rows.byID.count }

  /// Returns the rows of all files but those at some paths, in the order of paths.
  func rows(without paths: Set<FilePath>) -> [(path: FilePath, bytes: ArraySlice<UInt8>)] {
    rows.byPath.map(row).map { ($0.path, $0.slice) }.filter { !paths.contains($0.0) }
  }

  private func row(_ place: StoredRows.Row) -> CacheRow { CacheRow(bytes, at: place) }

  /// Returns the rows of a folder's files.
  private func files(in folder: FilePath) -> [StoredRows.Row] {
    let rows = rows.inside(folder, of: bytes)
    return hasUnread ? rows.filter { row($0).isReadable } : rows
  }
}

// MARK: - Folders

extension FileCache {
  /// Returns the status of a folder while it had these files and no others; nil if it is not known.
  func state(ofFolder path: FilePath) -> FileState? { folders[path] ?? nil }

  /// Returns the names of the known folders in a folder.
  func folders(in path: FilePath) -> [String] {
    let depth = path.names.count
    return Set(folders.keys.filter { $0.hasPrefix("\(path)/") }.map { FilePath($0.names[depth]) })
      .map(\.text)
  }

  /// Returns the names of a folder's known files.
  func names(in path: FilePath) -> [String] { files(in: path).map { row($0).path.name } }

  /// Returns the number of a folder's known files.
  func count(in path: FilePath) -> Int { files(in: path).count }

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
    names.filter { self[path.appending($0)] == nil }
  }

  /// Returns the names of a folder's known files that no longer have their known status.
  func changedNames(in path: FilePath, _ folder: borrowing OpenFolder) -> [String] {
    let descriptor = folder.descriptor
    let files = files(in: path)
    let prefix = path.isEmpty ? 0 : path.utf8.count + 1
    let isSame = files.concurrentMap { file in
      self.row(file).hasKnownState(in: descriptor, nameAt: prefix)
    }
    return zip(files, isSame).filter { !$1 }.map { row($0.0).path.name }
  }
}

/// Versions of the household's files that were read or written lately, by their entries in trees.
///
/// A sync needs one version several times: to adopt, to join, and to tell what lost. It is parsed
/// once. All are forgotten when the sum of their sizes reaches a limit, so that memory is bounded.
final class KnownVersions {
  private var files: [TreeEntry: WrittenFile] = [:]
  /// The sum of the sizes of the files, in bytes.
  private var size = 0
  /// 16 MiB, some 7,000 files of the usual size; parsed, they take several times as much memory.
  private static let mostBytes = 16 * 1024 * 1024
  /// More files than these, read at once, would only push each other out.
  static let many = 5000

  subscript(entry: TreeEntry) -> WrittenFile? {
    get { files[entry] }
    set {
      guard let newValue else { return }
      let added = Self.size(of: newValue)
      if size + added > Self.mostBytes { (files, size) = ([:], 0) }
      files[entry] = newValue
      size += added
    }
  }

  /// Returns the size of a file's text, and a little for what belongs to every file.
  private static func size(of file: WrittenFile) -> Int {
    guard case .readable(let file) = file else { return 500 }
    return file.size + 500
  }

  /// Returns a file as written; nil if it is not one of the household's.
  func file(_ entry: TreeEntry, in repository: Repository) throws(GitError) -> WrittenFile? {
    try files([entry], in: repository)[0]
  }

  /// Returns files as written.
  ///
  /// Those that are not known are read, and parsed on all cores; what was read in a work tree is not read
  /// again.
  func files(
    _ entries: [TreeEntry], in repository: Repository, or workTree: WorkTree? = nil
  ) throws(GitError) -> [WrittenFile?] {
    var found = entries.map { files[$0] }
    let unknown = found.indices.filter { found[$0] == nil }
    let read = try unknown.map { index throws(GitError) in
      (path: entries[index].path, bytes: try repository.ownBytes(entries[index], or: workTree))
    }
    let parsed = read.concurrentMap { HouseholdReader.written($0.path, $0.bytes) }
    for (index, file) in zip(unknown, parsed) {
      found[index] = file
      self[entries[index]] = file
    }
    return found
  }
}
