internal import LarderJSON
internal import LarderModel

extension CloudError {
  /// What an answer of PostgREST that is no success means (PostgREST, "Errors").
  init(rest response: CloudResponse, now: Instant, hiding secrets: [Secret]) {
    let refusal = Refusal(response, hiding: secrets)
    let code = refusal.code ?? ""
    let message = refusal.message ?? ""
    switch (response.status, code) {
    case (_, "42501"): self = .forbidden(code: code, message: message)
    case (_, "PGRST202"), (_, "PGRST203"), (_, "PGRST204"), (_, "PGRST205"), (_, "42703"),
      (_, "42P01"), (_, "42883"):
      self = .schemaMismatch(code: code, message: message)
    // One row twice in one request: no other time is a better one.
    case (_, "21000"): self = .rejected(refusal)
    default: self.init(response, refusal, now)
    }
  }

  /// What an answer of GoTrue that is no success means (Supabase, "Auth error codes").
  init(auth response: CloudResponse, now: Instant, hiding secrets: [Secret]) {
    let refusal = Refusal(response, hiding: secrets)
    let code = refusal.code ?? ""
    if response.status < 500, Self.ended.contains(code) {
      self = .signInAgain(code: code)
    } else if code == "otp_expired" {
      // It is a code that is refused, not a user.
      self = .rejected(refusal)
    } else if response.status == 409, code == "conflict" {
      // Two requests of one session met; GoTrue asks to try again.
      self = .server(status: 409, code: code, retryAfter: nil)
    } else {
      self.init(response, refusal, now)
    }
  }

  /// The codes after which no refresh will help.
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
  /// Reads what PostgREST, GoTrue in its old and its new form, and the gateway before them say; a
  /// body of another kind says nothing.
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
