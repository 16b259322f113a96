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
    return try open(path)
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
