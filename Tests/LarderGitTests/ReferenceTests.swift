import Foundation
import LarderGit
import Testing

@Suite struct ReferenceTests {
  let sandbox: Sandbox
  let repository: Repository
  let first: ObjectID
  let second: ObjectID

  init() throws {
    sandbox = try Sandbox()
    repository = try sandbox.create()
    first = try sandbox.commit(["a": "1"])
    second = try repository.record(["a": "2"], on: [first])
  }

  private func move(_ name: String, to id: ObjectID, expecting: ObjectID?) throws(GitError) {
    try repository.updateReference(
      name, to: id, expecting: expecting, reason: "consume: milk", by: Sandbox.ada)
  }

  @Test("moving the checked-out branch leaves a line in both reflogs, by its author and time")
  func reflog() throws {
    try move("refs/heads/main", to: second, expecting: first)
    #expect(try sandbox.id("main") == second)
    #expect(try repository.reference("refs/heads/main") == second)
    #expect(try repository.reference("HEAD") == second)
    for name in ["HEAD", "refs/heads/main"] {
      let line = try sandbox.git("log", "-g", "-1", "--date=unix", "--format=%gd %gn %ge %gs", name)
      #expect(line.hasSuffix("@{1700000000} Ada ada@example.org consume: milk"), "\(line)")
    }
  }

  @Test("a branch that is somewhere else isn't moved")
  func compareAndSwap() throws {
    let other = try repository.record(["a": "3"], on: [first])
    try move("refs/heads/main", to: second, expecting: first)
    for expecting in [first, other, nil] {
      let error = #expect(throws: GitError.self) {
        try move("refs/heads/main", to: other, expecting: expecting)
      }
      #expect(error?.code == .conflict)
      #expect(error?.path == "refs/heads/main")
    }
    #expect(try sandbox.id("main") == second)
    try sandbox.git("pack-refs", "--all")
    #expect(throws: GitError.self) { try move("refs/heads/main", to: other, expecting: nil) }
    try move("refs/heads/main", to: other, expecting: second)
    #expect(try sandbox.id("main") == other)
  }

  @Test("a reference is created only when it isn't there, and removed when it is")
  func createAndDelete() throws {
    let error = #expect(throws: GitError.self) {
      try move("refs/heads/side", to: first, expecting: second)
    }
    #expect(error?.code == .conflict)
    #expect(try repository.reference("refs/heads/side") == nil)
    try move("refs/heads/side", to: first, expecting: nil)
    #expect(try sandbox.id("refs/heads/side") == first)
    try repository.deleteReference("refs/heads/side")
    #expect(try repository.reference("refs/heads/side") == nil)
    let gone = #expect(throws: GitError.self) { try repository.deleteReference("refs/heads/side") }
    #expect(gone?.code == .notFound)
  }

  @Test("the first commit is put on an unborn branch")
  func unborn() throws {
    let fresh = try Repository.create(at: sandbox.path("fresh"), branch: "main")
    let commit = try fresh.record(["a": "1"], on: [])
    try fresh.updateReference(
      "refs/heads/main", to: commit, expecting: nil, reason: "init", by: Sandbox.ada)
    #expect(try fresh.head() == .branch(name: "main", commit))
  }

  @Test("a reference that git has locked is locked, with the lock's path")
  func locked() throws {
    let lock = sandbox.path("household/.git/refs/heads/main.lock")
    try Data().write(to: URL(fileURLWithPath: lock))
    let error = #expect(throws: GitError.self) {
      try move("refs/heads/main", to: second, expecting: first)
    }
    #expect(error?.code == .locked)
    #expect(error?.path == lock)
    #expect(FileManager.default.fileExists(atPath: lock), "a lock is never removed")
    #expect(try sandbox.id("main") == first)
  }

  @Test("nothing stays locked after a refusal")
  func unlockedAfterwards() throws {
    #expect(throws: GitError.self) { try move("refs/heads/main", to: second, expecting: nil) }
    try sandbox.git("update-ref", "refs/heads/main", second.hex)
  }

  @Test(
    "malformed names and symbolic references are invalid",
    arguments: ["refs/heads/a b", "main", "HEAD", "refs/heads/x.lock"])
  func invalid(name: String) throws {
    let error = #expect(throws: GitError.self) { try move(name, to: second, expecting: nil) }
    #expect(error?.code == .invalid)
  }

  @Test("a detached HEAD is moved as a reference of its own")
  func detached() throws {
    try sandbox.git("checkout", "--quiet", "--detach")
    try move("HEAD", to: second, expecting: first)
    #expect(try repository.head() == .detached(second))
    #expect(try sandbox.id("main") == first)
  }

  @Test("in a linked work tree its own branch moves")
  func linkedWorkTree() throws {
    try sandbox.git("worktree", "add", "--quiet", "-b", "side", sandbox.path("linked"))
    let linked = try Repository.open(sandbox.path("linked"))
    try linked.updateReference(
      "refs/heads/side", to: second, expecting: first, reason: "x", by: Sandbox.ada)
    #expect(try linked.head() == .branch(name: "side", second))
    #expect(try repository.head() == .branch(name: "main", first))
  }

  @Test(
    "of many writers racing for a branch, exactly one wins each step", arguments: [false, true])
  func race(isNew: Bool) async throws {
    let path = sandbox.path("household")
    let name = isNew ? "refs/heads/fresh" : "refs/heads/main"
    let base = first
    let start = isNew ? nil : base
    let wins = await withTaskGroup(of: Int.self) { group in
      for writer in 0..<6 {
        group.addTask {
          do {
            let own = try Repository.open(path)
            let commit = try own.record(["a": "writer \(writer)"], on: [base])
            try own.updateReference(
              name, to: commit, expecting: start, reason: "race", by: Sandbox.ada)
            return 1
          } catch let error as GitError where [.conflict, .locked].contains(error.code) {
            return 0
          } catch {
            Issue.record(error)
            return 0
          }
        }
      }
      return await group.reduce(0, +)
    }
    #expect(wins == 1)
  }
}
