import Clibgit2
internal import Libc

extension Repository {
  /// Returns the object of a reference, given by its full name, or nil if it does not exist.
  public func reference(_ name: String) throws(GitError) -> ObjectID? {
    var oid = git_oid()
    let status = git_reference_name_to_id(&oid, pointer, name)
    if status == GIT_ENOTFOUND.rawValue { return nil }
    try check(status, "read a reference", path: name)
    return ObjectID(oid)
  }

  /// Moves a reference, given by its full name, if it has the expected value.
  ///
  /// Nil expects that it does not exist.
  ///
  /// The check is made under the reference's lock, so that nothing, including git, can change it in
  /// between. The reflogs of the reference and, if it is checked out, of HEAD get a line with
  /// `reason`, `by` and its time. Throws `conflict` if the value is another, `locked` if another
  /// process holds the lock, and `invalid` if the reference is symbolic.
  /// With `waiting`, it is on the disk then; otherwise the caller keeps a journal.
  public func updateReference(
    _ name: String, to id: ObjectID, expecting: ObjectID?, reason: String, by: Signature,
    waiting: Bool = true
  ) throws(GitError) {
    let action = "move a reference"
    // It is there already, so no lock is needed, which a failing disk might not let go.
    if expecting == id, try reference(name) == id { return }
    let signature = try by.handle()
    try waitForReferences(waiting)
    let transaction = try Handle(action, path: name, free: { git_transaction_free($0) }) {
      git_transaction_new($0, pointer)
    }
    try lock(name, in: transaction.pointer, action: action)
    let current = try target(of: name, action: action)
    guard current == expecting else {
      throw GitError(
        .conflict, action: action,
        detail: "expected \(expecting?.hex ?? "nothing"), found \(current?.hex ?? "nothing")",
        path: name)
    }
    var oid = id.oid
    try check(
      git_transaction_set_target(transaction.pointer, name, &oid, signature.pointer, reason),
      action, path: name)
    try check(git_transaction_commit(transaction.pointer), action, path: name)
    removeSpentLock(of: name)
    if !waiting { startWriting(reference: name) }
  }

  /// Lets libgit2 wait for the bytes of references before they get their names, and for the names, or not.
  ///
  /// Each instance of its database is told that when it is made.
  private func waitForReferences(_ wish: Bool) throws(GitError) {
    guard waitsForReferences != wish else { return }
    let action = "open the references"
    let database = try Handle(action, free: { git_refdb_free($0) }) {
      git_repository_refdb($0, pointer)
    }
    var backend: UnsafeMutablePointer<git_refdb_backend>?
    Library.waits(wish)
    defer { Library.waits(false) }
    try check(git_refdb_backend_fs(&backend, pointer), action)
    try check(git_refdb_set_backend(database.pointer, backend), action)
    waitsForReferences = wish
  }

  /// Starts to write a reference and its logs to the disk.
  private func startWriting(reference name: String) {
    let folder = name == "HEAD" ? gitDirectory : commonDirectory
    for path in ["\(folder)/\(name)", "\(folder)/logs/\(name)", "\(gitDirectory)/logs/HEAD"] {
      Libc.startWriting(at: path)
    }
  }

  /// Waits until a file of git's, or that there is none, is on the disk.
  func wait(for path: String) throws(GitError) {
    let folder = "/" + path.split(separator: "/").dropLast().joined(separator: "/")
    for place in [path, folder] {
      let descriptor = Libc.open(place, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      guard makeDurable(descriptor) == 0 || errno == EINVAL else {
        throw GitError.system(action: "write", path: place)
      }
    }
  }

  /// Removes a lock that libgit2 left: it links a new reference's file to its lock, and ignores a
  /// failure to remove the lock.
  private func removeSpentLock(of name: String) {
    let path = lockPath(of: name)
    if let lock = FileStatus(of: path), let file = FileStatus(of: commonDirectory + "/" + name),
      lock.inode == file.inode
    {
      unlink(path)
    }
  }

  /// Removes a reference, given by its full name; throws `notFound` if it does not exist.
  public func deleteReference(_ name: String) throws(GitError) {
    let action = "remove a reference"
    let reference = try Handle(action, path: name, free: { git_reference_free($0) }) {
      git_reference_lookup($0, pointer, name)
    }
    do throws(GitError) {
      try check(git_reference_delete(reference.pointer), action, path: name)
      try wait(for: "\(commonDirectory)/\(name)")
    } catch  where error.code == .locked {
      throw locked(error, name)
    }
  }

  /// Points HEAD to the branch of that short name, which may have no commit yet.
  ///
  /// Index and work tree are not changed.
  public func setHead(toBranch branch: String) throws(GitError) {
    try Self.checkBranch(branch, action: "set HEAD")
    try waitForReferences(true)
    try check(git_repository_set_head(pointer, "refs/heads/" + branch), "set HEAD", path: branch)
  }

  /// Whether a branch, given by its short name, is checked out here or in a linked work tree.
  public func isCheckedOut(branch: String) throws(GitError) -> Bool {
    let reference = try Handle("read a branch", path: branch, free: { git_reference_free($0) }) {
      git_reference_lookup($0, pointer, "refs/heads/" + branch)
    }
    return git_branch_is_checked_out(reference.pointer) == 1
  }

  /// Returns the path of a reference's lock file.
  ///
  /// If it exists, a process is moving the reference or died while doing so.
  ///
  /// Each work tree has its own HEAD.
  public func lockPath(of name: String) -> String {
    (name == "HEAD" ? gitDirectory : commonDirectory) + "/" + name + ".lock"
  }

  /// Returns the existing lock files of references, packed references, HEAD and the repository's
  /// settings.
  public func lockFiles() -> [String] {
    let shared = ["packed-refs", "config", "shallow"].map { "\(commonDirectory)/\($0).lock" }
    let all =
      shared + [gitDirectory + "/HEAD.lock"]
      + ReferenceFiles(folder: commonDirectory).lockNames().map { "\(commonDirectory)/\($0)" }
    return all.filter { FileStatus(of: $0) != nil }
  }

  private func lock(
    _ name: String, in transaction: OpaquePointer, action: String
  ) throws(GitError) {
    do throws(GitError) {
      var valid: Int32 = 0
      try check(git_reference_name_is_valid(&valid, name), action, path: name)
      guard valid == 1 else {
        throw GitError(.invalid, action: action, detail: "not a reference's name", path: name)
      }
      try check(git_transaction_lock_ref(transaction, name), action, path: name)
    } catch  where error.code == .locked {
      throw locked(error, name)
    }
  }

  private func locked(_ error: GitError, _ name: String) -> GitError {
    var error = error
    error.path = lockPath(of: name)
    return error
  }

  private func target(of name: String, action: String) throws(GitError) -> ObjectID? {
    do throws(GitError) {
      let reference = try Handle(action, path: name, free: { git_reference_free($0) }) {
        git_reference_lookup($0, pointer, name)
      }
      guard let id = git_reference_target(reference.pointer) else {
        throw GitError(.invalid, action: action, detail: "it is symbolic", path: name)
      }
      return ObjectID(id)
    } catch  where error.code == .notFound {
      return nil
    }
  }
}

/// The value of HEAD.
public enum Head: Sendable, Hashable {
  /// A branch without any commit yet; `branch` is its short name.
  case unborn(branch: String)
  /// A branch by its short name (`main`), and its commit.
  case branch(name: String, ObjectID)
  /// A commit, without a branch.
  case detached(ObjectID)

  /// The commit that is checked out; nil on an unborn branch.
  public var commit: ObjectID? {
    switch self {
    case .unborn: nil
    case .branch(_, let commit), .detached(let commit): commit
    }
  }
}
