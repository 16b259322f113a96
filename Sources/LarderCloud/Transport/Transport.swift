/// The transport to a server: sends one request and returns its answer, with any status.
///
/// It follows no redirects, stores no cookies or other data, and never retries. It is a closure, so
/// that an app can supply its own and tests need no network. When the waiting task is cancelled, it
/// throws `cancelled` within about a second.
public struct Transport: Sendable {
  private let exchange: @Sendable (CloudRequest) async throws(TransportError) -> CloudResponse

  /// Creates a custom transport, which must keep the promises above.
  public init(
    _ exchange: @escaping @Sendable (CloudRequest) async throws(TransportError) -> CloudResponse
  ) {
    self.exchange = exchange
  }

  /// Sends a request and waits for the complete answer.
  public func send(_ request: CloudRequest) async throws(TransportError) -> CloudResponse {
    // A token with a line break would add headers.
    guard request.headers.fields.allSatisfy({ isPlain($0.name) && isPlain($0.value) }) else {
      throw .other(
        host: URLText.host(of: request.url) ?? "", detail: "a field has a control character")
    }
    let response = try await exchange(request)
    if response.isRedirect {
      throw .redirected(host: response.headers["Location"].flatMap { host(of: $0, from: request) })
    }
    return response
  }

  private func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }

  /// Returns the host of a redirect; the target may be without a host (RFC 9110, 10.2.2).
  private func host(of location: String, from request: CloudRequest) -> String? {
    if location.hasPrefix("//") { return URLText.host(of: "https:" + location) }
    if location.hasPrefix("/") || !location.contains("://") { return URLText.host(of: request.url) }
    return URLText.host(of: location)
  }
}

extension CloudResponse {
  fileprivate var isRedirect: Bool { [301, 302, 303, 305, 306, 307, 308].contains(status) }
}

extension Transport {
  /// Returns a transport by the system's network library: HTTP/2 or 1.1, connections that stay open
  /// between requests, the system's certificates and the system's proxies.
  ///
  /// A request fails with `timedOut` if connecting takes as long as `patience`, or if no data is
  /// transferred for that time. It counts in whole seconds, at least one.
  public static func network(patience: Duration = .seconds(30)) -> Transport {
    let seconds = Int(max(1, min(patience.components.seconds, 86_400)))
    #if canImport(Darwin)
      return urlSession(seconds: seconds)
    #else
      return curl(seconds: seconds)
    #endif
  }
}
