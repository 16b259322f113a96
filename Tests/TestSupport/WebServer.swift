import Foundation
import Libc

/// A web server on its own port that returns any reply a test wants, and can misbehave.
public final class WebServer: @unchecked Sendable {
  public struct Request: Sendable {
    public var method: String
    /// The path and the query, as sent.
    public var target: String
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]

    public init(
      method: String, target: String, headers: [(name: String, value: String)], body: [UInt8]
    ) {
      self.method = method
      self.target = target
      self.headers = headers
      self.body = body
    }

    public subscript(header: String) -> String? {
      headers.first { $0.name.lowercased() == header.lowercased() }?.value
    }

    public var path: String { String(target.prefix { $0 != "?" }) }
  }

  public enum Reply: Sendable {
    case answer(_ status: Int, headers: [String: String] = [:], body: [UInt8] = [])
    /// An answer whose length is one byte larger than its body.
    case truncated(_ status: Int, body: [UInt8])
    /// Exactly these bytes; then the connection ends.
    case raw(String)
    case drop
    /// No answer, on a connection that stays open.
    case silence

    public static func answer(_ status: Int, _ text: String) -> Reply {
      .answer(status, headers: ["Content-Type": "application/json"], body: Array(text.utf8))
    }
  }

  public let port: Int
  private let listener: Int32
  private let handler: @Sendable (Request) -> Reply
  private let lock = NSLock()
  private var open: Set<Int32> = []
  private var accepted = 0
  private var isClosed = false

  /// Starts a server on 127.0.0.1, or on ::1.
  public init(isIPv6: Bool = false, _ handler: @escaping @Sendable (Request) -> Reply) throws {
    signal(SIGPIPE, SIG_IGN)
    self.handler = handler
    (listener, port) = try Socket.listening(isIPv6: isIPv6)
    Thread.detachNewThread { [listener, weak self] in
      while true {
        let client = accept(listener, nil, nil)
        // Only this thread closes the descriptor; after a close elsewhere, its number could already
        // belong to another server.
        guard client >= 0 else {
          close(listener)
          return
        }
        guard let self else {
          close(client)
          return
        }
        self.begin(client)
      }
    }
  }

  deinit { shutDown() }

  public var url: String { "http://127.0.0.1:\(port)" }

  /// The number of connections so far.
  public var connections: Int { lock.withLock { accepted } }

  /// Ends the open connections; new ones are accepted.
  public func endConnections() {
    lock.withLock { for client in open { shutdown(client, Int32(SHUT_RDWR)) } }
  }

  /// Ends all connections and the server.
  public func shutDown() {
    lock.withLock {
      guard !isClosed else { return }
      isClosed = true
      for client in open { shutdown(client, Int32(SHUT_RDWR)) }
      shutdown(listener, Int32(SHUT_RDWR))
    }
  }

  private func begin(_ client: Int32) {
    lock.withLock {
      accepted += 1
      open.insert(client)
    }
    Thread.detachNewThread { [self] in
      var reader = Socket.Reader(client)
      while let request = reader.request(), reply(to: request, on: client) {}
      lock.withLock {
        open.remove(client)
        close(client)
      }
    }
  }

  /// Sends the reply, and returns whether the connection continues.
  private func reply(to request: Request, on client: Int32) -> Bool {
    switch handler(request) {
    case .answer(let status, let headers, let body):
      return Socket.send(head(status, headers, length: body.count) + body, to: client)
    case .truncated(let status, let body):
      _ = Socket.send(head(status, [:], length: body.count + 1) + body, to: client)
      return false
    case .raw(let text):
      _ = Socket.send(Array(text.utf8), to: client)
      return false
    case .drop:
      return false
    case .silence:
      var byte: UInt8 = 0
      while read(client, &byte, 1) > 0 {}
      return false
    }
  }

  private func head(_ status: Int, _ headers: [String: String], length: Int) -> [UInt8] {
    var lines = ["HTTP/1.1 \(status) Test"]
    if status != 204 && status != 304 { lines.append("Content-Length: \(length)") }
    lines += headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}

/// The socket calls of the server.
private enum Socket {
  struct Failure: Error {
    let code = errno
  }

  static func listening(isIPv6: Bool) throws -> (descriptor: Int32, port: Int) {
    #if canImport(Darwin)
      let stream = SOCK_STREAM
    #else
      let stream = Int32(SOCK_STREAM.rawValue)
    #endif
    let descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, stream, 0)
    guard descriptor >= 0 else { throw Failure() }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var storage = sockaddr_storage()
    var length = socklen_t(
      isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &storage) { pointer -> Int32 in
      if isIPv6 {
        pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
          $0.pointee.sin6_family = sa_family_t(AF_INET6)
          $0.pointee.sin6_addr = in6addr_loopback
        }
      } else {
        pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          $0.pointee.sin_family = sa_family_t(AF_INET)
          $0.pointee.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        }
      }
      return pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard bind(descriptor, address, length) == 0, listen(descriptor, 64) == 0 else {
          return -1
        }
        return getsockname(descriptor, address, &length)
      }
    }
    guard result == 0 else { throw Failure() }
    // The port is at the same offset in both kinds of address.
    let port = withUnsafeBytes(of: &storage) {
      $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self)
    }
    return (descriptor, Int(UInt16(bigEndian: port)))
  }

  static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let done = bytes[sent...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard done > 0 else { return false }
      sent += done
    }
    return true
  }

  struct Reader {
    private let descriptor: Int32
    private var bytes: [UInt8] = []

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Reads the next request; nil if the connection ended.
    mutating func request() -> WebServer.Request? {
      var end = headEnd
      while end == nil {
        // Data that begins with another byte, such as encrypted data, is not HTTP.
        guard fill(), let first = bytes.first, (0x41...0x5A).contains(first) else { return nil }
        end = headEnd
      }
      guard let end else { return nil }
      let lines = String(decoding: bytes[..<end], as: UTF8.self).components(separatedBy: "\r\n")
      let words = lines[0].split(separator: " ")
      guard words.count == 3 else { return nil }
      var request = WebServer.Request(
        method: String(words[0]), target: String(words[1]), headers: [], body: [])
      for line in lines.dropFirst() {
        guard let colon = line.firstIndex(of: ":") else { continue }
        request.headers.append(
          (
            String(line[..<colon]),
            line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
          ))
      }
      bytes.removeFirst(end + 4)
      let length = request["Content-Length"].flatMap { Int($0) } ?? 0
      while bytes.count < length { guard fill() else { return nil } }
      request.body = Array(bytes[..<length])
      bytes.removeFirst(length)
      return request
    }

    private var headEnd: Int? {
      guard bytes.count >= 4 else { return nil }
      return (0...bytes.count - 4).first {
        bytes[$0] == 13 && bytes[$0 + 1] == 10 && bytes[$0 + 2] == 13 && bytes[$0 + 3] == 10
      }
    }

    private mutating func fill() -> Bool {
      var chunk = [UInt8](repeating: 0, count: 65_536)
      let count = read(descriptor, &chunk, chunk.count)
      guard count > 0 else { return false }
      bytes += chunk[..<count]
      return true
    }
  }
}
