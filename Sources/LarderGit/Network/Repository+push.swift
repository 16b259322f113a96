internal import Clibgit2

extension Repository {
  /// Moves a branch of a remote, given by its full name, to a commit.
  ///
  /// The push is never forced.
  ///
  /// `expecting` is the last known commit of the branch, nil if it did not exist. Throws
  /// `notFastForward` if the commit does not contain the remote's commit, also if somebody pushed
  /// in between: fetch, merge and push again. Throws `refused` if a hook of the remote refuses or
  /// the branch is checked out there, and `noRoom` if the remote's disk is full; otherwise as
  /// `fetch`. On success, the tracking reference is moved too.
  public func push(
    _ commit: ObjectID, to reference: String, remote name: String, expecting: ObjectID?,
    waiting: (() -> Void)? = nil
  ) throws(GitError) {
    let action = "push"
    let remote = try remote(name, action: action)
    try checkReference(reference, action: action)
    try refuseRewind(commit, expecting, reference, action: action)
    let url = remote.pushURL ?? remote.url
    let outcome = try runGit(
      ["push", "--porcelain", "--no-force", "--", name, "\(commit.hex):\(reference)"],
      settings: networkDefaults(for: url, action: action), action: action, waiting: waiting)
    try checkPush(outcome, url, action: action)
  }

  private func checkReference(_ reference: String, action: String) throws(GitError) {
    var valid: Int32 = 0
    try check(git_reference_name_is_valid(&valid, reference), action, path: reference)
    guard valid == 1, reference.hasPrefix("refs/") else {
      throw GitError(
        .invalid, action: action, detail: "not a reference's full name", path: reference)
    }
  }

  /// Throws `notFastForward` before the push if it would lose the remote's commits.
  private func refuseRewind(
    _ commit: ObjectID, _ expecting: ObjectID?, _ reference: String, action: String
  ) throws(GitError) {
    guard let expecting else { return }
    do throws(GitError) {
      guard try !isAncestor(expecting, of: commit) else { return }
    } catch  where error.code == .notFound {
      // The remote's commit was never fetched, so the commit can't contain it.
      _ = try self.commit(commit)
    } catch  where error.code == .shallow {
      return  // The remote has the whole history, so git asks it.
    }
    throw GitError(
      .notFastForward, action: action, detail: "\(commit.short) doesn't follow \(expecting.short)",
      path: reference)
  }

  private func checkPush(
    _ outcome: GitProgram.Outcome, _ url: String, action: String
  ) throws(GitError) {
    if let refusal = RemoteFailure.refusal(outcome, action: action, path: url) { throw refusal }
    guard outcome.status == 0 else {
      throw RemoteFailure.error(outcome, action: action, path: url)
    }
  }
}
