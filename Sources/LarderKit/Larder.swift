import LarderGit
public import LarderModel
package import LarderStore
internal import Libc

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
  /// The absolute path of the folder of `household.json`.
  public nonisolated let root: String
  /// Whether the household is read-only, because its folder is not the root of a git repository.
  public nonisolated let isReadOnly: Bool
  private nonisolated let executor: any StoreExecutor

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  init(_ store: sending Store, _ context: LarderContext) {
    root = store.root
    isReadOnly = store.repository == nil
    self.store = store
    self.context = context
    executor = context.executor ?? StoreQueue()
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
    var context = context
    let executor = context.executor ?? StoreQueue()
    context.executor = executor
    return try await withTaskExecutorPreference(executor) { [context] () throws(Failure) in
      Larder(try make(context.storeContext), context)
    }
  }

  /// Whether the clone is shallow, so older commits are missing.
  public var isShallow: Bool { store.repository?.isShallow ?? false }

  /// Whether the clone is partial, so some objects may be missing.
  public var isPartial: Bool { store.repository?.isPartial ?? false }

  /// Whether a commit was made or received since the household was opened.
  public var hasCommitted: Bool { store.hasCommitted }

  /// Returns the git repository; throws if there is none.
  func repository() throws(StoreError) -> Repository {
    guard let repository = store.repository else { throw .notARepository(root: root) }
    return repository
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
    let writing = try store.adopt()
    tell(writing.adoption, writing.household)
    return writing
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

/// The surroundings of a household: the clock, the device, the user, and the receiver of events.
///
/// The defaults suit an app on a user's own machine.
public struct LarderContext: Sendable {
  /// The clock for all writes.
  public var now: @Sendable () -> Instant = { Instant.current }
  /// Makes a new id; the instant is the time of the write.
  public var newID: @Sendable (Instant) -> String = { Identifier.random(at: $0) }
  /// The device's name, if it differs from the one in the repository's settings.
  public var device: String?
  /// The command for the `Larder-Command` trailer of commits.
  public var command = "app"
  /// Returns the shell command that git uses to call larder to merge, show and adopt files.
  public var program: @Sendable () -> String = { "larder" }
  /// Whether the user has confirmed the removal of many files at once.
  public var acceptsManyRemovals = false
  /// Whether commits, undos and redos are only rehearsed.
  ///
  /// A rehearsal has the outcome of the real call, but nothing is changed, adopted or sent.
  public var isRehearsal = false
  /// The version of the app, which is sent with requests to a project.
  public var version = "app"
  /// The variables `XDG_CONFIG_HOME` and `HOME`, which determine the path of the credentials file.
  public var environment: [String: String]
  /// Where the larder's calls run; nil for a queue of its own.
  package var executor: (any StoreExecutor)?
  /// Receives the events of a call, on any thread.
  public var report: @Sendable (LarderEvent) -> Void = { _ in }

  /// Creates a context with the machine's clock and the process's environment.
  public init() {
    self.init(environment: LarderContext.processEnvironment)
  }

  /// Creates a context with the machine's clock and the given environment.
  public init(environment: [String: String]) {
    self.environment = environment
  }

  private static var processEnvironment: [String: String] {
    var environment: [String: String] = [:]
    for name in ["XDG_CONFIG_HOME", "HOME"] {
      environment[name] = getenv(name).map { String(cString: $0) }
    }
    return environment
  }

  var storeContext: StoreContext {
    var context = StoreContext(now: now, newID: newID, device: device)
    context.acceptsManyRemovals = acceptsManyRemovals
    context.isRehearsal = isRehearsal
    return context
  }
}

/// A step of a call, reported when it happens.
public enum LarderEvent: Sendable {
  /// Edits by hand or commits of plain git were adopted; they stay adopted if the call fails.
  ///
  /// `root` is the folder of the household.
  case adopted(Writing.Adoption, Household, root: String)
  /// A step of a sync by git.
  case sync(SyncEvent)
  /// An exchange with the project begins.
  case exchangeBegan
  /// The progress of an exchange with the project.
  case progress(CloudProgress)
  /// An exchange with the project ended, with success or failure.
  case exchangeEnded
  /// The project's part of a sync ended; the sync itself may still fail.
  case exchanged(CloudOutcome)
  /// This number of entities, created here before anybody signed in, now name the user.
  case namedUser(entities: Int)
  /// A request to the project was answered or failed.
  case request(RequestNote)
}

extension Instant {
  /// The time of the machine's clock.
  public static var current: Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
