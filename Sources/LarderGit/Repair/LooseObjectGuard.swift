internal import Clibgit2
internal import Libc

/// A check of each loose object before libgit2 reads it.
///
/// libgit2 1.5 waits forever for the rest of a truncated object file, as a power cut or a full disk
/// leaves it. This backend, placed before libgit2's own for loose objects, reports the object as
/// damaged.
enum LooseObjectGuard {
  /// The priority of libgit2's packs, which were added earlier and so are asked first.
  ///
  /// Most objects are there. Loose objects have 1.
  private static let priority: Int32 = 2

  /// Adds the check; if there is no memory for it, the repository is read without it.
  static func stand(before repository: OpaquePointer, objects folder: String) {
    var database: OpaquePointer?
    guard git_repository_odb(&database, repository) == 0, let database else { return }
    defer { git_odb_free(database) }
    let made = UnsafeMutablePointer<larder_loose_guard>.allocate(capacity: 1)
    made.initialize(to: larder_loose_guard())
    made.pointee.folder = strdup(folder)
    made.withMemoryRebound(to: git_odb_backend.self, capacity: 1) { backend in
      git_odb_init_backend(backend, UInt32(GIT_ODB_BACKEND_VERSION))
      backend.pointee.read = { _, _, _, backend, id in LooseObjectGuard.verdict(backend, id) }
      backend.pointee.read_header = { _, _, backend, id in LooseObjectGuard.verdict(backend, id) }
      backend.pointee.exists = { _, _ in 0 }
      backend.pointee.free = { LooseObjectGuard.free($0) }
      guard git_odb_add_backend(database, backend, priority) != 0 else { return }
      LooseObjectGuard.free(backend)
    }
  }

  /// Reports an object as damaged, or passes it on to libgit2.
  private static func verdict(
    _ backend: UnsafeMutablePointer<git_odb_backend>?, _ id: UnsafePointer<git_oid>?
  ) -> Int32 {
    guard let backend, let id else { return GIT_PASSTHROUGH.rawValue }
    let hex = ObjectID(id).hex
    let folder = backend.withMemoryRebound(to: larder_loose_guard.self, capacity: 1) {
      $0.pointee.folder.map { String(cString: $0) } ?? ""
    }
    guard isDamaged("\(folder)/\(hex.prefix(2))/\(hex.dropFirst(2))") else {
      return GIT_PASSTHROUGH.rawValue
    }
    git_error_set_str(Int32(bitPattern: GIT_ERROR_ODB.rawValue), "its file is damaged or cut short")
    return GIT_ERROR.rawValue
  }

  /// Whether there is a file that is not a complete zlib stream.
  ///
  /// Unreadable files are left to libgit2.
  static func isDamaged(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    let count = Int(status.st_size)
    guard count > 0 else { return true }
    guard let bytes = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0),
      bytes != MAP_FAILED
    else { return false }
    defer { munmap(bytes, count) }
    return larder_is_whole_stream(bytes.assumingMemoryBound(to: UInt8.self), UInt32(count)) == 0
  }

  private static func free(_ backend: UnsafeMutablePointer<git_odb_backend>?) {
    backend?.withMemoryRebound(to: larder_loose_guard.self, capacity: 1) { made in
      Libc.free(made.pointee.folder)
      made.deallocate()
    }
  }
}
