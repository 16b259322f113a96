internal import Clibgit2
internal import LarderText
internal import Libc

/// What the index has to say of one path: the bytes of its entry, or that there is none.
struct IndexLine {
  let path: [UInt8]
  /// The entry: 62 bytes, the path, and one to eight zeros up to a multiple of eight.
  ///
  /// Nil if the path is removed.
  let entry: [UInt8]?

  /// The length of what stands before the path of an entry.
  static let headLength = 62
  /// The length of a path in an entry's flags if it has this many bytes or more.
  static let longPath = 0xfff

  /// Returns the length of an entry, in bytes.
  static func length(ofPath count: Int) -> Int { (headLength + count + 8) / 8 * 8 }

  init(removing path: FilePath) {
    self.path = Array(path.utf8)
    entry = nil
  }

  /// Notes a file, and its status if it is known to have that content.
  init(_ path: FilePath, _ id: ObjectID, _ mode: FileMode, _ status: FileStatus?) {
    self.path = Array(path.utf8)
    let times = status.map { [$0.changed, $0.modified] } ?? []
    let numbers = [
      UInt32(truncatingIfNeeded: status?.device ?? 0),
      UInt32(truncatingIfNeeded: status?.inode ?? 0), mode.number, status?.owner ?? 0,
      status?.group ?? 0, UInt32(truncatingIfNeeded: status?.size ?? 0),
    ]
    var entry: [UInt8] = []
    entry.reserveCapacity(Self.length(ofPath: self.path.count))
    for time in times {
      entry += bigEndian(UInt32(truncatingIfNeeded: time.tv_sec))
      entry += bigEndian(UInt32(truncatingIfNeeded: time.tv_nsec))
    }
    if times.isEmpty { entry += [UInt8](repeating: 0, count: 16) }
    entry += numbers.flatMap { bigEndian($0) } + id.bytes
    entry += bigEndian(UInt16(min(self.path.count, Self.longPath))) + self.path
    entry += [UInt8](repeating: 0, count: Self.length(ofPath: self.path.count) - entry.count)
    self.entry = entry
  }
}

/// Returns the bytes of a number in the order of git's index, the highest first.
func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
  withUnsafeBytes(of: number.bigEndian) { Array($0) }
}
