internal import LarderGit

private let magic: [UInt8] = Array("larder cache 3\n".utf8)

enum FileCacheWriter {
  static func bytes(of entries: [String: FileCache.Entry]) -> [UInt8] {
    var bytes = magic
    bytes.reserveCapacity(entries.values.reduce(0) { $0 + $1.bytes.count + 160 })
    append(Int64(entries.count), to: &bytes)
    for (path, entry) in entries {
      append(path.utf8, to: &bytes)
      for number in [
        entry.state.size, entry.state.modified, entry.state.changed,
        Int64(bitPattern: entry.state.inode),
      ] {
        append(number, to: &bytes)
      }
      bytes.append(contentsOf: entry.blob.bytes)
      append(entry.bytes, to: &bytes)
    }
    append(checksum(bytes[...]), to: &bytes)
    return bytes
  }

  private static func append(_ number: Int64, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  private static func append(_ text: some Collection<UInt8>, to bytes: inout [UInt8]) {
    append(Int64(text.count), to: &bytes)
    bytes.append(contentsOf: text)
  }
}

/// Returns a checksum of all bytes, eight at a time (FNV-1a on words).
func checksum(_ bytes: ArraySlice<UInt8>) -> Int64 {
  bytes.withUnsafeBytes { buffer in
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    var offset = 0
    while offset + 8 <= buffer.count {
      let word = buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      hash = (hash ^ UInt64(littleEndian: word)) &* 0x100_0000_01b3
      hash ^= hash >> 32
      offset += 8
    }
    for byte in buffer[offset...] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return Int64(bitPattern: hash)
  }
}

/// A reader of the cache; a damaged cache counts as empty.
struct FileCacheReader {
  private let bytes: [UInt8]
  private var offset: Int

  static func entries(in bytes: [UInt8]) -> [(path: String, entry: FileCache.Entry)] {
    guard bytes.starts(with: magic), bytes.count >= magic.count + 16 else { return [] }
    var end = FileCacheReader(bytes: bytes, offset: bytes.count - 8)
    guard end.number() == checksum(bytes.dropLast(8)) else { return [] }
    var reader = FileCacheReader(bytes: bytes, offset: magic.count)
    var entries: [(path: String, entry: FileCache.Entry)] = []
    guard let count = reader.number(), count >= 0, count < bytes.count else { return [] }
    entries.reserveCapacity(Int(count))
    for place in 0..<Int(count) {
      guard let path = reader.text(), let size = reader.number(), let modified = reader.number(),
        let changed = reader.number(), let inode = reader.number(),
        let blob = reader.slice(20).flatMap(ObjectID.init(bytes:)), let content = reader.text(),
        content.count == size
      else { return entries }
      let state = FileState(
        size: size, modified: modified, changed: changed, inode: UInt64(bitPattern: inode))
      entries.append(
        (
          String(decoding: path, as: UTF8.self),
          FileCache.Entry(state: state, blob: blob, bytes: content, place: place)
        ))
    }
    return entries
  }

  private mutating func number() -> Int64? {
    guard offset + 8 <= bytes.count else { return nil }
    defer { offset += 8 }
    return bytes.withUnsafeBytes {
      Int64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Int64.self))
    }
  }

  private mutating func text() -> ArraySlice<UInt8>? {
    guard let count = number(), count >= 0 else { return nil }
    return slice(Int(count))
  }

  private mutating func slice(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= bytes.count - offset else { return nil }
    defer { offset += count }
    return bytes[offset..<(offset + count)]
  }
}

extension FileState {
  init(size: Int64, modified: Int64, changed: Int64, inode: UInt64) {
    kind = .file
    self.size = size
    self.modified = modified
    self.changed = changed
    self.inode = inode
  }
}
