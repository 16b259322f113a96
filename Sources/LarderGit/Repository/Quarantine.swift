internal import Clibgit2
internal import Libc

/// A folder for new objects, which get their names in the repository all at once, as git does it for those
/// that it receives.
///
/// Each one begins to be written to the disk before it gets its name, and replaces a file that is there
/// already: a power cut may have left that one without its bytes, and neither git nor libgit2 writes an
/// object whose file is there.
final class Quarantine {
  /// The repository to write into, which has nothing else and no check of what objects refer to.
  let pointer: OpaquePointer
  /// The objects of the repository.
  private let known: Handle<OpaquePointer>
  private let folder: String
  private let target: String

  init(in repository: Repository) throws(GitError) {
    let action = "store objects"
    target = repository.commonDirectory + "/objects"
    known = try Handle(action, free: { git_odb_free($0) }) {
      git_repository_odb($0, repository.pointer)
    }
    // Git's own name for one, so that 'git gc' removes what a killed process leaves.
    folder = "\(target)/\(Self.prefix)\(getpid())-\(UInt32.random(in: 0 ... .max))"
    guard mkdir(folder, 0o777) == 0 else { throw GitError.system(action: action, path: folder) }
    let database = try Handle(action, free: { git_odb_free($0) }) { git_odb_new($0) }
    var backend: UnsafeMutablePointer<git_odb_backend>?
    try check(git_odb_backend_loose(&backend, folder, -1, 0, 0, 0), action, path: folder)
    try check(git_odb_add_backend(database.pointer, backend, 1), action, path: folder)
    var made: OpaquePointer?
    try check(git_repository_wrap_odb(&made, database.pointer), action, path: folder)
    guard let made else { throw GitError.last(GIT_ERROR.rawValue, action: action, path: folder) }
    pointer = made
  }

  deinit {
    git_repository_free(pointer)
    Self.remove(folder)
  }

  /// The beginning of the folders' names.
  static let prefix = "tmp_objdir-larder-"

  /// Removes a folder as far as it can be removed; what is left, packing removes.
  static func remove(_ folder: String) {
    for (inner, names) in (try? content(of: folder)) ?? [] {
      for name in names { unlink("\(folder)/\(inner)/\(name)") }
      rmdir("\(folder)/\(inner)")
    }
    rmdir(folder)
  }

  /// Gives the objects their names in the repository; with `waiting`, they and their names are on the disk
  /// then.
  func release(waiting: Bool) throws(GitError) {
    let content = try Self.content(of: folder)
    for (inner, names) in content {
      for name in names { startWriting(at: "\(folder)/\(inner)/\(name)") }
    }
    if waiting { try wait(for: content, in: folder) }
    for (inner, names) in content {
      for name in names { try release(name, in: inner) }
    }
    if waiting { try wait(for: content, in: target) }
  }

  /// Packing may remove a folder that it has emptied, at any time; it is made again.
  private func release(_ name: String, in inner: String) throws(GitError) {
    if isPacked(inner + name) { return }
    for _ in 0..<100 {
      if rename("\(folder)/\(inner)/\(name)", "\(target)/\(inner)/\(name)") == 0 { return }
      guard errno == ENOENT, mkdir("\(target)/\(inner)", 0o777) == 0 || errno == EEXIST else {
        break
      }
    }
    throw GitError.system(action: "store an object", path: "\(target)/\(inner)/\(name)")
  }

  /// Whether a pack has an object, so that a second copy would only be one more to lose.
  private func isPacked(_ hex: String) -> Bool {
    guard let id = ObjectID(hex: hex),
      FileStatus(of: "\(target)/\(hex.prefix(2))/\(hex.dropFirst(2))") == nil
    else { return false }
    var oid = id.oid
    // Without this flag, each miss reads the folder of packs again.
    let lookup = UInt32(GIT_ODB_LOOKUP_NO_REFRESH.rawValue)
    return git_odb_exists_ext(known.pointer, &oid, lookup) == 1
  }

  /// Waits for the objects and their folders one by one, or for all of the file system if they are many.
  private func wait(
    for content: [(folder: String, names: [String])], in place: String
  ) throws(GitError) {
    let files = content.flatMap { inner, names in names.map { "\(place)/\(inner)/\($0)" } }
    let isMany = files.count > 16
    for path in isMany ? [place] : files + content.map({ "\(place)/\($0.folder)" }) {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      // One that is in a pack got no name.
      if descriptor < 0, errno == ENOENT { continue }
      defer { if descriptor >= 0 { close(descriptor) } }
      let wait = isMany ? makeFileSystemDurable : makeDurable
      guard descriptor >= 0, wait(descriptor) == 0 else {
        throw GitError.system(action: "store an object", path: path)
      }
    }
  }

  private static func content(
    of folder: String
  ) throws(GitError) -> [(folder: String, names: [String])] {
    try Repository.names(in: folder).map { inner throws(GitError) in
      (inner, try Repository.names(in: "\(folder)/\(inner)"))
    }
  }
}

extension Repository {
  /// Runs `body`, whose new objects are stored together, and nothing waits for the disk.
  ///
  /// The caller keeps a journal with all that is written here. If `body` throws, nothing is stored.
  public func withoutWaiting<Value>(
    _ body: () throws(GitError) -> Value
  ) throws(GitError) -> Value {
    try storing(waiting: false, body)
  }

  /// Runs `body`, whose new objects are stored together, and are on the disk then.
  public func storing<Value>(_ body: () throws(GitError) -> Value) throws(GitError) -> Value {
    try storing(waiting: true, body)
  }

  private func storing<Value>(
    waiting: Bool, _ body: () throws(GitError) -> Value
  ) throws(GitError) -> Value {
    guard quarantine == nil else { return try body() }
    let quarantine = try Quarantine(in: self)
    self.quarantine = quarantine
    defer { self.quarantine = nil }
    let value = try body()
    try quarantine.release(waiting: waiting)
    return value
  }

  /// Stores an object that `write` writes into a repository.
  func store(
    _ action: String, _ write: (inout git_oid, _ repository: OpaquePointer) -> Int32
  ) throws(GitError) -> ObjectID {
    try storing { () throws(GitError) in
      guard let target = quarantine?.pointer else { return ObjectID(git_oid()) }
      var oid = git_oid()
      try check(write(&oid, target), action)
      // On a full disk, libgit2 1.5 reports success.
      let failure = GitError.last(GIT_ERROR.rawValue, action: action)
      let objects = try Handle(action, free: { git_odb_free($0) }) {
        git_repository_odb($0, target)
      }
      guard git_odb_exists(objects.pointer, &oid) == 1 else { throw failure }
      return ObjectID(oid)
    }
  }
}
