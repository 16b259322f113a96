import Clibgit2

/// Commits that git signs as the user has set it up: with OpenPGP, SSH or X.509.
extension Repository {
  /// Whether the user wants signed commits: git's setting `commit.gpgSign`.
  public var signsCommits: Bool {
    get throws(GitError) {
      guard let text = try configuration("commit.gpgsign") else { return false }
      var value: Int32 = 0
      try check(
        git_config_parse_bool(&value, text), "read git's configuration", path: "commit.gpgSign")
      return value != 0
    }
  }

  /// Stores a commit like ``writeCommit(tree:parents:author:committer:message:)``, signed by git.
  ///
  /// The program that signs may ask for a passphrase. Throws `unsigned` if it does not sign, and
  /// `noProgram` if there is no git.
  public func writeSignedCommit(
    tree: ObjectID, parents: [ObjectID], author: Signature, committer: Signature, message: String
  ) throws(GitError) -> ObjectID {
    let action = "sign the commit"
    // Git has to find the tree.
    try quarantine?.release(waiting: false)
    // Git stores the message in this encoding.
    let settings = ["-c", "i18n.commitEncoding=UTF-8"]
    let outcome = try runGit(
      settings + ["commit-tree", "-S", tree.hex] + parents.flatMap { ["-p", $0.hex] } + [
        "-m", message,
      ],
      settings: author.variables(for: "AUTHOR") + committer.variables(for: "COMMITTER"),
      action: action)
    let word = outcome.output.prefix { !$0.isWhitespace }
    guard outcome.status == 0, let id = ObjectID(hex: String(word)) else {
      let lines = outcome.complaint.split(separator: "\n").map(String.init)
      // What the program itself says is clearer than that it failed.
      let reason = lines.first { !$0.contains("failed to sign") && !$0.hasPrefix("[GNUPG:]") }
      throw GitError(
        .unsigned, action: action, detail: reason ?? lines.first ?? "git gave no reason")
    }
    return id
  }
}

extension Signature {
  /// Returns the variables by which git takes the author or the committer of a commit.
  fileprivate func variables(for role: String) -> [String] {
    let (name, email) = (Signature.cleaned(name), Signature.cleaned(email))
    let minutes = abs(offsetMinutes)
    let digits = String(10_000 + minutes / 60 * 100 + minutes % 60).dropFirst()
    return [
      "GIT_\(role)_NAME=\(name.isEmpty ? "unknown" : name)",
      "GIT_\(role)_EMAIL=\(email.isEmpty ? "unknown" : email)",
      "GIT_\(role)_DATE=@\(seconds) \(offsetMinutes < 0 ? "-" : "+")\(digits)",
    ]
  }
}
