import Foundation
import LarderJSON
import LarderServe
import TestSupport
import Testing

@OwnThread @Suite("The web server, by raw sockets", .serialized)
struct ServerTests {
  @Test("the page needs no token, has its headers, and is not sent twice")
  func page() async throws {
    let server = try RunningServer()
    let answer = try server.ask("GET", "/")
    #expect(status(answer) == 200)
    for header in [
      "Content-Security-Policy: default-src 'none'; script-src 'self';", "frame-ancestors 'none'",
      "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer", "Cache-Control: no-cache",
      "Content-Type: text/html; charset=utf-8",
    ] { #expect(answer.contains(header), "\(header)") }
    #expect(!answer.lowercased().contains("access-control") && !answer.contains("Set-Cookie"))
    let tag = try #require(answer.firstMatch(of: /ETag: (".*?")/)).1
    let again = try server.ask("GET", "/index.html", ["If-None-Match: \(tag)"])
    #expect(status(again) == 304 && !again.contains("<html"))
    let head = try server.ask("HEAD", "/")
    #expect(status(head) == 200 && !head.contains("<html"))
    #expect(status(try server.ask("GET", "/none.js")) == 404)
    await server.stop()
  }

  @Test("without a token, or with a wrong or forgotten one, nobody learns anything")
  func secret() async throws {
    let server = try RunningServer()
    let token = try server.token()
    let answer = try server.ask("GET", "/api/1/state", token: token)
    #expect(status(answer) == 200 && answer.contains(RunningServer.secret))
    #expect(answer.contains("Mira's phone") && answer.contains("Cache-Control: no-store"))
    for target in ["/api/1/state", "/api/1/none", "/api", "/api/1/acts?token=\(token)"] {
      for wrong in [nil, "x", String(token.dropLast())] {
        let answer = try server.ask("GET", target, token: wrong)
        #expect(status(answer) == 401 && answer.contains("WWW-Authenticate: Bearer"))
        #expect(!answer.contains(RunningServer.secret) && !answer.contains("Ashgrove"))
      }
    }
    #expect(try server.book.forget("mira's phone"))
    #expect(status(try server.ask("GET", "/api/1/state", token: token)) == 401)
    await server.stop()
  }

  @Test("after twenty wrong tokens within a minute, wrong ones wait, and true ones pass")
  func guessingTokens() async throws {
    let server = try RunningServer()
    let token = try server.token()
    let answers = try (0..<25).map {
      status(try server.ask("GET", "/api/1/state", token: "guess\($0)"))
    }
    #expect(answers == Array(repeating: 401, count: 20) + Array(repeating: 429, count: 5))
    #expect(status(try server.ask("GET", "/api/1/state", token: token)) == 200)
    await server.stop()
  }

  @Test("what could be read in two ways is refused, with nothing of the household")
  func ambiguous() async throws {
    let server = try RunningServer()
    let token = try server.token()
    let own = "Host: 127.0.0.1:\(server.port)\r\n"
    let end = "Authorization: Bearer \(token)\r\nConnection: close\r\n\r\n"
    let state = "GET /api/1/state HTTP/1.1\r\n"
    let post = "POST /api/1/acts HTTP/1.1\r\n\(own)Content-Type: application/json\r\n"
    let cases: [(String, Int)] = [
      (state + "Host: evil.example\r\n" + end, 421),
      (state + "Host: evil.example:\(server.port)\r\n" + end, 421),
      (state + own + "Host: evil.example\r\n" + end, 421), (state + own + own + end, 421),
      (state + own + "Origin: http://evil.example\r\n" + end, 403),
      (state + own + "Origin: null\r\n" + end, 403),
      ("GET /api/1/state\0/more HTTP/1.1\r\n" + own + end, 400),
      ("GET /api/1/state?a\0b HTTP/1.1\r\n" + own + end, 400),
      (state + own + "X: one\0two\r\n" + end, 400),
      (state + "Host: 127.0.0.1:\(server.port)\0evil.example\r\n" + end, 400),
      ("GET http://127.0.0.1:\(server.port)/api/1/state HTTP/1.1\r\n" + own + end, 400),
      ("DELETE /api/1/state HTTP/1.1\r\n" + own + end, 405),
      (post + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n" + end + "0\r\n\r\n", 400),
      (post + "Content-Length: 2\r\nContent-Length: 11\r\n" + end + "{}", 400),
      (
        "POST /api/1/acts HTTP/1.1\r\n\(own)Content-Type: text/plain\r\nContent-Length: 2\r\n"
          + end + "{}", 415
      ), (state + own + "Cookie: \(String(repeating: "a", count: 17 << 10))\r\n" + end, 413),
      (post + "Content-Length: \(257 << 10)\r\n" + end, 413),
    ]
    for (text, expected) in cases {
      let answer = try server.send(text)
      #expect(status(answer) == expected, "\(text.prefix(300)) → \(answer.prefix(100))")
      #expect(!answer.contains(RunningServer.secret))
      #expect(answer.contains("X-Content-Type-Options: nosniff"))
    }
    // Two that no library should read; whoever answers, it is with nothing.
    for text in [
      state + end, "\0\u{1}\u{2}\r\n\r\n", "GET\r\n\r\n", state + "\(own) folded\r\n" + end,
    ] {
      #expect(!(try server.send(text)).contains(RunningServer.secret))
    }
    #expect(status(try server.ask("GET", "/api/1/state", token: token)) == 200)
    await server.stop()
  }

  @Test("a body may be 256 KB, also in pieces, and not a byte more")
  func bodies() async throws {
    let server = try RunningServer()
    let token = try server.token()
    let most = "{\"acts\": []}" + String(repeating: " ", count: Gate.mostBody - 12)
    let taken = try server.ask("POST", "/api/1/acts", token: token, body: most)
    #expect(status(taken) == 200 && taken.contains("262144"))
    #expect(
      status(try server.ask("POST", "/api/1/acts", token: token, body: most + " ")) == 413)
    func pieces(_ text: String) throws -> String {
      let head =
        "POST /api/1/acts HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nConnection: close\r\n"
        + "Authorization: Bearer \(token)\r\nContent-Type: application/json\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n"
      let size = String(text.utf8.count, radix: 16)
      return try server.send(head + "\(size)\r\n\(text)\r\n0\r\n\r\n")
    }
    #expect(try pieces(most).contains("262144"))
    #expect(status(try pieces(most + " ")) == 413)
    await server.stop()
  }

  @Test("a mistake in the JSON is 400 with its place, and a fault in the handler 500 and reported")
  func mistakes() async throws {
    let server = try RunningServer()
    let token = try server.token()
    let mistake = try server.ask("POST", "/api/1/acts", token: token, body: "{}")
    #expect(status(mistake) == 400 && mistake.contains("\"at\": \"acts\""), "\(mistake)")
    let broken = try server.ask("POST", "/api/1/acts", token: token, body: "{\"acts\": [}")
    #expect(status(broken) == 400 && broken.contains("line 1, column 11"), "\(broken)")
    let fault = try server.ask("GET", "/api/1/fault", token: token)
    #expect(status(fault) == 500 && !fault.contains("Fault"))
    let isReported = server.events.all.contains { event in
      if case .failed("/api/1/fault", let error) = event {
        error is RunningServer.Fault
      } else {
        false
      }
    }
    #expect(isReported)
    await server.stop()
  }

  @Test("a slow body, a slow head and silence end within their time, and hold up nobody")
  func slow() async throws {
    let server = try RunningServer()
    let token = try server.token()
    let body = try server.client()
    body.send(
      "POST /api/1/acts HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"
        + "Authorization: Bearer \(token)\r\nContent-Type: application/json\r\n"
        + "Content-Length: 100\r\n\r\n{")
    let head = try server.client()
    head.send("GET / HTTP/1.1\r\nX: ")
    let silent = try server.client()
    let began = ContinuousClock.now
    var isAlive = true
    while isAlive, .now - began < .seconds(40) {
      // Each byte would begin the library's own time anew.
      let one = body.send(" ")
      let other = head.send("a")
      isAlive = one || other
      #expect(status(try server.ask("GET", "/")) == 200)
      try await Task.sleep(for: .seconds(1))
    }
    #expect(!isAlive && .now - began < .seconds(30))
    #expect(silent.next(within: 1) == [])
    await server.stop()
  }

  @Test("whoever opens many connections keeps nobody out, and a phone's stays")
  func many() async throws {
    let server = try RunningServer()
    let token = try server.token()
    let phone = try server.client()
    let state =
      "GET /api/1/state HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"
      + "Authorization: Bearer \(token)\r\n\r\n"
    phone.send(state)
    #expect(try #require(phone.next(within: 10)).starts(with: "HTTP/1.1 200".utf8))
    var neighbours: [RawClient] = []
    for _ in 0..<200 {
      neighbours.append(try server.client())
      neighbours.last?.send("GET / HTTP/1.1\r\nX: ")
    }
    #expect(status(try server.ask("GET", "/")) == 200)
    #expect(status(try server.ask("GET", "/api/1/state", token: token)) == 200)
    phone.send(state)
    #expect(try #require(phone.next(within: 10)).starts(with: "HTTP/1.1 200".utf8))
    neighbours = []
    await server.stop()
  }

  @Test("a phone that opens many connections keeps no other phone out")
  func manyOfOnePhone() async throws {
    let server = try RunningServer()
    let (mira, tom) = (try server.token("Mira"), try server.token("Tom"))
    func state(_ token: String) -> String {
      "GET /api/1/state HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"
        + "Authorization: Bearer \(token)\r\n\r\n"
    }
    let phone = try server.client()
    phone.send(state(tom))
    #expect(try #require(phone.next(within: 10)).starts(with: "HTTP/1.1 200".utf8))
    var many: [RawClient] = []
    for _ in 0..<200 {
      many.append(try server.client())
      many.last?.send(state(mira))
      #expect(try #require(many.last?.next(within: 10)).starts(with: "HTTP/1.1 200".utf8))
    }
    #expect(many[0].next(within: 1) == [], "its oldest has ended")
    #expect(status(try server.ask("GET", "/api/1/state", token: tom)) == 200)
    phone.send(state(tom))
    #expect(try #require(phone.next(within: 10)).starts(with: "HTTP/1.1 200".utf8))
    many = []
    await server.stop()
  }

  @Test("what a phone began to send before it was forgotten is not done")
  func forgottenMeanwhile() async throws {
    let reached = Locked(0)
    let server = try RunningServer(handler: { _ in
      reached.change { $0 += 1 }
      return .json([:])
    })
    let client = try server.client()
    client.send(
      "POST /api/1/acts HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nConnection: close\r\n"
        + "Authorization: Bearer \(try server.token("Mira"))\r\n"
        + "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{")
    try await Task.sleep(for: .milliseconds(200))
    #expect(try server.book.forget("Mira"))
    client.send("}")
    #expect(status(client.rest()) == 401)
    #expect(reached.change { $0 } == 0)
    await server.stop()
  }

  @Test("a client that is gone in the middle harms nobody")
  func gone() async throws {
    let server = try RunningServer()
    let token = try server.token()
    let request =
      "GET /api/1/slow HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"
      + "Authorization: Bearer \(token)\r\n\r\n"
    for size in [5, 40, request.utf8.count] {
      for _ in 0..<5 { try server.client().send(String(request.prefix(size))) }
    }
    try await Task.sleep(for: .seconds(1))
    #expect(status(try server.ask("GET", "/api/1/state", token: token)) == 200)
    await server.stop()
  }

  @Test("the end waits for the answers under way, and nothing answers afterwards")
  func ending() async throws {
    let server = try RunningServer()
    let token = try server.token()
    let client = try server.client()
    client.send(
      "GET /api/1/slow HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"
        + "Authorization: Bearer \(token)\r\n\r\n")
    try await Task.sleep(for: .milliseconds(200))
    await server.stop()
    #expect(client.rest().contains("\"slow\": true"))
    #expect(throws: RawClient.NoConnection.self) { try server.client() }
  }

  @Test("a port in use is said")
  func portInUse() async throws {
    let server = try RunningServer()
    var options = LarderServe.WebServer.Options()
    options.port = server.port
    let second = LarderServe.WebServer(
      options, phones: server.book, household: { [:] }, report: { _ in },
      handler: RunningServer.handler)
    #expect(throws: ServeError.portInUse(port: server.port)) { _ = try second.start() }
    await second.stop()
    await server.stop()
  }

  @Test("with a certificate it speaks https, and takes no other file for one")
  func secure() async throws {
    let folder = try Folder()
    let (chain, key) = (folder.path + "/chain.pem", folder.path + "/key.pem")
    let made = try run(
      "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
      "/CN=localhost", "-keyout", key, "-out", chain)
    try #require(made.code == 0, "\(made.output)")
    let server = try RunningServer(certificate: (chain, key))
    let request = "GET / HTTP/1.1\r\nHost: localhost:\(server.port)\r\nConnection: close\r\n\r\n"
    let answer = try run(
      "openssl", "s_client", "-quiet", "-connect", "127.0.0.1:\(server.port)", "-CAfile", chain,
      "-verify_return_error", input: request)
    #expect(answer.output.contains("HTTP/1.1 200"), "\(answer.output)")
    for (version, isSpoken) in [("-tls1_1", false), ("-tls1_2", true), ("-tls1_3", true)] {
      let said = try run(
        "openssl", "s_client", "-brief", "-connect", "127.0.0.1:\(server.port)", version, "-cipher",
        "DEFAULT@SECLEVEL=0", input: request)
      #expect(said.output.contains("CONNECTION ESTABLISHED") == isSpoken, "\(version): \(said)")
    }
    await server.stop()
    #expect(throws: ServeError.badCertificate(certificate: key, key: chain)) {
      _ = try RunningServer(certificate: (key, chain))
    }
  }

  #if os(Linux)
    // Linux has all addresses that begin with 127.
    @Test("it follows the machine to another network, and answers to the names of now alone")
    func networks() async throws {
      let places = Locked<[MachineAddress]>([])
      let server = try RunningServer(networks: places)
      let (first, second) = ("127.0.0.2", "127.0.0.3")
      #expect(throws: RawClient.NoConnection.self) { _ = try server.client(at: first) }
      for (place, former) in [(first, second), (second, first), (first, second)] {
        places.change { $0 = [MachineAddress(place)] }
        let address = "http://\(place):\(server.port)/"
        try await until { server.movedTo.last?.forPhones == address }
        #expect(server.movedTo.last?.all.contains("http://127.0.0.1:\(server.port)/") ?? false)
        #expect(try server.status(of: place, at: place) == 200)
        #expect(try server.status(of: former, at: place) == 421)
        #expect(throws: RawClient.NoConnection.self) { _ = try server.client(at: former) }
        #expect(try server.status(of: "127.0.0.1", at: "127.0.0.1") == 200)
      }
      places.change { $0 = [] }
      try await until { server.movedTo.last?.forPhones == nil }
      #expect(server.movedTo.count == 4)
      await server.stop()
      #expect(throws: RawClient.NoConnection.self) { _ = try server.client(at: first) }
    }
  #endif

  private func until(_ isDone: () -> Bool) async throws {
    for _ in 0..<1000 where !isDone() { try await Task.sleep(for: .milliseconds(10)) }
    try #require(isDone())
  }
}
