import LarderCloud
import TestSupport

/// The ways a request can take in the tests: over a real socket, or straight to whoever answers.
enum Way: CaseIterable {
  case network
  case inProcess

  /// A way to somebody who answers, and his address; over the network it lasts as long as the server.
  func open(
    patience: Duration = .seconds(30),
    _ handler: @escaping @Sendable (WebServer.Request) -> WebServer.Reply
  ) throws -> (transport: Transport, url: String, server: WebServer?) {
    switch self {
    case .network:
      let server = try WebServer(handler)
      return (.network(patience: patience), server.url, server)
    case .inProcess:
      return (.inProcess(patience: patience, handler), "http://127.0.0.1:1", nil)
    }
  }
}

extension Transport {
  /// Straight to whoever answers, without a network.
  static func inProcess(
    patience: Duration = .seconds(30),
    _ handler: @escaping @Sendable (WebServer.Request) -> WebServer.Reply
  ) -> Transport {
    Transport { request throws(TransportError) in
      let target = request.url.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" }
      let reply = handler(
        WebServer.Request(
          method: request.method.rawValue, target: String(target), headers: request.headers.fields,
          body: request.body ?? []))
      switch reply {
      case .answer(let status, let headers, let body):
        var response = CloudResponse(status: status, body: body)
        for (name, value) in headers { response.headers.add(name, value) }
        return response
      case .truncated, .drop, .raw:
        throw .connectionLost(host: "127.0.0.1")
      case .silence:
        do {
          try await Task.sleep(for: patience)
        } catch {
          throw .cancelled
        }
        throw .timedOut(host: "127.0.0.1")
      }
    }
  }
}
