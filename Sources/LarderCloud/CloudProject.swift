internal import Foundation
internal import LarderJSON

/// A Supabase project: its address and its public key.
public struct CloudProject: Sendable, Hashable {
  /// The normalized address, without a slash at the end, such as `https://abc.supabase.co`.
  public let url: String
  /// The anon key, also called the publishable key.
  public let key: Secret

  /// Reads a project's address and its anon key as people paste them.
  ///
  /// Spaces around them, slashes at the end and `/rest/v1` are removed. Throws
  /// ``CloudProjectError``.
  public init(url: String, key: String) throws(CloudProjectError) {
    self.url = try Self.address(url.trimmingCharacters(in: .whitespacesAndNewlines))
    self.key = try Self.key(key.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  private static func address(_ text: String) throws(CloudProjectError) -> String {
    guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
      let host = parts.encodedHost?.lowercased(), !host.isEmpty
    else { throw .noAddress }
    guard scheme == "https" || scheme == "http" else { throw .unknownScheme(scheme) }
    guard parts.user == nil, parts.password == nil else { throw .namesUser(host: host) }
    guard parts.query == nil, parts.fragment == nil else { throw .hasQuery(host: host) }
    guard scheme == "https" || isLoopback(host) else { throw .notSecure(host: host) }
    if let port = parts.port, !(1...65_535).contains(port) { throw .noAddress }
    let usual = scheme == "https" ? 443 : 80
    let port = parts.port.flatMap { $0 == usual ? nil : ":\($0)" } ?? ""
    return "\(scheme)://\(host)\(port)" + path(parts.percentEncodedPath)
  }

  private static func path(_ path: String) -> String {
    func trimmed(_ text: Substring) -> Substring {
      var text = text
      while text.last == "/" { text.removeLast() }
      return text
    }
    let path = trimmed(path[...])
    return String(path.hasSuffix("/rest/v1") ? trimmed(path.dropLast("/rest/v1".count)) : path)
  }

  /// Whether a host can only be this machine: 127.0.0.0/8 (RFC 1122), ::1, or localhost (RFC 6761).
  static func isLoopback(_ host: String) -> Bool {
    if host == "localhost" || host == "[::1]" || host == "::1" { return true }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 4 && numbers[0] == "127"
      && numbers.allSatisfy { number in
        (1...3).contains(number.utf8.count) && number.utf8.allSatisfy { (48...57).contains($0) }
          && UInt8(number) != nil
      }
  }

  private static func key(_ text: String) throws(CloudProjectError) -> Secret {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .badKey
    }
    guard !text.hasPrefix("sb_secret_"), role(ofToken: text) != "service_role" else {
      throw .secretKey
    }
    return Secret(text)
  }

  /// Returns the role in a JSON web token (RFC 7519); nil if the key is not a token.
  private static func role(ofToken text: String) -> String? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    var payload = String(parts[1]).replacing("-", with: "+").replacing("_", with: "/")
    while payload.utf8.count % 4 != 0 { payload += "=" }
    guard let bytes = Data(base64Encoded: payload) else { return nil }
    return (try? JSON(parsing: Array(bytes)))?["role"]?.string
  }
}

/// The reason why a project's address or key is refused.
public enum CloudProjectError: Error, Sendable, Hashable {
  /// The text is not an address, or has no host.
  case noAddress
  /// The scheme is neither https nor http.
  case unknownScheme(String)
  /// The address is plain HTTP, which exposes the tokens, and the host is not this machine.
  case notSecure(host: String)
  /// The address includes a user or a password.
  case namesUser(host: String)
  /// The address has a query or a fragment.
  case hasQuery(host: String)
  /// The key is empty or has invalid characters.
  case badKey
  /// The key is the service key, which bypasses every policy; no device should have it.
  case secretKey
}
