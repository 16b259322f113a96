internal import LarderGit
internal import LarderJSON
internal import LarderModel
internal import LarderText
internal import Libc

/// One of the household's files in a tree of git.
struct KnownFile: Equatable {
  let blob: ObjectID
  let isExecutable: Bool
  /// The status of the file in the work tree while it had this content.
  ///
  /// Nil if there was none, or if a later change could have the same status.
  let state: FileState?

  var mode: FileMode { isExecutable ? .executable : .file }
}

/// The files of a snapshot by folder and name, packed so that looking one up needs no preparation.
///
/// Rows are ordered by the bytes of the folder's path, then by those of the name.
final class KnownFiles: Sendable {
  struct Folder {
    let path: FilePath
    /// The status of the folder while it had these files and no others; nil if it is not known.
    let state: FileState?
    let rows: Range<Int>
  }

  let bytes: [UInt8]
  let folders: [Folder]
  let rows: Int
  private let names: Int
  /// The offset after the files.
  let end: Int

  /// The place of a name, its status and its blob.
  static let rowSize = 4 + FileState.packedSize + 20 + 1

  /// Reads what ``pack(_:into:)`` wrote, from an offset on.
  init(_ bytes: [UInt8], at start: Int) {
    self.bytes = bytes
    let (head, length) = bytes.withUnsafeBytes { raw in
      var reader = PackedReader(raw, at: start)
      let length = Int(reader.number(UInt32.self))
      var row = 0
      let folders = (0..<reader.number(UInt32.self)).map { _ in
        let path = FilePath(reader.text())
        let state = FileState(.folder, raw, at: reader.offset)
        reader.offset += FileState.packedSize
        let first = row
        row += Int(reader.number(UInt32.self))
        return Folder(path: path, state: state, rows: first..<row)
      }
      return ((folders, reader.offset), length)
    }
    (folders, rows) = head
    names = rows + (folders.last?.rows.upperBound ?? 0) * Self.rowSize
    end = names + length
  }
}

extension KnownFiles {
  var count: Int { folders.last?.rows.upperBound ?? 0 }

  var all: [(path: FilePath, file: KnownFile)] {
    folders.flatMap { folder in
      folder.rows.compactMap { row in
        file(row).map { (folder.path.appending(name(row)), $0) }
      }
    }
  }

  var paths: [FilePath] { all.map(\.path) }

  /// The status of each folder; nil if it is not known.
  var folderStates: [FilePath: FileState?] {
    Dictionary(folders.map { ($0.path, $0.state) }) { first, _ in first }
  }

  func folder(_ path: FilePath) -> Folder? {
    var path = path.text
    return path.withUTF8 { wanted in
      binarySearch(folders.indices) { place in
        var other = folders[place].path.text
        return other.withUTF8 { compareBytes($0, wanted) }
      }
    }
    .map { folders[$0] }
  }

  subscript(path: FilePath) -> KnownFile? {
    guard let folder = folder(path.folder) else { return nil }
    return row(of: path.name, in: folder).flatMap(file)
  }

  /// Returns the row of a file of a folder; nil if there is none.
  func row(of name: String, in folder: Folder) -> Int? {
    var name = name
    return name.withUTF8 { wanted in
      binarySearch(folder.rows) { withName($0) { compareBytes($0, wanted) } }
    }
  }

  func file(_ row: Int) -> KnownFile? {
    let start = start(ofRow: row) + 4 + FileState.packedSize
    guard let blob = ObjectID(bytes: bytes[start..<(start + 20)]) else { return nil }
    return KnownFile(blob: blob, isExecutable: bytes[start + 20] != 0, state: state(row))
  }

  func name(_ row: Int) -> String {
    withName(row) { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the row before which the file with a name would be in a folder.
  func rowFor(_ name: String, in folder: Folder) -> Int {
    var name = name
    return name.withUTF8 { wanted in
      lowerBound(folder.rows) { withName($0) { compareBytes($0, wanted) < 0 } }
    }
  }

  /// Returns the rows of a folder whose files no longer have the same status.
  func changedRows(of folder: Folder, in descriptor: Int32) -> [Int] {
    let rows = Array(folder.rows)
    return zip(rows, rows.concurrentMap { isSame($0, in: descriptor) }).filter { !$1 }.map(\.0)
  }

  private func isSame(_ row: Int, in descriptor: Int32) -> Bool {
    var status = stat()
    let start = start(ofName: row)
    let isThere = bytes.withUnsafeBytes { raw in
      guard let names = raw.baseAddress else { return false }
      let name = (names + start).assumingMemoryBound(to: CChar.self)
      return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
    }
    return isThere && state(row) == FileState(status)
  }

  private func state(_ row: Int) -> FileState? {
    bytes.withUnsafeBytes { raw in
      FileState(.file, raw, at: start(ofRow: row) + 4)
    }
  }

  func start(ofRow row: Int) -> Int { rows + row * Self.rowSize }

  /// Returns the offset of a name; a zero byte follows each name.
  private func start(ofName row: Int) -> Int {
    bytes.withUnsafeBytes { raw in
      let place = raw.loadUnaligned(fromByteOffset: start(ofRow: row), as: UInt32.self)
      return names + Int(UInt32(littleEndian: place))
    }
  }

  func withName<Value>(_ row: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
    bytes.withUnsafeBufferPointer { all in
      let start = start(ofName: row)
      var end = start
      while all[end] != 0 { end += 1 }
      return body(UnsafeBufferPointer(rebasing: all[start..<end]))
    }
  }
}

extension FileState {
  static let packedSize = 32

  /// Reads a status; nil if it is not known.
  fileprivate init?(_ kind: Kind, _ raw: UnsafeRawBufferPointer, at offset: Int) {
    func number(_ place: Int) -> Int64 {
      Int64(littleEndian: raw.loadUnaligned(fromByteOffset: offset + 8 * place, as: Int64.self))
    }
    self.kind = kind
    size = number(0)
    modified = number(1)
    changed = number(2)
    inode = UInt64(bitPattern: number(3))
    if inode == 0 { return nil }
  }
}
