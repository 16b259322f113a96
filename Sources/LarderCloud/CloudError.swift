public import LarderJSON
internal import LarderModel

/// The reason why a request to the cloud failed, classified by what can be done about it.
///
/// Codes are PostgreSQL's (five letters and digits), PostgREST's (`PGRST…`) or GoTrue's (words).
/// Texts are the server's, without keys and tokens.
public enum CloudError: Error, Sendable {
  /// There is no answer; the request may have been carried out.
  case offline(TransportError)
  /// Nobody is signed in.
  case notSignedIn
  /// The session is over, for the reason in GoTrue's code.
  case signInAgain(code: String)
  /// The policies don't allow it (`42501`).
  case forbidden(code: String, message: String)
  /// The project's tables or functions don't match this version of Larder: a migration is missing.
  case schemaMismatch(code: String, message: String)
  /// A constraint failed: the key exists already (`23505`), or a referenced row does not exist
  /// (`23503`).
  case conflict(code: String, message: String)
  /// Any other refusal; the same request will be refused again.
  case rejected(Refusal)
  /// There were too many requests; `retryAfter` is the time to wait, if the server gave one.
  case rateLimited(retryAfter: Duration?)
  /// The server failed; it may succeed later.
  case server(status: Int, code: String?, retryAfter: Duration?)
  /// The answer does not follow the protocol.
  case malformedAnswer(AnswerFlaw)
  /// The waiting task was cancelled; the request may have been carried out.
  case cancelled
  /// The credentials can't be read or stored on this device.
  case credentials(CredentialsError)
}

/// The body of a refusal.
public struct Refusal: Sendable, Hashable {
  /// The HTTP status.
  public var status: Int
  public var code: String?
  public var message: String?
  public var details: String?
  public var hint: String?
}

/// The flaw of an answer.
public enum AnswerFlaw: Sendable, Hashable {
  /// It is over 16 MiB.
  case tooLong
  /// It is not JSON as Larder reads it, from this position on.
  ///
  /// The text there may be a token, so it is not included.
  case notJSON(TextPosition)
  /// It is something other than this: `an array`, `rows of the request`.
  case expected(String)
  /// This key is missing or has the wrong type.
  case missing(String)
}

extension CloudError {
  /// Whether the same request may succeed a little later.
  ///
  /// All requests that Larder sends are idempotent, so a retry does no harm.
  public var isRetryable: Bool {
    switch self {
    case .offline(let error): error.isPassing
    case .rateLimited, .server: true
    case .notSignedIn, .signInAgain, .forbidden, .schemaMismatch, .conflict, .rejected,
      .malformedAnswer, .cancelled, .credentials:
      false
    }
  }

  /// The time to wait that the server asks for.
  var retryAfter: Duration? {
    switch self {
    case .rateLimited(let retryAfter), .server(_, _, let retryAfter): retryAfter
    default: nil
    }
  }

  init(_ error: TransportError) {
    if case .cancelled = error {
      self = .cancelled
    } else {
      self = .offline(error)
    }
  }
}

extension CloudError {
  /// The code of a refusal.
  var code: String? { if case .rejected(let refusal) = self { refusal.code } else { nil } }

  /// The code and the server's message, for the outbox; it never includes the row.
  var shortText: String {
    switch self {
    case .rejected(let refusal):
      [refusal.code ?? String(refusal.status), refusal.message].compactMap(\.self)
        .joined(separator: ": ")
    case .conflict(let code, let message), .forbidden(let code, let message),
      .schemaMismatch(let code, let message):
      "\(code): \(message)"
    case .server(let status, let code, _): code ?? String(status)
    case .malformedAnswer(.tooLong): "the project has more of it than a file may hold"
    case .malformedAnswer: "what the project has of it is nothing that a file may be"
    default: "no answer"
    }
  }
}

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
