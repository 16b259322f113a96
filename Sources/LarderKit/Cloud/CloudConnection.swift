internal import Dispatch
internal import LarderCloud
internal import LarderModel
internal import LarderStore
internal import Synchronization

/// A connection of a household to its project: the user's session and the client.
struct CloudConnection {
  let session: Session
  let client: RestClient
  private let root: String
  private let context: LarderContext

  /// Connects to the project that a clone remembers; nil if it remembers none.
  ///
  /// Without `isPatient`, the connection repeats no request, and waits 3 seconds for an answer
  /// instead of 30.
  init?(of store: Store, _ context: LarderContext, isPatient: Bool = true) throws {
    guard let url = try store.cloudURL else { return nil }
    let file = try CredentialsFile(environment: context.environment)
    guard let key = try file.read(url)?.anonKey else { throw CloudUseError.notConnected }
    let project = try CloudProject(url: url, key: key.text)
    try self.init(project, file, of: store, context, isPatient: isPatient)
  }

  /// Connects if a user is signed in and the household does not stay local.
  static func signedIn(
    of store: Store, _ context: LarderContext, isPatient: Bool = true
  ) throws -> CloudConnection? {
    guard try !store.isOn(.localOnly),
      let connection = try CloudConnection(of: store, context, isPatient: isPatient),
      try connection.session.credentials()?.tokens != nil
    else { return nil }
    return connection
  }

  /// Connects to a project with the account that a clone remembers.
  init(
    _ project: CloudProject, _ file: CredentialsFile, of store: Store, _ context: LarderContext,
    isPatient: Bool = true
  ) throws {
    let retries =
      isPatient
      ? RetryPolicy(
        repetitions: try store.value(of: .cloudRetries),
        base: .milliseconds(try store.value(of: .cloudRetryDelay)))
      : RetryPolicy(repetitions: 0)
    self.init(
      project, file, account: try file.account(of: store, project: project.url),
      root: store.root, context, patience: isPatient ? .seconds(30) : .seconds(3), retries)
  }

  init(
    _ project: CloudProject, _ file: CredentialsFile, account: String?, root: String,
    _ context: LarderContext, patience: Duration = .seconds(30),
    _ retries: RetryPolicy = RetryPolicy()
  ) {
    let transport = Transport.network(patience: patience).telling { context.report(.request($0)) }
    session = Session(
      project: project, file: file, account: account, transport: transport,
      version: context.version, now: context.now)
    client = RestClient(
      session: session, transport: transport, retries: retries, version: context.version,
      now: context.now)
    self.root = root
    self.context = context
  }

  /// Returns the exchange with the project, which opens its own store.
  func sync(
    report: @escaping @Sendable (CloudProgress) -> Void = { _ in },
    adopted: @escaping @Sendable (Writing.Adoption, Household) -> Void = { _, _ in }
  ) throws -> CloudSync {
    CloudSync(
      try Store.open(from: root, context: context.storeContext), client: client,
      now: context.now, report: report, adopted: adopted)
  }

  /// Runs an exchange, which reports its progress and what it adopts.
  func exchange<Value: Sendable>(
    _ body: @escaping @Sendable (CloudSync) async throws -> Value
  ) throws -> Value {
    let (report, root) = (context.report, root)
    let sync = try sync(report: { report(.progress($0)) }) {
      report(.adopted($0, $1, root: root))
    }
    defer { report(.exchangeEnded) }
    return try waited { try await body(sync) }
  }

  /// Returns the last known state of the project's copy; makes no request.
  func state() throws -> CloudState {
    let sync = try sync()
    return try waited { try await sync.pendingState() }
  }
}

/// Blocks the thread until an asynchronous call is done.
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
