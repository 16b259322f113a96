/// The way to a server: sends one request and gives the one answer, whatever its status.
///
/// It follows no redirects, keeps no cookies and nothing else, and repeats nothing. It is a closure,
/// so that an app can bring its own and tests can do without a network. Cancelling the task that waits
/// makes it throw `cancelled` within a second or so.
public struct Transport: Sendable {
  private let exchange: @Sendable (CloudRequest) async throws(TransportError) -> CloudResponse

  /// A transport of one's own, which has to keep the promises above.
  public init(
    _ exchange: @escaping @Sendable (CloudRequest) async throws(TransportError) -> CloudResponse
  ) {
    self.exchange = exchange
  }

  /// Sends a request and waits for the whole answer.
  public func send(_ request: CloudRequest) async throws(TransportError) -> CloudResponse {
    // A token with a line end in it would add fields of its own.
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

  /// Where a redirect leads; its target may be written without the host (RFC 9110, 10.2.2).
  private func host(of location: String, from request: CloudRequest) -> String? {
    if location.hasPrefix("//") { return URLText.host(of: "https:" + location) }
    if location.hasPrefix("/") || !location.contains("://") { return URLText.host(of: request.url) }
    return URLText.host(of: location)
  }
}

extension CloudResponse {
  fileprivate var isRedirect: Bool { [301, 302, 303, 305, 306, 307, 308].contains(status) }
}
