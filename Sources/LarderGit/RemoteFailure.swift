/// Reads from what the git program says (in English, by `LC_ALL=C`) what kind of failure it was.
enum RemoteFailure {
  // The first line that fits decides: git adds "could not read from remote repository" to most.
  private static let signs: [(GitError.Code, [String])] = [
    (.ownership, ["dubious ownership"]),
    (.exists, ["already exists and is not an empty directory"]),
    (.locked, [".lock': file exists", "another git process seems to be running"]),
    (.shallow, ["shallow update not allowed"]),
    (
      .authentication,
      [
        "authentication failed", "permission denied", "could not read username",
        "could not read password", "terminal prompts disabled", "invalid username or password",
        "access denied", "host key verification failed", "returned error: 401",
        "returned error: 403", "too many authentication failures",
      ]
    ),
    (
      .unreachable,
      [
        "could not resolve", "couldn't resolve", "couldn't connect", "failed to connect",
        "connection refused", "connection timed out", "connection reset", "connection closed",
        "network is unreachable", "no route to host", "does not exist", "not found",
        "does not appear to be a git repository", "could not read from remote repository",
        "unable to access", "unable to connect", "hung up unexpectedly", "early eof",
        "is not a git repository", "not a git repository",
      ]
    ),
  ]

  /// The error for a run of git that didn't end well.
  static func error(_ outcome: GitProgram.Outcome, action: String, path: String) -> GitError {
    let words = outcome.complaint.lowercased()
    let code = signs.first { sign in sign.1.contains { words.contains($0) } }?.0
    return GitError(
      code ?? .other(outcome.status), action: action,
      detail: outcome.complaint.isEmpty
        ? "git ended with status \(outcome.status)" : outcome.complaint,
      path: code == .locked ? lockFile(in: outcome.complaint) ?? path : path)
  }

  /// The error for a push whose reference the remote didn't take; nil when it took it.
  ///
  /// `git push --porcelain` writes a line for each reference, with `!` for a refusal.
  static func refusal(_ outcome: GitProgram.Outcome, action: String, path: String) -> GitError? {
    let lines = outcome.output.split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix("!") }) else { return nil }
    let summary = line.split(separator: "\t").last.map { String($0) } ?? String(line)
    let detail = outcome.complaint.isEmpty ? summary : summary + "\n" + outcome.complaint
    if let lock = lockFile(in: outcome.complaint) {
      return GitError(.locked, action: action, detail: detail, path: lock)
    }
    return GitError(code(ofRefusal: summary), action: action, detail: detail, path: path)
  }

  /// What the words of one refused reference mean, from git as well as from a server.
  static func code(ofRefusal summary: String) -> GitError.Code {
    let words = summary.lowercased()
    func has(_ signs: String...) -> Bool { signs.contains { words.contains($0) } }
    if has("file exists") { return .locked }
    if has("shallow update") { return .shallow }
    // The last three are a server's words when another push came while it took ours.
    let moved = has(
      "non-fast-forward", "fetch first", "needs force", "stale info", "cannot lock ref",
      "failed to update ref", "incorrect old value", "reference already exists")
    return moved ? .notFastForward : .refused
  }
}
