internal import LarderGit
internal import LarderStore

/// The remote and branch that a local branch is synced with.
struct Route {
  /// The local branch.
  let branch: String
  let remote: String
  /// The full name of the remote's branch, such as `refs/heads/main`.
  let reference: String
  /// The remote-tracking reference in this repository.
  let tracking: String
  /// Whether the branch has no upstream yet.
  var isNew: Bool

  /// The short name of the remote's branch.
  var remoteBranch: String {
    reference.hasPrefix("refs/heads/")
      ? String(reference.dropFirst("refs/heads/".count)) : reference
  }
}

extension Synchronizer {
  func route(_ repository: Repository, _ named: String?) throws -> Route {
    let head = try repository.head()
    if case .unborn = head { throw SyncError.noCommit }
    guard let branch = try store.branch(of: head) else { throw SyncError.noRemote }
    let remotes = try repository.remotes()
    guard !remotes.isEmpty else { throw SyncError.noRemote }
    if let named, !remotes.contains(named) {
      throw SyncError.unknownRemote(name: named, known: remotes)
    }
    let upstream = try repository.upstream(ofBranch: branch)
    if let upstream, named ?? upstream.remote == upstream.remote {
      return Route(
        branch: branch, remote: upstream.remote, reference: upstream.reference,
        tracking: upstream.tracking ?? "refs/remotes/\(upstream.remote)/\(branch)", isNew: false)
    }
    let remote = named ?? (remotes.count == 1 ? remotes[0] : remotes.first { $0 == "origin" })
    guard let remote else { throw SyncError.whichRemote(remotes) }
    return Route(
      branch: branch, remote: remote, reference: "refs/heads/\(branch)",
      tracking: "refs/remotes/\(remote)/\(branch)", isNew: upstream == nil)
  }
}
