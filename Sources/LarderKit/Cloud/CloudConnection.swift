internal import LarderCloud
public import LarderModel
internal import LarderStore

/// A connection of a household to its project: the user's session and the client.
///
/// Whoever wants to send something gets them by ``opened()``, or an exchange by ``sync(report:adopted:)``. Both
/// refuse if the household stays local, so no call can forget to ask.
struct CloudConnection: Sendable {
  fileprivate let session: Session
  fileprivate let client: RestClient
  /// The household's folder; empty before there is one.
  private let root: String
  private let context: LarderContext

  /// The project's address.
  var url: String { session.project.url }

  /// What this device knows of the user; nil if it was never connected.
  func credentials() throws(CloudError) -> Credentials? { try session.credentials() }

  /// Returns the session and the client, with which a call sends requests.
  ///
  /// Throws ``CloudUseError`` with `localOnly` if the household stays local.
  func opened() throws -> (session: Session, client: RestClient) {
    if !root.isEmpty { try refuseLocalOnly(try store()) }
    return (session, client)
  }

  private func store() throws(StoreError) -> Store {
    try Store.open(from: root, context: context.storeContext)
  }

  private func refuseLocalOnly(_ store: Store) throws {
    guard try !store.isOn(.localOnly) else { throw CloudUseError.localOnly }
  }

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
      try connection.credentials()?.tokens != nil
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
  ///
  /// Throws ``CloudUseError`` with `localOnly` if the household stays local.
  func sync(
    report: @escaping @Sendable (CloudProgress) -> Void = { _ in },
    adopted: @escaping @Sendable (Writing.Adoption, Household) -> Void = { _, _ in }
  ) throws -> CloudSync {
    let store = try store()
    try refuseLocalOnly(store)
    return CloudSync(
      store, client: client, now: context.now, report: report, adopted: adopted)
  }

  /// Runs an exchange, which reports its progress and what it adopts.
  func exchange<Value: Sendable>(
    _ body: @Sendable (CloudSync) async throws -> Value
  ) async throws -> Value {
    let (report, root) = (context.report, root)
    let sync = try sync(report: { report(.progress($0)) }) {
      report(.adopted($0, $1, root: root))
    }
    defer { report(.exchangeEnded) }
    return try await body(sync)
  }

  /// Returns the last known state of the project's copy; makes no request.
  func state() async throws -> CloudState {
    try await CloudSync(try store(), client: client, now: context.now).pendingState()
  }
}

/// The setup of a household from a project in a new folder on this device.
///
/// The order of calls is: ``init(from:_:isKeyKnown:key:)``, ``signIn(as:by:)`` if
/// ``isSignedIn(as:)`` is false, and ``bring(invitation:household:into:)``.
public struct CloudJoining: Sendable {
  private let connection: CloudConnection
  private let file: CredentialsFile
  private let context: LarderContext

  /// Connects to a project; `key` is called only if this device does not know the project's key.
  public init(
    from address: String, _ context: LarderContext = LarderContext(), isKeyKnown: Bool = true,
    key: () throws -> Secret
  ) async throws {
    let file = try CredentialsFile(environment: context.environment)
    let plain = try CloudProject(url: address, key: "unknown").url
    let known = isKeyKnown ? try file.read(plain)?.anonKey : nil
    let project = try CloudProject(
      url: known == nil ? address : plain, key: (known ?? key()).text)
    connection = CloudConnection(project, file, account: nil, root: "", context)
    try await connection.session.connect()
    self.file = file
    self.context = context
  }

  /// The e-mail address of the user that this device remembers; nil if it remembers none.
  public var email: String? {
    get throws { try connection.session.credentials()?.email }
  }

  /// Whether a user is signed in on this device.
  ///
  /// With `email`, it must be this user, who is then used from now on.
  public func isSignedIn(as email: String?) throws -> Bool {
    let known = try connection.session.credentials()
    if known?.tokens != nil, email == nil || email == known?.email { return true }
    guard let email else { return false }
    return try connection.session.use(email: email)
  }

  /// Signs in; see ``Cloud/signIn(as:by:)``.
  public func signIn(as email: String, by proof: SignInProof) async throws {
    try await connection.session.signIn(as: email, by: proof)
  }

  /// Fetches a household into a new folder: the one of the invitation, or the one with that id or
  /// name, or the only one.
  ///
  /// `folder` returns the folder's path for a household. Throws ``CloudUseError`` with
  /// `whichHousehold`, and ``CloudJoiningError`` if the folder was created but its content could
  /// not be fetched.
  public func bring(
    invitation: Secret? = nil, household wanted: String? = nil, into folder: (Entity) -> String
  ) async throws -> (larder: Larder, pulled: PullOutcome) {
    let client = connection.client
    var invited: String?
    if let invitation { invited = try await client.acceptInvite(invitation) }
    let household = try chosen(try await client.households(), invited, wanted)
    let directory = folder(household)
    let larder = try await Larder.made(context) { store in
      try Store.create(
        at: directory, of: household, program: context.program(), context: store)
    }
    try await larder.remember(connection)
    let here = try await larder.connection(to: connection.session.project, file)
    do {
      return (larder, try await here.exchange { try await $0.pull() })
    } catch {
      throw CloudJoiningError(folder: directory, reason: error)
    }
  }

  private func chosen(
    _ households: [Entity], _ invited: String?, _ wanted: String?
  ) throws(CloudUseError) -> Entity {
    let words = wanted.map { fold($0) }
    let matching = households.filter { household in
      if let invited { return household.id == invited }
      guard let words else { return true }
      return fold(household.id).hasPrefix(words) || fold(household.title) == words
    }
    guard let household = matching.first, matching.count == 1 else {
      throw .whichHousehold((matching.isEmpty ? households : matching).map { ($0.id, $0.title) })
    }
    return household
  }
}

extension Larder {
  fileprivate func connection(
    to project: CloudProject, _ file: CredentialsFile
  ) throws -> CloudConnection {
    try CloudConnection(project, file, of: store, context)
  }
}

extension CloudConnection {
  /// Stores the project's key on this device; makes no request.
  func rememberKey() async throws { try await session.connect() }
}

/// The household's folder was created and connected, but its content could not be fetched.
///
/// A sync in the folder fetches the rest.
public struct CloudJoiningError: Error {
  public let folder: String
  public let reason: any Error
}
