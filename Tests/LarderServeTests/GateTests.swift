import LarderServe
import TestSupport
import Testing

@Suite("The gate of the web server")
struct GateTests {
  private static let host = RequestHead.Header("Host", "127.0.0.1:8413")
  private static let bearer = RequestHead.Header("Authorization", "Bearer good")
  private static let json = RequestHead.Header("Content-Type", "application/json")
  private static let length = RequestHead.Header("Content-Length", "2")

  private static let gate = Gate(
    authorities: ["127.0.0.1:8413", "[::1]:8413", "larder.example.org"])

  private func outcome(_ head: RequestHead) -> Refusal? {
    do throws(Refusal) {
      _ = try Self.gate.check(head) { _ in head.headers.contains(Self.bearer) ? "Mira" : nil }
      return nil
    } catch {
      return error
    }
  }

  private static let refused: [(RequestHead, Refusal)] = [
    (RequestHead("GET", "/"), .foreignHost),
    (RequestHead("GET", "/", [host, host]), .foreignHost),
    (RequestHead("GET", "/", [host, .init("hOST", "evil.example")]), .foreignHost),
    (RequestHead("GET", "/", [.init("Host", "evil.example")]), .foreignHost),
    (RequestHead("GET", "/", [.init("Host", "evil.example:8413")]), .foreignHost),
    (RequestHead("GET", "/", [.init("Host", "127.0.0.1")]), .foreignHost),
    (RequestHead("GET", "/", [.init("Host", "127.0.0.1:8413.evil.example")]), .foreignHost),
    (RequestHead("GET", "/", [.init("Host", "127.0.0.1:8413, evil.example")]), .foreignHost),
    (RequestHead("GET", "/", [.init("Host", "")]), .foreignHost),
    (RequestHead("GET", "http://127.0.0.1:8413/", [host]), .malformed(.target)),
    (RequestHead("GET", "*", [host]), .malformed(.target)),
    (RequestHead("GET", "", [host]), .malformed(.target)),
    (RequestHead("GET", "//evil.example/", [host]), .malformed(.target)),
    (RequestHead("GET", "/a/../api/1/state", [host]), .malformed(.target)),
    (RequestHead("GET", "/%2e%2e/etc/passwd", [host]), .malformed(.target)),
    (RequestHead("GET", "/api%2f1/state", [host]), .malformed(.target)),
    (RequestHead("GET", "/a%00", [host]), .malformed(.target)),
    (RequestHead("GET", "/a%", [host]), .malformed(.target)),
    (RequestHead("GET", "/a%ff", [host]), .malformed(.target)),
    (RequestHead("GET", "/\u{e9}", [host]), .malformed(.target)),
    (RequestHead("GET", "/a#b", [host]), .malformed(.target)),
    (RequestHead("GET", "/a\\b", [host]), .malformed(.target)),
    (RequestHead("GET", "/", [host, .init("X-A", "b\r\nHost: evil")]), .malformed(.header)),
    (RequestHead("GET", "/", [host, .init("X-A", "b\0")]), .malformed(.header)),
    (RequestHead("GET", "/", [host, .init("X A", "b")]), .malformed(.header)),
    (RequestHead("GET", "/", [host, .init("", "b")]), .malformed(.header)),
    (RequestHead("OPTIONS", "/", [host]), .method), (RequestHead("get", "/", [host]), .method),
    (RequestHead("DELETE", "/api/1/acts", [host, bearer]), .method),
    (RequestHead("TRACE", "/", [host]), .method),
    (RequestHead("GET", "/", [host, length]), .malformed(.body)),
    (RequestHead("GET", "/", [host, .init("Transfer-Encoding", "chunked")]), .malformed(.length)),
    (
      RequestHead(
        "POST", "/api/1/pair", [host, json, length, .init("Transfer-Encoding", "chunked")]),
      .malformed(.length)
    ), (RequestHead("POST", "/api/1/pair", [host, json, length, length]), .malformed(.length)),
    (
      RequestHead(
        "POST", "/api/1/pair", [host, json, .init("Transfer-Encoding", "gzip, chunked")]),
      .malformed(.length)
    ),
    (
      RequestHead("POST", "/api/1/pair", [host, json, .init("Content-Length", "+2")]),
      .malformed(.length)
    ),
    (
      RequestHead("POST", "/api/1/pair", [host, json, .init("Content-Length", "2, 2")]),
      .malformed(.length)
    ),
    (
      RequestHead("POST", "/api/1/pair", [host, json, .init("Content-Length", "262145")]),
      .bodyTooLong
    ),
    (
      RequestHead(
        "POST", "/api/1/pair", [host, json, .init("Content-Length", "99999999999999999999999")]),
      .bodyTooLong
    ), (RequestHead("POST", "/api/1/pair", [host, length]), .notJSON),
    (
      RequestHead("POST", "/api/1/pair", [host, length, .init("Content-Type", "text/plain")]),
      .notJSON
    ), (RequestHead("POST", "/api/1/pair", [host, json, json, length]), .malformed(.repeated)),
    (RequestHead("GET", "/", [host, .init("Origin", "http://evil.example")]), .foreignOrigin),
    (RequestHead("GET", "/", [host, .init("Origin", "null")]), .foreignOrigin),
    (RequestHead("GET", "/", [host, .init("Origin", "http://127.0.0.1:8080")]), .foreignOrigin),
    (RequestHead("GET", "/", [host, .init("Origin", "")]), .foreignOrigin),
    (RequestHead("GET", "/api/1/state", [host]), .noToken),
    (RequestHead("GET", "/api", [host]), .noToken),
    (RequestHead("GET", "/%61pi/1/state", [host]), .noToken),
    (RequestHead("GET", "/api/1/pair/", [host]), .noToken),
    (RequestHead("POST", "/api/1/acts", [host, json, length]), .noToken),
    (
      RequestHead("GET", "/api/1/state", [host, .init("Authorization", "Bearer bad")]), .wrongToken
    ), (RequestHead("GET", "/api/1/state", [host, .init("Authorization", "good")]), .wrongToken),
    (RequestHead("GET", "/api/1/state", [host, bearer, bearer]), .malformed(.repeated)),
    (
      RequestHead(
        "GET", "/", [host, .init("Cookie", String(repeating: "a", count: 17 << 10))]),
      .headTooLong
    ),
  ]

  @Test("what no browser writes to its own server is refused", arguments: refused.indices)
  func refuses(_ index: Int) {
    let (head, refusal) = Self.refused[index]
    #expect(outcome(head) == refusal, "\(head)")
  }

  private static let passed: [RequestHead] = [
    RequestHead("GET", "/", [host]), RequestHead("HEAD", "/", [host]),
    RequestHead("GET", "/look.css?v=1", [.init("host", "[::1]:8413")]),
    RequestHead("GET", "/", [.init("Host", "Larder.Example.ORG")]),
    RequestHead("GET", "/", [host, .init("Origin", "http://127.0.0.1:8413")]),
    RequestHead("GET", "/", [host, .init("Origin", "https://larder.example.org")]),
    RequestHead("GET", "/", [host, .init("Content-Length", "0")]),
    RequestHead("GET", "/api/1/receipts?before=2026-01-01T00%3A00%3A00Z", [host, bearer]),
    RequestHead("POST", "/api/1/pair", [host, json, length]),
    RequestHead(
      "POST", "/api/1/acts",
      [host, bearer, .init("Content-Type", "Application/JSON; charset=UTF-8"), length]),
    RequestHead(
      "POST", "/api/1/acts", [host, bearer, json, .init("Transfer-Encoding", "chunked")]),
    RequestHead("POST", "/api/1/acts", [host, bearer, json, .init("Content-Length", "262144")]),
  ]

  @Test("what a browser or a proxy writes passes", arguments: passed)
  func passes(_ head: RequestHead) { #expect(outcome(head) == nil) }

  @Test("a request is cleaned: its path and query have no escapes")
  func cleaned() throws {
    let head = RequestHead(
      "GET", "/api/1/item/a%20b?x=%C3%A9&y",
      [Self.host, Self.bearer, .init("If-None-Match", "\"g\"")])
    let request = try Self.gate.check(head) { _ in "Mira" }
    #expect(request.path == "/api/1/item/a b")
    #expect(request[parameter: "x"] == "é" && request[parameter: "y"] == "")
    #expect(request.phone == "Mira" && request.ifNoneMatch == "\"g\"")
  }

  @Test("whatever is asked without a token, nothing of the API passes but pairing")
  func secret() {
    var random = SeededGenerator(seed: Seed.ofRun)
    let pieces = [
      "/", "api", "/api/1/state", "/api/", "%2f", "%61", "..", "?", "&", "=", "pair", "/api/1/pair",
      "\\", "%", "//", ";", "é", "\0", " ", "http://127.0.0.1:8413", "#", "item", "1",
    ]
    let values = [
      "127.0.0.1:8413", "evil.example", "chunked", "2", "application/json", "x", "", "\r\n",
    ]
    let names = ["Host", "Content-Length", "Transfer-Encoding", "Content-Type", "Origin", "X", ""]
    for _ in 0..<20_000 {
      func some(_ list: [String]) -> String { list.randomElement(using: &random) ?? "" }
      var head = RequestHead(some(["GET", "POST", "HEAD", "PUT", ""]), "/")
      head.target += (0..<Int.random(in: 0...4, using: &random)).map { _ in some(pieces) }.joined()
      if Int.random(in: 0...9, using: &random) > 0 { head.headers.append(Self.host) }
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        head.headers.append(.init(some(names), some(values)))
      }
      guard let request = try? Self.gate.check(head, phone: { _ in nil }) else { continue }
      let hosts = head.headers.filter { $0.name.lowercased() == "host" }
      #expect(hosts.map(\.value) == ["127.0.0.1:8413"], "\(head)")
      #expect(!request.path.hasPrefix("/api/") || request.path == "/api/1/pair", "\(head)")
      #expect(request.path != "/api" && request.phone == "", "\(head)")
      let sizes = ["content-length", "transfer-encoding"]
      #expect(head.headers.filter { sizes.contains($0.name.lowercased()) }.count <= 1, "\(head)")
    }
  }
}
