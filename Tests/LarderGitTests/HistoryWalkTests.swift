import Foundation
import LarderGit
import TestSupport
import Testing

@Suite("Long histories, and clocks that are wrong")
struct HistoryWalkTests {
  let sandbox: Sandbox
  let repository: Repository

  init() throws {
    sandbox = try Sandbox()
    repository = try sandbox.create()
  }

  private func record(_ parents: [ObjectID], seconds: Int64, _ message: String) throws -> ObjectID {
    let author = Signature(
      name: "Ada", email: "ada@example.org", seconds: seconds, offsetMinutes: 0)
    return try repository.writeCommit(
      tree: try repository.writeTree(from: nil, changing: [:]), parents: parents, author: author,
      committer: author, message: message)
  }

  @Test("every commit comes once and before its parents, whatever their clocks say")
  func order() throws {
    print("random histories: LARDER_SEED=\(Seed.ofRun)")
    var generator = SeededGenerator(seed: Seed.ofRun)
    func random(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }
    for round in 0..<60 {
      var commits: [ObjectID] = []
      for number in 0..<24 {
        // A second beginning now and then, and merges of anything.
        let count = number == 0 || random(20) == 0 ? 0 : 1 + random(5) / 4
        let recent = (0..<count).map { _ in commits[max(0, number - 1 - random(5))] }
        let parents = Array(Set(recent)).sorted()
        // The worst clocks jump by years, the next ones stand still.
        let seconds = [Int64(number), Int64(random(40)), 0, Int64(random(2)) * 1_000][round % 4]
        commits.append(try record(parents, seconds: 1_700_000_000 + seconds, "\(round)/\(number)"))
      }
      var visited: [ObjectID] = []
      try repository.history(from: commits[23]) { commit in
        visited.append(commit.id)
        return true
      }
      let listed = try sandbox.git("rev-list", commits[23].hex).split(separator: "\n")
      #expect(Set(visited.map(\.hex)) == Set(listed.map(String.init)), "LARDER_SEED=\(Seed.ofRun)")
      #expect(visited.count == listed.count, "LARDER_SEED=\(Seed.ofRun)")
      for (place, id) in visited.enumerated() {
        let parents = try repository.commit(id).parents
        #expect(parents.allSatisfy { !visited[...place].contains($0) }, "LARDER_SEED=\(Seed.ofRun)")
      }
    }
  }

  @Test("side by side, the newer commit comes first")
  func newestFirst() throws {
    let base = try record([], seconds: 0, "base")
    let one = try record([base], seconds: 10, "one")
    let two = try record([base], seconds: 20, "two")
    let three = try record([one], seconds: 30, "three")
    let merge = try record([two, three], seconds: 40, "merge")
    var subjects: [String] = []
    try repository.history(from: merge) { commit in
      subjects.append(commit.subject)
      return true
    }
    #expect(subjects == ["merge", "three", "two", "one", "base"])
  }

  @Test("what is far back is not read for what is near")
  func near() throws {
    var head = try record([], seconds: 0, "0")
    let first = head
    for number in 1..<10 { head = try record([head], seconds: Int64(number), "\(number)") }
    let path = ".git/objects/\(first.hex.prefix(2))/\(first.hex.dropFirst(2))"
    try FileManager.default.removeItem(atPath: sandbox.path("household/" + path))
    let fresh = try Repository.open(sandbox.path("household"))
    var count = 0
    try fresh.history(from: head) { _ in
      count += 1
      return count < 8
    }
    #expect(count == 8)
    let error = #expect(throws: GitError.self) { try fresh.history(from: head) { _ in true } }
    #expect(error?.code == .notFound)
  }
}
