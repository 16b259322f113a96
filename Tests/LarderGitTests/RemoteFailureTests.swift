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
      (
        "error: cannot lock ref 'refs/remotes/origin/main': is at 4f2a91c but expected 0d1e2f3",
        .conflict
      ),
      (
        "No ED25519 host key is known for x and you have requested strict checking.\n"
          + "Host key verification failed.", .unknownHostKey
      ),
      (
        "@@@@\nHost key for x has changed and you have requested strict checking.\n"
          + "Host key verification failed.", .changedHostKey
      ),
      ("fatal: unable to access 'https://x/': The requested URL returned error: 403", .refused),
      (
        "ERROR: Permission to anna/home.git denied to ben.\nfatal: Could not read from remote "
          + "repository.", .refused
      ),
      (
        "ERROR: Repository not found.\nfatal: Could not read from remote repository.",
        .noRepository
      ),
      ("fatal: repository 'https://x/' not found", .noRepository),
      ("fatal: https://x/info/refs not valid: is this a git repository?", .noRepository),
      ("fatal: write error: No space left on device", .noRoom),
      ("what nobody foresaw\nfatal: Could not read from remote repository.", .unreachable),
      ("fatal: something new", .other(128)),
    ])
  func classification(words: String, code: GitError.Code) {
    let outcome = GitProgram.Outcome(status: 128, output: "", complaint: words)
    #expect(RemoteFailure.error(outcome, action: "fetch", path: "x").code == code)
  }

  @Test(
    "a certificate that is not trusted is told of in the words of any curl",
    arguments: [
      "server certificate verification failed. CAfile: none CRLfile: none",
      "server verification failed: certificate signer not trusted. (CAfile: none CRLfile: none)",
      "server verification failed: certificate has expired. (CAfile: none CRLfile: none)",
      "SSL certificate problem: self-signed certificate",
      "SSL: certificate subject name (a) does not match target hostname 'b'",
      "SSL: no alternative certificate subject name matches target host name 'b'",
      "SSL: unable to obtain common name from peer certificate",
      "SSL peer certificate or SSH remote key was not OK",
    ])
  func certificate(words: String) {
    let outcome = GitProgram.Outcome(
      status: 128, output: "", complaint: "fatal: unable to access 'https://x/': \(words)")
    let error = RemoteFailure.error(outcome, action: "fetch", path: "x")
    #expect(error.code == .untrustedCertificate)
  }

  @Test("the line that says why comes first, and no password is in it")
  func detail() {
    let outcome = GitProgram.Outcome(
      status: 128, output: "",
      complaint: "warning: redirecting\nfatal: Authentication failed for 'https://a:b@c@x/'")
    let error = RemoteFailure.error(outcome, action: "fetch", path: "https://token@x/home.git")
    #expect(
      error.detail == "fatal: Authentication failed for 'https://x/'\nwarning: redirecting")
    #expect(error.path == "https://x/home.git")
  }

  @Test("a server without room is told apart from one that refuses")
  func room() {
    let outcome = GitProgram.Outcome(
      status: 1, output: "!\ta:b\t[remote rejected] (unpacker error)\n",
      complaint: "remote: fatal: write error: No space left on device")
    #expect(RemoteFailure.refusal(outcome, action: "push", path: "x")?.code == .noRoom)
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
