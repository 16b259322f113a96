internal import LarderJSON

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
