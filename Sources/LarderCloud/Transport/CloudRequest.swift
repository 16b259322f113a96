/// A request to a cloud project; nothing prints its query, headers or body.
public struct CloudRequest: Sendable {
  /// What HTTP calls a method.
  public enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
  }

  public var method: Method
  /// The whole address, percent-encoded as RFC 3986 wants it.
  public var url: String
  public var headers: Headers
  /// The bytes to send; nil for none.
  public var body: [UInt8]?

  /// A request to an address that is percent-encoded already.
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
