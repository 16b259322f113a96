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
  /// The rows in the order of paths, and those with an entity in that of ids.
  let rows: [CacheRow.Place]
  let byID: [CacheRow.Place]
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
    return Array("larder cache 1\n\(kinds.joined(separator: "\n"))\n\(units)\n\n".utf8)
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

  /// The size of a batch and the checksum of the one before, and the checksum at its end.
  private static let (headSize, tailSize) = (12, 8)

  private init?(_ bytes: [UInt8], at start: Int, following former: Int64) {
    var reader = ByteReader(bytes, at: start)
    guard bytes.count - start > Self.headSize + Self.tailSize else { return nil }
    let size = Int(reader.number(UInt32.self))
    guard reader.number() == former, size > Self.headSize,
      size <= bytes.count - start - Self.tailSize
    else { return nil }
    checksum = checkSum(of: bytes[start..<(start + size)])
    end = start + size + Self.tailSize
    var tail = ByteReader(bytes, at: start + size)
    guard tail.number() == checksum, let tree = ObjectID(bytes: reader.slice(20)) else {
      return nil
    }
    self.tree = tree
    removed = (0..<reader.number(UInt32.self)).map { _ in FilePath(reader.text()) }
    var folders: [FilePath: FileState?] = [:]
    for _ in 0..<reader.number(UInt32.self) {
      let path = FilePath(reader.text())
      folders[path] = .some(FileState(.folder, &reader))
    }
    self.folders = folders
    reader.offset += Int(reader.number(UInt32.self))
    rows = reader.numbers()
    byID = reader.numbers()
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

    /// Returns the bytes of the batch that is to stand after another; nil is the first one.
    func bytes(after former: (offset: Int, checksum: Int64)?) -> [UInt8] {
      var writer = ByteWriter()
      if former == nil { writer.append(CacheBatch.heading) }
      let start = writer.bytes.count
      writer.number(0 as UInt32)
      writer.number(former?.checksum ?? 0)
      writer.append(tree.bytes)
      writer.number(UInt32(removed.count))
      for path in removed { writer.text(path.text) }
      writer.number(UInt32(folders.count))
      for (path, state) in folders {
        writer.text(path.text)
        writer.state(state)
      }
      writer.number(UInt32(rows.reduce(0) { $0 + $1.count }))
      let places = rows.map { row in
        let place = writer.bytes.count
        writer.append(row)
        return CacheRow.Place(place + CacheRow.headSize)
      }
      let byID = StoredHousehold.ordered(byID: places, of: writer.bytes)
      let offset = CacheRow.Place(former?.offset ?? 0)
      for order in [places, byID] {
        writer.number(UInt32(order.count))
        for place in order { writer.number(place + offset) }
      }
      writer.fill(UInt32(writer.bytes.count - start), at: start)
      writer.number(checkSum(of: writer.bytes[start...]))
      return writer.bytes
    }
  }
}

/// One of the household's files in the cache: its blob, its status, and its path with what it says.
struct CacheRow: Sendable {
  /// The offset of what ``StoredRow`` finds; what git and the system say of the file is before it.
  typealias Place = UInt32

  private let bytes: [UInt8]
  private let place: Int
  private let row: StoredRow

  init(_ bytes: [UInt8], at place: Place) {
    self.bytes = bytes
    self.place = Int(place)
    row = StoredRow(bytes, at: place)
  }

  /// The size of what is before the place: the status, the blob and the mode.
  fileprivate static let headSize = FileState.storedSize + 20 + 4

  /// Returns the bytes of a row; without an entity, of a file that is read from git each time.
  static func bytes(_ entry: TreeEntry, _ state: FileState?, _ entity: Entity?) -> [UInt8] {
    var writer = ByteWriter()
    writer.state(state)
    writer.append(entry.id.bytes)
    writer.number(entry.mode.number)
    writer.append(StoredRow.bytes(entry.path, entity))
    return writer.bytes
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
    var reader = ByteReader(bytes, at: place - Self.headSize)
    let state = FileState(.file, &reader)
    guard let blob = ObjectID(bytes: reader.slice(20)),
      let mode = FileMode(reader.number(UInt32.self))
    else { return nil }
    return CachedFile(blob: blob, mode: mode, state: state)
  }

  /// Whether it is in a folder itself, and not deeper.
  func isIn(_ folder: FilePath) -> Bool {
    row.withPath { $0.lastIndex(of: UInt8(ascii: "/")) == folder.utf8.count }
  }

  /// Whether the file in an open folder has its known status; its name begins at an offset of the path.
  func hasKnownState(in descriptor: Int32, nameAt start: Int) -> Bool {
    var status = stat()
    let isThere = row.withPath { path in
      guard let path = path.baseAddress else { return false }
      return UnsafeRawPointer(path + start).withMemoryRebound(to: CChar.self, capacity: 1) {
        fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) == 0
      }
    }
    var reader = ByteReader(bytes, at: place - Self.headSize)
    return isThere && FileState(.file, &reader) == FileState(status)
  }
}

extension FileState {
  fileprivate static let storedSize = 32

  /// Reads a status; nil if it is not known.
  fileprivate init?(_ kind: Kind, _ reader: inout ByteReader) {
    self.kind = kind
    (size, modified, changed) = (reader.number(), reader.number(), reader.number())
    inode = reader.number()
    if inode == 0 { return nil }
  }
}

extension ByteWriter {
  fileprivate mutating func state(_ state: FileState?) {
    for part in [state?.size, state?.modified, state?.changed] { number(part ?? 0) }
    number(state?.inode ?? 0)
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
