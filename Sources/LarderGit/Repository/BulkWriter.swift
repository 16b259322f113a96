internal import Clibgit2
internal import LarderText

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
    let compressor = Compressor()
    for content in contents {
      pack += Self.head(ofBlobOf: content.count)
      guard compressor.append(content, to: &pack) else {
        throw GitError(.other(0), action: action, detail: "there is no memory to compress them")
      }
    }
    return pack + SHA1.digest(of: pack[...])
  }

  /// Returns the beginning of a blob in a pack: its kind and size in groups of bits, the lowest first.
  private static func head(ofBlobOf count: Int) -> [UInt8] {
    var head: [UInt8] = []
    var size = count
    var group = UInt8(GIT_OBJECT_BLOB.rawValue) << 4 | UInt8(size & 0x0f)
    size >>= 4
    while size > 0 {
      head.append(group | 0x80)
      group = UInt8(size & 0x7f)
      size >>= 7
    }
    return head + [group]
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

/// One zlib stream for many contents, one after the other: making a new one takes as long as to
/// compress a short file.
private struct Compressor: ~Copyable {
  /// At one address, which zlib remembers.
  private let stream: UnsafeMutablePointer<z_stream>
  private let isReady: Bool

  init() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let size = Int32(MemoryLayout<z_stream>.size)
    // The level of git's loose files.
    isReady = deflateInit_(stream, Z_BEST_SPEED, zlibVersion(), size) == Z_OK
  }

  deinit {
    if isReady { deflateEnd(stream) }
    stream.deallocate()
  }

  /// Appends the compressed content; returns false if there is no memory.
  borrowing func append(_ content: [UInt8], to bytes: inout [UInt8]) -> Bool {
    guard isReady, deflateReset(stream) == Z_OK else { return false }
    let most = Int(deflateBound(stream, uLong(content.count)))
    var isWhole = false
    bytes += [UInt8](unsafeUninitializedCapacity: most) { target, count in
      content.withUnsafeBufferPointer { source in
        stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
        stream.pointee.avail_in = uInt(source.count)
        stream.pointee.next_out = target.baseAddress
        stream.pointee.avail_out = uInt(most)
        isWhole = deflate(stream, Z_FINISH) == Z_STREAM_END
        count = most - Int(stream.pointee.avail_out)
      }
    }
    return isWhole
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
