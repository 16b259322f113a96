internal import Clibgit2
internal import Libc

extension Repository {
  /// Opens the repository of the folder `path`, searching upward as git does.
  ///
  /// Nil if there is none.
  ///
  /// Respects `GIT_CEILING_DIRECTORIES`. Throws `ownership` if the repository belongs to another
  /// user and git's `safe.directory` does not allow it.
  public static func discover(from path: String) throws(GitError) -> Repository? {
    let ceilings = getenv("GIT_CEILING_DIRECTORIES")
    do throws(GitError) {
      return try open(path, flags: 0, ceilings: ceilings)
    } catch  where error.code == .notFound {
      // Without any safe.directory, libgit2 1.5 reports "not found" for another user's repository.
      var found = git_buf()
      defer { git_buf_dispose(&found) }
      guard git_repository_discover(&found, path, 0, ceilings) == 0, let folder = found.ptr
      else { return nil }
      let name = withoutFinalSlash(String(cString: folder))
      throw foreign(name) ?? foreign(name + "/..") ?? error
    }
  }

  /// Opens the repository whose work tree or `.git` folder is `path`, without searching upward.
  ///
  /// Throws `notFound` if there is none, and `ownership` if it belongs to another user.
  public static func open(_ path: String) throws(GitError) -> Repository {
    do throws(GitError) {
      return try open(path, flags: GIT_REPOSITORY_OPEN_NO_SEARCH.rawValue, ceilings: nil)
    } catch  where error.code == .notFound {
      let isRepository = [path, path + "/.git"].contains { FileStatus(of: $0 + "/HEAD") != nil }
      throw foreign(path + "/.git") ?? (isRepository ? foreign(path) : nil) ?? error
    }
  }

  /// Creates a repository in the folder `path`, with an unborn branch named `branch`.
  ///
  /// A missing folder is created. Throws `exists` if there is a repository already. Existing files
  /// are not changed.
  public static func create(
    at path: String, branch: String, bare: Bool = false
  ) throws(GitError) -> Repository {
    Library.start()
    let action = "create a repository"
    var options = git_repository_init_options()
    try check(
      git_repository_init_options_init(&options, UInt32(GIT_REPOSITORY_INIT_OPTIONS_VERSION)),
      action, path: path)
    options.flags = GIT_REPOSITORY_INIT_MKPATH.rawValue | GIT_REPOSITORY_INIT_NO_REINIT.rawValue
    if bare { options.flags |= GIT_REPOSITORY_INIT_BARE.rawValue }
    try checkBranch(branch, action: action)
    var made: OpaquePointer?
    let status = branch.withCString { head in
      options.initial_head = head
      return git_repository_init_ext(&made, path, &options)
    }
    try check(status, action, path: path)
    guard let made else {
      throw GitError(.other(status), action: action, detail: "nothing was made", path: path)
    }
    return Repository(owning: Handle(owning: made, free: { git_repository_free($0) }))
  }

  /// Throws `invalid` if the text is not a valid short branch name.
  static func checkBranch(_ branch: String, action: String) throws(GitError) {
    Library.start()
    var valid: Int32 = 0
    try check(git_branch_name_is_valid(&valid, branch), action, path: branch)
    guard valid == 1 else {
      throw GitError(.invalid, action: action, detail: "not a branch's name", path: branch)
    }
  }

  private static func open(
    _ path: String, flags: UInt32, ceilings: UnsafePointer<CChar>?
  ) throws(GitError) -> Repository {
    do throws(GitError) {
      return Repository(
        owning: try Handle("open the repository", path: path, free: { git_repository_free($0) }) {
          git_repository_open_ext($0, path, flags, ceilings)
        })
    } catch  where error.code == .ownership {
      throw foreign(path) ?? foreign(path + "/.git") ?? error
    } catch {
      throw unknownFormat(error)
    }
  }

  /// Returns an error that names what libgit2 can't read: the other hash, or an extension of git's.
  private static func unknownFormat(_ error: GitError) -> GitError {
    let words = error.detail.lowercased()
    var named = error
    if words.contains("objectformat") || words.contains("object format") {
      named.code = .otherHash
      named.detail = "its objects have SHA-256 ids, and larder reads SHA-1 only"
    } else if let name = words.firstRange(of: "unsupported extension name extensions.") {
      named.code = .otherFormat
      named.detail = "it uses git's extension \(words[name.upperBound...]), which larder can't read"
    }
    return named
  }

  /// Returns the ownership error for a work tree or `.git` folder of another user, or nil if it is
  /// our own.
  ///
  /// Its path is the full path, because git's settings must name the folder in full.
  private static func foreign(_ folder: String) -> GitError? {
    guard let owner = FileStatus(of: folder)?.owner, owner != geteuid() else { return nil }
    return GitError(
      .ownership, action: "open the repository",
      detail: "it belongs to user \(owner), not to the current user \(geteuid()), and "
        + "safe.directory in git's configuration doesn't list it",
      path: realpath(folder, nil).map { name in
        defer { free(name) }
        return String(cString: name)
      } ?? folder)
  }
}

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
