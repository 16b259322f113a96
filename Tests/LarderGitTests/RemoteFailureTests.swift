import Testing

@testable import LarderGit

@Suite struct RemoteFailureTests {
  @Test(
    "git's words are sorted by what they mean",
    arguments: [
      ("fatal: Authentication failed for 'https://x/'", GitError.Code.authentication),
      (
        "git@x: Permission denied (publickey).\nfatal: Could not read from remote repository.",
        .authentication
      ),
      (
        "fatal: could not read Username for 'https://x': terminal prompts disabled", .authentication
      ),
      ("ssh: Could not resolve hostname x: Name or service not known", .unreachable),
      ("fatal: unable to access 'https://x/': Failed to connect to x port 443", .unreachable),
      ("fatal: detected dubious ownership in repository at '/x'", .ownership),
      ("fatal: Unable to create '/x/shallow.lock': File exists.", .locked),
      ("fatal: something new", .other(128)),
    ])
  func classification(words: String, code: GitError.Code) {
    let outcome = GitProgram.Outcome(status: 128, output: "", complaint: words)
    #expect(RemoteFailure.error(outcome, action: "fetch", path: "x").code == code)
  }

  @Test(
    "a refused reference is told apart from one that moved",
    arguments: [
      ("[rejected] (fetch first)", GitError.Code.notFastForward),
      ("[rejected] (non-fast-forward)", .notFastForward),
      ("[remote rejected] (failed to update ref)", .notFastForward),
      (
        "[remote rejected] (cannot lock ref 'refs/heads/main': is at a but expected b)",
        .notFastForward
      ),
      ("[remote rejected] (pre-receive hook declined)", .refused),
      ("[remote rejected] (protected branch hook declined)", .refused),
      ("[remote rejected] (branch is currently checked out)", .refused),
      ("[remote rejected] (shallow update not allowed)", .shallow),
    ])
  func refusals(summary: String, code: GitError.Code) {
    let outcome = GitProgram.Outcome(
      status: 1, output: "To x\n!\ta:b\t\(summary)\nDone\n", complaint: "")
    #expect(RemoteFailure.refusal(outcome, action: "push", path: "x")?.code == code)
  }
}
