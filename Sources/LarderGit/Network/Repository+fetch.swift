internal import Clibgit2
internal import Libc

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
    let location = RemoteLocation(remote.url, relativeTo: workTree ?? gitDirectory)
    if let gitProgram {
      // Packing is done elsewhere; a maintenance process of git would survive if this one is
      // killed.
      let words =
        ObjectChecks.settings + ["fetch", "--quiet", "--no-auto-maintenance"]
        + (pruning ? ["--prune"] : []) + ["--", name]
      let outcome = try runGit(
        gitProgram, words, settings: networkDefaults(gitProgram, location, action: action),
        action: action, waiting: waiting)
      guard outcome.status == 0 else {
        throw RemoteFailure.error(outcome, action: action, path: remote.url)
      }
      return
    }
    let path = try location.localPath(remote.url, action: action)
    try fetch(remote, from: path, pruning: pruning || remote.prunes, action: action)
  }

  /// Fetches without the git program, by the remote's configured refspecs.
  private func fetch(
    _ remote: RemoteSettings, from path: String, pruning: Bool, action: String
  ) throws(GitError) {
    var origin = git_remote_create_options()
    try check(
      git_remote_create_options_init(&origin, UInt32(GIT_REMOTE_CREATE_OPTIONS_VERSION)), action)
    origin.repository = pointer
    origin.flags = GIT_REMOTE_CREATE_SKIP_INSTEADOF.rawValue
    let handle = try Handle(action, path: path, free: { git_remote_free($0) }) {
      git_remote_create_with_opts($0, path, &origin)
    }
    var options = git_fetch_options()
    try check(
      git_fetch_options_init(&options, UInt32(GIT_FETCH_OPTIONS_VERSION)), action, path: remote.name
    )
    options.prune = pruning ? GIT_FETCH_PRUNE : GIT_FETCH_NO_PRUNE
    options.download_tags = remote.tags
    var rules = remote.fetchRules.map { strdup($0) }
    defer { for rule in rules { free(rule) } }
    let status = rules.withUnsafeMutableBufferPointer { rules in
      var all = git_strarray(strings: rules.baseAddress, count: rules.count)
      return git_remote_fetch(handle.pointer, &all, &options, "fetch \(remote.name)")
    }
    try Self.remoteCheck(status, action, remote.url)
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
    try clone(url, to: path, gitProgram: GitProgram.find(), waiting: waiting)
  }

  static func clone(
    _ url: String, to path: String, gitProgram: String?, waiting: (() -> Void)? = nil
  ) throws(GitError) -> Repository {
    let action = "clone"
    try refuseDash(url, action: action)
    let location = RemoteLocation(url, relativeTo: ".")
    if let gitProgram {
      let program = GitProgram(path: gitProgram)
      let settings = try program.networkDefaults(location, action: action) {
        words throws(GitError) in
        try program.run(words, action: action)
      }
      let outcome = try program.run(
        ObjectChecks.settings + ["clone", "--quiet", "--no-checkout", "--", url, path],
        settings: settings, action: action,
        waiting: waiting)
      guard outcome.status == 0 else {
        throw RemoteFailure.error(outcome, action: action, path: url)
      }
      return try open(path)
    }
    try location.localPath(url, action: action)
    Library.start()
    var options = git_clone_options()
    try check(
      git_clone_options_init(&options, UInt32(GIT_CLONE_OPTIONS_VERSION)), action, path: url)
    options.checkout_opts.checkout_strategy = GIT_CHECKOUT_NONE.rawValue
    var made: OpaquePointer?
    try remoteCheck(git_clone(&made, url, path, &options), action, url)
    guard let made else {
      throw GitError(.other(0), action: action, detail: "nothing was made", path: path)
    }
    return Repository(owning: Handle(owning: made, free: { git_repository_free($0) }))
  }

  /// Runs the git program on this repository, independent of the current folder.
  func runGit(
    _ program: String, _ arguments: [String], settings: [String] = [], action: String,
    waiting: (() -> Void)? = nil
  ) throws(GitError) -> GitProgram.Outcome {
    var place = ["-C", workTree ?? gitDirectory, "--git-dir=" + gitDirectory]
    if let workTree { place.append("--work-tree=" + workTree) }
    return try GitProgram(path: program).run(
      place + arguments, settings: settings, action: action, waiting: waiting)
  }

  /// Returns the environment variables for git's access to a remote's machine.
  func networkDefaults(
    _ program: String, _ location: RemoteLocation, action: String
  ) throws(GitError) -> [String] {
    try GitProgram(path: program).networkDefaults(location, action: action) {
      words throws(GitError) in
      try runGit(program, words, action: action)
    }
  }

  /// Throws an error of libgit2 about a remote.
  ///
  /// A remote that is not found counts as unreachable or as no repository, not as missing here.
  static func remoteCheck(_ status: Int32, _ action: String, _ url: String) throws(GitError) {
    do throws(GitError) {
      try check(status, action, path: url)
    } catch {
      if let locked = RemoteFailure.locked(error.detail, action: action) { throw locked }
      var error = error
      switch error.code {
      case .notFound: error.code = .noRepository
      case .other: error.code = .unreachable
      default: break
      }
      throw error
    }
  }
}
