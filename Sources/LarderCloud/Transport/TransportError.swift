/// The reason why a request has no answer.
///
/// The request may have been carried out anyway, unless the case says no.
public enum TransportError: Error, Sendable, Hashable {
  /// The host's name is unknown, for example without a network; nothing was sent.
  case unresolved(host: String)
  /// The host refuses connections or can't be reached; nothing was sent.
  case unreachable(host: String)
  /// Nothing came within the transport's time limit, while connecting or later.
  case timedOut(host: String)
  /// The server's certificate or encryption is not trusted; nothing was sent.
  case insecure(host: String, detail: String)
  /// The connection ended before the answer was complete.
  case connectionLost(host: String)
  /// The waiting task was cancelled.
  case cancelled
  /// The server redirects to another address, which is not followed, because the headers have
  /// tokens.
  ///
  /// `host` is nil if the answer names none.
  case redirected(host: String?)
  /// Any other error, in the words of the system's library, which include nothing of the request
  /// but the host.
  case other(host: String, detail: String)
}

extension TransportError {
  /// Whether the same request may get an answer a little later.
  public var isPassing: Bool {
    switch self {
    case .unresolved, .unreachable, .timedOut, .connectionLost: true
    case .insecure, .cancelled, .redirected, .other: false
    }
  }
}
