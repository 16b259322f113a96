internal import LarderGit
internal import LarderText
internal import Libc

/// A note in the memory of the system that a record of a journal was done and told of: where it moved which
/// branch.
///
/// It is on no disk. So it knows what a stick or a disk in the network has forgotten that was away and is
/// back, with the same start of the system: what was told of as done is done again then, and not taken back
/// like the command of a killed process, which leaves no such note.
struct Acknowledged {
  let reference: String
  let commit: ObjectID

  /// The note about the last record of a journal, by the record's checksum; nil if there is none.
  init?(_ sum: String?, of journal: String) {
    guard let sum else { return nil }
    var bytes = [UInt8](repeating: 0, count: Self.room)
    let count = Self.onMemory { pread($0, &bytes, Self.room, Self.place(of: journal)) }
    guard count == Self.room else { return nil }
    let words = bytes.split(separator: UInt8(ascii: " ")).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard words.count == 4, words[0].hasSameBytes(as: sum), let id = ObjectID(hex: words[2]) else {
      return nil
    }
    (reference, commit) = (words[1], id)
  }

  /// Notes that a journal's last record moved a branch, in place of the note before it.
  ///
  /// Where the system has no memory for files, nothing is noted.
  static func note(_ sum: String?, _ move: Transaction.Move, of journal: String) {
    guard let sum else { return }
    // A reference has no blank in its name.
    write(Array("\(sum) \(move.reference) \(move.to.hex) ".utf8), for: journal)
  }

  static func forget(_ journal: String) { write([], for: journal) }

  /// The bytes of a note, enough for the longest name that a file system allows.
  private static let room = 512
  /// The number of notes, one for each household that is in use until the system is started again.
  ///
  /// If there are more, one may take another's place.
  private static let places: UInt64 = 256

  private static func write(_ text: [UInt8], for journal: String) {
    guard text.count < room else { return }
    let bytes = text + [UInt8](repeating: 0, count: room - text.count)
    // A note that is not written is none.
    _ = onMemory { pwrite($0, bytes, room, place(of: journal)) }
  }

  private static func place(of journal: String) -> off_t {
    let hash = SHA1.digest(of: Array(journal.utf8)[...]).prefix(8)
    let number = hash.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return off_t(number % places) * off_t(room)
  }

  /// Runs a call on the file of notes; -1 if there is none that is this user's alone.
  private static func onMemory(_ call: (Int32) -> Int) -> Int {
    #if canImport(Darwin)
      return -1
    #else
      let file = open(
        "/dev/shm/larder-\(geteuid())", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard file >= 0 else { return -1 }
      defer { close(file) }
      var status = stat()
      guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        status.st_uid == geteuid(), status.st_mode & 0o077 == 0
      else { return -1 }
      return call(file)
    #endif
  }
}

extension Store {
  /// Whether the branch lacks what the last record of the journal moved it to, which was told of as done.
  ///
  /// The next look at git's logs finds out whether somebody moved it away.
  func hasFallenBack(_ journal: Journal) -> Bool {
    guard let repository, let done = Acknowledged(journal.lastSum, of: journal.path)
    else { return false }
    // Without a log, nobody knows whether somebody moved it.
    guard !ReferenceFiles(folder: repository.commonDirectory).log(of: done.reference).isEmpty else {
      return false
    }
    do throws(GitError) {
      guard let current = try repository.reference(done.reference) else { return true }
      if current == done.commit { return false }
      return try !repository.isAncestor(done.commit, of: current)
    } catch {
      // What can't be read is made anew.
      return true
    }
  }
}
