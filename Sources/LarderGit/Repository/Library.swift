import Clibgit2
internal import Libc

/// The libgit2 library, which must be started before any other call.
enum Library {
  private static let started: Int32 = {
    let count = withoutCertificates { git_libgit2_init() }
    // What refers to an object is written after it, and into another folder (``Quarantine``).
    _ = larder_git_set_flag(Int32(bitPattern: GIT_OPT_ENABLE_STRICT_OBJECT_CREATION.rawValue), 0)
    // As in git: zlib's checksum finds damage by a disk, and `doctor` checks the ids.
    namesAreVerified(false)
    // A history walk reads each folder twice: as it was after one commit and before the next.
    _ = larder_git_keep(GIT_OBJECT_TREE, 1 << 20)
    _ = larder_git_keep_at_most(32 << 20)
    return count
  }()

  /// Lets a libgit2 with OpenSSL start without the certificates of the system, which it would all
  /// parse.
  ///
  /// Larder never speaks TLS through libgit2: remotes are the git program's.
  private static func withoutCertificates(_ start: () -> Int32) -> Int32 {
    #if canImport(Darwin)
      let name = "SSL_CERT_FILE"
      let former = getenv(name).map { String(cString: $0) }
      setenv(name, "/dev/null", 1)
      defer { if let former { setenv(name, former, 1) } else { unsetenv(name) } }
    #endif
    return start()
  }

  /// Turns the check of each object against its id on or off.
  ///
  /// The check costs more than reading.
  ///
  /// It applies to the whole process.
  static func namesAreVerified(_ wish: Bool) {
    _ = larder_git_set_flag(
      Int32(bitPattern: GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION.rawValue), wish ? 1 : 0)
  }

  /// Turns the waits for the disk of what is opened from now on, on or off.
  static func waits(_ wish: Bool) {
    _ = larder_git_set_flag(Int32(bitPattern: GIT_OPT_ENABLE_FSYNC_GITDIR.rawValue), wish ? 1 : 0)
  }

  static func start() {
    _ = started
  }
}

/// The owner of a libgit2 object; frees it on deinit.
struct Handle<Pointer>: ~Copyable {
  let pointer: Pointer
  private let free: (Pointer?) -> Void

  /// Owns the object that `make` stores; throws if `make` returns less than zero.
  init(
    _ action: String, path: String? = nil, free: @escaping (Pointer?) -> Void,
    _ make: (UnsafeMutablePointer<Pointer?>) -> Int32
  ) throws(GitError) {
    Library.start()
    var made: Pointer?
    try check(make(&made), action, path: path)
    guard let made else {
      throw GitError(.notFound, action: action, detail: "libgit2 returned nothing", path: path)
    }
    pointer = made
    self.free = free
  }

  /// Owns an existing object.
  init(owning pointer: Pointer, free: @escaping (Pointer?) -> Void) {
    self.pointer = pointer
    self.free = free
  }

  deinit {
    free(pointer)
  }
}
