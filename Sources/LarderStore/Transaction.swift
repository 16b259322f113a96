internal import LarderGit
internal import LarderJSON
internal import LarderModel

/// One change of files and history: all of it, or nothing.
///
/// Objects are written first, then the journal, then the new files under temporary names, so that a
/// full disk is met before anything has happened. Then the branch moves by compare-and-swap, the
/// files are exchanged one by one, and the index follows. A process that dies in between leaves a
/// journal from which the next one gives up or finishes.
struct Transaction {
  struct File {
    let path: String
    /// The blob that lies in the work tree as far as we know; nil for none.
    let old: ObjectID?
    /// The blob to put there; nil to remove the file.
    let new: ObjectID?
    /// How the new file is kept: an ordinary file, an executable one or a symbolic link.
    let mode: FileMode

    /// Whether it goes from where no file may be: it never was put there, and stays out of the way.
    var isOutOfReach: Bool { new == nil && PathRule.fault(in: path) != nil }
  }

  /// The commit that the branch moves to, with the one it stands at; nil where only files change.
  struct Move {
    let reference: String
    let from: ObjectID?
    let to: ObjectID
  }

  var move: Move?
  var files: [File]

  static func journalPath(_ folder: String) -> String { folder + "/transaction" }

  var journal: [UInt8] {
    var members: [JSONMember] = []
    if let move {
      members.append(JSONMember("reference", .string(move.reference)))
      members.append(JSONMember("from", move.from.map { .string($0.hex) } ?? .null))
      members.append(JSONMember("to", .string(move.to.hex)))
    }
    let entries = files.map { file in
      JSON.object([
        JSONMember("path", .string(file.path)),
        JSONMember("old", file.old.map { .string($0.hex) } ?? .null),
        JSONMember("new", file.new.map { .string($0.hex) } ?? .null),
        JSONMember("mode", .string(file.mode.journalName)),
      ])
    }
    return JSON.object(members + [JSONMember("files", .array(entries))]).writeFile()
  }

  init(move: Move?, files: [File]) {
    self.move = move
    self.files = files
  }

  /// Reads a journal; nil for one that was not written to its end, which nothing followed.
  init?(journal: [UInt8]) {
    guard let json = try? JSON(parsing: journal), let entries = json["files"]?.array else {
      return nil
    }
    if let reference = json["reference"]?.string {
      guard let to = json["to"]?.string.flatMap(ObjectID.init(hex:)) else { return nil }
      move = Move(
        reference: reference, from: json["from"]?.string.flatMap(ObjectID.init(hex:)), to: to)
    }
    files = entries.compactMap { entry in
      guard let path = entry["path"]?.string else { return nil }
      return File(
        path: path, old: entry["old"]?.string.flatMap(ObjectID.init(hex:)),
        new: entry["new"]?.string.flatMap(ObjectID.init(hex:)),
        mode: FileMode(journalName: entry["mode"]?.string))
    }
  }
}

extension Store {
  func run(_ transaction: Transaction, reason: String, by signature: Signature) throws(StoreError) {
    guard let folder = deviceFolder else { throw .notARepository(root: root) }
    let journal = Transaction.journalPath(folder)
    // The one before may have left the index behind, which its journal remembers.
    try recover()
    var prepared: Set<String> = []
    do throws(StoreError) {
      try SystemFile.replace(journal, with: transaction.journal)
      try SystemFile.synchronizeFolder(folder)
      prepared = try prepare(transaction.files)
      try move(transaction, reason: reason, by: signature)
    } catch {
      // A branch that moved, with only its making durable failed, can't be taken back.
      guard try hasMoved(transaction) else {
        try giveUp(transaction)
        throw error
      }
    }
    hasCommitted = true
    do throws(StoreError) {
      try exchange(transaction.files, prepared: prepared)
    } catch {
      guard let move = transaction.move else { throw error }
      throw .filesBehind(move.to, error)
    }
    do throws(StoreError) {
      try close(transaction)
    } catch {
      // The commit is made and the files are there: the next command brings the index after them, by
      // the journal.
      return
    }
  }

  private func move(_ transaction: Transaction, reason: String, by signature: Signature)
    throws(StoreError)
  {
    guard let move = transaction.move else { return }
    try git { repository throws(GitError) in
      try removeLeftLock(of: move.reference, repository)
      try repository.updateReference(
        move.reference, to: move.to, expecting: move.from, reason: reason, by: signature)
    }
  }

  /// Brings the index to what a transaction says, whose files are there, and closes its journal.
  private func close(_ transaction: Transaction) throws(StoreError) {
    guard let folder = deviceFolder else { return }
    if !transaction.files.isEmpty {
      try whileIndexIsFree { () throws(StoreError) in
        try refreshIndex(transaction.files.map(\.path))
      }
    }
    try SystemFile.remove(Transaction.journalPath(folder))
  }

  /// Finishes what a process left that was killed; nothing to do is the usual case.
  func recover() throws(StoreError) {
    guard let transaction = try recoverFiles() else { return }
    try close(transaction)
  }

  /// The same for reading, which does without the index, so that a full disk or a git at work does not
  /// keep people from it.
  func recoverForReading() throws(StoreError) {
    guard let transaction = try recoverFiles() else { return }
    do throws(StoreError) {
      try close(transaction)
    } catch {
      return
    }
  }

  /// Brings the files to where a process left off; nil where the transaction is over.
  private func recoverFiles() throws(StoreError) -> Transaction? {
    guard hasUnfinishedTransaction, let folder = deviceFolder else { return nil }
    let path = Transaction.journalPath(folder)
    guard let transaction = Transaction(journal: try SystemFile.read(path)) else {
      try SystemFile.remove(path)
      return nil
    }
    try git { repository throws(GitError) in try repository.removeLeftIndexLock() }
    if let move = transaction.move {
      try removeOwnLock(of: move)
      guard try hasMoved(transaction) else {
        try abandon(transaction)
        return nil
      }
    }
    try exchange(transaction.files)
    return transaction
  }

  /// Whether the branch that is checked out has a transaction's commit.
  private func hasMoved(_ transaction: Transaction) throws(StoreError) -> Bool {
    guard let move = transaction.move else { return false }
    return try git { repository throws(GitError) in
      guard try repository.head().reference == move.reference,
        let current = try repository.reference(move.reference)
      else { return false }
      return try repository.isAncestor(move.to, of: current)
    }
  }

  /// Removes the lock on the branch that a killed process of ours left.
  ///
  /// That is one that is empty, or holds the commit of the journal, as far as it was written. Any
  /// other is somebody's who is at work.
  private func removeOwnLock(of move: Transaction.Move) throws(StoreError) {
    guard let repository else { return }
    let path = repository.lockPath(of: move.reference)
    guard FileState(of: path)?.kind == .file else { return }
    let text = String(decoding: try SystemFile.read(path), as: UTF8.self)
    guard (move.to.hex + "\n").hasPrefix(text) else { return }
    try SystemFile.remove(path)
  }

  /// Gives up a transaction before its commit; what can't be cleared away now the next command
  /// clears away, by the journal.
  private func giveUp(_ transaction: Transaction) throws(StoreError) {
    do throws(StoreError) {
      try abandon(transaction)
    } catch {
      return
    }
  }

  /// Gives up a transaction whose commit is not in the branch; edits that were swapped out go back.
  ///
  /// The commit never got there, or somebody has moved the branch since.
  private func abandon(_ transaction: Transaction) throws(StoreError) {
    guard let folder = deviceFolder else { return }
    for file in transaction.files where !file.isOutOfReach {
      do throws(StoreError) {
        try settle(TemporaryFile.path(for: file.path), file, file.path)
        if file.old == nil { try files.removeEmptyFolders(above: file.path) }
      } catch {
        // Behind a link, or in a folder that has become a file, lies nothing of ours.
        guard case .noFolder = error else { throw error }
      }
    }
    if let move = transaction.move { try forgetLog(of: move) }
    try SystemFile.remove(Transaction.journalPath(folder))
  }

  /// Removes the log of a branch that did not come to be: git writes it before the branch, and without
  /// the branch it would tell of a lost one.
  private func forgetLog(of move: Transaction.Move) throws(StoreError) {
    guard move.from == nil, let repository,
      try git({ _ throws(GitError) in try repository.reference(move.reference) }) == nil
    else { return }
    for (folder, name) in [
      (repository.commonDirectory, move.reference), (repository.gitDirectory, "HEAD"),
    ] where ReferenceFiles(folder: folder).log(of: name) == [move.to] {
      try SystemFile.remove("\(folder)/logs/\(name)")
    }
  }

  /// Sets the index entries of paths to what HEAD has there.
  private func refreshIndex(_ paths: [String]) throws(StoreError) {
    try git { repository throws(GitError) in
      guard let commit = try repository.head().commit else { return }
      let tree = try repository.commit(commit).tree
      var entries: [String: (ObjectID, FileMode)?] = [:]
      let listing = TreeListing(repository, tree)
      for path in paths {
        let entry = try listing.entry(at: path)
        entries[path] = .some(entry.map { ($0.id, $0.mode) })
      }
      try repository.refreshIndex(entries)
    }
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
