public import LarderGit
public import LarderModel

/// The result of a write.
public struct Writing: Sendable {
  /// The household afterwards.
  public let household: Household
  /// The keys that the command changed, in order; empty if it changed nothing.
  public let changed: [EntityKey]
  /// The command's commit; nil if it changed nothing.
  public let commit: ObjectID?
  /// The adoption before the command; nil if there was nothing to adopt.
  public let adoption: Adoption?
  /// The household that the command found, after adoption, and its commit.
  package let base: (household: Household, commit: ObjectID?)

  /// The adoption before a command.
  public struct Adoption: Sendable {
    public let notes: [HouseholdAdoption.Note]
    public let changed: [EntityKey]
    /// The number of plain commits that were read.
    public let plainCommits: Int
    /// The commits made by the adoption.
    public let commits: [ObjectID]
    /// The household of HEAD before the adoption.
    public let before: Household

    /// Returns the adoption with other notes.
    package func telling(_ notes: [HouseholdAdoption.Note]) -> Adoption {
      Adoption(
        notes: notes, changed: changed, plainCommits: plainCommits, commits: commits, before: before
      )
    }
  }
}

/// The result of a write, or the reason why `body` refused.
package typealias Attempt<Value, Refusal: Error> = Result<(writing: Writing, value: Value), Refusal>

/// The parts of a command's commit message.
struct CommitWords {
  let subject: String
  let command: String
  let trailers: [(key: String, value: String?)]

  init(_ subject: String, command: String, _ trailers: [(key: String, value: String?)]) {
    self.subject = subject
    self.command = command
    self.trailers = trailers
  }
}

extension Store {
  /// Makes one commit of the changes in `body`, after adopting edits.
  ///
  /// `command` is the command's name in the commit's trailer, `request` the request that it serves.
  /// `body` returns the commit's subject. If `body` throws, the edits stay adopted, as reported to
  /// `adopted`, and nothing else changes.
  public func write(
    _ command: String, request: String? = nil,
    adopted: (Writing.Adoption, Household) -> Void = { _, _ in },
    _ body: (inout Edit, Writer) throws -> String
  ) throws -> Writing {
    try attempt(command, request: request, adopted: adopted) { edit, writer in
      (try body(&edit, writer), ())
    }.get().writing
  }

  /// Like `write`, but separates the body's error from the store's errors, and returns the body's
  /// value.
  package func attempt<Value, Refusal: Error>(
    _ command: String, request: String?,
    adopted: (Writing.Adoption, Household) -> Void = { _, _ in },
    _ body: (inout Edit, Writer) throws(Refusal) -> (subject: String, value: Value)
  ) throws(StoreError) -> Attempt<Value, Refusal> {
    try attempt(adopted: adopted) { (edit, writer, _) throws(Refusal) in
      let (subject, value) = try body(&edit, writer)
      return (CommitWords(subject, command: command, [("Larder-Request", request)]), value)
    }
  }

  /// Like `write`, but `body` returns the whole message and gets the loaded commits.
  func attempt<Value, Refusal: Error>(
    adopted: (Writing.Adoption, Household) -> Void,
    _ body: (inout Edit, Writer, Loaded) throws(Refusal) -> (CommitWords, Value)
  ) throws(StoreError) -> Attempt<Value, Refusal> {
    if context.isRehearsal { return try rehearse(body) }
    return try whileLocked { () throws(StoreError) in
      var loaded = try loadWithoutKeeping()
      try checkFormat(loaded)
      let adoption = try adopt(&loaded)
      if let adoption { adopted(adoption, loaded.household) }
      var edit = Edit(loaded.household)
      let base = (edit.before, loaded.head.commit)
      let writer = try writer()
      let (words, value): (CommitWords, Value)
      do throws(Refusal) {
        (words, value) = try body(&edit, writer, loaded)
      } catch {
        keepSnapshot(of: loaded)
        return .failure(error)
      }
      let message = try message(words.subject, command: words.command, words.trailers)
      try addConsequences(to: &edit, writer, loaded)
      let commit = try commit(edit.changed, edit.after, message, &loaded)
      let writing = Writing(
        household: edit.after, changed: edit.changed, commit: commit, adoption: adoption,
        base: base)
      return .success((writing, value))
    }
  }

  /// Does what `body` would change, as after the adoption of edits, in memory only.
  private func rehearse<Value, Refusal: Error>(
    _ body: (inout Edit, Writer, Loaded) throws(Refusal) -> (CommitWords, Value)
  ) throws(StoreError) -> Attempt<Value, Refusal> {
    try recoverBeforeReading()
    let loaded = try load()
    try checkFormat(loaded)
    var edit = Edit(loaded.household)
    let base = (edit.before, loaded.head.commit)
    let writer = try writer()
    let value: Value
    do throws(Refusal) {
      (_, value) = try body(&edit, writer, loaded)
    } catch {
      return .failure(error)
    }
    try addConsequences(to: &edit, writer, loaded)
    let writing = Writing(
      household: edit.after, changed: edit.changed, commit: nil, adoption: nil, base: base)
    return .success((writing, value))
  }

  /// Adds what follows from a command's changes by itself.
  private func addConsequences(
    to edit: inout Edit, _ writer: Writer, _ loaded: Loaded
  ) throws(StoreError) {
    let hasBatches = edit.changed.contains { $0.kind == .inventoryItem }
    if hasBatches, try archivesConsumed { edit.archiveConsumed(now: writer.now) }
    edit.ensureShoppingForLowStock()
    try refuseVain(edit, loaded)
  }

  /// Adopts edits made with an editor or plain git, and does nothing else.
  public func adopt() throws -> Writing {
    try whileLocked { () throws(StoreError) in
      var loaded = try loadWithoutKeeping()
      try checkFormat(loaded)
      let adoption = try adopt(&loaded)
      if adoption?.commits.isEmpty ?? true { keepSnapshot(of: loaded) }
      return Writing(
        household: loaded.household, changed: [], commit: adoption?.commits.last,
        adoption: adoption, base: (loaded.household, loaded.head.commit))
    }
  }

  func writer() throws(StoreError) -> Writer {
    let now = context.now()
    guard let userID = try userID else { throw .noUserID }
    return Writer(
      now: now, device: try device, userID: userID, newID: { [context] in context.newID(now) })
  }

  /// Runs `body` under the lock, when no git operation is in progress.
  package func whileLocked<Value>(_ body: () throws -> Value) throws -> Value {
    try whileLocked { () throws(StoreError) -> Result<Value, any Error> in
      do {
        return .success(try body())
      } catch let error as StoreError {
        throw error
      } catch {
        return .failure(error)
      }
    }.get()
  }

  /// Runs `body`, which throws only the store's errors, under the lock.
  package func whileLocked<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError)
    -> Value
  {
    guard let repository, let folder = deviceFolder else {
      throw StoreError.notARepository(root: root)
    }
    let lock = try HouseholdLock(folder: folder, patience: context.patience)
    defer { lock.release() }
    if let operation = repository.operationInProgress() {
      throw StoreError.operationInProgress(operation)
    }
    try waitForIndex(repository)
    if repository.indexDamage(forWriting: true) != nil {
      throw StoreError.indexDamaged(path: repository.indexPath)
    }
    guard try userID != nil else { throw StoreError.noUserID }
    try recover()
    return try whileForestalled(body)
  }

  /// Runs `body` again if plain git, which does not know larder's lock, moved the branch in the
  /// meantime.
  private func whileForestalled<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError)
    -> Value
  {
    let began = ContinuousClock.now
    while true {
      do throws(StoreError) {
        return try body()
      } catch {
        let waited = ContinuousClock.now - began
        guard error.isForestalled, waited < Duration.milliseconds(context.patience) else {
          throw error
        }
        pause(milliseconds: Int64.random(in: 5...25))
      }
    }
  }

  /// Runs `body`, which talks to a remote, in one process at a time.
  ///
  /// Others may write in the meantime.
  package func whileSyncing<Value>(_ body: () throws -> Value) throws -> Value {
    let lock = try syncLock()
    defer { lock.release() }
    return try body()
  }

  /// Takes the lock for talking to a remote; the caller releases it.
  package func syncLock() throws(StoreError) -> HouseholdLock {
    guard let folder = deviceFolder else { throw .notARepository(root: root) }
    return try HouseholdLock(folder: folder, name: "sync-lock", patience: context.patience)
  }

  /// Waits for a git process that is writing the index.
  ///
  /// Throws if the lock stays, because it may be stale.
  ///
  /// A lock left by larder, as the journal shows, is removed.
  private func waitForIndex(_ repository: Repository) throws(StoreError) {
    if hasUnfinishedTransaction {
      try git { repository throws(GitError) in try repository.removeLeftIndexLock() }
    }
    var waited: Int64 = 0
    while repository.isIndexLocked {
      guard waited < min(context.patience, 2000) else {
        throw .indexLocked(path: repository.indexLockPath)
      }
      pause(milliseconds: 50)
      waited += 50
    }
  }

  /// Runs `body`, which writes the index, when no git process is writing it.
  func whileIndexIsFree(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    let began = ContinuousClock.now
    while true {
      do throws(StoreError) {
        try body()
        return
      } catch {
        let waited = ContinuousClock.now - began
        let patience = Duration.milliseconds(min(context.patience, 2000))
        guard error.isForestalled, waited < patience else { throw error }
        pause(milliseconds: 20)
      }
    }
  }

  func checkFormat(_ loaded: Loaded) throws(StoreError) {
    let path = Kind.householdPath
    if let mistakes = loaded.household.unreadable[path] { throw .unreadable(path: path, mistakes) }
    guard let own = loaded.household.own else { throw .notAHousehold(directory: root) }
    guard Schema.knows(format: own.format) else { throw .newerFormat(own.format) }
  }

  /// Returns a commit's message; trailers without a value are left out.
  func message(
    _ subject: String, command: String, _ more: [(key: String, value: String?)] = []
  ) throws(StoreError) -> String {
    let own = [("Larder-Command", command), ("Larder-Device", try device)]
    let others = more.compactMap { trailer in trailer.value.map { (trailer.key, $0) } }
    return Trailers.message(subject, (own + others).map { (key: $0.0, value: $0.1) })
  }

  /// Returns the author of commits: git's settings, otherwise the device.
  func signature() throws(StoreError) -> Signature {
    let device = try device
    let seconds = context.now().milliseconds / 1000
    return Signature(
      name: try cleanSetting("user.name") ?? device,
      email: try cleanSetting("user.email") ?? "\(device)@larder.invalid",
      seconds: min(max(seconds, 0), Signature.latestSecond), offsetMinutes: 0)
  }

  /// Returns a setting as git can store it in a commit; nil if nothing is left of it.
  private func cleanSetting(_ key: String) throws(StoreError) -> String? {
    let clean = Signature.cleaned(try setting(key) ?? "")
    return clean.isEmpty ? nil : clean
  }
}
