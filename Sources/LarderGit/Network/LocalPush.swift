internal import Clibgit2

/// A push to a repository on this machine, without the git program.
///
/// libgit2's own push would overwrite another push in between. So this copies the objects first.
/// Then it moves the branch under its lock, if the branch still has the expected value.
struct LocalPush {
  private let source: Repository
  private let target: Repository
  private let action: String
  private let path: String

  init(from source: Repository, to path: String, action: String) throws(GitError) {
    self.source = source
    self.action = action
    self.path = path
    do throws(GitError) {
      target = try Repository.open(path)
    } catch {
      var error = error
      error.action = action
      if error.code == .notFound { error.code = .noRepository }
      throw error
    }
  }

  func push(
    _ commit: ObjectID, to reference: String, expecting: ObjectID?
  ) throws(GitError) {
    try refuseCheckedOut(reference)
    try refuseHooks()
    if try target.reference(reference) == commit { return }
    try copyObjects(of: commit)
    let committer = try source.commit(commit).committer
    do throws(GitError) {
      try target.updateReference(
        reference, to: commit, expecting: expecting, reason: "push", by: committer)
    } catch  where error.code == .conflict {
      throw GitError(.notFastForward, action: action, detail: error.detail, path: path)
    } catch {
      var error = error
      error.action = action
      throw error
    }
  }

  /// Throws if the branch is checked out in the target: its files would no longer match the branch.
  private func refuseCheckedOut(_ reference: String) throws(GitError) {
    guard !target.isBare else { return }
    let checkedOut =
      switch try target.head() {
      case .unborn(let branch), .branch(let branch, _): "refs/heads/" + branch
      case .detached: ""
      }
    let rule = try target.configuration("receive.denyCurrentBranch")?.lowercased()
    guard checkedOut.utf8.elementsEqual(reference.utf8),
      !["ignore", "warn", "false", "no", "off", "0"].contains(rule ?? "refuse")
    else { return }
    throw GitError(
      .refused, action: action, detail: "branch is currently checked out", path: path)
  }

  /// Throws if the target has a hook that may refuse: only the git program runs hooks.
  private func refuseHooks() throws(GitError) {
    let configured = try target.configuration("core.hooksPath")
    let folder = configured ?? target.commonDirectory + "/hooks"
    for name in ["pre-receive", "update", "reference-transaction"] {
      guard FileStatus(of: folder + "/" + name)?.isExecutable ?? false else { continue }
      throw GitError(
        .refused, action: action, detail: "its hook '\(name)' can't be asked without git",
        path: path)
    }
  }

  /// Throws `shallow` if the target needs commits that a shallow clone lacks.
  private func refuseMissingHistory(of commit: ObjectID) throws(GitError) {
    guard source.isShallow else { return }
    var known: [ObjectID] = []
    for id in try target.referenceTargets() where try source.has(id) {
      if try source.object(id).kind == GIT_OBJECT_COMMIT { known.append(id) }
    }
    do throws(GitError) {
      try source.history(from: commit, hiding: known) { _ in false }
    } catch  where error.code == .shallow {
      throw missingHistory
    }
  }

  private var missingHistory: GitError {
    GitError(
      .shallow, action: action, detail: "the clone is shallow, and the remote lacks its history",
      path: path)
  }

  /// Copies all objects of the commit that the target's references don't reach, as one pack.
  private func copyObjects(of commit: ObjectID) throws(GitError) {
    try refuseMissingHistory(of: commit)
    let walk = try Handle(action, free: { git_revwalk_free($0) }) {
      git_revwalk_new($0, source.pointer)
    }
    var oid = commit.oid
    try check(git_revwalk_push(walk.pointer, &oid), action, path: commit.hex)
    for known in try target.referenceTargets() {
      oid = known.oid
      // Fails for commits that were never fetched, and for objects that are not commits. Then more
      // is copied.
      _ = git_revwalk_hide(walk.pointer, &oid)
    }
    let builder = try Handle(action, free: { git_packbuilder_free($0) }) {
      git_packbuilder_new($0, source.pointer)
    }
    let status = git_packbuilder_insert_walk(builder.pointer, walk.pointer)
    // Before version 1.7, libgit2 may walk past the boundary of what the target has, too.
    if status < 0, source.isShallow { throw missingHistory }
    try check(status, action)
    guard git_packbuilder_object_count(builder.pointer) > 0 else { return }
    let folder = target.commonDirectory + "/objects/pack"
    try check(
      git_packbuilder_write(builder.pointer, folder, 0, nil, nil), action, path: folder)
  }
}

extension Repository {
  /// Returns the targets of all references.
  func referenceTargets() throws(GitError) -> Set<ObjectID> {
    var names = git_strarray()
    try check(git_reference_list(&names, pointer), "list the references")
    defer { git_strarray_dispose(&names) }
    var targets: Set<ObjectID> = []
    for index in 0..<names.count {
      guard let name = names.strings[index] else { continue }
      var oid = git_oid()
      if git_reference_name_to_id(&oid, pointer, name) == 0 { targets.insert(ObjectID(oid)) }
    }
    return targets
  }
}
