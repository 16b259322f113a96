import Foundation
import LarderJSON
import LarderServe
import Libc
import TestSupport

/// A server on a port of its own, with phones in a folder of its own.
final class RunningServer: Sendable {
  let book: PhoneBook
  let port: Int
  let folder: Folder
  let events = Events()
  private let server: LarderServe.WebServer

  /// The secret of the household, which its handler tells to phones alone.
  static let secret = "Oat milk"

  init(
    names: [String] = [], certificate: (chain: String, key: String)? = nil,
    networks: Locked<[MachineAddress]>? = nil, hurry: @escaping @Sendable () -> Void = {},
    handler: @escaping LarderServe.WebServer.Handler = RunningServer.handler
  ) throws {
    folder = try Folder()
    book = try PhoneBook(
      household: "0192f0c4-0000-7000-8000-000000000001",
      environment: ["XDG_STATE_HOME": folder.path + "/state"])
    var options = LarderServe.WebServer.Options()
    options.port = 0
    options.names = names
    options.certificate = certificate
    if let networks {
      options.isOnNetworks = true
      options.networks = { networks.change { $0 } }
      options.pause = .milliseconds(20)
    }
    server = LarderServe.WebServer(
      options, phones: book, household: { ["name": .string("12 Ashgrove Road")] },
      report: { [events] in events.add($0) }, hurry: hurry, handler: handler)
    port = try server.start().port
  }

  struct Fault: Error {}

  @Sendable static func handler(_ request: WebRequest) async throws -> WebResponse {
    switch request.path {
    case "/api/1/state": return .json(["items": .string(secret), "phone": .string(request.phone)])
    case "/api/1/slow":
      try await Task.sleep(for: .milliseconds(700))
      return .json(["slow": .bool(true)])
    case "/api/1/fault": throw Fault()
    case "/api/1/acts":
      let acts = try request.json()["acts"]?.array
      guard let acts else { throw RequestMistake(at: "acts", say: "Acts are needed.") }
      return .json(["size": .number("\(request.body.count)"), "acts": .number("\(acts.count)")])
    default: return .say("There is nothing here.", status: 404)
    }
  }

  func stop() async { await server.stop() }

  /// Pairs a phone and returns its token.
  func token(_ name: String = "Mira's phone") throws -> String {
    try book.pair(code: try book.makeCode().typed, name: name).get().token
  }

  func client(at address: String = "127.0.0.1") throws -> RawClient {
    try RawClient(address, port: port)
  }

  /// The status of the page under a host's name, at an address.
  func status(of host: String, at address: String) throws -> Int? {
    let client = try client(at: address)
    client.send("GET / HTTP/1.1\r\nHost: \(host):\(port)\r\nConnection: close\r\n\r\n")
    return client.rest().split(separator: " ").dropFirst().first.flatMap { Int($0) }
  }

  /// The addresses of which it has told since it was started.
  var movedTo: [WebAddresses] {
    events.all.compactMap { event in
      if case .moved(let addresses) = event { addresses } else { nil }
    }
  }

  /// Sends one request, and returns the whole answer.
  func ask(
    _ method: String, _ target: String, _ headers: [String] = [], token: String? = nil,
    body: String = ""
  ) throws -> String {
    var lines = ["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close"]
    if let token { lines.append("Authorization: Bearer \(token)") }
    if method == "POST" {
      lines += ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"]
    }
    return try send((lines + headers).joined(separator: "\r\n") + "\r\n\r\n" + body)
  }

  /// Sends these bytes on a connection of their own, and returns all that comes back.
  func send(_ text: String) throws -> String {
    let client = try client()
    client.send(text)
    return client.rest()
  }
}

/// What a server has reported.
final class Events: Sendable {
  private let list = Locked<[WebEvent]>([])

  func add(_ event: WebEvent) { list.change { $0.append(event) } }

  var all: [WebEvent] { list.change { $0 } }
}

/// A value behind a lock.
final class Locked<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func change<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.withLock { body(&value) }
  }
}

/// Work in a thread of its own: what waits there keeps no other task from going on.
final class Waiting<Value: Sendable>: Sendable {
  private let result = Locked<Result<Value, any Error>?>(nil)

  init(_ work: @escaping @Sendable () throws -> Value) {
    Thread.detachNewThread { [result] in
      let done = Result(catching: work)
      result.change { $0 = done }
    }
  }

  func value() async throws -> Value {
    while true {
      if let done = result.change({ $0 }) { return try done.get() }
      try await Task.sleep(for: .milliseconds(20))
    }
  }
}

/// A client that sends any bytes.
final class RawClient: Sendable {
  struct NoConnection: Error {}

  let descriptor: Int32

  init(_ address: String = "127.0.0.1", port: Int) throws {
    #if canImport(Darwin)
      let stream = SOCK_STREAM
    #else
      let stream = Int32(SOCK_STREAM.rawValue)
    #endif
    descriptor = socket(AF_INET, stream, 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = in_port_t(port).bigEndian
    inet_pton(AF_INET, address, &place.sin_addr)
    let isConnected = withUnsafePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else { throw NoConnection() }
    signal(SIGPIPE, SIG_IGN)
  }

  deinit { close(descriptor) }

  /// Sends a text; false if the other side has ended the connection.
  @discardableResult
  func send(_ text: String) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Libc.send(descriptor, $0.baseAddress, $0.count, 0) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Returns all that comes until the connection ends, or until nothing has come for some seconds.
  func rest(within seconds: Int = 30) -> String {
    String(decoding: restBytes(within: seconds), as: UTF8.self)
  }

  func restBytes(within seconds: Int = 30) -> [UInt8] {
    var bytes: [UInt8] = []
    while let more = next(within: seconds), !more.isEmpty { bytes += more }
    return bytes
  }

  /// Returns what comes next: nothing at the end, nil if nothing comes in time.
  func next(within seconds: Int) -> [UInt8]? {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, Int32(seconds * 1000)) > 0 else { return nil }
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &chunk, chunk.count, 0)
    return count > 0 ? Array(chunk[..<count]) : []
  }
}

/// The status of an answer.
func status(_ answer: String) -> Int {
  Int(answer.dropFirst("HTTP/1.1 ".count).prefix(3)) ?? 0
}

/// Runs a program of the system, and returns what it printed.
func run(_ words: String..., input: String = "") throws -> (code: Int32, output: String) {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = words
  let (toProcess, fromProcess) = (Pipe(), Pipe())
  process.standardInput = toProcess
  process.standardOutput = fromProcess
  process.standardError = fromProcess
  try process.run()
  try toProcess.fileHandleForWriting.write(contentsOf: Data(input.utf8))
  if input.isEmpty { try toProcess.fileHandleForWriting.close() }
  let output = try fromProcess.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  return (process.terminationStatus, String(decoding: output, as: UTF8.self))
}
