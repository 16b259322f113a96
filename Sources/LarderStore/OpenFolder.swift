internal import Cposix
internal import LarderGit

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A folder of the work tree that is open: its files are named from here, and no link is followed.
struct OpenFolder: ~Copyable {
  let descriptor: Int32
  /// The path it was opened by, for messages.
  let path: String

  /// Opens the household's root, which people may reach by a link.
  init(root: String) throws(StoreError) {
    descriptor = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    path = root
    guard descriptor >= 0 else { throw SystemFile.failure("read the folder", root) }
  }

  private init(_ descriptor: Int32, _ path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit {
    close(descriptor)
  }

  /// Opens a folder in this one; nil where nothing has the name.
  ///
  /// Throws `linkedFolder` for a link or a file in its place.
  func folder(_ name: String) throws(StoreError) -> OpenFolder? {
    let inner = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    if inner >= 0 { return OpenFolder(inner, place(name)) }
    let code = errno
    if code == ENOENT { return nil }
    if let kind = state(of: name)?.kind, kind != .folder {
      throw .noFolder(path: place(name), isLink: kind == .link)
    }
    throw .system(action: "read the folder", path: place(name), code: code)
  }

  /// Makes a folder in this one, if it is not there yet, and opens it.
  func makeFolder(_ name: String) throws(StoreError) -> OpenFolder {
    if let folder = try folder(name) { return folder }
    guard mkdirat(descriptor, name, 0o777) == 0 || errno == EEXIST else {
      throw SystemFile.failure("make the folder", place(name))
    }
    guard let folder = try folder(name) else {
      throw .system(action: "make the folder", path: place(name), code: ENOENT)
    }
    return folder
  }

  /// Visits what lies in the folder, in no order; what is gone meanwhile is passed over.
  func visit(_ body: (String, FileState) throws(StoreError) -> Void) throws(StoreError) {
    try read { entry throws(StoreError) in
      let name = Self.name(entry)
      if name == "." || name == ".." { return }
      var status = stat()
      guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
        // Gone since the folder was read; anything else must not pass for a removal.
        if errno == ENOENT { return }
        throw SystemFile.failure("read the folder", path)
      }
      try body(name, FileState(status))
    }
  }

  /// Visits the names in the folder and whether they are folders, without looking at each file.
  func visitNames(_ body: (String, _ isFolder: Bool) -> Void) throws(StoreError) {
    try read { entry throws(StoreError) in
      let name = Self.name(entry)
      if name == "." || name == ".." { return }
      // Some file systems don't say here what they have.
      let isFolder =
        entry.pointee.d_type == UInt8(DT_UNKNOWN)
        ? state(of: name)?.kind == .folder : entry.pointee.d_type == UInt8(DT_DIR)
      body(name, isFolder)
    }
  }

  private static func name(_ entry: UnsafeMutablePointer<dirent>) -> String {
    withUnsafePointer(to: &entry.pointee.d_name) { pointer in
      pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
  }

  private func read(
    _ body: (UnsafeMutablePointer<dirent>) throws(StoreError) -> Void
  ) throws(StoreError) {
    // The stream closes its descriptor, and this one is still needed.
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0, let stream = fdopendir(copy) else {
      let error = SystemFile.failure("read the folder", path)
      if copy >= 0 { close(copy) }
      throw error
    }
    defer { closedir(stream) }
    rewinddir(stream)
    while let entry = readdir(stream) { try body(entry) }
  }

  /// What the file system says of a file; nil where there is none.
  func state(of name: String) -> FileState? {
    var status = stat()
    guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    return FileState(status)
  }

  /// Reads an ordinary file of at most `limit` bytes.
  func read(_ name: String, atMost limit: Int) throws(StoreError) -> [UInt8] {
    // Without O_NONBLOCK, opening a pipe would wait for somebody to write.
    let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw SystemFile.failure("read", place(name)) }
    defer { close(file) }
    return try SystemFile.read(file, place(name), atMost: limit)
  }

  func target(ofLink name: String) throws(StoreError) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = buffer.withUnsafeMutableBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { text in
        text.baseAddress.map { readlinkat(descriptor, name, $0, text.count) } ?? -1
      }
    }
    guard count >= 0 else { throw SystemFile.failure("read", place(name)) }
    return Array(buffer[..<count])
  }

  func place(_ name: String) -> String { path + "/" + name }
}

// MARK: - Changing

extension OpenFolder {
  /// Writes a file as git keeps it: an executable one or a symbolic link are made as such.
  ///
  /// Whatever has the name goes first, so that nothing is ever written through it.
  func write(_ bytes: [UInt8], to name: String, as mode: FileMode, durably: Bool)
    throws(StoreError)
  {
    if mode == .symlink {
      let target = String(decoding: bytes, as: UTF8.self)
      _ = try making(name) { symlinkat(target, descriptor, name) }
      return
    }
    let file = try making(name) {
      openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_t(0o666))
    }
    defer { close(file) }
    try SystemFile.write(bytes, to: file, place(name))
    if mode == .executable, fchmod(file, 0o755) != 0 {
      throw SystemFile.failure("write", place(name))
    }
    if durably, fsync(file) != 0 { throw SystemFile.failure("write", place(name)) }
  }

  private func making(_ name: String, _ make: () -> Int32) throws(StoreError) -> Int32 {
    let made = make()
    if made >= 0 { return made }
    guard errno == EEXIST else { throw SystemFile.failure("write", place(name)) }
    try remove(name)
    let again = make()
    guard again >= 0 else { throw SystemFile.failure("write", place(name)) }
    return again
  }

  /// Puts a file in the place of another.
  func rename(_ name: String, to other: String) throws(StoreError) {
    guard renameat(descriptor, name, descriptor, other) == 0 else {
      throw SystemFile.failure("replace", place(other))
    }
  }

  /// Lets two files change places in one step; false where the second is not there.
  func exchange(_ name: String, _ other: String) throws(StoreError) -> Bool {
    let flags = UInt32(LARDER_RENAME_EXCHANGE)
    if larder_rename(descriptor, name, descriptor, other, flags) == 0 { return true }
    if errno == ENOENT { return false }
    throw SystemFile.failure("replace", place(other))
  }

  /// Moves a file to where nothing is; false where something is by now.
  func place(_ name: String, at other: String) throws(StoreError) -> Bool {
    let flags = UInt32(LARDER_RENAME_NOREPLACE)
    if larder_rename(descriptor, name, descriptor, other, flags) == 0 { return true }
    if errno == EEXIST { return false }
    throw SystemFile.failure("write", place(other))
  }

  /// Removes a file; one that is gone already is no error.
  func remove(_ name: String) throws(StoreError) {
    guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
      throw SystemFile.failure("remove", place(name))
    }
  }

  /// Moves whatever has a name, a folder too, out of the work tree; the target is absolute.
  func moveAway(_ name: String, to target: String) throws(StoreError) {
    guard renameat(descriptor, name, AT_FDCWD, target) == 0 else {
      throw SystemFile.failure("move", place(name))
    }
  }

  /// Removes a folder in this one if it is empty.
  func removeEmptyFolder(_ name: String) -> Bool { unlinkat(descriptor, name, AT_REMOVEDIR) == 0 }

  /// Makes renames in the folder durable.
  func synchronize() throws(StoreError) {
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw SystemFile.failure("write", path)
    }
  }

  /// Makes everything durable that was written to the folder's file system.
  func synchronizeAll() throws(StoreError) {
    guard larder_sync(descriptor) == 0 else { throw SystemFile.failure("write", path) }
  }
}
