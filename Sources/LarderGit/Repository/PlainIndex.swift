internal import Clibgit2
internal import LarderText
internal import Libc

/// An index as git writes it by itself, as its bytes: of version 2, with no extension but the ids
/// of its folders.
///
/// libgit2 makes an object of each entry, and takes four times as long to read and write all of
/// them. It is still asked for every other index. The layout is that of git's `gitformat-index`.
struct PlainIndex {
  /// The whole file: a head, the entries, the extension, and the SHA-1 of all that.
  private let bytes: [UInt8]
  /// The places where the entries start, ordered by path and stage; then the end of the last.
  private let starts: [Int]
  /// The place of the extension with the ids of folders; empty if there is none.
  private let folders: Range<Int>

  private static let head = Array("DIRC".utf8) + bigEndian(UInt32(2))
  private static let headLength = 12
  private static let sumLength = 20

  private var count: Int { starts.count - 1 }

  /// Nil if there is no such file, if it is damaged, and if its format is another one.
  init?(of path: String) {
    guard let status = FileStatus(of: path), status.isFile,
      let bytes = readFile(path, status.size), bytes.starts(with: Self.head)
    else { return nil }
    let end = bytes.count - Self.sumLength
    guard end >= Self.headLength,
      SHA1.digest(of: bytes[..<end])[...] == bytes[end...],
      let starts = bytes.withUnsafeBytes({
        Self.starts(in: UnsafeRawBufferPointer(rebasing: $0[..<end]))
      })
    else { return nil }
    self.bytes = bytes
    self.starts = starts
    folders = starts[starts.count - 1]..<end
    guard folders.isEmpty || IndexFolders.isAlone(bytes[folders]) else { return nil }
  }

  /// Whether a file still is this index, by the SHA-1 at its end.
  func isStill(_ path: String) -> Bool { Self.sum(of: path) == bytes.suffix(Self.sumLength) }

  /// Returns the last bytes of an index, which are its SHA-1; zeros if git was to leave it out.
  static func sum(of path: String) -> ArraySlice<UInt8>? {
    guard let size = FileStatus(of: path)?.size, size > sumLength else { return nil }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var sum = [UInt8](repeating: 0, count: sumLength)
    let count = pread(descriptor, &sum, sumLength, off_t(size - sumLength))
    return count == sumLength ? sum[...] : nil
  }

  private static func starts(in file: UnsafeRawBufferPointer) -> [Int]? {
    var starts = [headLength]
    let count = Int(file.bigEndian(at: 8, UInt32.self))
    starts.reserveCapacity(min(count, file.count / IndexLine.headLength) + 1)
    for _ in 0..<count {
      let start = starts[starts.count - 1]
      guard start + IndexLine.headLength < file.count else { return nil }
      let end = start + IndexLine.length(ofPath: file.path(at: start).count)
      // Git makes no other order and, in this version, no longer flags.
      guard end <= file.count, !file.isExtended(at: start),
        starts.count == 1 || file.entry(at: starts[starts.count - 2], precedes: start)
      else { return nil }
      starts.append(end)
    }
    return starts
  }

  /// Returns the bytes of the index with other lines for some paths; nil without memory for a SHA-1.
  ///
  /// A line replaces all stages of its path. A file replaces a folder of its name, and files in the
  /// place of its folders. `outdated` are entries whose file has other content although its status is
  /// the same. Without a size, git reads that file.
  func bytes(with lines: [IndexLine], outdated: [Entry]) -> [UInt8]? {
    let replaced = Set(lines.flatMap { positions(of: $0.path) })
    let colliding = Set(lines.flatMap { $0.entry == nil ? [] : positions(collidingWith: $0.path) })
    let gone = replaced.union(colliding)
    let added = lines.filter { $0.entry != nil }.map { (position(of: $0.path), $0) }
      .sorted { $0.1.path.lexicographicallyPrecedes($1.1.path) }
    var rest = added[...]
    var kept = bytes
    for entry in outdated { kept.replaceSubrange(entry.size, with: [0, 0, 0, 0]) }
    var output = Self.head + bigEndian(UInt32(count - gone.count + added.count))
    output.reserveCapacity(bytes.count + added.count * 128)
    var next = 0
    for cut in gone.union(added.map(\.0)).union([count]).sorted() {
      output += kept[starts[next]..<starts[cut]]
      while let (position, line) = rest.first, position == cut {
        output += line.entry ?? []
        rest.removeFirst()
      }
      next = gone.contains(cut) ? cut + 1 : cut
    }
    if colliding.isEmpty {
      output += IndexFolders.forgetting(foldersAbove: lines.map(\.path), in: bytes[folders])
    }
    return output + SHA1.digest(of: output[...])
  }

  /// An entry of a file, not of a conflict.
  struct Entry {
    let path: FilePath
    let id: ObjectID
    let mode: UInt32
    /// The place of the size of the file.
    fileprivate let size: Range<Int>
  }

  /// Returns the entries whose file may have changed without another status, because it did so in the
  /// second in which this index was written.
  ///
  /// Git looks into those files for as long as the index is not newer.
  func entries(changedSince written: timespec) -> [Entry] {
    bytes.withUnsafeBytes { file in
      starts.dropLast().compactMap { start in
        // Git compares seconds, unless it was built to compare more.
        guard Int(file.bigEndian(at: start + 8, UInt32.self)) >= Int(written.tv_sec),
          file.stage(at: start) == 0
        else { return nil }
        return Entry(
          path: FilePath(String(decoding: file.path(at: start), as: UTF8.self)),
          id: ObjectID(raw: UnsafeRawBufferPointer(rebasing: file[(start + 40)...])),
          mode: file.bigEndian(at: start + 24, UInt32.self), size: start + 36..<start + 40)
      }
    }
  }
}

// MARK: - Finding entries

extension PlainIndex {
  /// Returns the position of the first entry whose path is not before this one.
  private func position(of path: [UInt8]) -> Int {
    bytes.withUnsafeBytes { file in
      var low = 0
      var high = count
      while low < high {
        let middle = (low + high) / 2
        let isBefore = file.path(at: starts[middle]).precedes(path)
        (low, high) = isBefore ? (middle + 1, high) : (low, middle)
      }
      return low
    }
  }

  /// Returns the positions of all stages of a path.
  private func positions(of path: [UInt8]) -> Range<Int> {
    let first = position(of: path)
    return first..<(end(from: first) { $0.elementsEqual(path) })
  }

  /// Returns the positions of files in a folder of that name, or in the place of its folders.
  ///
  /// Lines of conflicts stay, as with `git add`.
  private func positions(collidingWith path: [UInt8]) -> [Int] {
    let inside = path + [UInt8(ascii: "/")]
    let first = position(of: inside)
    let below = first..<(end(from: first) { $0.starts(with: inside) })
    let above = path.indices.filter { path[$0] == UInt8(ascii: "/") }
      .flatMap { positions(of: Array(path[..<$0])) }
    return (Array(below) + above).filter { position in
      bytes.withUnsafeBytes { $0.stage(at: starts[position]) == 0 }
    }
  }

  private func end(from first: Int, while isMeant: (UnsafeRawBufferPointer) -> Bool) -> Int {
    bytes.withUnsafeBytes { file in
      starts.dropLast()[first...].firstIndex { !isMeant(file.path(at: $0)) } ?? count
    }
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func bigEndian<Number: FixedWidthInteger & BitwiseCopyable>(
    at offset: Int, _ type: Number.Type
  ) -> Number {
    Number(bigEndian: loadUnaligned(fromByteOffset: offset, as: type))
  }

  private func flags(at start: Int) -> Int {
    Int(bigEndian(at: start + IndexLine.headLength - 2, UInt16.self))
  }

  /// Returns the stage of the entry that starts there: 0, or 1 to 3 in a conflict.
  fileprivate func stage(at start: Int) -> Int { flags(at: start) >> 12 & 3 }

  fileprivate func isExtended(at start: Int) -> Bool { flags(at: start) & 0x4000 != 0 }

  /// Whether an entry is before another one, by the bytes of their paths and then by stage.
  fileprivate func entry(at start: Int, precedes other: Int) -> Bool {
    let (path, next) = (path(at: start), self.path(at: other))
    let order = path.order(to: next)
    return order == 0 ? stage(at: start) < stage(at: other) : order < 0
  }

  /// Returns the path of the entry that starts there; it ends at the latest with the bytes.
  fileprivate func path(at start: Int) -> UnsafeRawBufferPointer {
    let first = start + IndexLine.headLength
    var length = flags(at: start) & IndexLine.longPath
    if length == IndexLine.longPath { length = self[first...].prefix { $0 != 0 }.count }
    return UnsafeRawBufferPointer(rebasing: self[first..<Swift.min(first + length, count)])
  }

  fileprivate func precedes(_ path: [UInt8]) -> Bool {
    path.withUnsafeBytes { order(to: $0) < 0 }
  }

  /// Returns a number below zero if these bytes are before others, and zero if they are the same.
  private func order(to other: UnsafeRawBufferPointer) -> Int {
    guard let mine = baseAddress, let its = other.baseAddress else { return count - other.count }
    let order = memcmp(mine, its, Swift.min(count, other.count))
    return order == 0 ? count - other.count : Int(order)
  }
}
