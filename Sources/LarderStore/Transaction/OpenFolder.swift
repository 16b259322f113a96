internal import Cposix
internal import LarderGit
internal import LarderText
internal import Libc

/// An open folder of the work tree; files are opened relative to it, and no link is followed.
struct OpenFolder: ~Copyable {
  let descriptor: Int32
  /// The path by which it was opened, for messages.
  let path: String

  /// Opens the household's root, which may be a symbolic link.
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

  /// Opens a subfolder.
  ///
  /// Nil if the name does not exist.
  ///
  /// Throws `noFolder` for a link or a file with this name.
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

  /// Opens a folder below, name by name; nil if it does not exist.
  func folder(at path: FilePath) throws(StoreError) -> OpenFolder? {
    var names = path.names
    guard var folder = try folder(names.removeFirst()) else { return nil }
    for name in names {
      guard let inner = try folder.folder(name) else { return nil }
      folder = inner
    }
    return folder
  }

  /// Creates a subfolder if it does not exist, and opens it.
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

  /// Visits the entries of the folder in no order; skips entries that vanish in the meantime.
  func visit(_ body: (String, FileState) throws(StoreError) -> Void) throws(StoreError) {
    try read { entry throws(StoreError) in
      let name = Self.name(entry)
      if name == "." || name == ".." { return }
      // It may have vanished after the folder was read.
      if let state = try presentState(of: name) { try body(name, state) }
    }
  }

  /// Visits the names in the folder and whether they are folders, without reading the status of
  /// each file.
  func visitNames(_ body: (String, _ isFolder: Bool) -> Void) throws(StoreError) {
    try read { entry throws(StoreError) in
      let name = Self.name(entry)
      if name == "." || name == ".." { return }
      // Some file systems don't store the type here.
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

  /// Whether the folder is on a file system that is known to change a folder's times with every
  /// file that comes or goes.
  ///
  /// Those of networks and virtual machines may not.
  var keepsTimes: Bool { larder_keeps_folder_times(descriptor) }

  /// The status of the folder itself; nil if it can't be told.
  var state: FileState? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    return FileState(status)
  }

  /// Returns the status of a file, or nil if there is none.
  func state(of name: String) -> FileState? {
    var status = stat()
    guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    return FileState(status)
  }

  /// Whether a file has the executable bit of its owner, at which git looks.
  func isExecutable(_ name: String) -> Bool {
    var status = stat()
    return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
      && status.st_mode & S_IXUSR != 0
  }

  /// Returns the status of a file, or nil if there is none.
  ///
  /// Throws if it can't be told: that must not look like a removal.
  func presentState(of name: String) throws(StoreError) -> FileState? {
    if let state = state(of: name) { return state }
    if errno == ENOENT { return nil }
    throw SystemFile.failure("read the folder", path)
  }

  /// A reader of the folder's files; the folder must stay open.
  var reader: FolderReader { FolderReader(descriptor: descriptor, path: path) }

  /// Reads an ordinary file of at most `limit` bytes.
  func read(_ name: String, atMost limit: Int) throws(StoreError) -> [UInt8] {
    try reader.read(name, atMost: limit)
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
  /// Writes a file with its git mode: ordinary, executable or a symbolic link; starts to write it to
  /// the disk, so that it has its bytes when it gets its name.
  ///
  /// An existing file of this name is removed first, so that nothing is written through a link.
  func write(_ bytes: [UInt8], to name: String, as mode: FileMode) throws(StoreError) {
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
    guard startWriting(file) == 0 else { throw SystemFile.failure("write", place(name)) }
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

  /// Renames a file, replacing another.
  func rename(_ name: String, to other: String) throws(StoreError) {
    guard renameat(descriptor, name, descriptor, other) == 0 else {
      throw SystemFile.failure("replace", place(other))
    }
  }

  /// Exchanges two files atomically; returns false if the second does not exist.
  func exchange(_ name: String, _ other: String) throws(StoreError) -> Bool {
    let flags = UInt32(LARDER_RENAME_EXCHANGE)
    if larder_rename(descriptor, name, descriptor, other, flags) == 0 { return true }
    if errno == ENOENT { return false }
    throw SystemFile.failure("replace", place(other))
  }

  /// Renames a file to an unused name; returns false if the name is in use by now.
  func place(_ name: String, at other: String) throws(StoreError) -> Bool {
    let flags = UInt32(LARDER_RENAME_NOREPLACE)
    if larder_rename(descriptor, name, descriptor, other, flags) == 0 { return true }
    if errno == EEXIST { return false }
    throw SystemFile.failure("write", place(other))
  }

  /// Removes a file; a missing file is not an error.
  func remove(_ name: String) throws(StoreError) {
    guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
      throw SystemFile.failure("remove", place(name))
    }
  }

  /// Moves a file or folder out of the work tree, to an absolute path.
  func moveAway(_ name: String, to target: String) throws(StoreError) {
    guard renameat(descriptor, name, AT_FDCWD, target) == 0 else {
      throw SystemFile.failure("move", place(name))
    }
  }

  /// Removes an empty subfolder; returns false if it could not.
  func removeEmptyFolder(_ name: String) -> Bool { unlinkat(descriptor, name, AT_REMOVEDIR) == 0 }

  /// Makes all writes to the folder's file system durable.
  func synchronizeAll() throws(StoreError) {
    guard makeFileSystemDurable(descriptor) == 0 else { throw SystemFile.failure("write", path) }
  }
}
