import Clibgit2
internal import LarderText

extension Repository {
  /// Returns the names of all remotes.
  public func remotes() throws(GitError) -> [String] {
    RemoteSettings.names(in: try configurationEntries())
  }

  /// Returns the URL or path of a remote, with git's `insteadOf` applied, or nil if there is no
  /// such remote.
  public func remoteURL(_ name: String) throws(GitError) -> String? {
    try findRemote(name, action: "read a remote")?.url
  }

  /// Adds a remote that fetches all branches.
  ///
  /// Throws `exists` if there is one of that name, and `invalid` for names that git forbids and for
  /// names and URLs that begin with a dash.
  public func addRemote(_ name: String, url: String) throws(GitError) {
    let action = "add a remote"
    try refuseDash(name, action: action)
    try refuseDash(url, action: action)
    _ = try Handle(action, path: name, free: { git_remote_free($0) }) {
      git_remote_create($0, pointer, name, url)
    }
  }

  /// Returns the upstream of a branch, given by its short name.
  ///
  /// Nil if none is configured, or if it is not on a remote.
  public func upstream(ofBranch branch: String) throws(GitError) -> Upstream? {
    guard let remote = try configuration("branch.\(branch).remote"), remote != ".",
      let reference = try configuration("branch.\(branch).merge")
    else { return nil }
    return Upstream(
      remote: remote, reference: reference,
      tracking: try trackingReference(of: reference, remote: remote))
  }

  /// Sets the upstream of a branch to a branch of a remote; both are short names.
  public func setUpstream(
    ofBranch local: String, remote: String, branch: String
  ) throws(GitError) {
    try Self.checkBranch(branch, action: "set the upstream")
    try setConfiguration("branch.\(local).remote", remote)
    try setConfiguration("branch.\(local).merge", "refs/heads/" + branch)
  }

  /// Returns the tracking reference of a remote's branch, by the fetch refspecs.
  ///
  /// Nil if they don't include it.
  func trackingReference(
    of reference: String, remote name: String
  ) throws(GitError) -> String? {
    let action = "read a remote"
    for text in try findRemote(name, action: action)?.fetchRules ?? [] {
      let rule = try Handle(action, path: name, free: { git_refspec_free($0) }) {
        git_refspec_parse($0, text, 1)
      }
      guard git_refspec_src_matches(rule.pointer, reference) == 1 else { continue }
      var target = git_buf()
      defer { git_buf_dispose(&target) }
      try check(git_refspec_transform(&target, rule.pointer, reference), action, path: name)
      return target.ptr.map { String(cString: $0) }
    }
    return nil
  }

  func remote(_ name: String, action: String) throws(GitError) -> RemoteSettings {
    if let remote = try findRemote(name, action: action) { return remote }
    throw GitError(
      .notFound, action: action, detail: "remote '\(name)' does not exist", path: name)
  }

  private func findRemote(_ name: String, action: String) throws(GitError) -> RemoteSettings? {
    try refuseDash(name, action: action)
    return RemoteSettings(name, in: try configurationEntries())
  }
}

/// Throws `invalid` for an empty text and for one that begins with a dash: git or ssh would read it
/// as an option.
func refuseDash(_ word: String, action: String) throws(GitError) {
  guard word.utf8.first == UInt8(ascii: "-") || word.isEmpty else { return }
  throw GitError(
    .invalid, action: action, detail: word.isEmpty ? "it is empty" : "it begins with a dash",
    path: word)
}

/// The remote branch that a local branch follows.
public struct Upstream: Sendable, Hashable {
  /// The remote's name, such as `origin`.
  public var remote: String
  /// The full name of the branch on the remote, such as `refs/heads/main`.
  public var reference: String
  /// The local tracking reference, such as `refs/remotes/origin/main`.
  ///
  /// Nil if the remote's fetch refspecs don't include the branch. The reference may not exist yet.
  public var tracking: String?

  /// The branch's short name on the remote.
  public var branch: String {
    reference.afterBytes(of: "refs/heads/") ?? reference
  }
}
