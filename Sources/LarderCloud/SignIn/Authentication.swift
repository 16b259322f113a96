internal import LarderModel

/// The requests to GoTrue, Supabase's sign-in; it has no state.
struct Authentication: Sendable {
  /// A session as returned by GoTrue.
  struct Grant: Sendable {
    var tokens: Credentials.Tokens
    var userID: String?
    var email: String?
  }

  private let project: CloudProject
  private let transport: Transport
  private let version: String
  private let now: @Sendable () -> Instant

  init(
    project: CloudProject, transport: Transport, version: String,
    now: @escaping @Sendable () -> Instant
  ) {
    self.project = project
    self.transport = transport
    self.version = version
    self.now = now
  }

  /// Returns a session for a user with a password.
  ///
  /// A wrong password is `rejected` with the code `invalid_credentials`.
  func signIn(email: String, password: Secret) async throws(CloudError) -> Grant {
    let answer = try await post(
      "token?grant_type=password", account(email, password), hiding: [password])
    return try grant(answer)
  }

  /// Creates a user and returns a session.
  ///
  /// Nil if the project requires a confirmed e-mail address first.
  func signUp(email: String, password: Secret) async throws(CloudError) -> Grant? {
    let answer = try await post("signup", account(email, password), hiding: [password])
    return answer["access_token"] == nil ? nil : try grant(answer)
  }

  /// Returns the next tokens for a refresh token, which is used up by this.
  func refresh(_ token: Secret) async throws(CloudError) -> Grant {
    let body: JSON = .object([JSONMember("refresh_token", .string(token.text))])
    return try grant(
      try await post("token?grant_type=refresh_token", body, hiding: [token], refreshing: true))
  }

  /// Ends the session of a token only, not the user's other sessions.
  func signOut(_ token: Secret) async throws(CloudError) {
    _ = try await post("logout?scope=local", nil, token: token, hiding: [token])
  }

  /// Returns a session for the code of a mail to the address.
  ///
  /// An expired code is `rejected` with the code `otp_expired`.
  func verify(email: String, code: Secret) async throws(CloudError) -> Grant {
    let body: JSON = .object([
      JSONMember("type", .string("email")), JSONMember("email", .string(email)),
      JSONMember("token", .string(code.text)),
    ])
    return try grant(try await post("verify", body, hiding: [code]))
  }

  /// Changes the password of a token's user.
  func change(_ password: Secret, _ token: Secret) async throws(CloudError) {
    _ = try await send(
      .put, "user", .object([JSONMember("password", .string(password.text))]), token: token,
      hiding: [token, password])
  }

  /// Requests a mail for a password reset, which is sent if there is such a user.
  func recover(email: String) async throws(CloudError) {
    _ = try await post("recover", .object([JSONMember("email", .string(email))]), hiding: [])
  }

  private func account(_ email: String, _ password: Secret) -> JSON {
    .object([
      JSONMember("email", .string(email)), JSONMember("password", .string(password.text)),
    ])
  }

  private func post(
    _ path: String, _ body: JSON?, token: Secret? = nil, hiding secrets: [Secret],
    refreshing: Bool = false
  ) async throws(CloudError) -> JSON {
    try await send(.post, path, body, token: token, hiding: secrets, refreshing: refreshing)
  }

  private func send(
    _ method: CloudRequest.Method, _ path: String, _ body: JSON?, token: Secret?,
    hiding secrets: [Secret], refreshing: Bool = false
  ) async throws(CloudError) -> JSON {
    let request = CloudRequest(
      method, "\(project.url)/auth/v1/\(path)",
      headers: project.headers(version: version, token: token), body: body?.compact() ?? [])
    let response: CloudResponse
    do throws(TransportError) {
      response = try await transport.send(request)
    } catch {
      throw CloudError(error)
    }
    guard (200..<300).contains(response.status) else {
      let error = CloudError(auth: response, now: now(), hiding: secrets + [project.key])
      // Older versions answer so if they don't know a refresh token.
      if refreshing, case .rejected(let refusal) = error, refusal.code == "invalid_grant" {
        throw .signInAgain(code: "invalid_grant")
      }
      throw error
    }
    return response.body.isEmpty ? .null : try JSON(answer: response)
  }

  private func grant(_ answer: JSON) throws(CloudError) -> Grant {
    guard let access = answer["access_token"]?.string, !access.isEmpty else {
      throw .malformedAnswer(.missing("access_token"))
    }
    guard let refresh = answer["refresh_token"]?.string, !refresh.isEmpty else {
      throw .malformedAnswer(.missing("refresh_token"))
    }
    // By the lifetime, not by the end: the clocks may differ by a day.
    guard let lifetime = answer["expires_in"]?.number.flatMap(Int64.init), lifetime > 0 else {
      throw .malformedAnswer(.missing("expires_in"))
    }
    let expires = now().adding(milliseconds: min(lifetime, 1 << 40) * 1000)
    return Grant(
      tokens: .init(access: Secret(access), refresh: Secret(refresh), expires: expires),
      userID: answer["user"]?["id"]?.string, email: answer["user"]?["email"]?.string)
  }
}

extension JSON {
  /// Parses the body of an answer.
  init(answer: CloudResponse) throws(CloudError) {
    do {
      try self.init(parsing: answer.body)
    } catch {
      if case .tooLarge = error.kind { throw .malformedAnswer(.tooLong) }
      throw .malformedAnswer(.notJSON(error.position))
    }
  }
}
