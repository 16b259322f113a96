#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The result of `lstat`: the status of a file, without following a final symbolic link.
struct FileStatus {
  private let status: stat

  /// Nil if there is no such file or its status can't be read.
  init?(of path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.status = status
  }

  var size: Int { Int(status.st_size) }
  var owner: UInt32 { status.st_uid }
  var group: UInt32 { status.st_gid }
  var device: UInt64 { UInt64(truncatingIfNeeded: status.st_dev) }
  var inode: UInt64 { UInt64(status.st_ino) }
  var isFolder: Bool { kind == S_IFDIR }
  var isSymlink: Bool { kind == S_IFLNK }
  var isFile: Bool { kind == S_IFREG }
  var isExecutable: Bool { isFile && status.st_mode & S_IXUSR != 0 }

  private var kind: mode_t { status.st_mode & S_IFMT }

  #if canImport(Darwin)
    var modified: timespec { status.st_mtimespec }
    var changed: timespec { status.st_ctimespec }
  #else
    var modified: timespec { status.st_mtim }
    var changed: timespec { status.st_ctim }
  #endif
}
