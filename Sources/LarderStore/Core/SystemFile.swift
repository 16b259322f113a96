internal import LarderGit
internal import LarderText
internal import Libc

/// The status of a file, without following symbolic links.
package struct FileState: Equatable {
  enum Kind { case file, folder, link, other }

  let kind: Kind
  let size: Int64
  /// The modification time in nanoseconds since 1970.
  package let modified: Int64
  /// The time of the last inode change, in nanoseconds since 1970.
  let changed: Int64
  package let inode: UInt64

  /// Nil if there is no such file.
  package init?(of path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .folder
    case S_IFLNK: kind = .link
    default: kind = .other
    }
    size = Int64(status.st_size)
    inode = UInt64(status.st_ino)
    #if canImport(Darwin)
      modified = nanoseconds(status.st_mtimespec)
      changed = nanoseconds(status.st_ctimespec)
    #else
      modified = nanoseconds(status.st_mtim)
      changed = nanoseconds(status.st_ctim)
    #endif
  }
}

/// Returns a file time in nanoseconds since 1970, clamped to the range of `Int64`.
private func nanoseconds(_ time: timespec) -> Int64 {
  let (product, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
  let (sum, overflowed) = product.addingReportingOverflow(Int64(time.tv_nsec))
  return overflow || overflowed ? (time.tv_sec < 0 ? .min : .max) : sum
}

/// The calls for files outside the work tree.
///
/// Each throws its action and the error number.
///
/// Only ``HouseholdFolder`` accesses files of the work tree.
package enum SystemFile {
  /// Reads an ordinary file, or with `following` also one behind a link.
  package static func read(_ path: String, following: Bool = false) throws(StoreError) -> [UInt8] {
    let link = following ? 0 : O_NOFOLLOW
    let descriptor = open(path, O_RDONLY | link | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("read", path) }
    defer { close(descriptor) }
    return try read(descriptor, path, atMost: .max)
  }

  /// Reads an open file, which must be an ordinary file of at most `limit` bytes.
  static func read(_ descriptor: Int32, _ path: String, atMost limit: Int) throws(StoreError)
    -> [UInt8]
  {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure("read", path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .system(action: "read", path: path, code: EINVAL)
    }
    let expected = Int(status.st_size)
    guard expected <= limit else { throw .system(action: "read", path: path, code: EFBIG) }
    var filled = 0
    var hasFailed = false
    var bytes = [UInt8](unsafeUninitializedCapacity: expected + 1) { buffer, count in
      while filled <= expected {
        let done = systemRead(
          descriptor, buffer.baseAddress?.advanced(by: filled), expected + 1 - filled)
        if done <= 0 {
          hasFailed = done < 0
          break
        }
        filled += done
      }
      count = filled
    }
    if hasFailed { throw failure("read", path) }
    guard filled > expected else { return bytes }
    bytes += try rest(of: descriptor, path, atMost: limit - filled)
    return bytes
  }

  /// Reads what was added to a file after it was opened.
  private static func rest(of descriptor: Int32, _ path: String, atMost limit: Int)
    throws(StoreError) -> [UInt8]
  {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let done = systemRead(descriptor, &chunk, chunk.count)
      guard done >= 0 else { throw failure("read", path) }
      if done == 0 { return bytes }
      bytes += chunk[..<done]
      guard bytes.count <= limit else { throw .system(action: "read", path: path, code: EFBIG) }
    }
  }

  /// Writes a file and makes it durable; a new file gets these rights.
  static func write(
    _ bytes: [UInt8], to path: String, durably: Bool = true, rights: UInt32 = 0o666
  ) throws(StoreError) {
    let descriptor = open(
      path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, mode_t(rights))
    guard descriptor >= 0 else { throw failure("write", path) }
    defer { close(descriptor) }
    try write(bytes, to: descriptor, path)
    if durably, makeDurable(descriptor) != 0 { throw failure("write", path) }
  }

  /// Adds to the end of a file, without making it durable.
  static func append(_ bytes: [UInt8], to path: String) throws(StoreError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw failure("write", path) }
    defer { close(descriptor) }
    try write(bytes, to: descriptor, path)
  }

  /// Writes anew what is behind a number that ends at an offset, without making it durable; does
  /// nothing if the number is not there.
  static func write(_ bytes: [UInt8], to path: String, after number: Int64, at offset: Int)
    throws(StoreError)
  {
    let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("write", path) }
    defer { close(descriptor) }
    var found: Int64 = 0
    let size = MemoryLayout<Int64>.size
    guard pread(descriptor, &found, size, off_t(offset - size)) == size, found == number else {
      return
    }
    guard ftruncate(descriptor, off_t(offset)) == 0,
      lseek(descriptor, off_t(offset), SEEK_SET) == off_t(offset)
    else { throw failure("write", path) }
    try write(bytes, to: descriptor, path)
  }

  /// Writes to an open file.
  static func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(StoreError) {
    var written = 0
    while written < bytes.count {
      let done = bytes.withUnsafeBytes { buffer in
        systemWrite(
          descriptor, buffer.baseAddress?.advanced(by: written), bytes.count - written)
      }
      guard done > 0 else { throw failure("write", path) }
      written += done
    }
  }

  static func makeFolder(_ path: String) throws(StoreError) {
    if mkdir(path, 0o777) == 0 { return }
    if errno == EEXIST {
      guard FileState(of: path)?.kind != .file else { throw failure("make the folder", path) }
      return
    }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
      throw failure("make the folder", path)
    }
    try makeFolder(String(path[..<slash]))
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else {
      throw failure("make the folder", path)
    }
  }

  /// Writes a new file beside the old one and renames it, so that the file is never half written.
  ///
  /// On failure, the new file is removed.
  package static func replace(
    _ path: String, with bytes: [UInt8], durably: Bool = true, rights: UInt32 = 0o666
  ) throws(StoreError) {
    let draft = path + ".new"
    do throws(StoreError) {
      try write(bytes, to: draft, durably: durably, rights: rights)
      try rename(draft, to: path)
    } catch {
      unlink(draft)
      throw error
    }
  }

  static func rename(_ path: String, to target: String) throws(StoreError) {
    guard systemRename(path, target) == 0 else { throw failure("replace", target) }
  }

  /// Removes a file; a missing file is not an error.
  static func remove(_ path: String) throws(StoreError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw failure("remove", path) }
  }

  /// Makes a rename in a folder durable.
  package static func synchronizeFolder(_ path: String) throws(StoreError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("write", path) }
    defer { close(descriptor) }
    guard makeDurable(descriptor) == 0 || errno == EINVAL else { throw failure("write", path) }
  }

  static func failure(_ action: String, _ path: String) -> StoreError {
    .system(action: action, path: path, code: errno)
  }

  static func missing(_ action: String, _ path: String) -> StoreError {
    .system(action: action, path: path, code: ENOENT)
  }
}

extension StoreError {
  /// Whether access is denied, or the file is missing or not an ordinary file by now.
  var isRefusal: Bool {
    guard case .system(_, _, let code) = self else { return false }
    return [EACCES, EPERM, ENOENT, ELOOP, EINVAL].contains(code)
  }
}

extension Int32 {
  /// Whether an error number says that this process or the system lacks room to work, whatever the file.
  var isOfThisProcess: Bool { [EMFILE, ENFILE, ENOMEM].contains(self) }
}

private let systemRead = Libc.read
private let systemWrite = Libc.write
private let systemRename = Libc.rename

/// The temporary name of a file during writing.
enum TemporaryFile {
  /// The pattern of all such names, for git's list of ignored files.
  static let pattern = ".*.larder-new"

  /// Returns the name for a file; with a version, another one for each.
  static func path(for path: FilePath, of version: ObjectID? = nil) -> FilePath {
    // A name of the maximum length has no room for more.
    let isLong = path.name.utf8.count > FileNames.longest
    let stem = isLong ? Repository.blobID(of: Array(path.name.utf8)).hex : path.name
    let mark = version.map { ".\($0.hex.prefix(7))" } ?? ""
    return path.folder.appending(".\(stem)\(mark).larder-new")
  }

  static func isOne(_ name: String) -> Bool { name.hasSuffix(".larder-new") }
}

/// The name for the second version of a file that two sides changed.
enum ConflictFile {
  /// The text between the file's name and the first digits of the version's blob id.
  static let mark = ".conflict-"

  static func path(for path: FilePath, _ id: ObjectID, digits: Int = 7) -> FilePath {
    var stem = path.name
    while stem.utf8.count > FileNames.longest { stem.removeLast() }
    return path.folder.appending("\(stem)\(mark)\(id.hex.prefix(digits))")
  }

  /// Returns the original file of such a name; nil for every other name.
  static func original(of path: FilePath) -> FilePath? {
    let text = path.text
    guard let range = text.ranges(of: mark).last else { return nil }
    let digits = text[range.upperBound...].utf8
    let isHex = digits.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    let original = FilePath(String(text[..<range.lowerBound]))
    guard digits.count == 7 || digits.count == 40, isHex, !original.name.isEmpty else { return nil }
    return original
  }
}

private enum FileNames {
  /// The maximum bytes of a name that leave room for an addition; file systems allow 255.
  static let longest = 200
}
