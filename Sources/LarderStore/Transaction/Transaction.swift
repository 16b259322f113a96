internal import LarderGit
internal import LarderModel
internal import LarderText
internal import Libc

/// An atomic change of files and history.
///
/// First the objects are written, then a record in the journal, then the new files under temporary names,
/// so that a full disk is detected before anything changes. When the journal is on the disk, which is the
/// only wait, the branch moves by compare-and-swap, the files are exchanged one by one, and the index
/// follows. If the process dies in between, the next one takes the transaction back or completes it;
/// if the system does, it does the transaction again (``Store/reinstate()``).
struct Transaction {
  struct File {
    let path: FilePath
    /// The expected blob in the work tree; nil for none.
    var old: ObjectID?
    /// The new blob; nil to remove the file.
    let new: ObjectID?
    /// The mode of the new file: ordinary, executable or a symbolic link.
    let mode: FileMode
    /// The content of the new blob; nil if it has to be read, as after a crash.
    var bytes: [UInt8]?

    /// Its temporary name.
    ///
    /// It is this version's alone: a power cut may leave the file of a later version, without that one's
    /// record.
    var temporary: FilePath { TemporaryFile.path(for: path, of: new ?? old) }

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

  /// The bytes of the commit, if it was made here; nil for one that was fetched, which git wrote durably.
  var commit: [UInt8]?

  /// Whether the journal waits for it.
  ///
  /// The references of Larder's own are written durably themselves, because nobody but Larder knows
  /// whether they were moved or removed on purpose.
  var isAwaited: Bool { move.map { !$0.reference.begins(withBytesOf: "refs/larder/") } ?? true }
}

extension Store {
  func run(_ transaction: Transaction, reason: String, by signature: Signature) throws(StoreError) {
    guard let journal else { throw .notARepository(root: root) }
    if !transaction.files.isEmpty { try refuseDamagedIndex() }
    // The previous transaction may have left the index behind; the journal shows that.
    if !isReinstating { try recover() }
    var transaction = transaction
    transaction.files = try clearWay(for: transaction)
    let size = try journal.append(
      Journal.Record(transaction, reason: reason, in: journal.session()))
    var prepared: Set<FilePath> = []
    do throws(StoreError) {
      try refuseLateEdits(of: transaction.files)
      prepared = try prepare(transaction.files)
      if transaction.isAwaited { try journal.wait(isNew: size == 0) }
      try move(transaction, reason: reason, by: signature)
    } catch {
      // The ref moved but fsync failed; nothing is rolled back.
      guard try hasMoved(transaction) else {
        try giveUp(transaction, from: size)
        throw error
      }
    }
    hasCommitted = true
    if let move = transaction.move, transaction.isAwaited {
      Acknowledged.note(journal.lastSum, move, of: journal.path)
    }
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
        move.reference, to: move.to, expecting: move.from, reason: reason, by: signature,
        waiting: !transaction.isAwaited)
    }
  }

  /// Updates the index for a transaction whose files are in place, and notes that it was applied.
  private func close(_ transaction: Transaction) throws(StoreError) {
    guard let journal else { return }
    if !transaction.files.isEmpty {
      try whileIndexIsFree { () throws(StoreError) in
        try refreshIndex(transaction)
      }
      if let repository { startWriting(at: repository.indexPath) }
    }
    try journal.noteApplied()
    if FileState(of: journal.path)?.size ?? 0 > Journal.most { try emptyJournal() }
  }

  /// Empties the journal, after waiting for all that it says to be on the disk.
  func emptyJournal() throws(StoreError) {
    try waitForDisk()
    guard let journal else { return }
    Acknowledged.forget(journal.path)
    try journal.empty()
  }

  /// Waits until all that was written to the household and its repository is on the disk.
  func waitForDisk() throws(StoreError) {
    guard let repository else { return }
    for folder in Set([root, repository.commonDirectory, repository.gitDirectory]) {
      try OpenFolder(root: folder).synchronizeAll()
    }
  }

  /// The journal; nil without a repository.
  var journal: Journal? { deviceFolder.map { Journal(path: $0 + "/journal") } }

  /// Whether a process was killed in a transaction, or the system after one.
  var hasUnfinishedTransaction: Bool {
    do throws(StoreError) {
      guard let journal else { return false }
      return try journal.isUnfinished || hasFallenBack(journal)
    } catch {
      // Whoever writes reads it again, and says so.
      return true
    }
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
    guard hasUnfinishedTransaction, let journal else { return nil }
    let (records, whole) = try journal.read()
    let size = FileState(of: journal.path)?.size ?? 0
    // The process died while it wrote a record; then it did nothing else.
    if whole < size { try journal.cut(to: whole) }
    // What an earlier session left is done again, never taken back; and so is what was told of as done.
    guard let last = records.last, last.applied == nil, last.session == journal.session(),
      !hasFallenBack(journal)
    else { return nil }
    let transaction = last.record.transaction
    try git { repository throws(GitError) in try repository.removeLeftIndexLock() }
    if let move = transaction.move {
      try removeOwnLock(of: move)
      guard try hasMoved(transaction) else {
        try abandon(transaction, from: last.start)
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
  private func giveUp(_ transaction: Transaction, from size: Int64) throws(StoreError) {
    do throws(StoreError) {
      try abandon(transaction, from: size)
    } catch {
      return
    }
  }

  /// Rolls back a transaction whose commit is not in the branch.
  ///
  /// Edits that were swapped out go back.
  ///
  /// The branch never moved, or somebody moved it away since.
  ///
  /// Its record begins at an offset of the journal, and goes.
  private func abandon(_ transaction: Transaction, from size: Int64) throws(StoreError) {
    for file in transaction.files where !file.isOutOfReach {
      do throws(StoreError) {
        try settle(file.temporary, file, file.path)
        if file.old == nil { try files.removeEmptyFolders(above: file.path) }
      } catch {
        // Behind a link, or in a folder that became a file, nothing is larder's.
        guard case .noFolder = error else { throw error }
      }
    }
    if let move = transaction.move { try forgetLog(of: move) }
    try journal?.cut(to: size)
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
