internal import Clibgit2

extension Repository {
  /// Brings the commits of a remote and the references that track its branches up to date.
  ///
  /// Throws `notFound` when no remote has that name, `unreachable`, `authentication`, or whatever
  /// else git says. A server that says nothing is given up after a while, as people configured it or
  /// a minute; `waiting` is called once after five seconds of silence.
  ///
  /// With `pruning`, references that track branches which the remote no longer has are removed.
  public func fetch(
    remote name: String, pruning: Bool = false, waiting: (() -> Void)? = nil
  ) throws(GitError) {
    let action = "fetch"
    let remote = try remoteHandle(name, action: action)
    let url = try useResolvedURL(remote.pointer, action: action)
    let location = RemoteLocation(url, relativeTo: workTree ?? gitDirectory)
    if let gitProgram {
      // Packing is ours to do, and what git starts for it would stay where we are killed.
      let words =
        ["fetch", "--quiet", "--no-auto-maintenance"] + (pruning ? ["--prune"] : []) + ["--", name]
      let outcome = try runGit(
        gitProgram, words, settings: manners(gitProgram, location, action: action),
        action: action, waiting: waiting)
      guard outcome.status == 0 else {
        throw RemoteFailure.error(outcome, action: action, path: try remoteURL(name) ?? name)
      }
      return
    }
    try location.localPath(url, action: action)
    var options = git_fetch_options()
    try check(
      git_fetch_options_init(&options, UInt32(GIT_FETCH_OPTIONS_VERSION)), action, path: name)
    if pruning { options.prune = GIT_FETCH_PRUNE }
    try Self.remoteCheck(git_remote_fetch(remote.pointer, nil, &options, nil), action, url)
  }

  /// Clones the repository at a URL or path into the folder `path`, which must be missing or empty.
  ///
  /// A remote without any commit gives a repository with an unborn branch. The remote is called
  /// `origin`. Throws `exists` when the folder isn't empty, else as `fetch` does.
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
      let settings = try program.manners(location, action: action) { words throws(GitError) in
        try program.run(words, action: action)
      }
      let outcome = try program.run(
        ["clone", "--quiet", "--", url, path], settings: settings, action: action,
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
    var made: OpaquePointer?
    try remoteCheck(git_clone(&made, url, path, &options), action, url)
    guard let made else {
      throw GitError(.other(0), action: action, detail: "nothing was made", path: path)
    }
    return Repository(owning: Handle(owning: made, free: { git_repository_free($0) }))
  }

  /// Runs the git program on this very repository, wherever the current folder is.
  func runGit(
    _ program: String, _ arguments: [String], settings: [String] = [], action: String,
    waiting: (() -> Void)? = nil
  ) throws(GitError) -> GitProgram.Outcome {
    var place = ["-C", workTree ?? gitDirectory, "--git-dir=" + gitDirectory]
    if let workTree { place.append("--work-tree=" + workTree) }
    return try GitProgram(path: program).run(
      place + arguments, settings: settings, action: action, waiting: waiting)
  }

  /// What git needs in its surroundings to behave towards the machine that a remote is on.
  func manners(
    _ program: String, _ location: RemoteLocation, action: String
  ) throws(GitError) -> [String] {
    try GitProgram(path: program).manners(location, action: action) { words throws(GitError) in
      try runGit(program, words, action: action)
    }
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
      case .notFound: error.code = .noRepository
      case .other: error.code = .unreachable
      default: break
      }
      throw error
    }
  }
}
