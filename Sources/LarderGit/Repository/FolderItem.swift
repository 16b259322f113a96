internal import Clibgit2
internal import LarderText
internal import Libc

/// A file or folder directly in a folder; its name is valid only as long as the folder.
struct FolderItem {
  let name: UnsafeRawBufferPointer
  let mode: git_filemode_t
  let id: ObjectID
  /// The offset of the next item.
  let end: Int

  /// Reads an item: its mode in octal digits, a space, its name, a null byte, and the 20 bytes of
  /// its object id.
  ///
  /// Nil if the bytes have no such item.
  init?(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    guard let start = bytes.baseAddress,
      let space = memchr(start, Int32(UInt8(ascii: " ")), min(bytes.count, 8)),
      let null = memchr(space, 0, bytes.count - (UnsafeRawPointer(space) - start))
    else { return nil }
    let nameStart = UnsafeRawPointer(space) + 1
    let nameEnd = UnsafeRawPointer(null)
    let length = nameEnd + 21 - start
    guard nameEnd > nameStart, length <= bytes.count else { return nil }
    var number: UInt32 = 0
    for digit in bytes[..<(UnsafeRawPointer(space) - start)] {
      guard (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(digit) else { return nil }
      number = number << 3 | UInt32(digit - UInt8(ascii: "0"))
    }
    name = UnsafeRawBufferPointer(start: nameStart, count: nameEnd - nameStart)
    mode = Self.mode(number)
    id = ObjectID(raw: UnsafeRawBufferPointer(start: nameEnd + 1, count: 20))
    end = offset + length
  }

  /// Returns the end of the item at an offset without reading it; nil if there is none.
  static func end(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int? {
    // The shortest mode of git has five digits.
    guard let start = bytes.baseAddress, offset + 6 < bytes.count,
      let null = memchr(start + offset + 6, 0, bytes.count - offset - 6)
    else { return nil }
    let end = UnsafeRawPointer(null) - start + 21
    return end <= bytes.count ? end : nil
  }

  /// Maps a mode to git's current modes; old trees have other permissions.
  private static func mode(_ number: UInt32) -> git_filemode_t {
    switch number & 0o170000 {
    case 0o040000: GIT_FILEMODE_TREE
    case 0o120000: GIT_FILEMODE_LINK
    case 0o160000: GIT_FILEMODE_COMMIT
    default: number & 0o111 == 0 ? GIT_FILEMODE_BLOB : GIT_FILEMODE_BLOB_EXECUTABLE
    }
  }

  var isFolder: Bool { mode == GIT_FILEMODE_TREE }

  /// Returns the path from the root; `prefix` is the path of the folder with its final slash.
  func path(below prefix: [UInt8]) -> FilePath {
    guard !prefix.isEmpty else { return FilePath(String(decoding: name, as: UTF8.self)) }
    let count = prefix.count + name.count
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { bytes in
      _ = bytes[..<prefix.count].update(fromContentsOf: prefix)
      _ = bytes[prefix.count...].update(fromContentsOf: name)
      return FilePath(String(decoding: bytes, as: UTF8.self))
    }
  }

  /// Whether this item is before the other in a tree: by bytes, a folder as if its name ended in a
  /// slash.
  func precedes(_ other: FolderItem) -> Bool {
    let shared = min(name.count, other.name.count)
    if let start = name.baseAddress, let otherStart = other.name.baseAddress {
      let order = memcmp(start, otherStart, shared)
      guard order == 0 else { return order < 0 }
    }
    return byte(at: shared) < other.byte(at: shared)
  }

  private func byte(at index: Int) -> UInt8 {
    index < name.count ? name[index] : isFolder ? UInt8(ascii: "/") : 0
  }
}
