internal import LarderGit
internal import LarderJSON
internal import LarderModel
internal import LarderText

/// An atomic change of files and history.
///
/// First the objects are written, then the journal, then the new files under temporary names, so
/// that a full disk is detected before anything changes. Then the branch moves by compare-and-swap,
/// the files are exchanged one by one, and the index follows. If a process dies in between, the
/// next one rolls back or completes the transaction by its journal.
struct Transaction {
  struct File {
    let path: FilePath
    /// The expected blob in the work tree; nil for none.
    let old: ObjectID?
    /// The new blob; nil to remove the file.
    let new: ObjectID?
    /// The mode of the new file: ordinary, executable or a symbolic link.
    let mode: FileMode
    /// The content of the new blob; nil if it has to be read, as after a crash.
    var bytes: [UInt8]?

    /// Whether it removes a file at a path that is not allowed.
    ///
    /// Such a file was never written, so nothing is done.
    var isOutOfReach: Bool { new == nil && PathRule.fault(in: path) != nil }
  }

  /// The move of a branch to a commit, with its expected value; nil if only files change.
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
        JSONMember("path", .string(file.path.text)),
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

  /// Reads a journal.
  ///
  /// Nil if it is incomplete; then nothing else was done.
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
        path: FilePath(path), old: entry["old"]?.string.flatMap(ObjectID.init(hex:)),
        new: entry["new"]?.string.flatMap(ObjectID.init(hex:)),
        mode: FileMode(journalName: entry["mode"]?.string))
    }
  }
}

extension Store {
  func run(_ transaction: Transaction, reason: String, by signature: Signature) throws(StoreError) {
    guard let folder = deviceFolder else { throw .notARepository(root: root) }
    let journal = Transaction.journalPath(folder)
    if !transaction.files.isEmpty { try refuseDamagedIndex() }
    // The previous transaction may have left the index behind; its journal shows that.
    try recover()
    var prepared: Set<FilePath> = []
    do throws(StoreError) {
      try SystemFile.replace(journal, with: transaction.journal)
      try SystemFile.synchronizeFolder(folder)
      prepared = try prepare(transaction.files)
      try move(transaction, reason: reason, by: signature)
    } catch {
      // The ref moved but fsync failed; nothing is rolled back.
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
      // The commit and the files are done. The next command updates the index, by the journal.
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

  /// Updates the index for a transaction whose files are in place, and removes its journal.
  private func close(_ transaction: Transaction) throws(StoreError) {
    guard let folder = deviceFolder else { return }
    if !transaction.files.isEmpty {
      try whileIndexIsFree { () throws(StoreError) in
        try refreshIndex(transaction)
      }
    }
    try SystemFile.remove(Transaction.journalPath(folder))
  }

  /// Completes or rolls back the transaction of a killed process; usually there is none.
  func recover() throws(StoreError) {
    guard let transaction = try recoverFiles() else { return }
    try close(transaction)
  }

  /// Like `recover`, but ignores errors of the index, so that a full disk or a running git does not
  /// prevent reading.
  func recoverForReading() throws(StoreError) {
    guard let transaction = try recoverFiles() else { return }
    do throws(StoreError) {
      try close(transaction)
    } catch {
      return
    }
  }

  /// Recovers the files of an unfinished transaction; nil if the transaction is over.
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

  /// Whether the checked-out branch contains a transaction's commit.
  private func hasMoved(_ transaction: Transaction) throws(StoreError) -> Bool {
    guard let move = transaction.move else { return false }
    return try git { repository throws(GitError) in
      guard try repository.head().reference == move.reference,
        let current = try repository.reference(move.reference)
      else { return false }
      return try repository.isAncestor(move.to, of: current)
    }
  }

  /// Removes the lock on the branch that a killed larder process left.
  ///
  /// It is empty, or has the beginning of the journal's commit id. Any other lock belongs to a
  /// running process.
  private func removeOwnLock(of move: Transaction.Move) throws(StoreError) {
    guard let repository else { return }
    let path = repository.lockPath(of: move.reference)
    guard FileState(of: path)?.kind == .file else { return }
    let text = String(decoding: try SystemFile.read(path), as: UTF8.self)
    guard (move.to.hex + "\n").hasPrefix(text) else { return }
    try SystemFile.remove(path)
  }

  /// Rolls back a transaction before its commit.
  ///
  /// On failure, the next command does it, by the journal.
  private func giveUp(_ transaction: Transaction) throws(StoreError) {
    do throws(StoreError) {
      try abandon(transaction)
    } catch {
      return
    }
  }

  /// Rolls back a transaction whose commit is not in the branch.
  ///
  /// Edits that were swapped out go back.
  ///
  /// The branch never moved, or somebody moved it away since.
  private func abandon(_ transaction: Transaction) throws(StoreError) {
    guard let folder = deviceFolder else { return }
    for file in transaction.files where !file.isOutOfReach {
      do throws(StoreError) {
        try settle(TemporaryFile.path(for: file.path), file, file.path)
        if file.old == nil { try files.removeEmptyFolders(above: file.path) }
      } catch {
        // Behind a link, or in a folder that became a file, nothing is larder's.
        guard case .noFolder = error else { throw error }
      }
    }
    if let move = transaction.move { try forgetLog(of: move) }
    try SystemFile.remove(Transaction.journalPath(folder))
  }

  /// Removes the reflog of a branch that was not created.
  ///
  /// Git writes it before the branch, and without the branch it would look like a lost one.
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

  /// Sets the index entries of a transaction's files to those of HEAD.
  private func refreshIndex(_ transaction: Transaction) throws(StoreError) {
    try git { repository throws(GitError) in
      guard let commit = try repository.head().commit else { return }
      var entries: [FilePath: (ObjectID, FileMode)?] = [:]
      if commit == transaction.move?.to {
        // The tree of its commit has exactly these files, and reading it takes long.
        for file in transaction.files {
          entries[file.path] = .some(file.new.map { ($0, file.mode) })
        }
      } else {
        let listing = TreeListing(repository, try repository.commit(commit).tree)
        for file in transaction.files {
          let entry = try listing.entry(at: file.path)
          entries[file.path] = .some(entry.map { ($0.id, $0.mode) })
        }
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
