internal import Clibgit2
internal import Czlib
internal import Libc

/// The reading of loose objects, in place of libgit2's own.
///
/// libgit2 1.5 waits forever for the rest of a truncated object file, as a power cut or a full disk
/// leaves it. This backend, placed before libgit2's, reports the object as damaged.
enum LooseObjects {
  /// The priority of libgit2's packs, which were added earlier and so are asked first.
  ///
  /// Most objects are there. Loose objects have 1.
  private static let priority: Int32 = 2

  /// Adds the backend; if there is no memory for it, libgit2 reads the objects.
  static func stand(before repository: OpaquePointer, objects folder: String) {
    var database: OpaquePointer?
    guard git_repository_odb(&database, repository) == 0, let database else { return }
    defer { git_odb_free(database) }
    let made = UnsafeMutablePointer<larder_loose_objects>.allocate(capacity: 1)
    made.initialize(to: larder_loose_objects())
    made.pointee.folder = strdup(folder)
    made.withMemoryRebound(to: git_odb_backend.self, capacity: 1) { backend in
      git_odb_init_backend(backend, UInt32(GIT_ODB_BACKEND_VERSION))
      backend.pointee.read = { LooseObjects.read($0, $1, $2, $3, $4) }
      backend.pointee.read_header = { LooseObjects.readHeader($0, $1, $2, $3) }
      backend.pointee.exists = { _, _ in 0 }
      backend.pointee.free = { LooseObjects.free($0) }
      guard git_odb_add_backend(database, backend, priority) != 0 else { return }
      LooseObjects.free(backend)
    }
  }

  /// Reads an object, or passes it on to libgit2 if it has no file that can be opened.
  private static func read(
    _ data: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ length: UnsafeMutablePointer<Int>?,
    _ kind: UnsafeMutablePointer<git_object_t>?, _ backend: UnsafeMutablePointer<git_odb_backend>?,
    _ id: UnsafePointer<git_oid>?
  ) -> Int32 {
    guard let backend, let id else { return GIT_PASSTHROUGH.rawValue }
    let hex = ObjectID(id).hex
    let folder = backend.withMemoryRebound(to: larder_loose_objects.self, capacity: 1) {
      $0.pointee.folder.map { String(cString: $0) } ?? ""
    }
    let object = withFile("\(folder)/\(hex.prefix(2))/\(hex.dropFirst(2))") { file in
      LooseObject(file) { git_odb_backend_data_alloc(backend, $0) }
    }
    switch object {
    case nil: return GIT_PASSTHROUGH.rawValue
    case .some(nil):
      git_error_set_str(
        Int32(bitPattern: GIT_ERROR_ODB.rawValue), "its file is damaged or cut short")
      return GIT_ERROR.rawValue
    case .some(.some(let object)):
      data?.pointee = object.data
      length?.pointee = object.count
      kind?.pointee = object.kind
      return GIT_OK.rawValue
    }
  }

  /// Reads the kind and the length of an object; all of it is read, to see that it is whole.
  private static func readHeader(
    _ length: UnsafeMutablePointer<Int>?, _ kind: UnsafeMutablePointer<git_object_t>?,
    _ backend: UnsafeMutablePointer<git_odb_backend>?, _ id: UnsafePointer<git_oid>?
  ) -> Int32 {
    var data: UnsafeMutableRawPointer?
    defer { if let data { git_odb_backend_data_free(backend, data) } }
    return read(&data, length, kind, backend, id)
  }

  /// Returns what `body` makes of a file's bytes; nil if the file can't be opened.
  private static func withFile<Value>(
    _ path: String, _ body: (UnsafeRawBufferPointer) -> Value
  ) -> Value? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let count = Int(status.st_size)
    guard count > 0 else { return body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    guard let bytes = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0),
      bytes != MAP_FAILED
    else { return nil }
    defer { munmap(bytes, count) }
    return body(UnsafeRawBufferPointer(start: bytes, count: count))
  }

  private static func free(_ backend: UnsafeMutablePointer<git_odb_backend>?) {
    backend?.withMemoryRebound(to: larder_loose_objects.self, capacity: 1) { made in
      Libc.free(made.pointee.folder)
      made.deallocate()
    }
  }
}

/// An object in the memory of libgit2, followed by a zero byte as libgit2 makes it.
private struct LooseObject {
  let kind: git_object_t
  let count: Int
  let data: UnsafeMutableRawPointer

  /// Reads the file of an object: one whole zlib stream of its kind, a space, its length, a zero, and
  /// its content.
  init?(_ file: UnsafeRawBufferPointer, allocate: (Int) -> UnsafeMutableRawPointer?) {
    let stream = InflatedStream(file)
    var head = [UInt8](repeating: 0, count: 32)
    let read = head.withUnsafeMutableBytes { stream.fill($0) }
    guard let zero = head[..<read].firstIndex(of: 0) else { return nil }
    let words = String(decoding: head[..<zero], as: UTF8.self).split(separator: " ")
    let first = head[(zero + 1)..<read]
    guard words.count == 2, let kind = Self.kinds[words[0]], let count = Int(words[1]),
      count >= first.count, count < Int.max, let data = allocate(count + 1)
    else { return nil }
    let room = UnsafeMutableRawBufferPointer(start: data, count: count + 1)
    room.copyBytes(from: first)
    // With room for one byte more, zlib reads on to the stream's end.
    let rest = stream.fill(UnsafeMutableRawBufferPointer(rebasing: room[first.count...]))
    guard stream.isWhole, first.count + rest == count else {
      git_odb_backend_data_free(nil, data)
      return nil
    }
    room[count] = 0
    (self.kind, self.count, self.data) = (kind, count, data)
  }

  private static let kinds: [Substring: git_object_t] = [
    "commit": GIT_OBJECT_COMMIT, "tree": GIT_OBJECT_TREE, "blob": GIT_OBJECT_BLOB,
    "tag": GIT_OBJECT_TAG,
  ]
}

/// A zlib stream that is read in parts.
private final class InflatedStream {
  /// At one address, which zlib remembers.
  private let stream: UnsafeMutablePointer<z_stream>
  private var source: UnsafeRawBufferPointer
  private var status: Int32

  init(_ source: UnsafeRawBufferPointer) {
    self.source = source
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    status = inflateInit_(stream, zlibVersion(), Int32(MemoryLayout<z_stream>.size))
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Whether the stream was read to its end; of one that was cut short, zlib says only that it
  /// can't go on.
  var isWhole: Bool { status == Z_STREAM_END }

  /// Fills the memory as far as there is more, and returns the number of bytes.
  func fill(_ target: UnsafeMutableRawBufferPointer) -> Int {
    var rest = target
    while status == Z_OK, !rest.isEmpty {
      let (given, room) = (UInt32(clamping: source.count), UInt32(clamping: rest.count))
      stream.pointee.next_in = UnsafeMutablePointer(
        mutating: source.bindMemory(to: UInt8.self).baseAddress)
      stream.pointee.next_out = rest.bindMemory(to: UInt8.self).baseAddress
      (stream.pointee.avail_in, stream.pointee.avail_out) = (given, room)
      status = inflate(stream, Z_NO_FLUSH)
      source = UnsafeRawBufferPointer(
        rebasing: source.dropFirst(Int(given - stream.pointee.avail_in)))
      rest = UnsafeMutableRawBufferPointer(
        rebasing: rest.dropFirst(Int(room - stream.pointee.avail_out)))
    }
    return target.count - rest.count
  }
}

/// How git receives objects: it checks them, and they are on the disk when it ends.
enum ObjectChecks {
  /// Options for the git program, before its command.
  ///
  /// Objects that are well-formed but must not be followed are fetched with a warning. Otherwise
  /// one bad commit would block all later ones. The code that joins or writes them judges them
  /// first.
  static var settings: [String] {
    var words = [
      "-c", "fetch.fsckObjects=true", "-c", "core.fsync=committed", "-c", "core.fsyncMethod=batch",
    ]
    for name in judged { words += ["-c", "fetch.fsck.\(name)=ignore"] }
    return words
  }

  /// The checks to ignore, by their names in git-fsck(1).
  private static let judged = [
    "badDate", "badDateOverflow", "badEmail", "badFilemode", "badName", "badTimezone",
    "duplicateEntries", "emptyName", "fullPathname", "gitattributesBlob", "gitattributesLarge",
    "gitattributesLineLength", "gitattributesSymlink", "gitignoreSymlink", "gitmodulesBlob",
    "gitmodulesLarge", "gitmodulesMissing", "gitmodulesName", "gitmodulesParse", "gitmodulesPath",
    "gitmodulesSymlink", "gitmodulesUpdate", "gitmodulesUrl", "hasDot", "hasDotdot", "hasDotgit",
    "mailmapSymlink", "missingAuthor", "missingCommitter", "missingEmail",
    "missingNameBeforeEmail", "missingSpaceBeforeDate", "missingSpaceBeforeEmail",
    "multipleAuthors", "nulInCommit", "nullSha1", "treeNotSorted", "zeroPaddedDate",
    "zeroPaddedFilemode",
  ]
}
