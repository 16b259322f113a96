internal import Clibgit2

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A file or folder directly in a folder; valid only as long as the tree it comes from.
struct FolderItem {
  let name: UnsafeBufferPointer<UInt8>
  private let start: UnsafePointer<CChar>
  let mode: git_filemode_t
  private let oid: UnsafePointer<git_oid>

  init?(_ tree: OpaquePointer, _ index: Int) {
    guard let entry = git_tree_entry_byindex(tree, index), let name = git_tree_entry_name(entry),
      let oid = git_tree_entry_id(entry)
    else { return nil }
    start = name
    self.name = UnsafeBufferPointer(
      start: UnsafeRawPointer(name).assumingMemoryBound(to: UInt8.self), count: strlen(name))
    self.oid = oid
    mode = git_tree_entry_filemode(entry)
  }

  var id: ObjectID { ObjectID(oid) }
  var isFolder: Bool { mode == GIT_FILEMODE_TREE }

  /// The path from the root, given that of the folder with its final slash.
  func path(below prefix: [UInt8]) -> String {
    guard !prefix.isEmpty else { return String(decoding: name, as: UTF8.self) }
    let count = prefix.count + name.count
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { bytes in
      _ = bytes[..<prefix.count].update(fromContentsOf: prefix)
      _ = bytes[prefix.count...].update(fromContentsOf: name)
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Whether a tree keeps this item before the other: by bytes, a folder as if it ended in a slash.
  func precedes(_ other: FolderItem) -> Bool {
    let shared = min(name.count, other.name.count)
    let order = memcmp(start, other.start, shared)
    guard order == 0 else { return order < 0 }
    return byte(at: shared) < other.byte(at: shared)
  }

  private func byte(at index: Int) -> UInt8 {
    index < name.count ? name[index] : isFolder ? UInt8(ascii: "/") : 0
  }
}
