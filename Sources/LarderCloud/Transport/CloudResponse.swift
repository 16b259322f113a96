internal import LarderJSON

/// What a server answered, whole; nothing prints its headers or body.
public struct CloudResponse: Sendable {
  /// The status of HTTP, such as 200.
  public var status: Int
  public var headers: Headers
  public var body: [UInt8]

  /// An answer.
  public init(status: Int, headers: Headers = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

extension CloudResponse {
  /// How much of a body is read: what is longer is no JSON of ours, and could fill the memory.
  static let largestBody = JSON.largestText
}

extension CloudResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The status and the body's length.
  public var description: String { "\(status), \(body.count) bytes" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
