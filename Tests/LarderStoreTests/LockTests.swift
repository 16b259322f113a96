import Foundation
import HomeSupport
import LarderGit
import LarderJSON
import LarderModel
import LarderStore
import LarderText
import Testing
import TestSupport

@Suite("One writer at a time")
struct LockTests {
  private func milk() throws -> (home: Home, milk: EntityKey) {
    var key: EntityKey?
    let home = try Home(alone: true) { key = try $0.newItem("Oat milk", 50) }
    return (home, try #require(key))
  }

  @Test("writers in several threads take turns, and every use counts")
  func turns() throws {
    let (home, milk) = try milk()
    let failures = Failures()
    var context = home.context("laptop")
    context.patience = 60_000
    let (root, sharedContext) = (home.laptop.root, context)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      do {
        let store = try Store.open(from: root, context: sharedContext)
        for _ in 0..<5 { try store.consume(milk, 1) }
      } catch {
        failures.add(error)
      }
    }
    #expect(failures.all.isEmpty)
    #expect(try home.laptop.quantity(milk) == Number(30))
    #expect(try home.laptop.status() == "")
    #expect(try home.laptop.entity(milk).ledger.entries.count == 21)
  }

  private final class Failures: @unchecked Sendable {
    private let lock = NSLock()
    private var errors: [any Error] = []
    func add(_ error: any Error) { lock.withLock { errors.append(error) } }
    var all: [any Error] { lock.withLock { errors } }
  }

  @Test("whoever holds the lock for longer than one's patience is told of, reading goes on")
  func patience() throws {
    let (home, milk) = try milk()
    let waits = Failures()
    let other = try home.opened(home.laptop) {
      $0.patience = 50
      $0.waits = { waits.add(CancellationError()) }
    }
    try home.laptop.commit(as: "hold") { _, _ in
      let started = ContinuousClock.now
      let error = try #require(throws: StoreError.self) { try other.consume(milk, 1) }
      guard case .locked(milliseconds: 50) = error else {
        Issue.record("\(error)")
        return ("held", ())
      }
      #expect(ContinuousClock.now - started >= .milliseconds(45))
      #expect(try other.quantity(milk) == Number(50))
      return ("held", ())
    }.get().value
    let told = waits.all.count
    #expect(told > 0, "who waits is told")
    try other.consume(milk, 1)
    #expect(try other.quantity(milk) == Number(49))
    #expect(waits.all.count == told, "who need not wait is told nothing")
  }

  @Test("a write that a plain commit forestalls is done anew on top of it, once")
  func forestalled() throws {
    let (home, milk) = try milk()
    let store = home.laptop
    var runs = 0
    let writing = try store.commit(as: "consume") { edit, writer in
      runs += 1
      if runs == 1 { try home.git(store, "commit", "-q", "--allow-empty", "-m", "by hand") }
      // Git locks the branch for a moment while it moves it.
      if runs == 2 { try store.write("", to: ".git/refs/heads/main.lock") }
      if runs == 3 { try store.removeFile(".git/refs/heads/main.lock") }
      let current = try #require(edit.after[milk])
      _ = try edit.take(Quantity(Number(1), current.unit), from: current, by: writer)
      return ("consume", ())
    }.get().writing
    #expect(runs == 3)
    #expect(writing.commit != nil)
    #expect(try store.quantity(milk) == Number(49))
    #expect(try Array(store.log().prefix(2)) == ["consume", "by hand"])
    #expect(try store.status() == "")
  }

  @Test("a branch that stays locked is told of when one's patience is over, and nothing is written")
  func lockedBranch() throws {
    let (home, milk) = try milk()
    let lock: FilePath = ".git/refs/heads/main.lock"
    let head = try home.laptop.head()
    try home.laptop.write(String(repeating: "1", count: 40), to: lock)
    let error = try #require(throws: StoreError.self) { try home.laptop.consume(milk, 1) }
    guard case .git(let failure) = error, failure.code == .locked else {
      Issue.record("\(error)")
      return
    }
    #expect(failure.path?.hasSuffix("refs/heads/main.lock") ?? false)
    try home.laptop.removeFile(lock)
    #expect(try home.laptop.head() == head)
    #expect(try home.laptop.quantity(milk) == Number(50))
  }

  @Test("what is committed while git holds the index is done; the next command sees to the index")
  func indexLockedAtTheEnd() throws {
    let (home, milk) = try milk()
    let store = home.laptop
    let writing = try store.commit(as: "consume") { edit, writer in
      try store.write("", to: ".git/index.lock")
      let current = try #require(edit.after[milk])
      _ = try edit.take(Quantity(Number(1), current.unit), from: current, by: writer)
      return ("consume", ())
    }.get().writing
    #expect(writing.commit?.hex == (try store.head()))
    #expect(try store.quantity(milk) == Number(49))
    try store.removeFile(".git/index.lock")
    try store.consume(milk, 1)
    #expect(try store.quantity(milk) == Number(48))
    #expect(try store.status() == "")
    let journal = try store.text(".git/larder/journal").split(separator: "\n")
    #expect(try #require(journal.last).hasPrefix("applied "))
  }

  @Test("an index.lock is told of with its path and never removed")
  func indexLock() throws {
    let (home, milk) = try milk()
    let lock = home.laptop.root + "/.git/index.lock"
    try home.laptop.write("", to: ".git/index.lock")
    let error = try #require(throws: StoreError.self) { try home.laptop.consume(milk, 1) }
    guard case .indexLocked(let path) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(path == lock)
    #expect(home.laptop.exists(".git/index.lock"))
    #expect(try home.laptop.quantity(milk) == Number(50))
    try home.laptop.removeFile(".git/index.lock")
    try home.laptop.consume(milk, 1)
  }

  @Test(
    "nothing is written while a merge, a rebase or the like waits", arguments: Operation.waiting)
  func operations(_ operation: LarderGit.Operation) throws {
    let (home, milk) = try milk()
    let store = home.laptop
    try store.write("base\n", to: "NOTES.md")
    try home.commitAll(store)
    try home.git(store, "checkout", "-q", "-b", "side")
    try store.write("side\n", to: "NOTES.md")
    try home.commitAll(store)
    try home.git(store, "checkout", "-q", "main")
    try store.write("main\n", to: "NOTES.md")
    try home.commitAll(store)
    let command =
      switch operation {
      case .merge: ["merge", "side"]
      case .rebase: ["rebase", "side"]
      case .cherryPick: ["cherry-pick", "side"]
      default: ["revert", "--no-edit", "side"]
      }
    _ = try? Git.run(command, in: store.root, at: home.clock.gitDate())
    let head = try store.head()
    let error = try #require(throws: StoreError.self) { try store.consume(milk, 1) }
    guard case .operationInProgress(operation) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(throws: StoreError.self) { try store.adopt() }
    #expect(try store.quantity(milk) == Number(50), "reading goes on")
    #expect(try store.head() == head)
    try home.git(store, command[0], "--abort")
    try store.consume(milk, 1)
    #expect(try store.quantity(milk) == Number(49))
  }

  @Test("a clone that was never set up is read, and not written")
  func noUser() throws {
    let (home, milk) = try milk()
    try Git.run("clone", "-q", home.laptop.root, home.folder("copy"), in: home.folder.path)
    let copy = try Store.open(from: home.folder("copy"), context: home.context("copy"))
    #expect(try copy.quantity(milk) == Number(50))
    let error = try #require(throws: StoreError.self) { try copy.consume(milk, 1) }
    guard case .noUserID = error else {
      Issue.record("\(error)")
      return
    }
    #expect(try copy.setUpProblems().contains(.noUserID))
    try copy.setUpDevice(program: "larder")
    try copy.consume(milk, 1)
    #expect(try copy.setUpProblems() == [])
  }

  @Test("a repository that may only be read is read", .enabled(if: geteuid() != 0))
  func readOnly() throws {
    let (home, milk) = try milk()
    let git = home.laptop.root + "/.git"
    try home.laptop.removeFile(".git/larder")
    chmod(git, 0o555)
    defer { chmod(git, 0o755) }
    #expect(try home.opened(home.laptop).quantity(milk) == Number(50))
    #expect(throws: StoreError.self) { try home.laptop.consume(milk, 1) }
  }

  @Test("reading makes no folder and no file in a clone that has none of ours")
  func readingMakesNothing() throws {
    let (home, milk) = try milk()
    try Git.run("clone", "-q", home.laptop.root, home.folder("copy"), in: home.folder.path)
    let copy = try Store.open(from: home.folder("copy"), context: home.context("copy"))
    #expect(try copy.quantity(milk) == Number(50))
    #expect(!copy.exists(".git/larder"))
  }
}

extension LarderGit.Operation {
  static let waiting: [LarderGit.Operation] = [.merge, .rebase, .cherryPick, .revert]
}
