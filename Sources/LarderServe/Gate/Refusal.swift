/// The reason why a request is refused before anybody does anything for it.
public enum Refusal: Error, Sendable, Hashable {
  /// It is not as browsers write requests; the text is what is wrong with it.
  case malformed(Flaw)
  /// Its head or its body is longer than it may be.
  case headTooLong
  case bodyTooLong
  /// It has no `Host` of the server's, or several.
  case foreignHost
  /// A page of somebody else sent it.
  case foreignOrigin
  /// Its method is not GET, HEAD or POST.
  case method
  /// It is a POST of something that is not JSON.
  case notJSON
  /// It has no token.
  case noToken
  /// No phone has its token, or none any more.
  case wrongToken
  /// There were too many wrong tokens, or wrong codes, within a minute.
  case tooManyTokens
  case tooManyCodes
  /// There is nothing at this path.
  case nothingHere
  /// The server is about to end.
  case ending

  public enum Flaw: String, Sendable, Hashable, CaseIterable {
    case target = "its target is no plain path"
    case header = "a header has bytes that do not belong there"
    case repeated = "a header that counts is there twice"
    case length = "its length is not plain"
    case body = "a GET has no body"
  }

  /// The status of HTTP.
  public var status: Int {
    switch self {
    case .malformed: 400
    case .headTooLong, .bodyTooLong: 413
    case .foreignHost: 421
    case .foreignOrigin: 403
    case .method: 405
    case .notJSON: 415
    case .noToken, .wrongToken: 401
    case .tooManyTokens, .tooManyCodes: 429
    case .nothingHere: 404
    case .ending: 503
    }
  }

  /// The sentence for people; it tells nothing about the household.
  public var say: String {
    switch self {
    case .malformed(let flaw): "The server does not take this request: \(flaw.rawValue)."
    case .headTooLong: "The head of this request is longer than 16 KB."
    case .bodyTooLong: "This is more than 256 KB at once."
    case .foreignHost: "This server does not answer to this name; 'larder serve --name' adds one."
    case .foreignOrigin: "Only the server's own page may ask this."
    case .method: "Only GET, HEAD and POST are answered here."
    case .notJSON: "Only application/json is taken here."
    case .noToken, .wrongToken:
      "This phone is not paired, or was forgotten; 'larder serve --pair' shows a code."
    case .tooManyTokens: "There were too many wrong tokens; wait a minute."
    case .tooManyCodes: "There were too many wrong codes; wait a minute."
    case .nothingHere: "There is nothing here."
    case .ending: "The server is about to end; this phone tries again."
    }
  }
}
