public import LarderJSON

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
