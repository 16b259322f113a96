import LarderKit

/// `larder pre-commit`: adopts edits before git makes a commit, if people turned that on.
enum PreCommitCommand {
  static let command = Command(
    "pre-commit", summary: "Adopt edits into the commit being made, for git",
    discussion: """
      git calls this before a commit; 'larder config hook yes' sets that up. Staged files get \
      their ids, times and ledger entries in the index of the commit, and also in the work tree if \
      the content there is the same. No commit is made. The exit code is 1 if the commit must not \
      be made this way; the reason is printed. Otherwise it is 0, even after an error, because the \
      next larder command adopts what was committed.
      """,
    group: "Files", isHidden: true
  ) { invocation in
    let output = invocation.output
    do {
      let larder = try Larder.open(from: invocation.directory, invocation.context())
      let index = invocation.environment["GIT_INDEX_FILE"]
      guard let staging = try larder.adoptStaged(index: index) else { return }
      var prose = MessageWords(root: larder.root)
      prose.staged = staging.untaken
      for problem in prose.problems(staging.notes, in: staging.household) { output.warn(problem) }
      guard !staging.paths.isEmpty else { return }
      output.note("larder: adopted \(counted(staging.paths.count, "file")) into this commit")
    } catch StoreError.notAHousehold {
      // Several repositories may share a hook, and some are not households.
      return
    } catch let error as StoreError {
      try report(error, output)
    }
  }

  private static func report(_ error: StoreError, _ output: Output) throws {
    var told = MessageWords().commandError(for: error)
    switch error {
    case .partialCommit, .unfinished:
      output.report(told)
      throw ExitStatus(code: 1)
    case .manyRemovals(let gone, let all):
      told.message = "\(gone) of \(all) files are gone in this commit, which may be an accident"
      told.hints = [
        "'git restore --staged --worktree .' brings them back",
        "'git commit --no-verify' commits it as it is",
      ]
      output.report(told)
      throw ExitStatus(code: 1)
    default:
      output.warn("larder could not adopt edits into this commit: \(told.message)")
      for hint in told.hints { output.hint(hint) }
      output.note("the commit is made without; the next larder command adopts it")
    }
  }
}
