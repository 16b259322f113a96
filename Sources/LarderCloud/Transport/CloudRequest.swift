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
