import Foundation
import HomeSupport
import LarderGit
import LarderModel
import LarderStore
import LarderText
import Testing
import TestSupport

@Suite("Packing the history")
struct TidyTests {
  /// A household with a history of loose objects.
  private func lived() throws -> (home: Home, milk: EntityKey) {
    var key: EntityKey?
    let home = try Home(alone: true) { store in
      let milk = try store.newItem("Oat milk", 500)
      for _ in 0..<25 { try store.consume(milk, 1) }
      key = milk
    }
    return (home, try #require(key))
  }

  private func objects(_ store: Store) throws -> Set<Substring> {
    let list = try Git.run("cat-file", "--batch-all-objects", "--batch-check", in: store.root)
    return Set(list.split(separator: "\n"))
  }

  private func expectSound(_ store: Store, _ location: SourceLocation = #_sourceLocation) throws {
    let complaints = try Git.run("fsck", "--strict", "--no-dangling", in: store.root)
    #expect(complaints == "", sourceLocation: location)
  }

  @Test("past the limit loose objects are packed, and none is lost", arguments: [true, false])
  func packs(hasGit: Bool) throws {
    let (home, milk) = try lived()
    let store = home.laptop
    let repository = try #require(store.repository)
    if !hasGit { repository.gitProgram = nil }
    let before = try objects(store)
    let loose = try repository.looseObjectBytes()
    #expect(before.count > 75)
    #expect(try !store.isUntidy())
    // Of so few objects, the estimate may be none.
    #expect(try store.isUntidy(past: -1))
    #expect(try store.tidy())
    #expect(try repository.looseObjectBytes() * 5 < loose)
    #expect(try objects(store).isSuperset(of: before))
    try expectSound(store)
    #expect(try !store.isUntidy(past: loose / 2))
    try store.consume(milk, 1)
    #expect(try home.opened(store).quantity(milk) == Number(474))
    #expect(try store.log().count == 28)
  }

  @Test("somebody who has told git not to pack by itself is heard")
  func toldNotTo() throws {
    let (home, _) = try lived()
    try home.git(home.laptop, "config", "gc.auto", "0")
    #expect(try !home.opened(home.laptop).isUntidy(past: -1))
  }

  @Test("after a try that came to nothing the next waits a day")
  func failed() throws {
    let (home, _) = try lived()
    let store = home.laptop
    try store.write("", to: ".git/larder/tidying")
    let mark = URL(filePath: store.root + "/.git/larder/tidying")
    let now = Date(timeIntervalSince1970: Double(home.clock.now().milliseconds) / 1000)
    for (age, isDue) in [(0.0, false), (80_000, false), (90_000, true)] {
      try FileManager.default.setAttributes(
        [.modificationDate: now.addingTimeInterval(-age)], ofItemAtPath: mark.path())
      #expect(try store.isUntidy(past: -1) == isDue)
    }
    #expect(try store.tidy())
    #expect(!store.exists(".git/larder/tidying"))
  }

  @Test("others read and write while packing goes on", arguments: [true, false])
  func concurrently(hasGit: Bool) throws {
    let (home, milk) = try lived()
    var patient = home.context("laptop")
    patient.patience = 60_000
    let context = patient
    let root = home.laptop.root
    let failures = Mistakes()
    DispatchQueue.concurrentPerform(iterations: 3) { number in
      do {
        // One handle all through, opened before anything is packed.
        let store = try Store.open(from: root, context: context)
        if !hasGit { store.repository?.gitProgram = nil }
        for round in 0..<(number == 0 ? 6 : 20) {
          switch number {
          case 0: _ = try store.tidy()
          case 1: try store.consume(milk, 1)
          default: try readAll(store, round)
          }
        }
      } catch {
        failures.add(error)
      }
    }
    #expect(failures.all.isEmpty, "\(failures.all)")
    try expectSound(home.laptop)
    #expect(try home.opened(home.laptop).quantity(milk) == Number(455))
    #expect(try home.laptop.status() == "")
  }

  /// Reads the household and its whole history.
  private func readAll(_ store: Store, _ round: Int) throws {
    let household = try store.read().household
    let repository = try #require(store.repository)
    let head = try #require(try repository.head().commit)
    var count = 0
    try repository.history(from: head) { (commit) throws(GitError) in
      count += try repository.entries(of: commit.tree).isEmpty ? 0 : 1
      return true
    }
    #expect(count > 25)
    #expect(household.own != nil)
  }

  private final class Mistakes: @unchecked Sendable {
    private let lock = NSLock()
    private var errors: [any Error] = []
    func add(_ error: any Error) { lock.withLock { errors.append(error) } }
    var all: [any Error] { lock.withLock { errors } }
  }
}
