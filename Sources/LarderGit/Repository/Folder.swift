internal import Clibgit2
internal import LarderText
internal import Libc

/// A tree object, read as raw bytes: its items one after the other.
///
/// libgit2 makes an object for each item. A search for one name among thousands, or for the items
/// in which two versions differ, needs almost none of them.
struct Folder: ~Copyable {
  private let object: Handle<OpaquePointer>
  private let id: ObjectID
  private let bytes: UnsafeRawBufferPointer

  init(_ repository: Repository, _ id: ObjectID) throws(GitError) {
    let action = "read a tree"
    let database = try Handle(action, free: { git_odb_free($0) }) {
      git_repository_odb($0, repository.pointer)
    }
    var oid = id.oid
    let object = try Handle(action, path: id.hex, free: { git_odb_object_free($0) }) {
      git_odb_read($0, database.pointer, &oid)
    }
    guard git_odb_object_type(object.pointer) == GIT_OBJECT_TREE else { throw Self.damaged(id) }
    bytes = UnsafeRawBufferPointer(
      start: git_odb_object_data(object.pointer), count: git_odb_object_size(object.pointer))
    self.id = id
    self.object = object
  }

  private static func damaged(_ id: ObjectID) -> GitError {
    GitError(.invalid, action: "read a tree", detail: "its entries can't be read", path: id.hex)
  }

  /// Returns the item at an offset, or nil at the end; the first item is at 0.
  func item(at offset: Int) throws(GitError) -> FolderItem? {
    guard offset < bytes.count else { return nil }
    guard let item = FolderItem(UnsafeRawBufferPointer(rebasing: bytes[offset...]), at: offset)
    else { throw Self.damaged(id) }
    return item
  }

  /// Returns the item with a name, or nil if there is none.
  func item(named name: [UInt8]) throws(GitError) -> FolderItem? {
    var offset = 0
    while let item = try item(at: offset) {
      if item.name.count == name.count, item.name.elementsEqual(name) { return item }
      offset = item.end
    }
    return nil
  }

  /// Whether the items are in git's order and each name occurs once.
  func isOrdered() throws(GitError) -> Bool {
    var folders: Set<[UInt8]> = []
    var previous: FolderItem?
    var offset = 0
    while let item = try item(at: offset) {
      if let previous, !previous.precedes(item) { return false }
      if item.isFolder { folders.insert(Array(item.name)) }
      previous = item
      offset = item.end
    }
    guard !folders.isEmpty else { return true }
    // A file and a folder of the same name are not neighbours.
    offset = 0
    while let item = try item(at: offset) {
      if !item.isFolder, folders.contains(Array(item.name)) { return false }
      offset = item.end
    }
    return true
  }

  /// Returns the offset of the first item in which two folders differ.
  private func sharedBeginning(with other: borrowing Folder) throws(GitError) -> Int {
    let limit = min(bytes.count, other.bytes.count)
    var shared = 0
    while shared < limit {
      let step = min(1024, limit - shared)
      guard same(bytes[shared..<shared + step], other.bytes[shared..<shared + step]) else { break }
      shared += step
    }
    while shared < limit, bytes[shared] == other.bytes[shared] { shared += 1 }
    var offset = 0
    while let end = FolderItem.end(bytes, at: offset), end <= shared { offset = end }
    return offset
  }

  private func same(
    _ one: Slice<UnsafeRawBufferPointer>, _ other: Slice<UnsafeRawBufferPointer>
  ) -> Bool {
    guard one.count == other.count else { return false }
    let one = UnsafeRawBufferPointer(rebasing: one)
    let other = UnsafeRawBufferPointer(rebasing: other)
    guard let start = one.baseAddress, let otherStart = other.baseAddress else { return true }
    return memcmp(start, otherStart, one.count) == 0
  }

  /// Visits the items that differ in a later version of the folder, in git's order.
  ///
  /// An item that is in both, with different content, is visited once, with both sides.
  ///
  /// A file and a folder of the same name have different places, so they are two items.
  func differences(
    to later: borrowing Folder, _ visit: (FolderItem?, FolderItem?) throws(GitError) -> Void
  ) throws(GitError) {
    var left = try sharedBeginning(with: later)
    var right = left
    while true {
      let was = try item(at: left)
      let now = try later.item(at: right)
      if let was, now.map({ was.precedes($0) }) ?? true {
        try visit(was, nil)
        left = was.end
      } else if let now, was.map({ now.precedes($0) }) ?? true {
        try visit(nil, now)
        right = now.end
      } else if let was, let now {
        left = was.end
        right = now.end
        if was.id == now.id, was.mode == now.mode { continue }
        try visit(was, now)
      } else {
        return
      }
      if same(bytes[left...], later.bytes[right...]) { return }
    }
  }
}

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
