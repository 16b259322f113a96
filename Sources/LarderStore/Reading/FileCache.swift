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
  /// All files in the order of the bytes of their paths.
  private let rows: [CacheRow.Place]
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
    var (rows, byID, folders) = (batch.rows, batch.byID, batch.folders)
    var later: [FilePath: UInt32?] = [:]
    var laterRows = 0
    while let next = CacheBatch(bytes, after: batch) {
      for path in next.removed { later[path] = .some(nil) }
      for row in next.rows { later[StoredRow(bytes, at: row).path] = row }
      folders.merge(next.folders) { $1 }
      laterRows += next.rows.count + next.removed.count
      batch = next
    }
    if !later.isEmpty {
      let stale = Set(later.keys.compactMap { StoredRow.find($0, in: rows, bytes) })
      let isBefore = { StoredRow(bytes, at: $0).precedes(StoredRow(bytes, at: $1)) }
      let fresh = later.values.compactMap(\.self).sorted(by: isBefore)
      rows = rows.merged(with: fresh, keeping: { !stale.contains($0) }, isBefore)
      byID = byID.merged(
        with: StoredHousehold.ordered(byID: fresh, of: bytes), keeping: { !stale.contains($0) }
      ) { StoredHousehold.isBefore($0, $1, byID: bytes) }
    }
    tree = batch.tree
    self.folders = folders
    end = (batch.end, batch.checksum)
    self.laterRows = laterRows
    household = StoredHousehold(
      bytes,
      rows: rows.count == byID.count ? rows : rows.filter { StoredRow(bytes, at: $0).isRead },
      byID: byID)
    (self.bytes, self.rows) = (bytes, rows)
  }
}

// MARK: - Files

extension FileCache {
  /// The number of rows after which the cache is written anew instead of a batch more.
  ///
  /// Each command reads all batches, and every so many changes write the whole cache, so the root of the
  /// number of files costs least.
  var mostLaterRows: Int { 64 + 2 * Int(Double(rows.count).squareRoot()) }

  subscript(path: FilePath) -> CachedFile? {
    guard let row = row(at: path), row.isReadable else { return nil }
    return row.file
  }

  /// The paths of all files.
  var paths: Set<FilePath> { Set(rows.lazy.map(row).filter(\.isReadable).map(\.path)) }

  /// The entries of files that say nothing: they are read from git each time.
  var unread: [TreeEntry] {
    if household.rows.count == rows.count { return [] }
    return rows.map(row).filter { !$0.isRead }.compactMap(\.entry)
  }

  /// Returns the rows of all files but those at some paths, in the order of paths.
  func rows(without paths: Set<FilePath>) -> [(path: FilePath, bytes: ArraySlice<UInt8>)] {
    rows.map(row).filter { !paths.contains($0.path) }.map { ($0.path, $0.slice) }
  }

  private func row(_ place: CacheRow.Place) -> CacheRow { CacheRow(bytes, at: place) }

  private func row(at path: FilePath) -> CacheRow? {
    StoredRow.find(path, in: rows, bytes).map(row)
  }

  /// Returns the places of a folder's files.
  private func places(in folder: FilePath) -> [CacheRow.Place] {
    if folder.isEmpty {
      return StoredRow.find(Kind.householdPath, in: rows, bytes).map { [$0] } ?? []
    }
    return rows[StoredRow.range(below: folder, of: rows, bytes)].filter {
      row($0).isIn(folder) && row($0).isReadable
    }
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
  func names(in path: FilePath) -> [String] { places(in: path).map { row($0).path.name } }

  /// Returns the number of a folder's known files.
  func count(in path: FilePath) -> Int { places(in: path).count }

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
    let places = places(in: path)
    let prefix = path.isEmpty ? 0 : path.utf8.count + 1
    let isSame = places.concurrentMap { place in
      self.row(place).hasKnownState(in: descriptor, nameAt: prefix)
    }
    return zip(places, isSame).filter { !$1 }.map { row($0.0).path.name }
  }
}
