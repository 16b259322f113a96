import LarderGit
public import LarderModel
package import LarderStore

/// A household on this device, with everything that people do with it.
///
/// Each call sees the current files, including edits by hand, and other programs may use the same
/// folder at the same time. A call that changes something makes one commit; if it fails, it changes
/// nothing. Calls wait for files in a thread of the larder's own, one after the other, and block no
/// other actor.
///
/// Every call can throw `StoreError` and `GitError`. The comment of a call lists its other errors.
public actor Larder {
  let store: Store
  public nonisolated let context: LarderContext
  private nonisolated let readers = EventReaders()
  /// The absolute path of the folder of `household.json`.
  public nonisolated let root: String
  /// Whether the household is read-only, because its folder is not the root of a git repository.
  public nonisolated let isReadOnly: Bool
  var listeners = Listeners()
  var hasCommittedBeside = false
  /// The folder of a household that is gone with its larder.
  private var temporary: TemporaryFolder?
  private nonisolated let executor: any StoreExecutor

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  init(_ store: sending Store, _ context: LarderContext, on executor: (any StoreExecutor)? = nil) {
    root = store.root
    isReadOnly = store.repository == nil
    self.store = store
    self.executor = executor ?? context.executor ?? StoreQueue()
    var context = context
    context.report = { [report = context.report, readers] event in
      report(event)
      readers.send(event)
    }
    self.context = context
  }

  /// Takes over a store, such as one that was just created, with its clock and its device's name.
  package init(_ store: sending Store) {
    var context = LarderContext()
    context.now = store.context.now
    context.newID = store.context.newID
    context.device = store.context.device
    self.init(store, context)
  }

  /// Opens the household that contains a folder.
  ///
  /// Throws `StoreError.notAHousehold` if the folder is in none.
  public static func open(
    from folder: String, _ context: LarderContext = LarderContext()
  ) async throws(StoreError) -> Larder {
    try await made(context) { (context) throws(StoreError) in
      try Store.open(from: folder, context: context)
    }
  }

  /// Makes a larder of a store that is made where the larder's calls run, too.
  static func made<Failure: Error>(
    _ context: LarderContext, _ make: (StoreContext) throws(Failure) -> sending Store
  ) async throws(Failure) -> Larder {
    let executor = context.executor ?? StoreQueue()
    return try await withTaskExecutorPreference(executor) { () throws(Failure) in
      Larder(try make(context.storeContext), context, on: executor)
    }
  }

  func keep(_ folder: TemporaryFolder) { temporary = folder }

  /// Returns a stream of the steps of this larder's calls from now on, which the context's `report`
  /// receives as well; it ends with the larder.
  public nonisolated func events() -> AsyncStream<LarderEvent> { readers.stream() }

  /// Whether the clone is shallow, so older commits are missing.
  public var isShallow: Bool { store.repository?.isShallow ?? false }

  /// Whether the clone is partial, so some objects may be missing.
  public var isPartial: Bool { store.repository?.isPartial ?? false }

  /// Whether a commit was made or received since the household was opened.
  public var hasCommitted: Bool { store.hasCommitted || hasCommittedBeside }

  /// Returns the git repository; throws if there is none.
  func repository() throws(StoreError) -> Repository {
    guard let repository = store.repository else { throw .notARepository(root: root) }
    return repository
  }

  /// Reports a write with its adoption, and returns it.
  func told(_ writing: Writing) -> Writing {
    tell(writing.adoption, writing.household)
    heard(writing)
    return writing
  }

  /// Reports an adoption.
  func tell(_ adoption: Writing.Adoption?, _ household: Household) {
    if let adoption { context.report(.adopted(adoption, household, root: root)) }
  }
}

extension Larder {
  /// Reads the meaning of the household, including edits by hand, and writes nothing.
  public func read() throws(StoreError) -> Reading { try store.read() }

  /// Reads the household as it is committed, without a look at the files that people edit.
  ///
  /// A household without a commit is read with its files.
  public func committed() throws(StoreError) -> Household {
    if let household = try store.committed(), household.own != nil { return household }
    return try read().household
  }

  /// Reads the household and prepares it for looking things up.
  public func survey() throws(StoreError) -> Survey {
    Survey(try read().household, now: context.now())
  }

  /// Prepares a version of the household for looking things up; nil if it is not here or can't be
  /// read.
  ///
  /// `version` is a name as in ``version``.
  public func survey(ofVersion version: String) -> Survey? {
    guard version.hasPrefix("g"), (8...41).contains(version.utf8.count),
      version.dropFirst().allSatisfy(\.isHexDigit),
      let household = try? household(at: String(version.dropFirst()))
    else { return nil }
    return Survey(household, now: context.now())
  }

  /// Returns the household of a commit; nil if there is no such commit.
  ///
  /// `revision` is a revision as git understands it, such as `HEAD~3`.
  public func household(at revision: String) throws(StoreError) -> Household? {
    try store.household(at: revision)
  }

  /// Adopts what people edited, then makes one commit of the changes of `body`.
  ///
  /// Returns the value of `body` and the household before and after. If `body` throws, nothing is
  /// changed except what was adopted. If plain git moves the branch meanwhile, `body` runs again,
  /// so it must have no other effects. Throws `RuleError` with `nameIsTaken` if two items or two
  /// locations would have the same name. `request` is an id of your choice that makes the call safe
  /// to repeat; the rule in `body` must take it too.
  @discardableResult
  public func commit<Value: Sendable>(
    _ subject: String = "", request: String? = nil, _ body: @Sendable (inout Change) throws -> Value
  ) throws -> (value: Value, outcome: Outcome) {
    try write(subject, request: request, body)
  }

  private func write<Value>(
    _ subject: String, request: String? = nil, _ body: (inout Change) throws -> Value
  ) throws -> (value: Value, outcome: Outcome) {
    var before: Survey?
    var own: [EntityKey] = []
    let (writing, value) = try store.commit(as: context.command, request: request, adopted: tell) {
      (edit, writer) throws(any Error) in
      let survey = Survey(edit.before, now: writer.now)
      var change = Change(edit, writer, survey, subject, at: self.survey)
      let value = try body(&change)
      try survey.refuseTakenNames(in: change.edit)
      (edit, before, own) = (change.edit, survey, change.edit.changed)
      return (change.subject, value)
    }.get()
    heard(writing)
    let after = Survey(writing.household, now: context.now())
    return (value, Outcome(writing: writing, before: before ?? after, after: after, own: own))
  }

  /// Makes one commit like ``commit(_:request:_:)``; `body` may also remove entities for good with
  /// `edit.remove`.
  ///
  /// Waits for a sync in progress, because it may be sending the entity to a remote. Throws
  /// `RuleError` with `knownElsewhere` for an entity that a remote or the project has; it would
  /// come back from there.
  @discardableResult
  public func commitRemoving<Value: Sendable>(
    _ subject: String = "", _ body: @Sendable (inout Change) throws -> Value
  ) throws -> (value: Value, outcome: Outcome) {
    let lock = try store.syncLock()
    defer { lock.release() }
    return try write(subject) { change in
      let value = try body(&change)
      let removed = change.edit.changed.filter { change.edit.after[$0] == nil }
      if let known = try store.knownElsewhere(Set(removed)).first {
        throw RuleError.knownElsewhere(change.survey.household[known]?.title ?? known.id)
      }
      return value
    }
  }

  /// Adopts what people edited or committed with plain git, and does nothing else.
  @discardableResult
  public func adopt() throws -> Writing {
    told(try store.adopt())
  }
}

extension Reading {
  /// The name of the household's last commit in a table for a spreadsheet; nil if there is none.
  ///
  /// It is `g` and twelve digits. The letter keeps a spreadsheet from taking it for a number.
  public var version: String? { head?.commit.map { "g" + $0.hex.prefix(12) } }
}

/// A change of the household that is not committed yet.
public struct Change {
  /// The rules of the household, each a method; nothing is written before the commit.
  public var edit: Edit
  /// The writer, for the rules.
  public let writer: Writer
  /// The household before the change, after the adoption of edits.
  public let survey: Survey
  /// The commit's subject.
  public var subject: String
  private let version: (String) -> Survey?

  init(
    _ edit: Edit, _ writer: Writer, _ survey: Survey, _ subject: String,
    at version: @escaping (String) -> Survey?
  ) {
    self.edit = edit
    self.writer = writer
    self.survey = survey
    self.subject = subject
    self.version = version
  }

  /// Prepares an earlier version of the household; see ``Larder/survey(ofVersion:)``.
  public func survey(ofVersion version: String) -> Survey? { self.version(version) }
}

/// The household before and after a commit.
public struct Outcome: Sendable {
  public let writing: Writing
  public let before: Survey
  public let after: Survey
  /// The entities that the command itself changed, without the consequences.
  public let own: [EntityKey]

  /// Whether nothing changed and no commit was made.
  public var isNothing: Bool { writing.changed.isEmpty }

  /// The entity after the commit.
  public subscript(key: EntityKey) -> Entity? { after.household[key] }

  /// The entries that the shopping list got because of the change.
  public var consequences: [Entity] {
    writing.changed.compactMap { key in
      key.kind == .shoppingListEntry && !own.contains(key) ? self[key] : nil
    }
  }
}
