public import LarderGit
public import LarderModel
internal import LarderText

/// The result of a write.
public struct Writing: Sendable {
  /// The household afterwards.
  public let household: Household
  /// The keys that the command changed, in order; empty if it changed nothing.
  public let changed: [EntityKey]
  /// The command's commit; nil if it changed nothing.
  public internal(set) var commit: ObjectID?
  /// The adoption before the command; nil if there was nothing to adopt.
  public let adoption: Adoption?
  /// The household that the command found, after adoption, and its commit.
  package let base: (household: Household, commit: ObjectID?)
  /// What a change of an earlier moment wrote and somebody wrote later.
  public var overtaken: [Overtaken] = []

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

/// What a commit wrote with the value of its body, or the reason why the body refused.
package typealias CommitResult<Value, Refusal: Error> =
  Result<(writing: Writing, value: Value), Refusal>

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
  /// `body` returns the commit's subject and a value. If `body` throws, the result is its error, the
  /// edits stay adopted, as reported to `adopted`, and nothing else changes.
  ///
  /// With an origin, `body` gets the household as it was at the origin's moment, and what it changes
  /// is joined with the household of now.
  package func commit<Value, Refusal: Error>(
    as command: String, request: String? = nil, from origin: Origin? = nil,
    adopted: (Writing.Adoption, Household) -> Void = { _, _ in },
    _ body: (inout Edit, Writer) throws(Refusal) -> (subject: String, value: Value)
  ) throws(StoreError) -> CommitResult<Value, Refusal> {
    try commit(from: origin, adopted: adopted) { (edit, writer, _) throws(Refusal) in
      let (subject, value) = try body(&edit, writer)
      let served = origin?.request ?? request
      return (CommitWords(subject, command: command, [(ServedRequests.trailer, served)]), value)
    }
  }

  /// Makes one commit with the message that `body` returns; `body` gets the loaded commits too.
  func commit<Value, Refusal: Error>(
    from origin: Origin? = nil, adopted: (Writing.Adoption, Household) -> Void,
    _ body: (inout Edit, Writer, Loaded) throws(Refusal) -> (CommitWords, Value)
  ) throws(StoreError) -> CommitResult<Value, Refusal> {
    if context.isRehearsal { return try rehearse(body) }
    return try whileLocked { () throws(StoreError) in
      var loaded = try loadForWriting()
      try checkWritable(loaded)
      let adoption = try adopt(&loaded)
      if let adoption { adopted(adoption, loaded.household) }
      let base = (household: loaded.household, commit: loaded.head.commit)
      let past = try origin.flatMap { origin throws(StoreError) in
        try household(writtenUntil: origin.at, loaded)
      }
      var edit = Edit(past ?? base.household)
      let writer = try writer(origin)
      let (words, value): (CommitWords, Value)
      do throws(Refusal) {
        (words, value) = try body(&edit, writer, loaded)
      } catch {
        keepCache(of: loaded)
        return .failure(error)
      }
      let message = try message(
        words.subject, command: words.command, words.trailers, from: origin)
      try addConsequences(to: &edit, writer, loaded)
      let (after, changed) = try settle(edit, past, from: origin, message, &loaded)
      var writing = Writing(
        household: after, changed: changed, commit: loaded.head.commit, adoption: adoption,
        base: base)
      if writing.commit == base.commit { writing.commit = nil }
      if past != nil { writing.overtaken = after.overtaking(edit) }
      return .success((writing, value))
    }
  }

  /// Commits an edit; one of the past is joined with the household of now.
  private func settle(
    _ edit: Edit, _ past: Household?, from origin: Origin?, _ message: String,
    _ loaded: inout Loaded
  ) throws(StoreError) -> (Household, [EntityKey]) {
    let before = loaded.household
    var (after, changed) = (edit.after, edit.changed)
    if let past, let origin {
      after = before.joined(with: edit.after, base: past)
      changed = after.keys(differingFrom: before)
      if !after.keeps(edit) {
        after = try join(edit, from: origin, message, &loaded)
        return (after, after.keys(differingFrom: before))
      }
    }
    _ = try commit(changed, after, message, by: try signature(origin), &loaded)
    return (after, changed)
  }

  /// Does what `body` would change, as after the adoption of edits, in memory only.
  private func rehearse<Value, Refusal: Error>(
    _ body: (inout Edit, Writer, Loaded) throws(Refusal) -> (CommitWords, Value)
  ) throws(StoreError) -> CommitResult<Value, Refusal> {
    try recoverBeforeReading()
    if let loose = try looseHead() { throw .looseHead(loose) }
    let loaded = try load()
    try checkWritable(loaded)
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
    if hasBatches, try isOn(.archiveConsumed) { edit.archiveConsumed(now: writer.now) }
    edit.moveShares(by: writer)
    edit.showLooseStock(ofAll: !edit.changed.isEmpty)
    edit.ensureShoppingForLowStock()
    try refuseVain(edit, loaded)
  }

  /// Adopts edits made with an editor or plain git, and does nothing else.
  public func adopt() throws -> Writing {
    try whileLocked { () throws(StoreError) in
      var loaded = try loadForWriting()
      try checkWritable(loaded)
      let adoption = try adopt(&loaded)
      if adoption?.commits.isEmpty ?? true { keepCache(of: loaded) }
      return Writing(
        household: loaded.household, changed: [], commit: adoption?.commits.last,
        adoption: adoption, base: (loaded.household, loaded.head.commit))
    }
  }

  func writer(_ origin: Origin? = nil) throws(StoreError) -> Writer {
    let now = moment(of: origin)
    guard let userID = try userID else { throw .noUserID }
    return Writer(
      now: now, device: try device(of: origin), userID: userID,
      newID: { [context] in context.newID(now) })
  }

  func checkFormat(_ loaded: Loaded) throws(StoreError) {
    let path = Kind.householdPath
    if let mistakes = loaded.household.untaken[path] { throw .untaken(path: path, mistakes) }
    guard let own = loaded.household.own else { throw .notAHousehold(directory: root) }
    guard Schema.knows(format: own.format) else { throw .newerFormat(own.format) }
  }

  /// Returns a commit's message; trailers without a value are left out.
  func message(
    _ subject: String, command: String, _ more: [(key: String, value: String?)] = [],
    from origin: Origin? = nil
  ) throws(StoreError) -> String {
    let own = [("Larder-Command", command), ("Larder-Device", try device(of: origin))]
    let others = more.compactMap { trailer in trailer.value.map { (trailer.key, $0) } }
    return Trailers.message(subject, (own + others).map { (key: $0.0, value: $0.1) })
  }

  /// Returns the author of commits: git's settings, otherwise the device; at the time of the household's
  /// zone.
  ///
  /// A change from another device is by that device, at its moment.
  func signature(_ origin: Origin? = nil) throws(StoreError) -> Signature {
    let device = try device(of: origin)
    let person = origin == nil ? try cleanSetting("user.name") : nil
    let now = moment(of: origin)
    let seconds = now.milliseconds / 1000
    let offset = timeZone.map { Day.offset(at: now, in: $0) } ?? 0
    return Signature(
      name: person ?? device,
      email: try cleanSetting("user.email") ?? "\(device)@larder.invalid",
      seconds: min(max(seconds, 0), Signature.latestSecond), offsetMinutes: offset / 60)
  }

  private func device(of origin: Origin?) throws(StoreError) -> String {
    if let origin { return origin.device }
    return try device
  }

  /// Returns the time of a change.
  private func moment(of origin: Origin?) -> Instant {
    let now = context.now()
    return origin.map { min($0.at, now) } ?? now
  }

  /// Returns a setting as git can store it in a commit; nil if nothing is left of it.
  private func cleanSetting(_ key: String) throws(StoreError) -> String? {
    let clean = Signature.cleaned(try setting(key) ?? "")
    return clean.isEmpty ? nil : clean
  }
}

extension Store {
  /// Throws `endOfTime` for a change that could not win, because the known write has the latest
  /// possible time already: it would not be done, or the next sync would take it back.
  func refuseVain(_ edit: Edit, _ loaded: Loaded) throws(StoreError) {
    guard let write = edit.standing.first, let entity = edit.before[write.key] else { return }
    let head = loaded.head.commit
    let writer = try git { repository throws(GitError) in
      try head.flatMap { head throws(GitError) in
        try WriteSearch(repository: repository).commits(that: [write], from: head, hiding: [])[0]
      }
    }
    throw .endOfTime(title: edit.title(of: entity), at: write.at, by: writer)
  }
}

/// A search for the commits that made writes, by their stamps and ledger entries.
struct WriteSearch {
  private let repository: Repository
  private let differences: CommitDifferences

  init(repository: Repository, _ differences: CommitDifferences? = nil) {
    self.repository = repository
    self.differences = differences ?? CommitDifferences(ofStampsIn: repository)
  }

  /// Returns the commit that brought each write, among the ancestors of `head` that are not
  /// ancestors of `hiding`.
  ///
  /// Nil if none did. `paths`, if they are known, are where the entities are in `head`: then only
  /// these files are read.
  func commits(
    that made: [LaterWrite], from head: ObjectID, hiding: [ObjectID], at paths: Set<FilePath>? = nil
  ) throws(GitError) -> [Commit?] {
    var paths = paths
    var found = [Commit?](repeating: nil, count: made.count)
    var open = Set(made.indices)
    guard !open.isEmpty else { return found }
    try repository.history(from: head, hiding: hiding) { (commit) throws(GitError) in
      // A file may have another path in one of the branches.
      if commit.parents.count > 1 { paths = nil }
      let changes = try differences.byKey(of: commit, at: &paths)
      for index in open {
        guard let change = changes[made[index].key],
          try isBrought(made[index], by: change, in: commit)
        else { continue }
        found[index] = commit
        // A new file may only have been restored, with content that somebody wrote earlier.
        if change.before != nil { open.remove(index) }
      }
      return !open.isEmpty
    }
    return found
  }

  private func isBrought(
    _ write: LaterWrite, by change: EntityDifference, in commit: Commit
  ) throws(GitError) -> Bool {
    guard let path = change.path, change.after.map({ write.isIn($0) }) ?? false,
      !(change.before.map { write.isIn($0) } ?? false)
    else { return false }
    // A merge has writes that the other parents had before.
    for parent in commit.parents.dropFirst() {
      let tree = try repository.commit(parent).tree
      let file = try differences.file(try repository.entry(at: path, in: tree))
      if file.flatMap({ Entity($0) }).map({ write.isIn($0) }) ?? false { return false }
    }
    return true
  }
}
