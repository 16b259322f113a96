internal import Clibgit2

/// A writer that stores many files as one pack; loose files would be synced to the disk one by one.
///
/// The pack has no deltas: looking for them takes twice as long as all the rest, and `git gc` does
/// it when it packs the history.
struct BulkWriter: ~Copyable {
  private let action = "store files"
  private let repository: Repository
  private let known: Handle<OpaquePointer>

  init(_ repository: Repository) throws(GitError) {
    self.repository = repository
    known = try Handle(action, free: { git_odb_free($0) }) {
      git_repository_odb($0, repository.pointer)
    }
  }

  consuming func write(_ contents: [[UInt8]]) throws(GitError) -> [ObjectID] {
    let ids = contents.map { Repository.blobID(of: $0) }
    var seen: Set<ObjectID> = []
    var news: [[UInt8]] = []
    for (id, content) in zip(ids, contents) where seen.insert(id).inserted {
      var oid = id.oid
      // Without this flag, each miss rereads the folder of packs.
      let lookup = UInt32(GIT_ODB_LOOKUP_NO_REFRESH.rawValue)
      if git_odb_exists_ext(known.pointer, &oid, lookup) == 0 { news.append(content) }
    }
    if !news.isEmpty { try store(pack(of: news)) }
    return ids
  }

  private borrowing func pack(of contents: [[UInt8]]) throws(GitError) -> [UInt8] {
    var pack = Array("PACK".utf8)
    for number in [2, UInt32(contents.count)] {
      withUnsafeBytes(of: number.bigEndian) { pack.append(contentsOf: $0) }
    }
    for content in contents {
      guard let entry = Self.entry(content) else {
        throw GitError(.other(0), action: action, detail: "there is no memory to compress them")
      }
      pack += entry
    }
    guard let digest = SHA1.digest(of: pack) else {
      throw GitError(.other(0), action: action, detail: "OpenSSL can't compute a SHA-1")
    }
    return pack + digest.bytes
  }

  /// Returns a blob as a pack has it: its kind and size in groups of bits, the lowest first, then the
  /// compressed content; nil if there is no memory.
  private static func entry(_ content: [UInt8]) -> [UInt8]? {
    var entry: [UInt8] = []
    var size = content.count
    var group = UInt8(GIT_OBJECT_BLOB.rawValue) << 4 | UInt8(size & 0x0f)
    size >>= 4
    while size > 0 {
      entry.append(group | 0x80)
      group = UInt8(size & 0x7f)
      size >>= 7
    }
    entry.append(group)
    // The level of git's loose files.
    let level = Z_BEST_SPEED
    var length = compressBound(uLong(content.count))
    let compressed = [UInt8](unsafeUninitializedCapacity: Int(length)) { target, count in
      let status = compress2(
        target.baseAddress, &length, content, uLong(content.count), level)
      count = status == Z_OK ? Int(length) : 0
    }
    return compressed.isEmpty ? nil : entry + compressed
  }

  /// Gives the whole pack to the indexer at once, because the indexer maps the file again for each
  /// piece.
  private borrowing func store(_ pack: [UInt8]) throws(GitError) {
    // The indexer gives no message if a name can't be made, and an earlier one would pass for it.
    git_error_clear()
    let folder = repository.commonDirectory + "/objects/pack"
    let indexer = try Handle(action, free: { git_indexer_free($0) }) {
      git_indexer_new($0, folder, 0, nil, nil)
    }
    var progress = git_indexer_progress()
    try check(
      git_indexer_append(indexer.pointer, pack, pack.count, &progress), action, path: folder)
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
