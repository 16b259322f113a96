public import LarderModel

/// The data that a device stores for one project: the key, the signed-in user, and the tokens.
public struct Credentials: Sendable, Hashable {
  /// The tokens of a session, which lasts until it is ended.
  public struct Tokens: Sendable, Hashable {
    public var access: Secret
    /// The refresh token.
    ///
    /// It is valid once; the answer has the next one.
    public var refresh: Secret
    /// The time when the access token expires, by this device's clock.
    public var expires: Instant

    /// Creates tokens.
    public init(access: Secret, refresh: Secret, expires: Instant) {
      self.access = access
      self.refresh = refresh
      self.expires = expires
    }
  }

  public var anonKey: Secret
  public var email: String?
  /// The user's id in the project, a UUID.
  public var userID: String?
  /// Nil if nobody is signed in.
  public var tokens: Tokens?

  /// Creates credentials of a project, by default with nobody signed in.
  public init(
    anonKey: Secret, email: String? = nil, userID: String? = nil, tokens: Tokens? = nil
  ) {
    self.anonKey = anonKey
    self.email = email
    self.userID = userID
    self.tokens = tokens
  }
}
