import Foundation
import LarderCloud
import TestSupport
import Testing

@Suite("What every transport promises")
struct TransportContractTests {
  @Test("a request arrives as it is, and so does the answer", arguments: Way.allCases)
  func exact(_ way: Way) async throws {
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* $0) }
    let target = "/rest/v1/stock%20items?name=eq.%26%3D%2B%23%25&b=%C3%A9"
    let (transport, url, server) = try way.open { request in
      var body = Array("\(request.method) \(request.target) \(request["x-one"] ?? "")\n".utf8)
      body += request.body
      return .answer(201, headers: ["X-Said": "yes"], body: body)
    }
    let response = try await transport.send(
      CloudRequest(.post, url + target, headers: ["X-One": "uno, due"], body: bytes))
    #expect(response.status == 201)
    #expect(response.headers["x-sAID"] == "yes")
    #expect(response.headers["X-Other"] == nil)
    #expect(response.body == Array("POST \(target) uno, due\n".utf8) + bytes)
    let plain = try await transport.send(CloudRequest(.get, url + "/"))
    #expect(plain.body == Array("GET / \n".utf8))
    let empty = try await transport.send(CloudRequest(.post, url + "/", body: []))
    #expect(empty.body == Array("POST / \n".utf8))
    withExtendedLifetime(server) {}
  }

  @Test(
    "every status is an answer, but for those that lead elsewhere",
    arguments: Way.allCases, [200, 201, 204, 300, 304, 400, 401, 404, 409, 429, 500, 503, 504])
  func statuses(_ way: Way, _ status: Int) async throws {
    let (transport, url, server) = try way.open { _ in
      let body = status == 204 || status == 304 ? [] : Array("{}".utf8)
      return .answer(status, headers: ["WWW-Authenticate": "Basic realm=\"x\""], body: body)
    }
    let response = try await transport.send(CloudRequest(.get, url + "/"))
    #expect(response.status == status)
    #expect(response.body.count == (status == 204 || status == 304 ? 0 : 2))
    withExtendedLifetime(server) {}
  }

  @Test(
    "redirects are never followed, and the error names the other host",
    arguments: Way.allCases, [301, 302, 303, 307, 308])
  func redirects(_ way: Way, _ status: Int) async throws {
    let visits = Counter()
    let elsewhere = try WebServer { _ in
      visits.add()
      return .answer(200, "{}")
    }
    let targets: [(String?, String?)] = [
      ("http://localhost:\(elsewhere.port)/x", "localhost"), ("/y", "127.0.0.1"),
      ("//example.org/z", "example.org"), ("https://user:word@[2001:db8::1]/", "2001:db8::1"),
      ("http://", nil), (nil, nil),
    ]
    for (target, host) in targets {
      let (transport, url, server) = try way.open { request in
        visits.add(request.path == "/" ? 0 : 1)
        return .answer(status, headers: target.map { ["location": $0] } ?? [:])
      }
      for method in [CloudRequest.Method.get, .post] {
        let request = CloudRequest(
          method, url + "/", headers: ["Authorization": "Bearer t"],
          body: method == .post ? [1] : nil)
        await #expect(throws: TransportError.redirected(host: host)) {
          try await transport.send(request)
        }
      }
      withExtendedLifetime(server) {}
    }
    #expect(visits.count == 0)
  }

  @Test("no value of a field can add another", arguments: Way.allCases, ["\r\n", "\n", "\0"])
  func injection(_ way: Way, _ end: String) async throws {
    let visits = Counter()
    let (transport, url, server) = try way.open { _ in
      visits.add()
      return .answer(200, "{}")
    }
    for headers: Headers in [["A": "b\(end)X: y"], ["A\(end)X": "y"]] {
      await #expect(throws: TransportError.self) {
        try await transport.send(CloudRequest(.get, url + "/", headers: headers))
      }
    }
    #expect(visits.count == 0)
    withExtendedLifetime(server) {}
  }

  @Test("an answer that is not whole is no answer", arguments: Way.allCases)
  func truncated(_ way: Way) async throws {
    let replies: [WebServer.Reply] = [
      .truncated(200, body: Array("[]".utf8)), .truncated(200, body: []), .drop,
    ]
    for reply in replies {
      let (transport, url, server) = try way.open { _ in reply }
      for body in [nil, [UInt8](repeating: 7, count: 100_000)] {
        await #expect(throws: TransportError.connectionLost(host: "127.0.0.1")) {
          try await transport.send(CloudRequest(body == nil ? .get : .post, url + "/", body: body))
        }
      }
      withExtendedLifetime(server) {}
    }
  }

  #if !canImport(Darwin)
    @Test("an answer that is too long to be read is not waited for")
    func endless() async throws {
      let (transport, url, server) = try Way.network.open { _ in
        .answer(200, headers: [:], body: [UInt8](repeating: 0x20, count: 48 << 20))
      }
      let response = try await transport.send(CloudRequest(.get, url + "/"))
      #expect((16 << 20) + 1..<20 << 20 ~= response.body.count)
      withExtendedLifetime(server) {}
    }
  #endif

  @Test("who says nothing is given up", arguments: Way.allCases)
  func silence(_ way: Way) async throws {
    let (transport, url, server) = try way.open(patience: .seconds(1)) { _ in .silence }
    await #expect(throws: TransportError.timedOut(host: "127.0.0.1")) {
      try await transport.send(CloudRequest(.get, url + "/"))
    }
    withExtendedLifetime(server) {}
  }

  @Test("cancelling the task ends the request", arguments: Way.allCases)
  func cancelling(_ way: Way) async throws {
    let (transport, url, server) = try way.open { request in
      request.path == "/quick" ? .answer(200, "{}") : .silence
    }
    let waiting = Task { try await transport.send(CloudRequest(.post, url + "/", body: [1])) }
    try await Task.sleep(for: .milliseconds(50))
    waiting.cancel()
    await #expect(throws: TransportError.cancelled) { try await waiting.value }
    // Also where it is just ending.
    await withTaskGroup { group in
      for index in 0..<200 {
        group.addTask {
          let task = Task { try await transport.send(CloudRequest(.get, url + "/quick")) }
          try? await Task.sleep(for: .microseconds(index * 20))
          task.cancel()
          switch await task.result {
          case .success(let response): #expect(response.status == 200)
          case .failure(let error): #expect(error as? TransportError == .cancelled)
          }
        }
      }
    }
    withExtendedLifetime(server) {}
  }

  @Test("many requests at once each get their own answer", arguments: Way.allCases)
  func many(_ way: Way) async throws {
    let (transport, url, server) = try way.open { .answer(200, $0.target) }
    try await withThrowingTaskGroup { group in
      for index in 0..<60 {
        group.addTask {
          let response = try await transport.send(CloudRequest(.get, "\(url)/\(index)"))
          #expect(response.body == Array("/\(index)".utf8))
        }
      }
      try await group.waitForAll()
    }
    withExtendedLifetime(server) {}
  }
}

/// Counts from any thread.
final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var value = 0
  func add(_ number: Int = 1) { lock.withLock { value += number } }
  var count: Int { lock.withLock { value } }
}
