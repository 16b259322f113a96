internal import LarderGit
internal import LarderModel
internal import LarderText
internal import Libc

/// A part of the cache, as it stands in the file: rows, the paths of files that are gone, the status of
/// folders, the tree that has all these files, and a checksum.
///
/// The first batch has all files. Each later one has what changed since the one before, and names it by
/// its checksum. So a batch that was written by halves, or beside that of another command, ends the
/// cache, and the next one is written over it.
struct CacheBatch {
  let tree: ObjectID
  let removed: [FilePath]
  let folders: [FilePath: FileState?]
  let rows: StoredRows
  let checksum: Int64
  /// The offset after the batch.
  let end: Int

  /// What the cache begins with: the words of the format, because a program that knows other words
  /// reads and writes files otherwise.
  private static let heading: [UInt8] = {
    let kinds = Kind.allCases.map { kind in
      ([kind.rawValue] + Schema.of(kind).fields.map(\.name.text)).joined(separator: " ")
    }
    let units = Unit.known.map(\.rawValue).joined(separator: " ")
    return Array("larder cache 2\n\(kinds.joined(separator: "\n"))\n\(units)\n\n".utf8)
  }()

  /// Reads the first batch; nil for damaged bytes, and for those of another program.
  init?(first bytes: [UInt8]) {
    guard bytes.starts(with: Self.heading) else { return nil }
    self.init(bytes, at: Self.heading.count, following: 0)
  }

  /// Reads the batch after another; nil if there is no sound one that follows it.
  init?(_ bytes: [UInt8], after batch: CacheBatch) {
    self.init(bytes, at: batch.end, following: batch.checksum)
  }

  /// The size of a batch up to its checksum, which is its end, and the checksum of the one before.
  private static let (headSize, tailSize) = (12, 8)

  private init?(_ bytes: [UInt8], at start: Int, following former: Int64) {
    guard bytes.count - start > Self.headSize + Self.tailSize else { return nil }
    let tail = start + bytes.size(at: start)
    guard bytes.number(at: start + 4) == former, tail > start + Self.headSize,
      tail <= bytes.count - Self.tailSize
    else { return nil }
    checksum = checkSum(of: bytes[start..<tail])
    var reader = Reader(bytes: bytes, offset: start + Self.headSize)
    guard bytes.number(at: tail) == checksum, let tree = ObjectID(bytes: reader.slice(20)) else {
      return nil
    }
    self.tree = tree
    end = tail + Self.tailSize
    removed = (0..<reader.size()).map { _ in reader.path() }
    var folders: [FilePath: FileState?] = [:]
    for _ in 0..<reader.size() {
      let path = reader.path()
      folders[path] = .some(
        FileState(.folder, bytes, at: reader.slice(FileState.storedSize).startIndex))
    }
    self.folders = folders
    _ = reader.slice(reader.size())
    rows = StoredRows(byPath: reader.rows(), byID: reader.rows())
  }

  /// Reads one part of a batch after the other.
  private struct Reader {
    let bytes: [UInt8]
    var offset: Int

    mutating func slice(_ count: Int) -> ArraySlice<UInt8> {
      defer { offset += count }
      return bytes[offset..<(offset + count)]
    }

    mutating func size() -> Int {
      defer { offset += 4 }
      return bytes.size(at: offset)
    }

    mutating func path() -> FilePath { FilePath(String(decoding: slice(size()), as: UTF8.self)) }

    mutating func rows() -> [StoredRows.Row] {
      slice(4 * size()).withUnsafeBytes { raw in
        (0..<(raw.count / 4)).map {
          raw.loadUnaligned(fromByteOffset: 4 * $0, as: StoredRows.Row.self)
        }
      }
    }
  }
}

// MARK: - Writing

extension CacheBatch {
  /// What a batch is made of.
  struct Draft {
    let tree: ObjectID
    let folders: [FilePath: FileState?]
    var removed: [FilePath] = []
    /// The rows in the order of paths.
    let rows: [ArraySlice<UInt8>]

    /// Returns the bytes of the batch that is to stand after another; that after nil is the first one.
    ///
    /// Nil if they are too many for the offsets, in a household of some two million files.
    func bytes(after former: (offset: Int, checksum: Int64)?) -> [UInt8]? {
      let size = rows.reduce(0) { $0 + $1.count }
      guard size + (former?.offset ?? 0) < Int(UInt32.max) / 2 else { return nil }
      var bytes = former == nil ? CacheBatch.heading : []
      let start = bytes.count
      bytes.append(size: 0)
      bytes.append(number: former?.checksum ?? 0)
      bytes += tree.bytes
      bytes.append(size: removed.count)
      for path in removed { bytes.append(path) }
      bytes.append(size: folders.count)
      for (path, state) in folders {
        bytes.append(path)
        bytes.append(state)
      }
      bytes.append(size: size)
      let places = rows.map { row in
        let place = StoredRows.Row(bytes.count + CacheRow.headSize)
        bytes += row
        return place
      }
      let ordered = StoredRows(byPath: places, of: bytes)
      for order in [ordered.byPath, ordered.byID] {
        bytes.append(size: order.count)
        for row in order { bytes.append(size: Int(row) + (former?.offset ?? 0)) }
      }
      bytes.fill(size: bytes.count - start, at: start)
      bytes.append(number: checkSum(of: bytes[start...]))
      return bytes
    }
  }
}

/// One of the household's files in the cache: its blob, its status, and its path with what it says.
struct CacheRow {
  private let bytes: [UInt8]
  private let place: Int
  private let row: StoredRow

  /// Finds the row at the offset of its ``StoredRow``; what git and the system say of the file is before
  /// that.
  init(_ bytes: [UInt8], at place: StoredRows.Row) {
    self.bytes = bytes
    self.place = Int(place)
    row = StoredRow(bytes, at: place)
  }

  /// The size of what is before the place: the status, the blob and the mode.
  fileprivate static let headSize = FileState.storedSize + 20 + 4

  /// Returns the bytes of a row; without an entity, of a file that is read from git each time.
  static func bytes(_ entry: TreeEntry, _ state: FileState?, _ entity: Entity?) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(state)
    bytes += entry.id.bytes
    bytes.append(number: entry.mode.number)
    return bytes + StoredRow.bytes(entry.path, entity)
  }

  /// All bytes of the row.
  var slice: ArraySlice<UInt8> { bytes[(place - Self.headSize)..<row.end] }

  var path: FilePath { row.path }

  /// Whether the cache has what the file says.
  var isRead: Bool { row.isRead }

  /// Whether it is an ordinary file at a path that is allowed.
  var isReadable: Bool { isRead || entry?.isReadable ?? false }

  var entry: TreeEntry? { file.map { TreeEntry(path: path, id: $0.blob, mode: $0.mode) } }

  var file: CachedFile? {
    let end = bytes[..<place]
    guard let blob = ObjectID(bytes: end.dropLast(4).suffix(20)),
      let mode = FileMode(bytes.number(at: place - 4))
    else { return nil }
    return CachedFile(blob: blob, mode: mode, state: state)
  }

  private var state: FileState? { FileState(.file, bytes, at: place - Self.headSize) }

  /// Whether the file in an open folder has its known status; its name begins at an offset of the path.
  func hasKnownState(in descriptor: Int32, nameAt start: Int) -> Bool {
    var status = stat()
    let isThere = row.withPath { path in
      guard let path = path.baseAddress else { return false }
      return UnsafeRawPointer(path + start).withMemoryRebound(to: CChar.self, capacity: 1) {
        fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) == 0
      }
    }
    return isThere && state == FileState(status)
  }
}

extension FileState {
  fileprivate static let storedSize = 32

  /// Reads a status; nil if it is not known.
  fileprivate init?(_ kind: Kind, _ bytes: [UInt8], at offset: Int) {
    self.kind = kind
    (size, modified, changed, inode) = bytes.withUnsafeBytes { raw in
      raw.loadUnaligned(fromByteOffset: offset, as: (Int64, Int64, Int64, UInt64).self)
    }
    if inode == 0 { return nil }
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ state: FileState?) {
    for part in [state?.size, state?.modified, state?.changed] { append(number: part ?? 0) }
    append(number: state?.inode ?? 0)
  }

  fileprivate mutating func append(_ path: FilePath) {
    append(size: path.utf8.count)
    self += path.utf8
  }
}

/// Returns a checksum of all bytes: FNV-1a on words, in four lanes that a processor computes at
/// once.
private func checkSum(of bytes: ArraySlice<UInt8>) -> Int64 {
  bytes.withUnsafeBytes { buffer in
    let prime: UInt64 = 0x100_0000_01b3
    var lanes = SIMD4<UInt64>(0xcbf2_9ce4_8422_2325, 1, 2, 3)
    var offset = 0
    while offset + 32 <= buffer.count {
      let words = buffer.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
      lanes = (lanes ^ words) &* SIMD4(repeating: prime)
      lanes ^= lanes &>> 32
      offset += 32
    }
    var hash = (0..<4).reduce(UInt64(buffer.count)) { ($0 ^ lanes[$1]) &* prime }
    for byte in buffer[offset...] { hash = (hash ^ UInt64(byte)) &* prime }
    return Int64(bitPattern: hash ^ hash >> 32)
  }
}
