public import LarderModel

/// What a device keeps of one project: the key, who is signed in, and the tokens.
public struct Credentials: Sendable, Hashable {
  /// The tokens of a session that goes on until it is ended.
  public struct Tokens: Sendable, Hashable {
    public var access: Secret
    /// Serves once; the answer brings the next.
    public var refresh: Secret
    /// When the access token expires, by this device's clock.
    public var expires: Instant

    /// Tokens as they came.
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
  /// Nil while nobody is signed in.
  public var tokens: Tokens?

  /// Credentials of a project that is known, with nobody signed in unless told.
  public init(
    anonKey: Secret, email: String? = nil, userID: String? = nil, tokens: Tokens? = nil
  ) {
    self.anonKey = anonKey
    self.email = email
    self.userID = userID
    self.tokens = tokens
  }
}
