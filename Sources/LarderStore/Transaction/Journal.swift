internal import Cposix
internal import LarderGit
internal import LarderJSON
internal import LarderText
internal import Libc

/// The journal of a clone, `.git/larder/journal`: what its transactions wrote, since the last time when all
/// of it was on the disk.
///
/// A transaction waits for its record, and for nothing else. If the power fails, the next command finds
/// that the system was started again, and reinstates what the records say (`Store.reinstate()`).
///
/// A record is a line `record HEAD BODY` with two lengths in bytes, a head in JSON, a body, and a line `end
/// SUM` with the id that git gives a file of all before it. The body has the commit and the new files, one after
/// the other. A line `applied SUM BOOT DEVICE TIME` says that all of the record was written, though not
/// waited for.
struct Journal {
  /// A transaction, with what is needed to do it again.
  struct Record {
    var transaction: Transaction
    /// The words for the reference's log.
    let reason: String
    /// The time of the record, in nanoseconds since 1970.
    let time: Int64
    let session: Session
  }

  /// The session of the system in which something was written: a start of the system, and the device
  /// below the file system with its mount, which are others after a stick was pulled out.
  struct Session: Equatable {
    let boot: String
    let device: String
  }

  /// What stands after a record: when it was applied, in nanoseconds since 1970, and in which session.
  struct Applied: Equatable {
    let session: Session
    let time: Int64
  }

  let path: String

  /// The size above which the journal is emptied, in bytes; a use takes some 2,000.
  static let most = 1 << 20

  /// The session of now; another one with each look where the system does not tell.
  func session() -> Session {
    var status = stat()
    let folder = path.split(separator: "/").dropLast().joined(separator: "/")
    let isThere = lstat("/" + folder, &status) == 0
    let device = isThere ? "\(status.st_dev)\(Self.mount(of: "/" + folder))" : "unknown"
    return Session(boot: Self.boot() ?? "unknown-\(wallClock())", device: device)
  }

  /// Which mount of its disk a folder is on, where the system gives each another number; else nothing.
  private static func mount(of folder: String) -> String {
    let number = larder_mount_number(folder)
    return number == 0 ? "" : "-\(number)"
  }

  private static func boot() -> String? {
    var text = [CChar](repeating: 0, count: 64)
    #if canImport(Darwin)
      var count = text.count
      guard sysctlbyname("kern.bootsessionuuid", &text, &count, nil, 0) == 0 else { return nil }
    #else
      guard let file = fopen("/proc/sys/kernel/random/boot_id", "re") else { return nil }
      defer { fclose(file) }
      guard fgets(&text, Int32(text.count), file) != nil else { return nil }
    #endif
    let name = text.prefix { $0 > 0x20 }.map { UInt8(bitPattern: $0) }
    return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
  }
}

// MARK: - Writing

extension Journal {
  /// Adds a record, without waiting, and returns the size from before it.
  ///
  /// On failure the journal is as before.
  func append(_ record: Record) throws(StoreError) -> Int64 {
    let size = FileState(of: path)?.size ?? 0
    do throws(StoreError) {
      try SystemFile.append(record.bytes, to: path)
    } catch {
      truncate(path, off_t(size))
      throw error
    }
    return size
  }

  /// Waits until the records are on the disk.
  func wait(isNew: Bool) throws(StoreError) {
    try onFile { makeBytesDurable($0) }
    if isNew { try SystemFile.synchronizeFolder(FilePath(path).folder.text) }
  }

  /// Notes that the last record was applied.
  func noteApplied() throws(StoreError) {
    guard let sum = try tail().sum else { return }
    let now = session()
    let line = "applied \(sum) \(now.boot) \(now.device) \(wallClock())\n"
    try SystemFile.append(Array(line.utf8), to: path)
  }

  /// Takes back everything from an offset on, and waits for that.
  func cut(to size: Int64) throws(StoreError) {
    guard FileState(of: path) != nil else { return }
    try onFile { ftruncate($0, off_t(size)) }
    try onFile { makeBytesDurable($0) }
  }

  /// Empties the journal; everything that it says must be on the disk.
  func empty() throws(StoreError) {
    guard FileState(of: path) != nil else { return }
    try onFile { ftruncate($0, 0) }
  }

  private func onFile(_ call: (Int32) -> Int32) throws(StoreError) {
    let file = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { throw SystemFile.failure("write", path) }
    defer { close(file) }
    guard call(file) == 0 else { throw SystemFile.failure("write", path) }
  }
}

// MARK: - Reading

extension Journal {
  /// The end of the journal: the sum of its last record, and whether that was applied.
  private func tail() throws(StoreError) -> (sum: String?, applied: Applied?) {
    let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return (nil, nil) }
      throw SystemFile.failure("read", path)
    }
    defer { close(file) }
    let longest = 512
    let size = lseek(file, 0, SEEK_END)
    var bytes = [UInt8](repeating: 0, count: longest)
    let count = pread(file, &bytes, longest, max(0, size - off_t(longest)))
    guard count >= 0 else { throw SystemFile.failure("read", path) }
    guard count > 0, bytes[count - 1] == UInt8(ascii: "\n"),
      let line = bytes[..<(count - 1)].split(separator: UInt8(ascii: "\n")).last
    else { return (nil, nil) }
    let words = String(decoding: line, as: UTF8.self).split(separator: " ").map(String.init)
    if words.count == 2, words[0] == "end" { return (words[1], nil) }
    return (words.count > 1 ? words[1] : nil, Self.applied(words))
  }

  private static func applied(_ words: [String]) -> Applied? {
    guard words.count == 5, words[0] == "applied", let time = Int64(words[4]) else { return nil }
    return Applied(session: Session(boot: words[2], device: words[3]), time: time)
  }

  /// Whether there is something to do again or to finish; it looks at the journal's end only.
  var isUnfinished: Bool {
    get throws(StoreError) {
      guard let size = FileState(of: path)?.size, size > 0 else { return false }
      return try tail().applied?.session != session()
    }
  }

  /// A record, and when it was applied; nil if a process died before that.
  struct Entry {
    let record: Record
    /// The offset of its first byte.
    let start: Int64
    let applied: Applied?

    /// The last session that dealt with it.
    var session: Session { applied?.session ?? record.session }
  }

  /// The checksum of the last record; nil without one, and if it can't be read.
  var lastSum: String? {
    do throws(StoreError) {
      return try tail().sum
    } catch {
      return nil
    }
  }

  /// Whether the last record was applied, in any session.
  var isApplied: Bool { get throws(StoreError) { try tail().applied != nil } }

  /// Returns the records, and the size of the part that is whole.
  func read() throws(StoreError) -> (records: [Entry], whole: Int64) {
    guard FileState(of: path) != nil else { return ([], 0) }
    let bytes = try SystemFile.read(path)
    var records: [Entry] = []
    var place = 0
    while let (record, sum, end) = Record.read(bytes, at: place) {
      let start = Int64(place)
      place = end
      var applied: Applied?
      while let (line, next) = Self.line(of: bytes, at: place),
        line.starts(with: "applied \(sum) ".utf8)
      {
        applied = Self.applied(
          String(decoding: line, as: UTF8.self).split(separator: " ").map(String.init))
        place = next
      }
      records.append(Entry(record: record, start: start, applied: applied))
    }
    return (records, Int64(place))
  }

  fileprivate static func line(of bytes: [UInt8], at place: Int) -> (ArraySlice<UInt8>, next: Int)?
  {
    guard place < bytes.count, let end = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) else {
      return nil
    }
    return (bytes[place..<end], end + 1)
  }
}

extension Journal.Record {
  var bytes: [UInt8] {
    var body = transaction.commit ?? []
    var entries: [JSON] = []
    for file in transaction.files {
      entries.append(
        .object([
          JSONMember("path", .string(file.path.text)),
          JSONMember("old", file.old.map { .string($0.hex) } ?? .null),
          JSONMember("new", file.new.map { .string($0.hex) } ?? .null),
          JSONMember("mode", .string(file.mode.journalName)),
          JSONMember("length", file.bytes.map { .number("\($0.count)") } ?? .null),
        ]))
      body += file.bytes ?? []
    }
    var members: [JSONMember] = []
    if let move = transaction.move {
      members = [
        JSONMember("reference", .string(move.reference)),
        JSONMember("from", move.from.map { .string($0.hex) } ?? .null),
        JSONMember("to", .string(move.to.hex)),
      ]
    }
    members += [
      JSONMember("reason", .string(reason)), JSONMember("time", .number("\(time)")),
      JSONMember("boot", .string(session.boot)), JSONMember("device", .string(session.device)),
      JSONMember("commit", transaction.commit.map { .number("\($0.count)") } ?? .null),
      JSONMember("files", .array(entries)),
    ]
    let head = JSON.object(members).writeFile()
    var bytes = Array("record \(head.count) \(body.count)\n".utf8) + head + body
    bytes += Array("end \(Self.sum(of: bytes[...]))\n".utf8)
    return bytes
  }

  private static func sum(of bytes: ArraySlice<UInt8>) -> String {
    Repository.blobID(of: Array(bytes)).hex
  }

  /// Reads the record at an offset; nil if there is none that is whole.
  fileprivate static func read(_ bytes: [UInt8], at place: Int) -> (Self, sum: String, end: Int)? {
    guard let (line, start) = Journal.line(of: bytes, at: place) else { return nil }
    let words = String(decoding: line, as: UTF8.self).split(separator: " ")
    guard words.count == 3, words[0] == "record", let head = Int(words[1]),
      let body = Int(words[2]),
      (0...bytes.count).contains(head), (0...bytes.count).contains(body),
      start + head + body < bytes.count,
      let (end, next) = Journal.line(of: bytes, at: start + head + body)
    else { return nil }
    let sum = sum(of: bytes[place..<(start + head + body)])
    guard end.elementsEqual("end \(sum)".utf8),
      let record = Self(
        head: Array(bytes[start..<(start + head)]),
        body: bytes[(start + head)..<(start + head + body)])
    else { return nil }
    return (record, sum, next)
  }

  init(
    _ transaction: Transaction, reason: String, in session: Journal.Session,
    at time: Int64 = wallClock()
  ) {
    (self.transaction, self.reason, self.session) = (transaction, reason, session)
    self.time = time
  }

  private init?(head: [UInt8], body: ArraySlice<UInt8>) {
    guard let json = try? JSON(parsing: head), let entries = json["files"]?.array,
      let reason = json["reason"]?.string, let time = json["time"]?.number.flatMap({ Int64($0) }),
      let boot = json["boot"]?.string, let device = json["device"]?.string
    else { return nil }
    var rest = body
    func take(_ length: JSON?) -> [UInt8]? {
      guard let count = length?.number.flatMap({ Int($0) }) else { return nil }
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
    transaction = Transaction(move: nil, files: [], commit: take(json["commit"]))
    if let reference = json["reference"]?.string {
      guard let to = json["to"]?.string.flatMap(ObjectID.init(hex:)) else { return nil }
      transaction.move = Transaction.Move(
        reference: reference, from: json["from"]?.string.flatMap(ObjectID.init(hex:)), to: to)
    }
    for entry in entries {
      guard let path = entry["path"]?.string else { return nil }
      transaction.files.append(
        Transaction.File(
          path: FilePath(path), old: entry["old"]?.string.flatMap(ObjectID.init(hex:)),
          new: entry["new"]?.string.flatMap(ObjectID.init(hex:)),
          mode: FileMode(journalName: entry["mode"]?.string), bytes: take(entry["length"])))
    }
    (self.reason, self.time) = (reason, time)
    session = Journal.Session(boot: boot, device: device)
  }
}

extension FileMode {
  fileprivate var journalName: String {
    switch self {
    case .executable: "executable"
    case .symlink: "symlink"
    case .submodule: "submodule"
    case .file: "file"
    }
  }

  fileprivate init(journalName: String?) {
    switch journalName {
    case "executable": self = .executable
    case "symlink": self = .symlink
    case "submodule": self = .submodule
    default: self = .file
    }
  }
}
