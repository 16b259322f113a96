internal import LarderGit
internal import LarderModel
internal import LarderText

/// Some of the household's files in a tree of git: their blobs and status, and what they say.
///
/// The first part has all files. A later part, if there is one, has those that changed since.
final class SnapshotPart: Sendable {
  /// The beginning of a part.
  struct Head {
    /// The tree with these files.
    let tree: ObjectID
    /// The checksum of the first part; zero in the first part itself.
    var first: Int64 = 0
    /// Files of the first part that are gone.
    var removed: Set<FilePath> = []
    /// Entries at paths of files that can't be read as files.
    var untaken: [TreeEntry] = []
  }

  /// The content of a part.
  struct Content {
    var head: Head
    var files = KnownFiles.Content()
    /// The household in these files.
    var household = Household()
  }

  let head: Head
  let checksum: Int64
  let files: KnownFiles
  let household: PackedHousehold

  private static let magic = Array("larder snapshot 4\n".utf8)

  /// Reads a part; nil if there is none that can be used.
  convenience init?(file: String) {
    // One that can't be read, for whatever reason, only costs the time to make another.
    guard FileState(of: file)?.kind == .file, let bytes = try? SystemFile.read(file) else {
      return nil
    }
    self.init(bytes)
  }

  /// Reads what ``bytes(of:)`` returned; nil for damaged bytes, and for those of another version.
  init?(_ bytes: [UInt8]) {
    let start = Self.magic.count
    guard bytes.starts(with: Self.magic), bytes.count > start + 44 else { return nil }
    let checksum = checkSum(of: bytes.dropLast(8))
    let read = bytes.withUnsafeBytes { raw -> (head: Head, end: Int)? in
      var reader = PackedReader(raw, at: raw.count - 8)
      guard reader.number() == checksum else { return nil }
      reader.offset = start
      guard reader.number() == PackedHousehold.vocabulary, let head = Head(&reader) else {
        return nil
      }
      return (head, reader.offset)
    }
    guard let (head, end) = read else { return nil }
    self.head = head
    self.checksum = checksum
    files = KnownFiles(bytes, at: end)
    household = PackedHousehold(bytes, at: files.end)
  }

  static func bytes(of content: Content) -> [UInt8] {
    var writer = PackedWriter()
    writer.append(magic)
    writer.number(PackedHousehold.vocabulary)
    writer.head(content.head)
    KnownFiles.pack(content.files, into: &writer)
    writer.append(PackedHousehold.pack(content.household))
    writer.number(checkSum(of: writer.bytes[...]))
    return writer.bytes
  }
}

extension SnapshotPart.Head {
  fileprivate init?(_ reader: inout PackedReader) {
    guard let tree = reader.objectID() else { return nil }
    self.tree = tree
    first = reader.number()
    for _ in 0..<reader.number(UInt32.self) { removed.insert(FilePath(reader.text())) }
    for _ in 0..<reader.number(UInt32.self) {
      let path = FilePath(reader.text())
      guard let id = reader.objectID(), let mode = FileMode(reader.number(UInt32.self)) else {
        return nil
      }
      untaken.append(TreeEntry(path: path, id: id, mode: mode))
    }
  }
}

extension PackedWriter {
  fileprivate mutating func head(_ head: SnapshotPart.Head) {
    append(head.tree.bytes)
    number(head.first)
    number(UInt32(head.removed.count))
    for path in head.removed { text(path.text) }
    number(UInt32(head.untaken.count))
    for entry in head.untaken {
      text(entry.path.text)
      append(entry.id.bytes)
      number(entry.mode.number)
    }
  }
}

extension PackedReader {
  fileprivate mutating func objectID() -> ObjectID? { ObjectID(bytes: bytes(20)[...]) }
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
