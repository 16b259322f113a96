public import LarderJSON

/// A request that the gate has let pass.
public struct WebRequest: Sendable, Hashable {
  /// What is asked; a HEAD is a GET here, whose body the server does not send.
  public enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
  }

  /// A word of the query with its value.
  public struct Parameter: Sendable, Hashable {
    public var name: String
    public var value: String
  }

  public var method: Method
  /// The path, without escapes and query, such as `/api/1/state`.
  public var path: String
  public var query: [Parameter]
  /// The version that the client has already, as it came.
  public var ifNoneMatch: String?
  /// Whether the client takes an answer that is compressed by gzip.
  public var takesGzip = false
  public var body: [UInt8] = []
  /// The name of the paired phone; empty where no token is needed.
  public var phone = ""
  /// The SHA-256 of the phone's token, and from where the request comes.
  var token: [UInt8] = []
  var client = ClientAddress.thisMachine

  init(method: Method, path: String, query: [Parameter] = []) {
    self.method = method
    self.path = path
    self.query = query
  }

  /// The path of everything that tells or changes something of the household.
  static let api = "/api/"

  /// The path of reports, which are opened beside the page by a link of their own.
  static let reports = "/report/"

  /// Whether the handler answers it, not the page's files.
  var isForAPI: Bool { path == "/api" || path.hasPrefix(Self.api) || path.hasPrefix(Self.reports) }

  var needsToken: Bool {
    isForAPI && path != "/api/1/pair" && !path.hasPrefix(Self.reports)
  }

  /// Returns the first value of a word of the query.
  public subscript(parameter name: String) -> String? {
    query.first { $0.name == name }?.value
  }

  /// Returns the body as JSON; throws the place of what can't be read.
  public func json() throws(RequestMistake) -> JSON {
    do throws(JSONMistake) {
      return try JSON(parsing: body)
    } catch {
      throw RequestMistake(
        at: "line \(error.position.line), column \(error.position.column)",
        say: "This is not JSON.")
    }
  }
}

/// A mistake in what a client sent, answered with 400.
public struct RequestMistake: Error, Sendable, Hashable {
  /// The place in the JSON, such as `acts[2].quantity`.
  public var at: String
  /// The sentence for people.
  public var say: String

  public init(at: String, say: String) {
    self.at = at
    self.say = say
  }
}

/// An answer.
public struct WebResponse: Sendable, Hashable {
  public var status: Int
  public var headers: [RequestHead.Header]
  public var body: [UInt8]

  public init(_ status: Int, _ headers: [RequestHead.Header] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// An answer of JSON.
  public static func json(_ value: JSON, status: Int = 200) -> WebResponse {
    WebResponse(
      status, [.init("Content-Type", "application/json; charset=utf-8")], body: value.compact())
  }

  /// An answer that says why not, with the place in the JSON that was sent if it has one.
  public static func say(_ sentence: String, status: Int, at place: String? = nil) -> WebResponse {
    json(["say": .string(sentence), "at": place.map { .string($0) }], status: status)
  }

  init(_ refusal: Refusal) {
    self = .say(refusal.say, status: refusal.status)
    if refusal.status == 401 { headers.append(.init("WWW-Authenticate", "Bearer")) }
    if refusal == .ending { headers.append(.init("Connection", "close")) }
    if refusal == .method { headers.append(.init("Allow", "GET, HEAD, POST")) }
  }

  init(_ mistake: RequestMistake) {
    self = .say(mistake.say, status: 400, at: mistake.at)
  }

  /// The headers that every answer has, so that a browser does with it what is meant, and no more.
  static let common: [RequestHead.Header] = [
    .init(
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        + "img-src 'self' data:; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'"),
    .init("X-Content-Type-Options", "nosniff"),
    .init("Referrer-Policy", "no-referrer"),
    .init("Cross-Origin-Resource-Policy", "same-origin"),
  ]

  /// The answer with the headers of all answers; what says nothing of caching is not kept.
  var complete: WebResponse {
    var response = self
    let own = Set(headers.map { $0.name.lowercased() })
    response.headers += Self.common.filter { !own.contains($0.name.lowercased()) }
    if !headers.contains(where: { $0.name.lowercased() == "cache-control" }) {
      response.headers.append(.init("Cache-Control", "no-store"))
    }
    return response
  }
}
