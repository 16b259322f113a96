import LarderGit
import LarderKit
import LarderModel
import LarderStore
import TestSupport
import Testing

@testable import LarderCLI

/// Failures that take another user, a server or a full disk to come about, from their facts.
@Suite("Words for failures that tests can't bring about")
struct MessageWordsTests {
  struct Fact: Sendable, CustomTestStringConvertible {
    let name: String
    let error: any Error & Sendable
    let code: Int32
    var testDescription: String { name }
  }

  static let facts = [
    Fact(
      name: "ownership",
      error: GitError(
        .ownership, action: "open the repository",
        detail: "it belongs to user 1000, not to the current user 0", path: "/home/anna/nest/.git"),
      code: 4),
    Fact(
      name: "authentication",
      error: GitError(
        .authentication, action: "fetch",
        detail:
          "fatal: could not read Username for 'https://example.org': terminal prompts disabled",
        path: "https://example.org/nest.git"), code: 4),
    Fact(
      name: "shallow",
      error: GitError(.shallow, action: "find the common ancestor", detail: "", path: "/nest/.git"),
      code: 1),
    Fact(
      name: "git-forestalled",
      error: GitError(
        .conflict, action: "fetch",
        detail:
          "error: cannot lock ref 'refs/remotes/origin/main': is at 4f2a91c but expected 0d1e2f3",
        path: "/hub.git"), code: 7),
    Fact(
      name: "git-locked",
      error: StoreError.git(
        GitError(
          .locked, action: "move the branch", detail: "failed to lock file",
          path: "/nest/.git/refs/heads/main.lock")), code: 7),
    Fact(
      name: "not-fast-forward",
      error: GitError(.notFastForward, action: "push", detail: "[rejected] (fetch first)"), code: 6),
    Fact(
      name: "git-conflict", error: GitError(.conflict, action: "move the branch", detail: ""),
      code: 7),
    Fact(
      name: "damaged",
      error: StoreError.git(
        GitError(
          .notFound, action: "read a commit", detail: "object not found - no match for id (7df058c)"
        )),
      code: 1),
    Fact(name: "locked", error: StoreError.locked(milliseconds: 60_000), code: 7),
    Fact(
      name: "disk-full",
      error: StoreError.system(action: "write", path: "/nest/stock/milk.json", code: 28), code: 1),
    Fact(
      name: "permission",
      error: StoreError.system(action: "write", path: "/nest/stock/milk.json", code: 13), code: 4),
    Fact(name: "bisect", error: StoreError.operationInProgress(.bisect), code: 1),
    Fact(name: "cherry-pick", error: StoreError.operationInProgress(.cherryPick), code: 1),
    Fact(name: "sync-busy", error: SyncError.busy(attempts: 12), code: 6),
    Fact(name: "sync-no-commit", error: SyncError.noCommit, code: 1),
    Fact(name: "sync-newer-format", error: SyncError.newerFormat("3"), code: 5),
  ]

  @Test("the message and the hints are those that were reviewed", arguments: facts)
  func fact(_ fact: Fact) throws {
    let error = MessageWords().errorWords(for: fact.error)
    #expect(error.kind.exitCode == fact.code)
    let text = ProblemText(hasColor: false, width: 100).error(error)
    #expect(try Golden.kept("errors/facts/\(fact.name).txt", now: text) == text)
  }
}
