internal import LarderGit
internal import LarderModel

/// Some of the household's files in a tree of git: their blobs and status, and what they say.
///
/// The first part has all files. A later part, if there is one, has those that changed since.
final class SnapshotPart: Sendable {
  /// The content of a part.
  struct Content {
    /// The tree with these files.
    let tree: ObjectID
    /// The checksum of the first part; zero in the first part itself.
    var first: Int64 = 0
    var files: [(path: String, file: KnownFile)] = []
    /// The status of folders; nil if it is not known.
    var folders: [String: FileState?] = [:]
    /// Files of the first part that are gone.
    var removed: [String] = []
    /// What is in the place of files in the tree but can't be read as one.
    var unreadable: [TreeEntry] = []
    /// What the files say.
    var household = Household()
  }

  let tree: ObjectID
  let first: Int64
  let checksum: Int64
  let removed: Set<String>
  let unreadable: [TreeEntry]
  let files: KnownFiles
  let household: PackedHousehold

  private static let magic = Array("larder snapshot 2\n".utf8)

  /// Reads a part; nil if there is none, or a damaged one, or one of another version.
  convenience init?(file: String) {
    guard FileState(of: file)?.kind == .file, let bytes = try? SystemFile.read(file) else {
      return nil
    }
    self.init(bytes)
  }

  init?(_ bytes: [UInt8]) {
    guard let head = Head(bytes) else { return nil }
    checksum = head.checksum
    tree = head.tree
    first = head.first
    removed = head.removed
    unreadable = head.unreadable
    files = KnownFiles(bytes, at: head.end)
    household = PackedHousehold(bytes, at: files.end)
  }

  /// All before the files.
  private struct Head {
    let checksum: Int64
    let tree: ObjectID
    let first: Int64
    let removed: Set<String>
    let unreadable: [TreeEntry]
    let end: Int

    /// Nil for damaged bytes, and for those of another version.
    init?(_ bytes: [UInt8]) {
      let start = magic.count
      guard bytes.starts(with: magic), bytes.count > start + 44 else { return nil }
      let sum = checkSum(of: bytes.dropLast(8))
      guard let head = bytes.withUnsafeBytes({ Head($0, at: start, sum) }) else { return nil }
      self = head
    }

    private init?(_ raw: UnsafeRawBufferPointer, at start: Int, _ sum: Int64) {
      var reader = PackedReader(raw, at: raw.count - 8)
      checksum = reader.number()
      reader.offset = start
      guard checksum == sum, reader.number() == vocabulary, let tree = reader.objectID() else {
        return nil
      }
      self.tree = tree
      first = reader.number()
      removed = Set((0..<reader.number(UInt32.self)).map { _ in reader.text() })
      unreadable = (0..<reader.number(UInt32.self)).compactMap { _ in
        let path = reader.text()
        let id = reader.objectID()
        let mode = FileMode(reader.number(UInt32.self))
        guard let id, let mode else { return nil }
        return TreeEntry(path: path, id: id, mode: mode)
      }
      end = reader.offset
    }
  }

  private static var vocabulary: UInt64 { PackedHousehold.vocabulary }

  static func bytes(of content: Content) -> [UInt8] {
    var writer = PackedWriter()
    writer.append(magic)
    writer.number(vocabulary)
    writer.append(content.tree.bytes)
    writer.number(content.first)
    writer.number(UInt32(content.removed.count))
    for path in content.removed { writer.text(path) }
    writer.number(UInt32(content.unreadable.count))
    for entry in content.unreadable {
      writer.text(entry.path)
      writer.append(entry.id.bytes)
      writer.number(entry.mode.number)
    }
    KnownFiles.pack(content.files, folders: content.folders, into: &writer)
    writer.append(PackedHousehold.pack(content.household))
    writer.number(checkSum(of: writer.bytes[...]))
    return writer.bytes
  }
}

extension PackedReader {
  fileprivate mutating func objectID() -> ObjectID? { ObjectID(bytes: bytes(20)[...]) }
}

/// Returns a checksum of all bytes: FNV-1a on words, in four lanes that a processor computes at once.
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
