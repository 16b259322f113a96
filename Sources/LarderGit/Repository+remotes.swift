internal import Clibgit2

extension Repository {
  /// The names of all remotes.
  public func remotes() throws(GitError) -> [String] {
    var names = git_strarray()
    try check(git_remote_list(&names, pointer), "list the remotes")
    defer { git_strarray_dispose(&names) }
    return (0..<names.count).compactMap { names.strings[$0].map { String(cString: $0) } }
  }

  /// The URL or path of a remote, with git's `insteadOf` applied; nil when there is no such remote.
  public func remoteURL(_ name: String) throws(GitError) -> String? {
    do throws(GitError) {
      let remote = try remoteHandle(name, action: "read a remote")
      return git_remote_url(remote.pointer).map { String(cString: $0) }
    } catch  where error.code == .notFound {
      return nil
    }
  }

  /// Adds a remote that fetches all branches.
  ///
  /// Throws `exists` when there is one of that name and `invalid` for names that git forbids, and for
  /// names and URLs that begin with a dash.
  public func addRemote(_ name: String, url: String) throws(GitError) {
    let action = "add a remote"
    try refuseDash(name, action: action)
    try refuseDash(url, action: action)
    _ = try Handle(action, path: name, free: { git_remote_free($0) }) {
      git_remote_create($0, pointer, name, url)
    }
  }

  /// What the branch of that short name follows; nil when nothing is configured, or no remote.
  public func upstream(ofBranch branch: String) throws(GitError) -> Upstream? {
    guard let remote = try configuration("branch.\(branch).remote"), remote != ".",
      let reference = try configuration("branch.\(branch).merge")
    else { return nil }
    return Upstream(
      remote: remote, reference: reference,
      tracking: try trackingReference(of: reference, remote: remote))
  }

  /// Makes the branch of that short name follow the branch of that short name on a remote.
  public func setUpstream(
    ofBranch local: String, remote: String, branch: String
  ) throws(GitError) {
    try Self.checkBranch(branch, action: "set the upstream")
    try setConfiguration("branch.\(local).remote", remote)
    try setConfiguration("branch.\(local).merge", "refs/heads/" + branch)
  }

  /// Where the remote's fetch rules keep a branch of the remote; nil when they don't.
  func trackingReference(
    of reference: String, remote name: String
  ) throws(GitError) -> String? {
    do throws(GitError) {
      let remote = try remoteHandle(name, action: "read a remote")
      for index in 0..<git_remote_refspec_count(remote.pointer) {
        guard let rule = git_remote_get_refspec(remote.pointer, index),
          git_refspec_direction(rule) == GIT_DIRECTION_FETCH,
          git_refspec_src_matches(rule, reference) == 1
        else { continue }
        var target = git_buf()
        defer { git_buf_dispose(&target) }
        try check(git_refspec_transform(&target, rule, reference), "read a remote", path: name)
        return target.ptr.map { String(cString: $0) }
      }
      return nil
    } catch  where error.code == .notFound {
      return nil
    }
  }

  func remoteHandle(_ name: String, action: String) throws(GitError) -> Handle<OpaquePointer> {
    try refuseDash(name, action: action)
    return try Handle(action, path: name, free: { git_remote_free($0) }) {
      git_remote_lookup($0, pointer, name)
    }
  }
}

/// A name or URL that begins with a dash would be taken for an option by git or by ssh.
func refuseDash(_ word: String, action: String) throws(GitError) {
  guard word.utf8.first == UInt8(ascii: "-") || word.isEmpty else { return }
  throw GitError(
    .invalid, action: action, detail: word.isEmpty ? "it is empty" : "it begins with a dash",
    path: word)
}
