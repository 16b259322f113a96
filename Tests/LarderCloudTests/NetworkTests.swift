import Foundation
import LarderCloud
import TestSupport
import Testing

@Suite("The network")
struct NetworkTests {
  private func failure(_ url: String, _ transport: Transport = .network()) async -> TransportError?
  {
    do {
      _ = try await transport.send(CloudRequest(.get, url))
      return nil
    } catch {
      return error
    }
  }

  @Test("what keeps a server from being reached is told apart")
  func unreachable() async throws {
    // No label of a name may have 64 letters, so nobody is asked for it.
    let name = String(repeating: "a", count: 64) + ".invalid"
    #expect(await failure("https://\(name)/") == .unresolved(host: name))
    let server = try WebServer { _ in .answer(200, "{}") }
    server.shutDown()
    #expect(await failure(server.url) == .unreachable(host: "127.0.0.1"))
    let plain = try WebServer { _ in .raw("HTTP/1.1 400 Bad\r\n\r\n") }
    let impatient = Transport.network(patience: .seconds(2))
    let error = await failure("https://127.0.0.1:\(plain.port)/", impatient)
    guard case .insecure(host: "127.0.0.1", _) = error else {
      Issue.record("\(error as Any)")
      return
    }
  }

  @Test("a server whose certificate nobody vouches for gets nothing")
  func stranger() async throws {
    let server = try StrangerServer()
    let error = await failure("https://localhost:\(server.port)/")
    guard case .insecure(host: "localhost", let detail) = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(detail.contains("certificate"))
  }

  @Test("an answer that ends within its headers, or is none, is an error")
  func broken() async throws {
    let answers = [
      "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
    ]
    for answer in answers {
      let server = try WebServer { _ in .raw(answer) }
      #expect(await failure(server.url) == .connectionLost(host: "127.0.0.1"), "\(answer)")
    }
    let server = try WebServer { _ in .raw("hello\r\n\r\n") }
    #expect(await failure(server.url) != nil)
    let chunked = try WebServer { _ in
      .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n[1")
    }
    #expect(await failure(chunked.url) == .connectionLost(host: "127.0.0.1"))
  }

  @Test("answers in pieces, after interim ones, and with a field twice are put together")
  func pieces() async throws {
    let server = try WebServer { _ in
      .raw(
        "HTTP/1.1 103 Early Hints\r\nX-A: 0\r\n\r\nHTTP/1.1 200 OK\r\nX-A: 1\r\nx-a:  2 \r\n"
          + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
    }
    let response = try await Transport.network().send(CloudRequest(.get, server.url))
    #expect(response.status == 200)
    #expect(response.headers["X-A"] == "1, 2")
    #expect(response.body == Array("abcde".utf8))
  }

  @Test("one connection serves request after request")
  func reuse() async throws {
    let server = try WebServer { .answer(200, body: $0.body) }
    let transport = Transport.network()
    for index in 0..<50 {
      let body = [UInt8](repeating: UInt8(index), count: index * 1000)
      let response = try await transport.send(CloudRequest(.post, server.url + "/", body: body))
      #expect(response.body == body)
    }
    // One that nobody used for two minutes, as on a machine that is busy, is made anew.
    #expect(server.connections < 5)
  }

  @Test("a connection that the server has closed meanwhile costs nothing but a new one")
  func stale() async throws {
    let server = try WebServer { .answer(200, body: $0.body) }
    let transport = Transport.network(patience: .seconds(5))
    for index in 0..<20 {
      let body = [UInt8](repeating: UInt8(index), count: 200_000)
      let response = try await transport.send(CloudRequest(.post, server.url + "/", body: body))
      #expect(response.body == body)
      server.endConnections()
    }
  }

  @Test("cookies are not kept, and nothing says what machine this is")
  func nothingKept() async throws {
    let requests = Recorder<WebServer.Request>()
    let server = try WebServer { request in
      requests.add(request)
      return .answer(200, headers: ["Set-Cookie": "a=b", "Cache-Control": "max-age=600"])
    }
    let transport = Transport.network()
    for _ in 0..<2 { _ = try await transport.send(CloudRequest(.get, server.url + "/")) }
    #expect(requests.all.count == 2)
    #expect(requests.all.allSatisfy { $0["Cookie"] == nil && $0["Authorization"] == nil })
  }

  @Test(
    "addresses of IPv6 are taken",
    .enabled(if: (try? WebServer(isIPv6: true) { _ in .answer(200, "{}") }) != nil, "no IPv6 here"))
  func version6() async throws {
    let server = try WebServer(isIPv6: true) { _ in .answer(200, "{}") }
    let response = try await Transport.network().send(
      CloudRequest(.get, "http://[::1]:\(server.port)/"))
    #expect(response.status == 200)
  }

  @Test("nothing is sent to addresses that are none of the web's")
  func otherSchemes() async throws {
    for url in ["file:///etc/passwd", "ftp://127.0.0.1/", "", "no address"] {
      #expect(await failure(url) != nil, "\(url)")
    }
  }
}

/// Keeps what comes from any thread.
final class Recorder<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var values: [Value] = []
  func add(_ value: Value) { lock.withLock { values.append(value) } }
  var all: [Value] { lock.withLock { values } }
}
