public import LarderModel
internal import Synchronization

/// The session of a user with a project: the signed-in user, and a valid access token.
///
/// The tokens are in the credentials file, which all processes of the user share. A refresh token
/// is valid only once. So only one process at a time requests the next one, and it is on the disk
/// before it is used.
public actor Session {
  /// The time before its expiry from which an access token is not used, in milliseconds.
  private static let margin: Int64 = 60_000

  public nonisolated let project: CloudProject
  private let file: CredentialsFile
  private let authentication: Authentication
  private let now: @Sendable () -> Instant
  /// The time to wait for another process that refreshes.
  private let patience: Duration
  private var rotation: Task<Result<Credentials.Tokens, CloudError>, Never>?
  private nonisolated let chosen: Mutex<String?>

  /// Creates a session.
  ///
  /// `account` is one of several in the project, or nil for the default one. `now` is this device's
  /// clock. `version` is the program's, for the headers.
  public init(
    project: CloudProject, file: CredentialsFile, account: String? = nil, transport: Transport,
    version: String, patience: Duration = .seconds(60), now: @escaping @Sendable () -> Instant
  ) {
    self.project = project
    self.file = file
    chosen = Mutex(account)
    self.now = now
    self.patience = patience
    authentication = Authentication(
      project: project, transport: transport, version: version, now: now)
  }

  /// The account in use; nil for the default one.
  private nonisolated var account: String? { chosen.withLock { $0 } }

  /// Switches to the account of an e-mail address that is signed in already.
  ///
  /// Returns false if there is none.
  public nonisolated func use(email: String) throws(CloudError) -> Bool {
    do throws(CredentialsError) {
      for account in try file.accounts(project.url) {
        let known = try file.read(project.url, account: account)
        guard known?.tokens != nil, known?.email == email else { continue }
        chosen.withLock { $0 = account }
        return true
      }
      return false
    } catch {
      throw .credentials(error)
    }
  }

  /// Returns the stored credentials of the project and the account.
  ///
  /// Nil if the device was never connected.
  public nonisolated func credentials() throws(CloudError) -> Credentials? {
    do throws(CredentialsError) {
      return try file.read(project.url, account: account)
    } catch {
      throw .credentials(error)
    }
  }

  /// Stores the project's key; the signed-in user, if any, stays.
  public func connect() async throws(CloudError) {
    let key = project.key
    try await change {
      if $0 == nil { $0 = Credentials(anonKey: key) } else { $0?.anonKey = key }
    }
  }

  /// Removes the account, because it was deleted, and keeps the project's key.
  public func forgetAccount() async throws(CloudError) {
    let key = project.key
    try await change { $0 = Credentials(anonKey: key) }
    chosen.withLock { $0 = nil }
  }

  /// Removes the account, and the project with its last account; the session on the server goes on.
  public func disconnect() async throws(CloudError) {
    try await change { $0 = nil }
  }

  /// Signs a user in; a wrong password is `rejected` with the code `invalid_credentials`.
  public func signIn(email: String, password: Secret) async throws(CloudError) {
    try await keep(try await authentication.signIn(email: email, password: password), email)
  }

  /// Creates a user and signs them in.
  ///
  /// Returns false if the project requires a confirmed e-mail address first; after that, `signIn`
  /// works.
  public func signUp(email: String, password: Secret) async throws(CloudError) -> Bool {
    guard let grant = try await authentication.signUp(email: email, password: password) else {
      return false
    }
    try await keep(grant, email)
    return true
  }

  /// Signs a user in by the code of a mail from the project, which confirms the address.
  ///
  /// A wrong or expired code is `rejected` with the code `otp_expired`.
  public func signIn(email: String, code: Secret) async throws(CloudError) {
    try await keep(try await authentication.verify(email: email, code: code), email)
  }

  /// Changes the password of the signed-in user.
  ///
  /// A weak password is `rejected` with the code `weak_password`, the old one with `same_password`.
  public func change(password: Secret) async throws(CloudError) {
    try await authentication.change(password, try await accessToken())
  }

  /// Requests a mail for resetting a forgotten password.
  ///
  /// It does not reveal whether the address has a user.
  public func resetPassword(email: String) async throws(CloudError) {
    try await authentication.recover(email: email)
  }

  /// Removes the tokens from this device and ends the session.
  ///
  /// Returns false if the server could not be reached; then the session goes on until it expires.
  @discardableResult
  public func signOut() async throws(CloudError) -> Bool {
    let token: Secret?
    do throws(CloudError) {
      // An expired token can't end the session.
      token = try await accessToken()
    } catch .notSignedIn, .signInAgain {
      return true
    } catch .credentials(let error) {
      throw .credentials(error)
    } catch {
      token = nil
    }
    try await change { $0?.tokens = nil }
    guard let token else { return false }
    do throws(CloudError) {
      try await authentication.signOut(token)
      return true
    } catch {
      return false
    }
  }

  /// Returns an access token that is valid for at least a minute, refreshed if necessary.
  ///
  /// `refused` is a token that a server refused, whatever this device's clock says. Throws
  /// `notSignedIn`, `signInAgain` (only the tokens are removed), `offline` (nothing is removed),
  /// and the other errors of a request.
  public func accessToken(insteadOf refused: Secret? = nil) async throws(CloudError) -> Secret {
    guard let tokens = try credentials()?.tokens else { throw .notSignedIn }
    if serves(tokens, insteadOf: refused) { return tokens.access }
    return try await rotated(insteadOf: refused).access
  }

  private func serves(_ tokens: Credentials.Tokens, insteadOf refused: Secret?) -> Bool {
    tokens.access != refused
      && tokens.expires.milliseconds - now().milliseconds > Self.margin
  }

  /// Runs one rotation at a time.
  ///
  /// It goes on even if the caller is cancelled, because its answer has the only valid refresh
  /// token.
  private func rotated(insteadOf refused: Secret?) async throws(CloudError) -> Credentials.Tokens {
    if let rotation { return try await rotation.value.get() }
    let task = Task { () -> Result<Credentials.Tokens, CloudError> in
      do throws(CloudError) {
        return .success(try await rotate(insteadOf: refused))
      } catch {
        return .failure(error)
      }
    }
    rotation = task
    defer { rotation = nil }
    return try await task.value.get()
  }

  private func rotate(insteadOf refused: Secret?) async throws(CloudError) -> Credentials.Tokens {
    let lock = try await lock()
    // Another process may have refreshed already.
    guard let tokens = try credentials()?.tokens else { throw .notSignedIn }
    if serves(tokens, insteadOf: refused) { return tokens }
    do throws(CloudError) {
      let grant = try await authentication.refresh(tokens.refresh)
      try change(lock) { $0?.tokens = grant.tokens }
      return grant.tokens
    } catch .signInAgain(let code) {
      try change(lock) { $0?.tokens = nil }
      throw .signInAgain(code: code)
    }
  }

  private func keep(_ grant: Authentication.Grant, _ email: String) async throws(CloudError) {
    let key = project.key
    let email = grant.email ?? email
    // Other signed-in users of this device keep their accounts.
    chosen.withLock { $0 = grant.userID ?? email }
    try await change {
      $0 = Credentials(anonKey: key, email: email, userID: grant.userID, tokens: grant.tokens)
    }
  }

  private func change(_ body: (inout Credentials?) -> Void) async throws(CloudError) {
    try change(try await lock(), body)
  }

  private nonisolated func change(
    _ lock: borrowing CredentialsLock, _ body: (inout Credentials?) -> Void
  ) throws(CloudError) {
    do throws(CredentialsError) {
      try file.change(project.url, account: account, lock, body)
    } catch {
      throw .credentials(error)
    }
  }

  private nonisolated func lock() async throws(CloudError) -> CredentialsLock {
    do throws(CredentialsError) {
      return try await file.lock(patience: patience)
    } catch {
      throw .credentials(error)
    }
  }
}
