public import LarderJSON

/// Why the cloud did not do what it was asked, by what there is to do about it.
///
/// Codes are PostgreSQL's (five letters and digits), PostgREST's (`PGRST…`) or GoTrue's (words); texts
/// are the server's, without our keys and tokens.
public enum CloudError: Error, Sendable {
  /// There is no answer. What was sent may have been done.
  case offline(TransportError)
  /// Nobody is signed in.
  case notSignedIn
  /// The session is over, for the reason that GoTrue's code says.
  case signInAgain(code: String)
  /// The policies don't allow it (`42501`).
  case forbidden(code: String, message: String)
  /// The project's tables or functions are not those that Larder knows: a migration is missing.
  case schemaMismatch(code: String, message: String)
  /// It does not fit what is there: a row with the key exists (`23505`), or one that is referred to
  /// does not (`23503`).
  case conflict(code: String, message: String)
  /// Any other refusal; the same request will be refused again.
  case rejected(Refusal)
  /// There were too many requests; after `retryAfter` there may be more, where the server says when.
  case rateLimited(retryAfter: Duration?)
  /// The server could not; it may later.
  case server(status: Int, code: String?, retryAfter: Duration?)
  /// The answer is not what the protocol says.
  case malformedAnswer(AnswerFlaw)
  /// The task that waits was cancelled. What was sent may have been done.
  case cancelled
  /// The tokens can't be read or kept on this device.
  case credentials(CredentialsError)
}

/// What a server said with a refusal.
public struct Refusal: Sendable, Hashable {
  /// The status of HTTP.
  public var status: Int
  public var code: String?
  public var message: String?
  public var details: String?
  public var hint: String?
}

/// What is wrong with an answer.
public enum AnswerFlaw: Sendable, Hashable {
  /// It is over 16 MiB.
  case tooLong
  /// It is no JSON as Larder reads it, from here on; what stands there may be a token.
  case notJSON(TextPosition)
  /// It is something else than this: `an array`, `rows of the request`.
  case expected(String)
  /// This key has no value of its type.
  case missing(String)
}

extension CloudError {
  /// Whether the same request may succeed a little later.
  ///
  /// None of those that Larder sends does harm when it is carried out twice.
  public var isRetryable: Bool {
    switch self {
    case .offline(let error): error.isPassing
    case .rateLimited, .server: true
    case .notSignedIn, .signInAgain, .forbidden, .schemaMismatch, .conflict, .rejected,
      .malformedAnswer, .cancelled, .credentials:
      false
    }
  }

  /// How long the server asks to be left alone.
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
