internal import LarderText

/// The head of a request as it came: nothing is repaired, joined or left out.
public struct RequestHead: Sendable, Hashable {
  public var method: String
  /// What stands between the method and the version, with its query.
  public var target: String
  public var headers: [Header]

  public init(_ method: String, _ target: String, _ headers: [Header] = []) {
    self.method = method
    self.target = target
    self.headers = headers
  }

  public struct Header: Sendable, Hashable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The values of a header, in their order.
  func all(_ name: String) -> [String] {
    headers.filter { $0.name.lowercased() == name }.map(\.value)
  }

  /// The number of bytes, as they came but for spaces around values.
  var size: Int {
    headers.reduce(method.utf8.count + target.utf8.count + 12) {
      $0 + $1.name.utf8.count + $1.value.utf8.count + 4
    }
  }
}

/// The gate that looks at every request before anything else does.
///
/// The library behind the server is tolerant: it answers two `Host` headers, a `Transfer-Encoding`
/// beside a `Content-Length`, and an absolute address. Whoever stands between a browser and the
/// server may read such a request in another way. So nothing of it passes.
public struct Gate: Sendable {
  /// The most bytes of a head and of a body.
  public static let mostHead = 16 << 10
  public static let mostBody = 256 << 10

  /// The names that requests may have as their `Host`, with their ports, in small letters.
  private let authorities: Set<String>

  /// Creates the gate of a server that answers to these names, each with its port where it has one.
  public init(authorities: some Sequence<String>) {
    self.authorities = Set(authorities.map { $0.lowercased() })
  }

  /// Returns what passes of a head, or throws why nothing does.
  ///
  /// `phone` returns the phone whose token has this SHA-256.
  public func check(
    _ head: RequestHead, phone: (_ digest: [UInt8]) -> String?
  ) throws(Refusal) -> WebRequest {
    guard head.size <= Self.mostHead else { throw .headTooLong }
    guard head.headers.allSatisfy({ Self.isName($0.name) && Self.isValue($0.value) }) else {
      throw .malformed(.header)
    }
    let hosts = head.all("host")
    guard hosts.count == 1, authorities.contains(hosts[0].lowercased()) else {
      throw .foreignHost
    }
    try checkOrigin(head)
    guard let method = WebRequest.Method(rawValue: head.method == "HEAD" ? "GET" : head.method)
    else { throw .method }
    let (path, query) = try Self.read(target: head.target)
    let size = try Self.size(head)
    switch method {
    case .get:
      guard size == nil || size == 0 else { throw .malformed(.body) }
    case .post:
      let types = head.all("content-type")
      guard types.count <= 1 else { throw .malformed(.repeated) }
      guard types.first.map(Self.isJSON) ?? false else { throw .notJSON }
    }
    guard size ?? 0 <= Self.mostBody else { throw .bodyTooLong }
    var request = WebRequest(method: method, path: path, query: query)
    let known = head.all("if-none-match")
    guard known.count <= 1 else { throw .malformed(.repeated) }
    request.ifNoneMatch = known.first
    request.takesGzip = Self.takesGzip(head)
    if request.needsToken {
      let words = head.all("authorization")
      guard words.count <= 1 else { throw .malformed(.repeated) }
      guard let word = words.first else { throw .noToken }
      guard let token = Self.token(word) else { throw .wrongToken }
      request.token = SHA256.digest(of: Array(token.utf8))
      guard let name = phone(request.token) else { throw .wrongToken }
      request.phone = name
    }
    return request
  }

  /// Whether gzip is among the codings that a head names, and not by `q=0` as one that is refused.
  private static func takesGzip(_ head: RequestHead) -> Bool {
    head.all("accept-encoding").flatMap { $0.split(separator: ",") }.contains { coding in
      let parts = coding.lowercased().filter { $0 != " " && $0 != "\t" }.split(separator: ";")
      return parts.first == "gzip"
        && !parts.contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
    }
  }

  /// Browsers name the page that sends something; programs name none.
  private func checkOrigin(_ head: RequestHead) throws(Refusal) {
    let origins = head.all("origin")
    guard origins.count <= 1 else { throw .malformed(.repeated) }
    guard let origin = origins.first?.lowercased() else { return }
    for scheme in ["http://", "https://"] where origin.hasPrefix(scheme) {
      if authorities.contains(String(origin.dropFirst(scheme.count))) { return }
    }
    throw .foreignOrigin
  }

  /// Returns the size that a head declares; nil for none, or for a body that comes in pieces.
  private static func size(_ head: RequestHead) throws(Refusal) -> Int? {
    let lengths = head.all("content-length")
    let encodings = head.all("transfer-encoding")
    guard lengths.count + encodings.count <= 1 else { throw .malformed(.length) }
    if let encoding = encodings.first {
      // A POST alone may come in pieces, as proxies send it on.
      guard encoding.lowercased() == "chunked", head.method == "POST" else {
        throw .malformed(.length)
      }
      return nil
    }
    guard let length = lengths.first else { return nil }
    let isPlain = !length.isEmpty && length.utf8.allSatisfy { (0x30...0x39).contains($0) }
    guard isPlain else { throw .malformed(.length) }
    // What no number holds is too long for anybody.
    return Int(length) ?? .max
  }

  private static func isJSON(_ type: String) -> Bool {
    let parts = type.lowercased().split(separator: ";", maxSplits: 1).map {
      String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
    guard parts.first == "application/json" else { return false }
    return parts.count == 1 || ["charset=utf-8", "charset=\"utf-8\""].contains(parts[1])
  }

  /// Returns the token of `Bearer TOKEN`.
  private static func token(_ authorization: String) -> String? {
    let words = authorization.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 2, words[0].lowercased() == "bearer", !words[1].isEmpty else { return nil }
    return String(words[1])
  }

  /// Returns the path and the query of a target, with what is escaped in them.
  private static func read(target: String) throws(Refusal) -> (
    path: String, query: [WebRequest.Parameter]
  ) {
    let isVisible = target.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != 0x23 }
    guard isVisible, target.hasPrefix("/") else { throw .malformed(.target) }
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = unescaped(parts[0]), !path.contains("\\"), !path.contains("//") else {
      throw .malformed(.target)
    }
    let steps = path.split(separator: "/", omittingEmptySubsequences: false)
    guard !steps.contains("."), !steps.contains("..") else { throw .malformed(.target) }
    // A slash that is escaped would divide what was one step.
    guard steps.count == parts[0].split(separator: "/", omittingEmptySubsequences: false).count
    else { throw .malformed(.target) }
    var query: [WebRequest.Parameter] = []
    for pair in parts.count < 2 ? [] : parts[1].split(separator: "&") {
      let words = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = unescaped(words[0]),
        let value = words.count < 2 ? "" : unescaped(words[1])
      else { throw .malformed(.target) }
      query.append(.init(name: name, value: value))
    }
    return (path, query)
  }

  /// Returns a text without its escapes; nil if they are not those of plain UTF-8.
  private static func unescaped(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == 0x25 else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }

  /// Whether a text may be the name of a header: the letters, digits and marks of RFC 9110.
  private static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte)
          || (0x61...0x7a).contains(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
  }

  private static func isValue(_ text: String) -> Bool {
    text.utf8.allSatisfy { ($0 >= 0x20 || $0 == 0x09) && $0 != 0x7f }
  }
}
