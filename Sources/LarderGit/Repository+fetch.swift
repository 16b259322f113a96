internal import Clibgit2

extension Repository {
  /// Brings the commits of a remote and the references that track its branches up to date.
  ///
  /// Throws `notFound` when no remote has that name, `unreachable`, `authentication`, or whatever
  /// else git says.
  ///
  /// With `pruning`, references that track branches which the remote no longer has are removed.
  public func fetch(remote name: String, pruning: Bool = false) throws(GitError) {
    let action = "fetch"
    let remote = try remoteHandle(name, action: action)
    if let gitProgram {
      let words = ["fetch", "--quiet"] + (pruning ? ["--prune"] : []) + ["--", name]
      let outcome = try runGit(gitProgram, words, action: action)
      guard outcome.status == 0 else {
        throw RemoteFailure.error(outcome, action: action, path: try remoteURL(name) ?? name)
      }
      return
    }
    var options = git_fetch_options()
    try check(
      git_fetch_options_init(&options, UInt32(GIT_FETCH_OPTIONS_VERSION)), action, path: name)
    options.callbacks.credentials = Credentials.acquire
    if pruning { options.prune = GIT_FETCH_PRUNE }
    let url = try useResolvedURL(remote.pointer, action: action)
    try Self.remoteCheck(git_remote_fetch(remote.pointer, nil, &options, nil), action, url)
  }

  /// Clones the repository at a URL or path into the folder `path`, which must be missing or empty.
  ///
  /// A remote without any commit gives a repository with an unborn branch. The remote is called
  /// `origin`. Throws `exists` when the folder isn't empty, else as `fetch` does.
  public static func clone(_ url: String, to path: String) throws(GitError) -> Repository {
    try clone(url, to: path, gitProgram: GitProgram.find())
  }

  static func clone(
    _ url: String, to path: String, gitProgram: String?
  ) throws(GitError) -> Repository {
    let action = "clone"
    try refuseDash(url, action: action)
    if let gitProgram {
      let outcome = try GitProgram(path: gitProgram).run(
        ["clone", "--quiet", "--", url, path], action: action)
      guard outcome.status == 0 else {
        throw RemoteFailure.error(outcome, action: action, path: url)
      }
      return try open(path)
    }
    Library.start()
    var options = git_clone_options()
    try check(
      git_clone_options_init(&options, UInt32(GIT_CLONE_OPTIONS_VERSION)), action, path: url)
    options.fetch_opts.callbacks.credentials = Credentials.acquire
    var made: OpaquePointer?
    try remoteCheck(git_clone(&made, url, path, &options), action, url)
    guard let made else {
      throw GitError(.other(0), action: action, detail: "nothing was made", path: path)
    }
    return Repository(owning: Handle(owning: made, free: { git_repository_free($0) }))
  }

  /// Runs the git program on this very repository, wherever the current folder is.
  func runGit(
    _ program: String, _ arguments: [String], settings: [String] = [], action: String
  ) throws(GitError) -> GitProgram.Outcome {
    var place = ["-C", workTree ?? gitDirectory, "--git-dir=" + gitDirectory]
    if let workTree { place.append("--work-tree=" + workTree) }
    return try GitProgram(path: program).run(
      place + arguments, settings: settings, action: action)
  }

  /// Makes libgit2 take a relative path from where git takes it, which isn't the current folder.
  func useResolvedURL(_ remote: OpaquePointer, action: String) throws(GitError) -> String {
    let url = git_remote_url(remote).map { String(cString: $0) } ?? ""
    guard case .path(let path) = RemoteLocation(url, relativeTo: workTree ?? gitDirectory)
    else { return url }
    try check(git_remote_set_instance_url(remote, path), action, path: url)
    return url
  }

  /// A remote that libgit2 doesn't find is out of reach, rather than missing here.
  static func remoteCheck(_ status: Int32, _ action: String, _ url: String) throws(GitError) {
    do throws(GitError) {
      try check(status, action, path: url)
    } catch {
      if let locked = RemoteFailure.locked(error.detail, action: action) { throw locked }
      var error = error
      switch error.code {
      case .notFound, .other: error.code = .unreachable
      default: break
      }
      throw error
    }
  }
}
