internal import LarderModel

extension CloudError {
  /// Interprets a failed answer of PostgREST (PostgREST, "Errors").
  init(rest response: CloudResponse, now: Instant, hiding secrets: [Secret]) {
    let refusal = Refusal(response, hiding: secrets)
    let code = refusal.code ?? ""
    let message = refusal.message ?? ""
    switch (response.status, code) {
    case (_, "42501"): self = .forbidden(code: code, message: message)
    case (_, "PGRST202"), (_, "PGRST203"), (_, "PGRST204"), (_, "PGRST205"), (_, "42703"),
      (_, "42P01"), (_, "42883"):
      self = .schemaMismatch(code: code, message: message)
    // One row occurs twice in one request: a retry does not help.
    case (_, "21000"): self = .rejected(refusal)
    default: self.init(response, refusal, now)
    }
  }

  /// Interprets a failed answer of GoTrue (Supabase, "Auth error codes").
  init(auth response: CloudResponse, now: Instant, hiding secrets: [Secret]) {
    let refusal = Refusal(response, hiding: secrets)
    let code = refusal.code ?? ""
    if response.status < 500, Self.ended.contains(code) {
      self = .signInAgain(code: code)
    } else if code == "otp_expired" {
      // The code is refused, not the user.
      self = .rejected(refusal)
    } else if response.status == 409, code == "conflict" {
      // Two requests of one session collided; GoTrue asks for a retry.
      self = .server(status: 409, code: code, retryAfter: nil)
    } else {
      self.init(response, refusal, now)
    }
  }

  /// The codes after which no refresh helps.
  private static let ended: Set = [
    "refresh_token_not_found", "refresh_token_already_used", "session_not_found",
    "session_expired", "user_banned",
  ]

  private init(_ response: CloudResponse, _ refusal: Refusal, _ now: Instant) {
    let code = refusal.code ?? ""
    switch response.status {
    case 403: self = .forbidden(code: code, message: refusal.message ?? "")
    case 409: self = .conflict(code: code, message: refusal.message ?? "")
    case 429: self = .rateLimited(retryAfter: RetryAfter.duration(in: response.headers, now: now))
    case 408, 500...:
      self = .server(
        status: response.status, code: refusal.code,
        retryAfter: RetryAfter.duration(in: response.headers, now: now))
    default: self = .rejected(refusal)
    }
  }
}

extension Refusal {
  /// Reads an error of PostgREST, of GoTrue in its old and new form, or of the gateway in front of
  /// them.
  ///
  /// For another kind of body, all texts are nil.
  init(_ response: CloudResponse, hiding secrets: [Secret]) {
    let body = (try? JSON(parsing: response.body)) ?? .null
    func text(_ keys: String...) -> String? {
      keys.lazy.compactMap { body[$0]?.string }.first?.without(secrets)
    }
    self.init(
      status: response.status, code: text("error_code", "code", "error"),
      message: text("message", "msg", "error_description"), details: text("details"),
      hint: text("hint"))
  }
}
