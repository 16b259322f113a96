internal import LarderText

/// The interpretation of the git program's messages (in English, by `LC_ALL=C`) as kinds of
/// failure.
enum RemoteFailure {
  /// Words in lower case, the most specific first: git adds general ones to most failures.
  private static let signs: [(GitError.Code, [String])] = [
    (.ownership, ["dubious ownership"]),
    (
      .otherHash,
      ["mismatched algorithms", "the receiving end does not support this repository's hash"]
    ),
    (.exists, ["already exists and is not an empty directory"]),
    (.locked, ["another git process seems to be running"]),
    // Another git process is moving the same reference.
    (.conflict, ["but expected ", "reference already exists"]),
    (.shallow, ["shallow update not allowed"]),
    (.noRoom, roomSigns),
    (.changedHostKey, ["has changed and you have requested strict checking"]),
    (.untrustedCertificate, certificateSigns),
    (.unknownHostKey, ["host key is known for", "host key verification failed"]),
    (
      .authentication,
      [
        "authentication failed", "permission denied (", "could not read username",
        "could not read password", "terminal prompts disabled", "invalid username or password",
        "returned error: 401", "too many authentication failures",
      ]
    ),
    (
      .refused,
      [
        "returned error: 403", "permission denied", "permission to ", "access denied", "denied by",
        "not allowed", "write access", "not authorized", "insufficient permission",
      ]
    ),
    (
      .noRepository,
      [
        "does not appear to be a git repository", "is not a git repository",
        "not a git repository", "is this a git repository", "repository not found", "' not found",
        "' does not exist",
      ]
    ),
    (
      .unreachable,
      [
        "could not resolve", "couldn't resolve", "couldn't connect", "failed to connect",
        "connection refused", "timed out", "connection reset", "connection closed",
        "closed by remote host", "network is unreachable", "no route to host", "unable to connect",
        "unable to access", "rpc failed", "unexpected disconnect", "hung up unexpectedly",
        "early eof",
      ]
    ),
  ]

  /// The words of curl 7.88 to 8.14 with GnuTLS, with OpenSSL and on macOS, and of curl itself.
  ///
  /// The git program does not say which number curl gave.
  private static let certificateSigns = [
    "certificate verification failed", "server verification failed", "ssl certificate problem",
    "certificate subject name", "invalid peer certificate", "peer certificate or ssh remote key",
    "from peer certificate", "certificate expiration date has passed", "certificate not activated",
    "certificate has been revoked", "certificate has expired",
  ]

  private static let roomSigns = [
    "no space left on device", "disk quota exceeded", "file too large",
  ]

  /// Git's message over SSH whenever the other side closed, after the other side's own messages.
  private static let general = "could not read from remote repository"

  /// Returns the error of a failed run of git; the line with the reason comes first.
  static func error(_ outcome: GitProgram.Outcome, action: String, path: String) -> GitError {
    if let error = locked(outcome.complaint, action: action) { return error }
    let lines = outcome.complaint.split(separator: "\n").map(String.init)
    // Messages of the remote's programs have a label; git's own words are clearer.
    let own = lines.filter { !$0.begins(withBytesOf: "remote: ") }
    for (code, words) in signs {
      for source in [own, lines] {
        guard let line = source.first(where: { has(words, $0) }) else { continue }
        return error(code, line, lines, action, path)
      }
    }
    let isOverThere = own.contains { has([general], $0) }
    return error(
      isOverThere ? .unreachable : .other(outcome.status),
      own.first ?? "git ended with status \(outcome.status)", lines, action, path)
  }

  private static func error(
    _ code: GitError.Code, _ line: String, _ lines: [String], _ action: String, _ path: String
  ) -> GitError {
    let detail = ([line] + lines.filter { $0 != line }).joined(separator: "\n")
    return GitError(
      code, action: action, detail: detail.withoutSecrets(of: path), path: path.withoutSecrets)
  }

  private static func has(_ words: [String], _ line: String) -> Bool {
    let line = line.lowercased()
    return words.contains { line.contains($0) }
  }

  /// Returns the error for an existing lock file, by the words of git.
  ///
  /// Nil for other errors.
  ///
  /// Its path is the lock and not the remote, so that nobody removes the wrong file.
  private static func locked(_ complaint: String, action: String) -> GitError? {
    let sign = /[Uu]nable to create '([^'\n]+\.lock)': File exists/
    guard let found = complaint.firstMatch(of: sign) else { return nil }
    return GitError(
      .locked, action: action, detail: complaint.withoutSecrets, path: String(found.output.1))
  }

  /// Returns the error for a push that the remote did not accept, or nil if it was accepted.
  ///
  /// `git push --porcelain` writes a line for each reference, with `!` for a refusal.
  static func refusal(_ outcome: GitProgram.Outcome, action: String, path: String) -> GitError? {
    let lines = outcome.output.split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix("!") }) else { return nil }
    let summary = line.split(separator: "\t").last.map { String($0) } ?? String(line)
    let detail = outcome.complaint.isEmpty ? summary : summary + "\n" + outcome.complaint
    if let error = locked(outcome.complaint, action: action) { return error }
    let isFull = summary.contains("unpacker error") && has(roomSigns, outcome.complaint)
    // A branch can't have the name of a folder of branches, so a retry does not help.
    let isInTheWay = has(["exists; cannot create"], outcome.complaint)
    let code: GitError.Code =
      isFull ? .noRoom : isInTheWay ? .refused : code(ofRefusal: summary)
    return GitError(
      code, action: action,
      detail: detail.withoutSecrets(of: path), path: path.withoutSecrets)
  }

  /// Returns the code for the message about one refused reference.
  private static func code(ofRefusal summary: String) -> GitError.Code {
    if has(["file exists"], summary) { return .locked }
    if has(["shallow update"], summary) { return .shallow }
    if has(["remote failed to report status"], summary) { return .unreachable }
    // The last three are a server's words when another push came at the same time.
    let moved = has(
      [
        "non-fast-forward", "fetch first", "needs force", "stale info", "cannot lock ref",
        "failed to update ref", "incorrect old value", "reference already exists",
      ], summary)
    return moved ? .notFastForward : .refused
  }
}
