public import LarderGit
public import LarderModel

/// What a write came to.
public struct Writing: Sendable {
  /// The household afterwards.
  public let household: Household
  /// What the command changed, in the order it did; empty where it changed nothing.
  public let changed: [EntityKey]
  /// The command's commit; nil where it changed nothing.
  public let commit: ObjectID?
  /// What people had done before, and what was made of it; nil where there was nothing.
  public let adoption: Adoption?
  /// What the command found, with what people did adopted, and the commit that this is of.
  package let base: (household: Household, commit: ObjectID?)

  /// What was adopted before a command ran.
  public struct Adoption: Sendable {
    public let notes: [HouseholdAdoption.Note]
    public let changed: [EntityKey]
    /// Plain commits that were looked at.
    public let plainCommits: Int
    /// The commits that adopting made.
    public let commits: [ObjectID]

    /// The same with other notes.
    package func telling(_ notes: [HouseholdAdoption.Note]) -> Adoption {
      Adoption(notes: notes, changed: changed, plainCommits: plainCommits, commits: commits)
    }
  }
}

/// What a write came to, or why nothing was to be written.
package typealias Attempt<Value, Refusal: Error> = Result<(writing: Writing, value: Value), Refusal>

/// What a command's commit says.
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
  /// Makes one commit of what `body` changes, after adopting what people did.
  ///
  /// `command` names the command in the commit's trailer, `request` the request it serves; `body`
  /// gives the commit's subject. Where `body` throws, what people did stays adopted, as `adopted` was
  /// told, and nothing else has changed.
  public func write(
    _ command: String, request: String? = nil,
    adopted: (Writing.Adoption, Household) -> Void = { _, _ in },
    _ body: (inout Edit, Writer) throws -> String
  ) throws -> Writing {
    try attempt(command, request: request, adopted: adopted) { edit, writer in
      (try body(&edit, writer), ())
    }.get().writing
  }

  /// The same, telling why `body` refused apart from what the store could not do, and handing on what
  /// else it gives beside the subject.
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

  /// The same, where `body` gives the whole message and knows the household's commits.
  func attempt<Value, Refusal: Error>(
    adopted: (Writing.Adoption, Household) -> Void,
    _ body: (inout Edit, Writer, Loaded) throws(Refusal) -> (CommitWords, Value)
  ) throws(StoreError) -> Attempt<Value, Refusal> {
    try whileLocked { () throws(StoreError) in
      var loaded = try load()
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
        return .failure(error)
      }
      let message = try message(words.subject, command: words.command, words.trailers)
      let hasBatches = edit.changed.contains { $0.kind == .inventoryItem }
      if hasBatches, try archivesConsumed { edit.archiveConsumed(now: writer.now) }
      edit.ensureShoppingForZeroStock()
      try refuseVain(edit, loaded)
      let commit = try commit(edit.changed, edit.after, message, &loaded)
      let writing = Writing(
        household: edit.after, changed: edit.changed, commit: commit, adoption: adoption,
        base: base)
      return .success((writing, value))
    }
  }

  /// Adopts what people did with an editor or plain git, and does nothing else.
  public func adopt() throws -> Writing {
    try whileLocked { () throws(StoreError) in
      var loaded = try load()
      try checkFormat(loaded)
      let adoption = try adopt(&loaded)
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

  /// Does something under the lock, when nobody else is in the middle of something.
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

  /// The same for what fails in the store's own ways alone.
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
    if repository.indexDamage() != nil { throw StoreError.indexDamaged(path: repository.indexPath) }
    guard try userID != nil else { throw StoreError.noUserID }
    try recover()
    return try whileForestalled(body)
  }

  /// Does it anew where a plain git, which knows nothing of our lock, moved the branch meanwhile.
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

  /// Does something that talks to a remote, one process at a time; writing goes on meanwhile.
  package func whileSyncing<Value>(_ body: () throws -> Value) throws -> Value {
    let lock = try syncLock()
    defer { lock.release() }
    return try body()
  }

  /// Takes the lock of whoever talks to a remote, and keeps it.
  package func syncLock() throws(StoreError) -> HouseholdLock {
    guard let folder = deviceFolder else { throw .notARepository(root: root) }
    return try HouseholdLock(folder: folder, name: "sync-lock", patience: context.patience)
  }

  /// A git command that is running takes moments; a lock that stays longer may have been left behind.
  ///
  /// One that a larder left is removed, which the journal tells.
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

  /// Does something to the index once no git is writing it.
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
    guard own.format == "1" else { throw .newerFormat(own.format) }
  }

  /// A commit's message; trailers without a value are left out.
  func message(
    _ subject: String, command: String, _ more: [(key: String, value: String?)] = []
  ) throws(StoreError) -> String {
    let own = [("Larder-Command", command), ("Larder-Device", try device)]
    let others = more.compactMap { trailer in trailer.value.map { (trailer.key, $0) } }
    return Trailers.message(subject, (own + others).map { (key: $0.0, value: $0.1) })
  }

  /// Who commits are by: git's own settings, else the device.
  func signature() throws(StoreError) -> Signature {
    let device = try device
    let seconds = context.now().milliseconds / 1000
    return Signature(
      name: try cleanSetting("user.name") ?? device,
      email: try cleanSetting("user.email") ?? "\(device)@larder.invalid",
      seconds: min(max(seconds, 0), Signature.latestSecond), offsetMinutes: 0)
  }

  /// A setting as git can keep it in a commit; nil where nothing is left of it.
  private func cleanSetting(_ key: String) throws(StoreError) -> String? {
    let clean = Signature.cleaned(try setting(key) ?? "")
    return clean.isEmpty ? nil : clean
  }
}
