internal import Clibgit2

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension Repository {
  /// The object that a reference, given by its full name, leads to; nil when it doesn't exist.
  ///
  /// Symbolic references are followed.
  public func reference(_ name: String) throws(GitError) -> ObjectID? {
    var oid = git_oid()
    let status = git_reference_name_to_id(&oid, pointer, name)
    if status == GIT_ENOTFOUND.rawValue { return nil }
    try check(status, "read a reference", path: name)
    return ObjectID(oid)
  }

  /// Moves a reference, given by its full name, if it is where it is expected; nil expects that it
  /// doesn't exist.
  ///
  /// The check is made under the reference's lock, so that nothing can come in between, git itself
  /// included. The reflogs of the reference and, when it is checked out, of HEAD get a line with
  /// `reason`, by `by` and at its time. Throws `conflict` when the reference is somewhere else,
  /// `locked` when somebody else holds the lock, and `invalid` when it is symbolic.
  public func updateReference(
    _ name: String, to id: ObjectID, expecting: ObjectID?, reason: String, by: Signature
  ) throws(GitError) {
    let action = "move a reference"
    let signature = try by.handle()
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
  }

  /// libgit2 links a new reference's file to its lock, and lets a lock stay that it could not remove.
  private func removeSpentLock(of name: String) {
    let path = lockPath(of: name)
    if let lock = FileStatus(of: path), let file = FileStatus(of: commonDirectory + "/" + name),
      lock.inode == file.inode
    {
      unlink(path)
    }
  }

  /// Removes a reference, given by its full name; throws `notFound` when it doesn't exist.
  public func deleteReference(_ name: String) throws(GitError) {
    let action = "remove a reference"
    let reference = try Handle(action, path: name, free: { git_reference_free($0) }) {
      git_reference_lookup($0, pointer, name)
    }
    do throws(GitError) {
      try check(git_reference_delete(reference.pointer), action, path: name)
    } catch  where error.code == .locked {
      throw locked(error, name)
    }
  }

  /// Makes HEAD name the branch of that short name, which need not have a commit yet.
  ///
  /// Index and work tree stay as they are.
  public func setHead(toBranch branch: String) throws(GitError) {
    try Self.checkBranch(branch, action: "set HEAD")
    try check(git_repository_set_head(pointer, "refs/heads/" + branch), "set HEAD", path: branch)
  }

  /// The file whose presence means that somebody is moving a reference, or died while doing so.
  ///
  /// HEAD is each work tree's own.
  public func lockPath(of name: String) -> String {
    (name == "HEAD" ? gitDirectory : commonDirectory) + "/" + name + ".lock"
  }

  /// The lock files that lie on references, on packed ones, on HEAD and on the repository's settings.
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
