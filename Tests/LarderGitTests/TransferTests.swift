import Foundation
import LarderText
import Testing

@testable import LarderGit

/// Fetching, pushing and cloning by the git program.
@Suite struct TransferTests {
  let sandbox: Sandbox
  let repository: Repository
  let first: ObjectID

  init() throws {
    sandbox = try Sandbox()
    repository = try sandbox.create()
    try sandbox.create("remote", bare: true)
    first = try sandbox.commit(["a": "1"])
    try sandbox.git("remote", "add", "origin", sandbox.path("remote"))
    try sandbox.git("push", "--quiet", "-u", "origin", "main")
  }

  /// Somebody else pushes a commit on top of what the remote has.
  private func pushFromElsewhere(_ text: String) throws -> ObjectID {
    let other = UUID().uuidString
    try sandbox.git("clone", "--quiet", sandbox.path("remote"), sandbox.path(other), in: "remote")
    let commit = try sandbox.commit(["elsewhere": text], "Elsewhere", in: other)
    try sandbox.git("push", "--quiet", "origin", "main", in: other)
    return commit
  }

  private func code(_ body: () throws -> Void) -> GitError.Code? {
    #expect(throws: GitError.self) { try body() }?.code
  }

  @Test("the program is found in PATH")
  func findsGit() throws {
    let found = try #require(repository.gitProgram)
    #expect(found.hasSuffix("/git"))
  }

  @Test(
    "odd names of the remote stop nobody, and are told",
    arguments: [
      ["refs/heads/refs/heads/main"], ["refs/tags/refs/heads/main"],
      ["refs/heads/x/refs/heads/main"],
      ["refs/heads/HEAD"], ["refs/tags/main"],
      ["refs/notes/refs/heads/main", "refs/heads/heads/main"],
    ])
  func oddNames(_ names: [String]) throws {
    for name in names { try sandbox.git("update-ref", name, first.hex, in: "remote") }
    let isMistaken = names.contains {
      ["refs/heads/refs/heads/main", "refs/tags/refs/heads/main"].contains($0)
    }
    try sandbox.git("branch", "main2")
    try sandbox.git("branch", "main-old/x")
    for number in 2...3 {
      try repository.fetch(remote: "origin", pruning: true)
      let next = try sandbox.commit(["a": "\(number)"])
      let told = try repository.push(
        next, to: "refs/heads/main", remote: "origin",
        expecting: try repository.reference("refs/remotes/origin/main"))
      #expect(try repository.reference("refs/remotes/origin/main") == next)
      let there = try Repository.open(sandbox.path("remote"))
      #expect(try there.reference("refs/heads/main") == next)
      #expect(told == (isMistaken ? names : []))
    }
    let others = try sandbox.git("for-each-ref", "--format=%(refname)", in: "remote")
    #expect(Set(others.split(separator: "\n").map(String.init)) == Set(names + ["refs/heads/main"]))
    // Plain git can't send there from elsewhere, or from a clone that has a tag of this name.
    guard !isMistaken, !names.contains("refs/tags/main") else { return }
    // A push that others forestalled is still told from one that git does not understand.
    let theirs = try pushFromElsewhere("1")
    let mine = try sandbox.commit(["a": "4"])
    #expect(
      code {
        try repository.push(
          mine, to: "refs/heads/main", remote: "origin",
          expecting: try repository.reference("refs/remotes/origin/main"))
      } == .notFastForward)
    #expect(
      try Repository.open(sandbox.path("remote")).reference("refs/heads/main") == theirs)
  }

  @Test("fetching brings the remote's commits")
  func fetch() throws {
    let theirs = try pushFromElsewhere("1")
    try repository.fetch(remote: "origin")
    #expect(try repository.reference("refs/remotes/origin/main") == theirs)
    #expect(try repository.text("elsewhere", in: repository.commit(theirs).tree) == "1")
    #expect(try sandbox.id("main") == first)
  }

  @Test("what is configured of tags and pruning counts")
  func configuredFetch() throws {
    try sandbox.git("tag", "v1", "main", in: "remote")
    try sandbox.git("branch", "gone", "main", in: "remote")
    try sandbox.git("config", "remote.origin.tagOpt", "--no-tags")
    try repository.fetch(remote: "origin")
    #expect(try repository.reference("refs/tags/v1") == nil)
    #expect(try repository.reference("refs/remotes/origin/gone") == first)
    try sandbox.git("branch", "-D", "gone", in: "remote")
    try repository.fetch(remote: "origin")
    #expect(try repository.reference("refs/remotes/origin/gone") == first)
    try sandbox.git("config", "fetch.prune", "true")
    try sandbox.git("config", "remote.origin.tagOpt", "--tags")
    try repository.fetch(remote: "origin")
    #expect(try repository.reference("refs/remotes/origin/gone") == nil)
    #expect(try repository.reference("refs/tags/v1") == first)
  }

  @Test(
    "a lock on the reference that tracks the remote is named, and the remote is not at fault")
  func lockedTracking() throws {
    _ = try pushFromElsewhere("1")
    let lock = sandbox.path("household/.git/refs/remotes/origin/main.lock")
    try Data().write(to: URL(filePath: lock))
    let error = #expect(throws: GitError.self) { try repository.fetch(remote: "origin") }
    #expect(error?.code == .locked)
    #expect(error?.path == lock)
  }

  @Test(
    "a relative remote begins at the work tree, whatever the current folder")
  func relativeRemote() throws {
    try sandbox.git("remote", "set-url", "origin", "../remote")
    let theirs = try pushFromElsewhere("1")
    try repository.fetch(remote: "origin")
    #expect(try repository.reference("refs/remotes/origin/main") == theirs)
    let next = try repository.record(["b": "1"], on: [theirs])
    try repository.push(next, to: "refs/heads/main", remote: "origin", expecting: theirs)
    #expect(try sandbox.id("main", in: "remote") == next)
  }

  @Test("a push moves the remote branch and the tracking reference")
  func push() throws {
    let second = try repository.record(["b/c": "1"], on: [first])
    try repository.push(second, to: "refs/heads/main", remote: "origin", expecting: first)
    #expect(try sandbox.id("main", in: "remote") == second)
    #expect(try repository.reference("refs/remotes/origin/main") == second)
    try repository.push(second, to: "refs/heads/fresh", remote: "origin", expecting: nil)
    #expect(try sandbox.id("fresh", in: "remote") == second)
    try sandbox.git("fsck", "--strict", in: "remote")
    #expect(
      try sandbox.git("for-each-ref", "--format=%(refname)", in: "remote")
        == "refs/heads/fresh\nrefs/heads/main")
  }

  @Test("a push to an empty remote makes the branch")
  func pushToEmpty() throws {
    try sandbox.create("empty", bare: true)
    try repository.addRemote("usb", url: "file://" + sandbox.path("empty"))
    try repository.push(first, to: "refs/heads/main", remote: "usb", expecting: nil)
    #expect(try sandbox.id("main", in: "empty") == first)
    try sandbox.git("fsck", "--strict", in: "empty")
  }

  @Test("what was pushed in between is never overwritten")
  func interleaving() throws {
    try repository.fetch(remote: "origin")
    let mine = try repository.record(["mine": "1"], on: [first])
    let theirs = try pushFromElsewhere("1")
    #expect(
      code { try repository.push(mine, to: "refs/heads/main", remote: "origin", expecting: first) }
        == .notFastForward)
    #expect(try sandbox.id("main", in: "remote") == theirs)
    try repository.fetch(remote: "origin")
    let both = try repository.record(["mine": "1"], on: [theirs, mine])
    try repository.push(both, to: "refs/heads/main", remote: "origin", expecting: theirs)
    #expect(try sandbox.id("main", in: "remote") == both)
    #expect(try sandbox.git("log", "--format=%H", "main", in: "remote").contains(theirs.hex))
  }

  @Test("a branch made in between is never overwritten")
  func interleavedCreation() throws {
    try sandbox.create("empty", bare: true)
    try repository.addRemote("usb", url: sandbox.path("empty"))
    let stranger = try repository.record(["s": "1"], on: [])
    try sandbox.git("push", "--quiet", "usb", "\(stranger.hex):refs/heads/main")
    #expect(
      code { try repository.push(first, to: "refs/heads/main", remote: "usb", expecting: nil) }
        == .notFastForward)
    #expect(try sandbox.id("main", in: "empty") == stranger)
  }

  @Test(
    "of two pushes at the very same time, one comes through and no commit is lost")
  func simultaneous() async throws {
    let path = sandbox.path("household")
    let base = first
    for round in 0..<4 {
      let start = try sandbox.id("main", in: "remote")
      let pushed = await withTaskGroup(of: ObjectID?.self) { group in
        for writer in 0..<3 {
          group.addTask {
            do {
              let own = try Repository.open(path)
              let parent = round == 0 ? base : start
              let commit = try own.record(["w\(writer)": "\(round)"], on: [parent])
              try own.push(commit, to: "refs/heads/main", remote: "origin", expecting: parent)
              return commit
            } catch let error as GitError where [.notFastForward, .locked].contains(error.code) {
              return nil
            } catch {
              Issue.record(error)
              return nil
            }
          }
        }
        var commits: [ObjectID] = []
        for await case let commit? in group { commits.append(commit) }
        return commits
      }
      #expect(pushed == [try sandbox.id("main", in: "remote")])
    }
  }

  @Test(
    "a commit that doesn't follow the remote's is refused before anything is sent")
  func rewind() throws {
    let second = try repository.record(["b": "1"], on: [first])
    try repository.push(second, to: "refs/heads/main", remote: "origin", expecting: first)
    #expect(
      code {
        try repository.push(first, to: "refs/heads/main", remote: "origin", expecting: second)
      }
        == .notFastForward)
    let unknown = try #require(ObjectID(hex: String(repeating: "e", count: 40)))
    #expect(
      code {
        try repository.push(second, to: "refs/heads/main", remote: "origin", expecting: unknown)
      }
        == .notFastForward)
    #expect(try sandbox.id("main", in: "remote") == second)
  }

  @Test(
    "a hook that says no refuses the push", arguments: ["pre-receive", "update"])
  func hooks(hook: String) throws {
    let file = "hooks/\(hook)"
    try sandbox.write(file, "#!/bin/sh\necho 'the cellar is full' >&2\nexit 1\n", in: "remote")
    chmod(sandbox.path("remote/" + file), 0o755)
    let second = try repository.record(["b": "1"], on: [first])
    let error = #expect(throws: GitError.self) {
      try repository.push(second, to: "refs/heads/main", remote: "origin", expecting: first)
    }
    #expect(error?.code == .refused)
    #expect(error?.detail.contains("the cellar is full") == true)
    #expect(try sandbox.id("main", in: "remote") == first)
  }

  @Test(
    "the checked-out branch of another work tree is refused, other branches aren't")
  func checkedOut() throws {
    try sandbox.git("clone", "--quiet", sandbox.path("remote"), sandbox.path("laptop"))
    try repository.addRemote("laptop", url: sandbox.path("laptop"))
    let second = try repository.record(["b": "1"], on: [first])
    #expect(
      code {
        try repository.push(second, to: "refs/heads/main", remote: "laptop", expecting: first)
      }
        == .refused)
    try repository.push(second, to: "refs/heads/inbox", remote: "laptop", expecting: nil)
    #expect(try sandbox.id("inbox", in: "laptop") == second)
    try sandbox.git("config", "receive.denyCurrentBranch", "ignore", in: "laptop")
    try repository.push(second, to: "refs/heads/main", remote: "laptop", expecting: first)
    #expect(try sandbox.id("main", in: "laptop") == second)
  }

  @Test(
    "a remote that isn't there is unreachable, and an unknown name not found")
  func unreachable() throws {
    try sandbox.git("remote", "add", "gone", sandbox.path("gone"))
    try sandbox.git("remote", "add", "closed", "http://127.0.0.1:1/x.git")
    for (name, expected) in [("gone", GitError.Code.noRepository), ("closed", .unreachable)] {
      let error = #expect(throws: GitError.self) { try repository.fetch(remote: name) }
      #expect(error?.code == expected, "\(error?.detail ?? "")")
      #expect(error?.action == "fetch")
      #expect(
        code { try repository.push(first, to: "refs/heads/main", remote: name, expecting: nil) }
          == expected)
    }
    #expect(code { try repository.fetch(remote: "nobody") } == .notFound)
    #expect(
      code { try repository.push(first, to: "refs/heads/main", remote: "nobody", expecting: nil) }
        == .notFound)
    #expect(code { try repository.fetch(remote: "--all") } == .invalid)
    #expect(
      code { try repository.push(first, to: "main", remote: "origin", expecting: nil) } == .invalid)
  }

  @Test("a clone has the remote's files, branch and upstream")
  func clone() throws {
    let path = sandbox.path("copy")
    let copy = try Repository.clone(sandbox.path("remote"), to: path)
    #expect(copy.workTree == path)
    #expect(try copy.head() == .branch(name: "main", first))
    #expect(try copy.upstream(ofBranch: "main")?.tracking == "refs/remotes/origin/main")
    let tree = try copy.commit(first).tree
    let file = try #require(try copy.entry(at: "a", in: tree))
    #expect(try copy.readBlob(file.id) == Array("1".utf8))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: path) == [".git"],
      "what came is judged before it is written")
    #expect(
      code { _ = try Repository.clone(sandbox.path("remote"), to: path) }
        == .exists)
    #expect(
      code {
        _ = try Repository.clone(
          sandbox.path("gone"), to: sandbox.path("copy2"))
      } == .noRepository)
  }

  @Test("a clone of an empty remote has an unborn branch")
  func cloneEmpty() throws {
    try sandbox.create("empty", bare: true)
    let copy = try Repository.clone(
      sandbox.path("empty"), to: sandbox.path("copy"))
    guard case .unborn = try copy.head() else {
      Issue.record("the branch has a commit")
      return
    }
    #expect(try copy.remotes() == ["origin"])
  }

  @Test("without a git program, no remote is reached, and nothing is changed")
  func withoutGit() throws {
    _ = try pushFromElsewhere("1")
    let second = try repository.record(["b": "1"], on: [first])
    repository.gitProgram = nil
    #expect(code { try repository.fetch(remote: "origin") } == .noProgram)
    #expect(
      code {
        try repository.push(second, to: "refs/heads/main", remote: "origin", expecting: first)
      } == .noProgram)
    #expect(try repository.reference("refs/remotes/origin/main") == first)
  }

  @Test("what a hook has in its surroundings doesn't mislead git")
  func foreignSurroundings() throws {
    let outcome = try GitProgram(repository.gitProgram, action: "ask").run(
      ["-C", sandbox.path("household"), "rev-parse", "--git-dir"], action: "ask")
    #expect(outcome.output == ".git\n")
    for name in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"] {
      #expect(GitProgram.foreignVariables.contains(name))
    }
  }
}
