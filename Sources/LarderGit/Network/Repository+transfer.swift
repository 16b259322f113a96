internal import Clibgit2
internal import LarderText

extension Repository {
  /// Fetches the commits of a remote and updates its tracking references.
  ///
  /// Throws `notFound` if there is no remote of that name, `unreachable`, `authentication`, or any
  /// other failure of git. A silent server is given up after the configured time, or after a
  /// minute. `waiting` is called once after five seconds of silence.
  ///
  /// With `pruning`, tracking references of branches that the remote no longer has are removed.
  public func fetch(
    remote name: String, pruning: Bool = false, waiting: (() -> Void)? = nil
  ) throws(GitError) {
    let action = "fetch"
    let remote = try remote(name, action: action)
    // Packing is done elsewhere; a maintenance process of git would survive if this one is killed.
    let words =
      ObjectChecks.settings + ["fetch", "--quiet", "--no-auto-maintenance"]
      + (pruning ? ["--prune"] : []) + ["--", name]
    let outcome = try runGit(
      words, settings: networkDefaults(for: remote.url, action: action), action: action,
      waiting: waiting)
    guard outcome.status == 0 else {
      throw RemoteFailure.error(outcome, action: action, path: remote.url)
    }
  }

  /// Fetches all objects of a remote again, with those that a partial clone has left out.
  ///
  /// Throws as `fetch`.
  public func fetchAll(remote name: String) throws(GitError) {
    let (action, remote) = ("fetch", try remote(name, action: "fetch"))
    let words = [
      "fetch", "--quiet", "--no-auto-maintenance", "--refetch", "--no-filter", "--", name,
    ]
    let outcome = try runGit(
      ObjectChecks.settings + words,
      settings: networkDefaults(for: remote.url, action: action), action: action)
    guard outcome.status == 0 else {
      throw RemoteFailure.error(outcome, action: action, path: remote.url)
    }
  }

  /// Clones the repository at a URL or path into the folder `path`, which must be missing or empty.
  ///
  /// Checks out no files: the caller judges the commits first.
  ///
  /// A remote without commits gives a repository with an unborn branch. The remote is named
  /// `origin`. Throws `exists` if the folder is not empty, otherwise as `fetch`.
  public static func clone(
    _ url: String, to path: String, waiting: (() -> Void)? = nil
  ) throws(GitError) -> Repository {
    let action = "clone"
    try refuseDash(url, action: action)
    let program = try GitProgram(GitProgram.find(), action: action)
    let settings = try program.networkDefaults(for: url, action: action) {
      words throws(GitError) in
      try program.run(words, action: action)
    }
    let outcome = try program.run(
      ObjectChecks.settings + ["clone", "--quiet", "--no-checkout", "--", url, path],
      settings: settings, action: action, waiting: waiting)
    guard outcome.status == 0 else {
      throw RemoteFailure.error(outcome, action: action, path: url)
    }
    do throws(GitError) {
      return try open(path)
    } catch  where error.code == .otherHash || error.code == .otherFormat {
      throw GitError(error.code, action: action, detail: error.detail, path: url.withoutSecrets)
    }
  }

  /// Runs the git program on this repository, independent of the current folder.
  ///
  /// Throws `noProgram` if there is none.
  func runGit(
    _ arguments: [String], settings: [String] = [], action: String, waiting: (() -> Void)? = nil
  ) throws(GitError) -> GitProgram.Outcome {
    var place = ["-C", workTree ?? gitDirectory, "--git-dir=" + gitDirectory]
    if let workTree { place.append("--work-tree=" + workTree) }
    return try GitProgram(gitProgram, action: action).run(
      place + arguments, settings: settings, action: action, waiting: waiting)
  }

  /// Returns the environment variables for git's access to a remote's machine.
  func networkDefaults(for url: String, action: String) throws(GitError) -> [String] {
    try GitProgram(gitProgram, action: action).networkDefaults(for: url, action: action) {
      words throws(GitError) in
      try runGit(words, action: action)
    }
  }
}

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
  ///
  /// Returns other references of the remote whose names end like the branch's full name, such as
  /// `refs/heads/refs/heads/main`: git takes them for the branch, too, unless it is told otherwise.
  @discardableResult
  public func push(
    _ commit: ObjectID, to reference: String, remote name: String, expecting: ObjectID?,
    waiting: (() -> Void)? = nil
  ) throws(GitError) -> [String] {
    let action = "push"
    let remote = try remote(name, action: action)
    try checkReference(reference, action: action)
    try refuseRewind(commit, expecting, reference, action: action)
    let url = remote.pushURL ?? remote.url
    let settings = try networkDefaults(for: url, action: action)
    func push(_ rules: [String]) throws(GitError) -> GitProgram.Outcome {
      try runGit(
        ["push", "--porcelain", "--no-force", "--", name] + rules, settings: settings,
        action: action, waiting: waiting)
    }
    let outcome = try push(["\(commit.hex):\(reference)"])
    if outcome.status != 0, outcome.complaint.utf8Contains("matches more than one"),
      let rules = try rules(from: commit, to: reference)
    {
      try checkPush(try push(rules), url, action: action)
      return try namesakes(of: reference, remote: name, settings, action: action)
    }
    try checkPush(outcome, url, action: action)
    return []
  }

  /// Returns rules that push the checked-out branch, if it has the commit, and match one reference of the
  /// remote only.
  ///
  /// Git compares a full name with the ends of names, but a pattern with whole names.
  private func rules(from commit: ObjectID, to reference: String) throws(GitError) -> [String]? {
    guard case .branch(let branch, commit) = try head() else { return nil }
    let own = "refs/heads/" + branch
    let others = ReferenceFiles(folder: commonDirectory).entries().map(\.name)
      .filter { $0.begins(withBytesOf: own) && !$0.hasSameBytes(as: own) }
    return ["\(own)*:\(reference)*"] + others.map { "^" + $0 }
  }

  /// Returns the branches and tags of a remote whose names end like a branch's full name.
  private func namesakes(
    of reference: String, remote name: String, _ settings: [String], action: String
  ) throws(GitError) -> [String] {
    let outcome = try runGit(
      ["ls-remote", "--refs", "--", name], settings: settings, action: action)
    let ending = Array("/\(reference)".utf8)
    return outcome.output.split(separator: "\n").compactMap { line in
      let names = line.utf8.drop { $0 != UInt8(ascii: "\t") }.dropFirst()
      return names.count > ending.count && names.suffix(ending.count).elementsEqual(ending)
        ? String(decoding: names, as: UTF8.self) : nil
    }
  }

  private func checkReference(_ reference: String, action: String) throws(GitError) {
    var valid: Int32 = 0
    try check(git_reference_name_is_valid(&valid, reference), action, path: reference)
    guard valid == 1, reference.begins(withBytesOf: "refs/") else {
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
