/// Why a request has no answer.
///
/// It may have been carried out all the same, unless the case says no.
public enum TransportError: Error, Sendable, Hashable {
  /// The host's name is unknown, as it is without a network; nothing was sent.
  case unresolved(host: String)
  /// Nobody takes a connection there, or no way leads there; nothing was sent.
  case unreachable(host: String)
  /// Nothing came for as long as the transport waits, while connecting or later.
  case timedOut(host: String)
  /// The server's certificate or its encryption is not to be trusted; nothing was sent.
  case insecure(host: String, detail: String)
  /// The connection ended before the answer was whole.
  case connectionLost(host: String)
  /// The task that waits for the answer was cancelled.
  case cancelled
  /// The server sends requests on to another place, which is not followed: the headers hold tokens.
  ///
  /// `host` is nil where the answer names none.
  case redirected(host: String?)
  /// Anything else, in the words of the system's library, which hold no more of the request than
  /// the host.
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
