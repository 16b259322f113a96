internal import Clibgit2

/// A writer that stores many files as one pack; loose files would be synced to the disk one by one.
struct BulkWriter: ~Copyable {
  private let action = "store files"
  private let repository: Repository
  private let known: Handle<OpaquePointer>
  /// The database of new objects, which are in memory.
  ///
  /// It has no files: with files, libgit2 would reread the folder of packs for each object.
  private let objects: Handle<OpaquePointer>
  /// A repository with only these objects.
  private let memory: Handle<OpaquePointer>

  init(_ repository: Repository) throws(GitError) {
    let known = try Handle(action, free: { git_odb_free($0) }) {
      git_repository_odb($0, repository.pointer)
    }
    let objects = try Handle(action, free: { git_odb_free($0) }) { git_odb_new($0) }
    var made: UnsafeMutablePointer<git_odb_backend>?
    try check(git_mempack_new(&made), action)
    try check(git_odb_add_backend(objects.pointer, made, 1), action)
    let memory = try Handle(action, free: { git_repository_free($0) }) {
      git_repository_wrap_odb($0, objects.pointer)
    }
    self.repository = repository
    self.known = known
    self.objects = objects
    self.memory = memory
  }

  consuming func write(_ contents: [[UInt8]]) throws(GitError) -> [ObjectID] {
    let builder = try Handle(action, free: { git_packbuilder_free($0) }) {
      git_packbuilder_new($0, memory.pointer)
    }
    var ids: [ObjectID] = []
    ids.reserveCapacity(contents.count)
    for content in contents {
      var oid = Repository.blobID(of: content).oid
      ids.append(ObjectID(oid))
      // Without this flag, each miss rereads the folder of packs.
      let lookup = UInt32(GIT_ODB_LOOKUP_NO_REFRESH.rawValue)
      guard git_odb_exists_ext(known.pointer, &oid, lookup) == 0 else { continue }
      let status = content.withUnsafeBytes {
        git_odb_write(&oid, objects.pointer, $0.baseAddress, $0.count, GIT_OBJECT_BLOB)
      }
      try check(status, action)
      try check(git_packbuilder_insert(builder.pointer, &oid, nil), action)
    }
    guard git_packbuilder_object_count(builder.pointer) > 0 else { return ids }
    try store(builder.pointer)
    return ids
  }

  /// Gives the whole pack to the indexer at once, because the indexer maps the file again for each
  /// piece.
  private borrowing func store(_ builder: OpaquePointer) throws(GitError) {
    let folder = repository.commonDirectory + "/objects/pack"
    var pack = git_buf()
    defer { git_buf_dispose(&pack) }
    try check(git_packbuilder_write_buf(&pack, builder), action)
    let indexer = try Handle(action, free: { git_indexer_free($0) }) {
      git_indexer_new($0, folder, 0, nil, nil)
    }
    var progress = git_indexer_progress()
    try check(
      git_indexer_append(indexer.pointer, pack.ptr, pack.size, &progress), action, path: folder)
    try check(git_indexer_commit(indexer.pointer, &progress), action, path: folder)
  }
}

extension Repository {
  /// Stores the contents of many files and returns their ids, in the same order.
  ///
  /// For more than 32 files, this is much faster than storing them one by one.
  public func writeBlobs(_ contents: [[UInt8]]) throws(GitError) -> [ObjectID] {
    guard contents.count > 32 else {
      return try contents.map { content throws(GitError) in try writeBlob(content) }
    }
    return try BulkWriter(self).write(contents)
  }
}
