internal import LarderCloud
internal import LarderStore

/// The user's account in the project.
extension Cloud {
  /// Signs in; the password is not stored.
  ///
  /// Throws ``CloudUseError`` with `signUpUnconfirmed` if the project first sends a mail to confirm
  /// the address.
  public func signIn(as email: String, by proof: SignInProof) throws {
    try waited { [session] in try await session.signIn(as: email, by: proof) }
    try remember()
  }

  /// Signs out and removes the tokens from this device; returns false if the project could not be
  /// reached.
  public func signOut() throws -> Bool {
    try waited { [session] in try await session.signOut() }
  }

  /// Changes the password of the user who is signed in.
  public func change(password: Secret) throws {
    try waited { [session] in try await session.change(password: password) }
  }

  /// Asks the project to send a mail for setting a new password.
  public func resetPassword(email: String) throws {
    try waited { [session] in try await session.resetPassword(email: email) }
  }

  /// Deletes the account in the project, and the households there that have no other member.
  ///
  /// The files on this device stay.
  public func deleteAccount() throws {
    try waited { [client, session] in
      try await client.deleteAccount(deletingRows: true)
      try await session.forgetAccount()
    }
    try store.setCloudAccount(nil)
    try store.forgetCloud()
  }
}

/// The proof that a user is who they say.
public enum SignInProof: Sendable {
  case password(Secret)
  /// The code of a mail from the project.
  case code(Secret)
  /// The password of a new account, which is created first.
  case newAccount(password: Secret)
}

extension Session {
  func signIn(as email: String, by proof: SignInProof) async throws {
    switch proof {
    case .password(let password): try await signIn(email: email, password: password)
    case .code(let code): try await signIn(email: email, code: code)
    case .newAccount(let password):
      guard try await signUp(email: email, password: password) else {
        throw CloudUseError.signUpUnconfirmed(email: email)
      }
    }
  }
}
