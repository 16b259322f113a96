internal import Clibgit2
internal import Libc

extension Repository {
  /// Stores a file's content and returns its id.
  ///
  /// Storing existing content is cheap.
  ///
  /// Nothing refers to the blob yet, so git may remove it after two weeks.
  public func writeBlob(_ bytes: [UInt8]) throws(GitError) -> ObjectID {
    try store("store a file") { oid, target in
      bytes.withUnsafeBytes {
        git_blob_create_from_buffer(&oid, target, $0.baseAddress, $0.count)
      }
    }
  }

  /// Stores the contents of many files and returns their ids, in the same order.
  public func writeBlobs(_ contents: [[UInt8]]) throws(GitError) -> [ObjectID] {
    try storing { () throws(GitError) in
      try contents.map { content throws(GitError) in try writeBlob(content) }
    }
  }

  /// Returns the id of a file's content, without storing it.
  public static func blobID(of bytes: [UInt8]) -> ObjectID {
    Library.start()
    // It fails only without memory; then the id is one that nothing has.
    var oid = git_oid()
    _ = bytes.withUnsafeBytes {
      git_odb_hash(&oid, $0.baseAddress, $0.count, GIT_OBJECT_BLOB)
    }
    return ObjectID(oid)
  }

  /// Returns the content of a blob; throws `notFound` if there is none with that id.
  public func readBlob(_ id: ObjectID) throws(GitError) -> [UInt8] {
    var oid = id.oid
    let blob = try Handle("read a file", path: id.hex, free: { git_blob_free($0) }) {
      git_blob_lookup($0, pointer, &oid)
    }
    return [UInt8](
      UnsafeRawBufferPointer(
        start: git_blob_rawcontent(blob.pointer), count: Int(git_blob_rawsize(blob.pointer))))
  }

  /// Whether there is an object with that id, without reading it.
  public func has(_ id: ObjectID) throws(GitError) -> Bool {
    var oid = id.oid
    let objects = try Handle("look for an object", path: id.hex, free: { git_odb_free($0) }) {
      git_repository_odb($0, pointer)
    }
    return git_odb_exists(objects.pointer, &oid) == 1
  }

  /// Reads a commit.
  ///
  /// Throws `notFound` if there is none with that id.
  ///
  /// A commit without an author, or with an impossible time, is read as far as possible.
  public func commit(_ id: ObjectID) throws(GitError) -> Commit {
    var oid = id.oid
    do throws(GitError) {
      let commit = try Handle("read a commit", path: id.hex, free: { git_commit_free($0) }) {
        git_commit_lookup($0, pointer, &oid)
      }
      return Commit(commit.pointer, id: id)
    } catch {
      guard error.code != .notFound, let object = try? object(id),
        object.kind == GIT_OBJECT_COMMIT, let commit = Commit(lenient: object.bytes, id: id)
      else { throw error }
      return commit
    }
  }

  /// Stores a commit and returns its id.
  ///
  /// No reference is moved.
  ///
  /// Characters that git can't store are removed from names and addresses; an empty one becomes
  /// `unknown`. Throws if the tree or a parent is missing.
  public func writeCommit(
    tree: ObjectID, parents: [ObjectID], author: Signature, committer: Signature, message: String
  ) throws(GitError) -> ObjectID {
    let action = "store a commit"
    for id in quarantine == nil ? [tree] + parents : [] {
      guard try !has(id) else { continue }
      throw GitError(.notFound, action: action, detail: "an object is missing", path: id.hex)
    }
    let author = try author.handle()
    let committer = try committer.handle()
    var treeOID = tree.oid
    let parentOIDs = parents.map(\.oid)
    return try store(action) { oid, target in
      parentOIDs.withUnsafeBufferPointer { list in
        var places = list.indices.map { list.baseAddress?.advanced(by: $0) }
        return git_commit_create_from_ids(
          &oid, target, nil, author.pointer, committer.pointer, nil, message, &treeOID, list.count,
          &places)
      }
    }
  }

  /// Returns the commit of a revision such as `HEAD~2`, `main` or `4f2a91c`.
  ///
  /// Nil if it is unknown or not a commit.
  ///
  /// Throws `invalid` if an abbreviated id of four digits or more is ambiguous.
  public func resolve(_ revision: String) throws(GitError) -> ObjectID? {
    let action = "find a revision"
    do throws(GitError) {
      let object = try Handle(action, path: revision, free: { git_object_free($0) }) {
        git_revparse_single($0, pointer, revision)
      }
      let commit = try Handle(action, path: revision, free: { git_object_free($0) }) {
        git_object_peel($0, object.pointer, GIT_OBJECT_COMMIT)
      }
      return git_object_id(commit.pointer).map { ObjectID($0) }
    } catch  where error.code == .notFound {
      return nil
    } catch  where error.code == .invalid {
      if isAmbiguous(revision) { throw error }
      return nil
    }
  }

  private func isAmbiguous(_ revision: String) -> Bool {
    // libgit2 says the same of an id that is too short to be looked for.
    guard revision.prefix(while: \.isHexDigit).count >= 4 else { return false }
    var object: OpaquePointer?
    let status = git_revparse_single(&object, pointer, revision)
    git_object_free(object)
    return status == GIT_EAMBIGUOUS.rawValue
  }
}
