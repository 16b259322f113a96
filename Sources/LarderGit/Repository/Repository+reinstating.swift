internal import Clibgit2
public import LarderText
internal import Libc

/// What a power cut may have left of objects and references.
extension Repository {
  /// Whether an object is there and has the content that its id says.
  public func isSound(_ id: ObjectID) -> Bool {
    do throws(GitError) {
      let (kind, bytes) = try object(id)
      var oid = git_oid()
      let status = bytes.withUnsafeBytes { git_odb_hash(&oid, $0.baseAddress, $0.count, kind) }
      return status == 0 && ObjectID(oid) == id
    } catch {
      return false
    }
  }

  /// Whether a commit is sound, and all that leads from it to some of its files.
  public func isSound(commit id: ObjectID, with paths: [FilePath]) -> Bool {
    guard isSound(id) else { return false }
    do throws(GitError) {
      let tree = try commit(id).tree
      guard isSound(tree) else { return false }
      for path in paths {
        var place = tree
        for name in path.names {
          guard let (id, mode) = try item(name, in: place) else { break }
          guard mode == GIT_FILEMODE_COMMIT || isSound(id) else { return false }
          guard mode == GIT_FILEMODE_TREE else { break }
          place = id
        }
      }
      return true
    } catch {
      return false
    }
  }

  private func item(
    _ name: String, in tree: ObjectID
  ) throws(GitError) -> (ObjectID, git_filemode_t)? {
    try Folder(self, tree).item(named: Array(name.utf8)).map { ($0.id, $0.mode) }
  }

  /// Returns the bytes of a commit as they are stored.
  public func bytes(ofCommit id: ObjectID) throws(GitError) -> [UInt8] { try object(id).bytes }

  /// Stores the bytes of a commit, which must be those of one, and returns its id.
  public func writeCommit(_ bytes: [UInt8]) throws(GitError) -> ObjectID {
    try store("store a commit") { oid, target in
      var database: OpaquePointer?
      let status = git_repository_odb(&database, target)
      defer { git_odb_free(database) }
      guard status == 0 else { return status }
      return bytes.withUnsafeBytes {
        git_odb_write(&oid, database, $0.baseAddress, $0.count, GIT_OBJECT_COMMIT)
      }
    }
  }

  /// What a reference is, by its file: a power cut may leave one without an id.
  public enum ReferenceState: Equatable {
    case missing, broken
    case commit(ObjectID)
  }

  /// Returns the state of a reference, given by its full name; one whose commit is missing or broken is
  /// broken, too.
  public func state(ofReference name: String) -> ReferenceState {
    do throws(GitError) {
      guard let id = try reference(name) else { return .missing }
      return isSound(id) ? .commit(id) : .broken
    } catch {
      return .broken
    }
  }

  /// Removes the file of a broken reference, so that it can be made anew.
  public func removeBrokenReference(_ name: String) throws(GitError) {
    let path = (name == "HEAD" ? gitDirectory : commonDirectory) + "/" + name
    guard unlink(path) == 0 || errno == ENOENT else {
      throw GitError.system(action: "remove a reference", path: path)
    }
  }

  /// Whether a reference's log ends with its commit and says that it was moved away from another one;
  /// false if it can't be read.
  public func wasMoved(_ name: String, from commit: ObjectID, to current: ObjectID) -> Bool {
    var log: OpaquePointer?
    guard git_reflog_read(&log, pointer, name) == 0, let log else { return false }
    defer { git_reflog_free(log) }
    // The latest comes first.
    let entries = (0..<git_reflog_entrycount(log)).map { git_reflog_entry_byindex(log, $0) }
    return entries.first.flatMap { git_reflog_entry_id_new($0) }.map { ObjectID($0) } == current
      && entries.contains { git_reflog_entry_id_old($0).map { ObjectID($0) } == commit }
  }

  /// Adds a line to a reference's log that leads to its commit, unless the log ends there or can't be read.
  public func completeLog(
    of name: String, at id: ObjectID, reason: String, by author: Signature
  ) throws(GitError) {
    var log: OpaquePointer?
    guard git_reflog_read(&log, pointer, name) == 0, let log else { return }
    defer { git_reflog_free(log) }
    let last = git_reflog_entry_byindex(log, 0).flatMap { git_reflog_entry_id_new($0) }
    guard last.map({ ObjectID($0) }) != id else { return }
    let signature = try author.handle()
    var oid = id.oid
    let action = "write a reference's log"
    try check(git_reflog_append(log, &oid, signature.pointer, reason), action, path: name)
    try check(git_reflog_write(log), action, path: name)
  }

  /// Returns the name of the reference that HEAD is: a branch, which may have no commit, or `HEAD` itself.
  public func headReference() throws(GitError) -> String {
    let head = try Handle("read HEAD", path: "HEAD", free: { git_reference_free($0) }) {
      git_reference_lookup($0, pointer, "HEAD")
    }
    return git_reference_symbolic_target(head.pointer).map { String(cString: $0) } ?? "HEAD"
  }
}
