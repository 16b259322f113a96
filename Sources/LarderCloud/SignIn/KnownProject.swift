public import LarderModel

/// A project in the credentials file: the key, and the accounts by user id.
struct KnownProject {
  struct Account: Hashable {
    var userID: String?
    var email: String?
    var tokens: Credentials.Tokens?
  }

  var anonKey = Secret("")
  /// The default account, for clones that store none: the first one that signed in.
  var usual: String?
  var accounts: [String: Account] = [:]

  func credentials(of account: String?) -> Credentials {
    let account = (account ?? usual).flatMap { accounts[$0] }
    return Credentials(
      anonKey: anonKey, email: account?.email, userID: account?.userID, tokens: account?.tokens)
  }

  /// Returns the project with a changed account, stored by the user's id; nil if nothing is left.
  func changed(_ account: String?, to credentials: Credentials?) -> KnownProject? {
    var known = self
    guard let credentials else {
      if let name = account ?? usual { known.accounts[name] = nil }
      if known.usual.map({ known.accounts[$0] == nil }) ?? false { known.usual = nil }
      return known.accounts.isEmpty ? nil : known
    }
    known.anonKey = credentials.anonKey
    if let name = credentials.userID ?? credentials.email {
      known.accounts[name] = Account(
        userID: credentials.userID, email: credentials.email, tokens: credentials.tokens)
      known.usual = known.usual ?? name
    } else if let name = account ?? usual {
      known.accounts[name] = nil
      if known.usual == name { known.usual = nil }
    }
    return known
  }

  func json(over known: JSON?) -> JSON {
    var entry = known ?? .object([])
    entry[member: "anonKey"] = .string(anonKey.text)
    // The keys of an older larder's single account.
    for key in ["email", "userId", "accessToken", "refreshToken", "expiresAt"] {
      entry[member: key] = nil
    }
    entry[member: "user"] = usual.map { .string($0) }
    var users = entry["users"] ?? .object([])
    for name in users.members?.map(\.key) ?? [] where accounts[name] == nil {
      users[member: name] = nil
    }
    for (name, account) in accounts.sorted(by: { $0.key < $1.key }) {
      var user = users[name] ?? .object([])
      let tokens = account.tokens
      user[member: "email"] = account.email.map { .string($0) }
      user[member: "accessToken"] = (tokens?.access.text).map { .string($0) }
      user[member: "refreshToken"] = (tokens?.refresh.text).map { .string($0) }
      user[member: "expiresAt"] = (tokens?.expires.description).map { .string($0) }
      users[member: name] = user
    }
    entry[member: "users"] = accounts.isEmpty ? nil : users
    return entry
  }
}

extension JSON {
  /// The member of an object.
  ///
  /// Setting it keeps its position or appends it; nil removes it.
  subscript(member key: String) -> JSON? {
    get { self[key] }
    set {
      var members = self.members ?? []
      let index = members.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(JSONMember(key, value))
      case (nil, nil): return
      }
      self = .object(members)
    }
  }
}

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

/// A key, a token or a password; it is never printed.
public struct Secret: Sendable, Hashable {
  /// The secret, for sending and storing.
  package let text: String

  /// Creates a secret from a text.
  public init(_ text: String) {
    self.text = text
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// A fixed text, equal for every secret.
  public var description: String { "•••" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension String {
  /// Returns the text without secrets that a server may have repeated.
  func without(_ secrets: [Secret]) -> String {
    secrets.reduce(self) { $0.without($1) }
  }

  /// Hides one secret.
  ///
  /// A short secret is hidden only as a whole word: hiding each occurrence of its letters would
  /// reveal it.
  private func without(_ secret: Secret) -> String {
    // By bytes: a mark behind it would make another character of its last one.
    let (bytes, part) = (Array(utf8), Array(secret.text.utf8))
    guard !part.isEmpty else { return self }
    var result: [UInt8] = []
    var rest = bytes[...]
    while let range = rest.firstRange(of: part) {
      let isHidden = part.count >= 8 || Self.isWord(range, in: bytes)
      result += rest[..<range.lowerBound]
      result += isHidden ? Array(secret.description.utf8) : part
      rest = rest[range.upperBound...]
    }
    return String(decoding: result + rest, as: UTF8.self)
  }

  private static func isWord(_ range: Range<Int>, in bytes: [UInt8]) -> Bool {
    let before = String(decoding: bytes[..<range.lowerBound].suffix(4), as: UTF8.self)
    let after = String(decoding: bytes[range.upperBound...].prefix(4), as: UTF8.self)
    let neighbours = [before.unicodeScalars.last, after.unicodeScalars.first].compactMap(\.self)
    return !neighbours.contains { scalar in
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        .decimalNumber, .letterNumber, .otherNumber:
        true
      default: scalar == "_"
      }
    }
  }
}
