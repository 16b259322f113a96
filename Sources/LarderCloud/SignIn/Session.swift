internal import LarderJSON
public import LarderModel
internal import Synchronization

/// The session of a user of this device with a project: who is signed in, and an access token that serves.
///
/// Its tokens are in the credentials file, which all processes of the user share. A refresh token serves
/// once, so only one process at a time asks for the next, and it is on the disk before it is used.
public actor Session {
  /// How long before its end an access token is not used any more.
  private static let margin: Int64 = 60_000

  public nonisolated let project: CloudProject
  private let file: CredentialsFile
  private let authentication: Authentication
  private let now: @Sendable () -> Instant
  /// How long to wait for another process that is refreshing.
  private let patience: Duration
  private var rotation: Task<Result<Credentials.Tokens, CloudError>, Never>?
  private nonisolated let chosen: Mutex<String?>

  /// `account` is the one to be used of several in a project, the usual one for nil; `now` is this
  /// device's clock; `version` is the program's, for the headers.
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

  /// The account that is used; nil for the usual one of the project.
  private nonisolated var account: String? { chosen.withLock { $0 } }

  /// Uses the account of an e-mail address from now on, where somebody is signed in to it already;
  /// false where nobody is.
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

  /// What this device keeps of the project and the account; nil where it was never connected.
  public nonisolated func credentials() throws(CloudError) -> Credentials? {
    do throws(CredentialsError) {
      return try file.read(project.url, account: account)
    } catch {
      throw .credentials(error)
    }
  }

  /// Keeps the project's key, with nobody signed in who was not before.
  public func connect() async throws(CloudError) {
    let key = project.key
    try await change {
      if $0 == nil { $0 = Credentials(anonKey: key) } else { $0?.anonKey = key }
    }
  }

  /// Forgets the account, as it is no more, and keeps the project's key.
  public func forgetAccount() async throws(CloudError) {
    let key = project.key
    try await change { $0 = Credentials(anonKey: key) }
    chosen.withLock { $0 = nil }
  }

  /// Forgets the account, and the project with its last; the session is not ended on the server.
  public func disconnect() async throws(CloudError) {
    try await change { $0 = nil }
  }

  /// Signs a user in; a wrong password is `rejected`, with the code `invalid_credentials`.
  public func signIn(email: String, password: Secret) async throws(CloudError) {
    try await keep(try await authentication.signIn(email: email, password: password), email)
  }

  /// Makes a user and signs them in; false where the project wants the e-mail address confirmed
  /// first, after which `signIn` works.
  public func signUp(email: String, password: Secret) async throws(CloudError) -> Bool {
    guard let grant = try await authentication.signUp(email: email, password: password) else {
      return false
    }
    try await keep(grant, email)
    return true
  }

  /// Signs a user in by the code of a mail that the project sent, which confirms the address.
  ///
  /// A code that is wrong, or not good any more, is `rejected` with the code `otp_expired`.
  public func signIn(email: String, code: Secret) async throws(CloudError) {
    try await keep(try await authentication.verify(email: email, code: code), email)
  }

  /// Gives the user who is signed in another password.
  ///
  /// One that is too weak, or is the old one, is `rejected` with the code `weak_password` or
  /// `same_password`.
  public func change(password: Secret) async throws(CloudError) {
    try await authentication.change(password, try await accessToken())
  }

  /// Lets the project send a mail by which a forgotten password is set anew; it does not say whether it
  /// has a user of the address.
  public func resetPassword(email: String) async throws(CloudError) {
    try await authentication.recover(email: email)
  }

  /// Removes the tokens from this device and ends the session; false where the server could not be
  /// told, where it goes on until it expires.
  @discardableResult
  public func signOut() async throws(CloudError) -> Bool {
    let token: Secret?
    do throws(CloudError) {
      // One that has expired could not end the session.
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

  /// An access token with a minute left at least, refreshed if need be.
  ///
  /// `refused` is one that a server would not take, whatever this device's clock says. Throws
  /// `notSignedIn`, `signInAgain` (the tokens are gone then, all else is kept), `offline` (all is kept)
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

  /// One rotation at a time, which goes on where whoever asked for it is cancelled: its answer has the
  /// only refresh token that will serve.
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
    // Another process may have been quicker.
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
    // Nobody else who is signed in on this device is to become this user.
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
