internal import LarderJSON

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

/// The reason why a request has no answer.
///
/// The request may have been carried out anyway, unless the case says no.
public enum TransportError: Error, Sendable, Hashable {
  /// The host's name is unknown, for example without a network; nothing was sent.
  case unresolved(host: String)
  /// The host refuses connections or can't be reached; nothing was sent.
  case unreachable(host: String)
  /// Nothing came within the transport's time limit, while connecting or later.
  case timedOut(host: String)
  /// The server's certificate or encryption is not trusted; nothing was sent.
  case insecure(host: String, detail: String)
  /// The connection ended before the answer was complete.
  case connectionLost(host: String)
  /// The waiting task was cancelled.
  case cancelled
  /// The server redirects to another address, which is not followed, because the headers have
  /// tokens.
  ///
  /// `host` is nil if the answer names none.
  case redirected(host: String?)
  /// Any other error, in the words of the system's library, which include nothing of the request
  /// but the host.
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

/// A request to a cloud project; its query, headers and body are never printed.
public struct CloudRequest: Sendable {
  /// The HTTP method.
  public enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
  }

  public var method: Method
  /// The whole address, percent-encoded by RFC 3986.
  public var url: String
  public var headers: Headers
  /// The bytes to send; nil for none.
  public var body: [UInt8]?

  /// Creates a request; the address must be percent-encoded.
  public init(_ method: Method, _ url: String, headers: Headers = [:], body: [UInt8]? = nil) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

extension CloudRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The method, and the address without its query.
  public var description: String { "\(method.rawValue) \(url.prefix { $0 != "?" })" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A complete answer of a server; its headers and body are never printed.
public struct CloudResponse: Sendable {
  /// The HTTP status, such as 200.
  public var status: Int
  public var headers: Headers
  public var body: [UInt8]

  /// Creates an answer.
  public init(status: Int, headers: Headers = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

extension CloudResponse {
  /// The maximum size of a body.
  ///
  /// A longer one is not valid JSON for Larder, and could fill the memory.
  static let largestBody = JSON.largestText
}

extension CloudResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The status and the body's length.
  public var description: String { "\(status), \(body.count) bytes" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The headers of a request or an answer.
///
/// Their names are case-insensitive.
///
/// Values may be secret, so they are never printed.
public struct Headers: Sendable, ExpressibleByDictionaryLiteral {
  /// The headers in their order, with names as written.
  public private(set) var fields: [(name: String, value: String)] = []

  /// Creates headers from a dictionary literal.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { add(name, value) }
  }

  /// The value of a header.
  ///
  /// If it occurs several times, the values are joined by commas (RFC 9110, 5.3).
  ///
  /// Setting it replaces all headers of the name.
  public subscript(name: String) -> String? {
    get {
      let wanted = name.lowercased()
      let values = fields.filter { $0.name.lowercased() == wanted }.map(\.value)
      return values.isEmpty ? nil : values.joined(separator: ", ")
    }
    set {
      let wanted = name.lowercased()
      fields.removeAll { $0.name.lowercased() == wanted }
      if let newValue { add(name, newValue) }
    }
  }

  /// Adds a header, even if one of the name exists.
  public mutating func add(_ name: String, _ value: String) {
    fields.append((name, value))
  }
}

extension Headers: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The names only.
  public var description: String { fields.map(\.name).joined(separator: ", ") }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Functions for reading and writing addresses.
package enum URLText {
  /// Returns the host of an address, without user, port and brackets; nil if there is none.
  package static func host(of url: String) -> String? {
    guard let scheme = url.firstRange(of: "://") else { return nil }
    var authority = url[scheme.upperBound...].prefix { !"/?#\\".contains($0) }
    if let at = authority.lastIndex(of: "@") {
      authority = authority[authority.index(after: at)...]
    }
    if authority.hasPrefix("[") {
      let host = authority.dropFirst().prefix { $0 != "]" }
      return host.isEmpty ? nil : String(host)
    }
    let host = authority.prefix { $0 != ":" }
    return host.isEmpty ? nil : String(host)
  }

  /// Returns a text for a path or a query: everything except letters, digits and `-._~` becomes
  /// `%XX` of its UTF-8 (RFC 3986, 2.3).
  package static func encoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        bytes.append(byte)
      default:
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The loggable facts of a request, without secrets and personal data.
public struct RequestNote: Sendable {
  public let method: CloudRequest.Method
  /// The address after the host, without the query: it shows the table or function.
  public let path: String
  /// The status and size of the answer; nil if there was none.
  public let answer: (status: Int, bytes: Int)?
  /// The reason why there was no answer.
  public let error: TransportError?
  public let duration: Duration
}

extension Transport {
  /// Returns a transport that also reports each request when it is complete.
  public func telling(_ tell: @escaping @Sendable (RequestNote) -> Void) -> Transport {
    Transport { request throws(TransportError) in
      let began = ContinuousClock.now
      func note(_ answer: CloudResponse?, _ error: TransportError?) {
        tell(
          RequestNote(
            method: request.method, path: request.path,
            answer: answer.map { ($0.status, $0.body.count) }, error: error,
            duration: .now - began))
      }
      do throws(TransportError) {
        let answer = try await send(request)
        note(answer, nil)
        return answer
      } catch {
        note(nil, error)
        throw error
      }
    }
  }
}

extension CloudRequest {
  fileprivate var path: String {
    let rest = url.split(separator: "://", maxSplits: 1).last ?? ""
    return String(rest.drop { $0 != "/" }.prefix { $0 != "?" && $0 != "#" })
  }
}
