internal import Clibgit2

/// What libgit2 is told when a remote asks who we are, where there is no git program to know it.
enum Credentials {
  /// Offers the keys of the SSH agent, once; other ways in need the git program.
  static let acquire: git_credential_acquire_cb = { made, _, userName, allowed, _ in
    if allowed & GIT_CREDENTIAL_USERNAME.rawValue != 0 {
      guard let userName else { return git_credential_username_new(made, "git") }
      return git_credential_username_new(made, userName)
    }
    guard allowed & GIT_CREDENTIAL_SSH_KEY.rawValue != 0, let userName else {
      return GIT_EAUTH.rawValue
    }
    return git_credential_ssh_key_from_agent(made, userName)
  }
}
