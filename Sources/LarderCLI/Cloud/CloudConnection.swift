import Dispatch
import LarderCloud
import LarderModel
import LarderStore
import Synchronization

/// The project that a household is connected to, as a command reaches it.
struct CloudConnection {
  let session: Session
  let client: RestClient
  private let root: String
  private let context: StoreContext

  /// Nil where the household is connected to no project.
  ///
  /// One that is impatient gives up at once where the project can't be reached, and soon where it says
  /// nothing.
  init?(of store: Store, _ invocation: Invocation, isPatient: Bool = true) throws {
    guard let url = try store.cloudURL else { return nil }
    let file = try CredentialsFile(invocation)
    let known = try file.read(url)
    let project = try CloudProject(url: url, key: known?.anonKey)
    try self.init(project, file, of: store, invocation, isPatient: isPatient)
  }

  /// The same, where one is needed.
  static func needed(of store: Store, _ invocation: Invocation) throws -> CloudConnection {
    guard let connection = try CloudConnection(of: store, invocation) else {
      throw CloudUseError.notConnected
    }
    return connection
  }

  /// The same, where somebody is signed in and the household is not to stay local.
  static func signedIn(
    of store: Store, _ invocation: Invocation, isPatient: Bool = true
  ) throws -> CloudConnection? {
    guard try !store.isLocalOnly,
      let connection = try CloudConnection(of: store, invocation, isPatient: isPatient),
      try connection.session.credentials()?.tokens != nil
    else { return nil }
    return connection
  }

  /// The project as a clone uses it, with the account that it remembers.
  init(
    _ project: CloudProject, _ file: CredentialsFile, of store: Store, _ invocation: Invocation,
    isPatient: Bool = true
  ) throws {
    let retries =
      isPatient
      ? RetryPolicy(
        repetitions: try store.cloudRetries, base: .milliseconds(try store.cloudRetryDelay))
      : RetryPolicy(repetitions: 0)
    try self.init(
      project, file, account: try file.account(of: store, project: project.url),
      root: store.root, invocation, patience: isPatient ? .seconds(30) : .seconds(3), retries)
  }

  init(
    _ project: CloudProject, _ file: CredentialsFile, account: String?, root: String,
    _ invocation: Invocation, patience: Duration = .seconds(30),
    _ retries: RetryPolicy = RetryPolicy()
  ) throws {
    let context = try invocation.storeContext()
    let transport = Transport.network(patience: patience).telling { invocation.log($0) }
    session = Session(
      project: project, file: file, account: account, transport: transport, version: Root.version,
      now: context.now)
    client = RestClient(
      session: session, transport: transport, retries: retries, version: Root.version,
      now: context.now)
    self.root = root
    self.context = context
  }

  /// Lets a clone remember who is signed in, whoever else signs in on this device.
  func remember(in store: Store, _ invocation: Invocation) throws {
    try store.setCloudURL(session.project.url)
    try store.forgetMembership(in: session.project.url)
    guard let user = try session.credentials()?.userID,
      let taken = try CredentialsFile(invocation).remember(user, in: store)
    else { return }
    invocation.warn(about: taken.adoption, in: store, taken.household)
    guard !taken.changed.isEmpty else { return }
    invocation.output.note(
      "\(counted(taken.changed.count, "thing")) that you made before signing in \(taken.changed.count == 1 ? "names" : "name") you now"
    )
  }

  /// The exchange with the cloud, which has a store of its own.
  func sync(
    report: @escaping @Sendable (CloudProgress) -> Void = { _ in },
    adopted: @escaping @Sendable (Writing.Adoption, Household) -> Void = { _, _ in }
  ) throws -> CloudSync {
    CloudSync(
      try Store.open(from: root, context: context), client: client, now: context.now,
      report: report, adopted: adopted)
  }
}

extension CloudConnection {
  /// What the cloud has, as far as this device has heard; nobody is asked.
  func state() throws -> CloudState {
    let sync = try sync()
    return try waited { try await sync.pendingState() }
  }
}

extension Invocation {
  /// What the project of a household has, as far as this device has heard.
  func cloudState(of store: Store) throws -> CloudState {
    try CloudConnection.needed(of: store, self).state()
  }
}

/// Why a command that needs the cloud can't go on, besides what the cloud itself says.
enum CloudUseError: Error {
  case notConnected
  case localOnly
  /// No terminal to ask at, and no option that gives it.
  case nobodyToAsk(what: String, option: String)
  /// The terminal's input ended.
  case nothingTyped(what: String)
  case emptyInput(what: String)
  case signUpUnconfirmed(email: String)
  case otherHousehold(invited: String, own: String)
  /// The user belongs to several households, or to none, and none was named.
  case whichHousehold([(id: String, name: String)])
  /// Nobody, or more than one, has that name; these are there.
  case whichMember(String, [String])
  case whichInvite(String, [String])
  /// Who goes by themselves leaves.
  case ownMembership
  /// Nobody removes who was there before them.
  case cameBefore(String)
}

extension CredentialsFile {
  init(_ invocation: Invocation) throws(CredentialsError) {
    var environment: [String: String] = [:]
    for name in ["XDG_CONFIG_HOME", "HOME"] { environment[name] = invocation.environment[name] }
    try self.init(environment: environment)
  }
}

extension CloudProject {
  /// A project that this device may have forgotten the key of.
  init(url: String, key: Secret?) throws {
    guard let key else { throw CloudUseError.notConnected }
    try self.init(url: url, key: key.text)
  }
}

/// Waits in a command, which is not asynchronous, for something that is.
func waited<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
  let result = Mutex<Result<Value, any Error>?>(nil)
  let done = DispatchSemaphore(value: 0)
  Task {
    let value: Result<Value, any Error>
    do {
      value = .success(try await body())
    } catch {
      value = .failure(error)
    }
    result.withLock { $0 = value }
    done.signal()
  }
  done.wait()
  guard let value = result.withLock({ $0 }) else { throw CloudError.cancelled }
  return try value.get()
}
