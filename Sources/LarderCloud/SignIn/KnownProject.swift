internal import LarderModel

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
