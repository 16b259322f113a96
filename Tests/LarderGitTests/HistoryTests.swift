import Foundation
import LarderText
import Testing

@testable import LarderGit

@Suite struct HistoryTests {
  let sandbox: Sandbox
  let repository: Repository

  init() throws {
    sandbox = try Sandbox()
    repository = try sandbox.create()
  }

  private func fork() throws -> (base: ObjectID, ours: ObjectID, theirs: ObjectID) {
    let base = try sandbox.commit(["a": "1"], "base")
    try sandbox.git("checkout", "--quiet", "-b", "side")
    try sandbox.commit(["b": "1"], "side 1")
    let theirs = try sandbox.commit(["b": "2"], "side 2")
    try sandbox.git("checkout", "--quiet", "main")
    let ours = try sandbox.commit(["a": "2"], "main 1")
    return (base, ours, theirs)
  }

  private func visited(_ from: ObjectID, hiding: [ObjectID] = []) throws -> [String] {
    var ids: [String] = []
    try repository.history(from: from, hiding: hiding) { commit in
      ids.append(commit.id.hex)
      return true
    }
    return ids
  }

  @Test("merge bases, ancestry and distance are git's")
  func relations() throws {
    let (base, ours, theirs) = try fork()
    #expect(try repository.mergeBases(ours, theirs) == [base])
    #expect(try repository.isAncestor(base, of: ours))
    #expect(try repository.isAncestor(ours, of: ours))
    #expect(try !repository.isAncestor(ours, of: base))
    #expect(try !repository.isAncestor(ours, of: theirs))
    let distance = try repository.aheadBehind(ours, theirs)
    #expect(distance.ahead == 1 && distance.behind == 2)
  }

  @Test(
    "histories are compared by their commits, whatever git's commit graph says",
    arguments: ["the same", "half of it", "other parents"])
  func commitGraph(_ says: String) throws {
    let (base, ours, theirs) = try fork()
    try sandbox.git("commit-graph", "write", "--reachable")
    let place = sandbox.path("household/.git/objects/info/commit-graph")
    var graph = try [UInt8](Data(contentsOf: URL(filePath: place)))
    switch says {
    case "half of it": graph.removeLast(graph.count / 2)
    case "other parents":
      // The place of the first parent follows the id of the commit's tree; this one is for none.
      let parent = try #require(graph.firstRange(of: repository.commit(ours).tree.bytes)).upperBound
      graph.replaceSubrange(parent..<parent + 4, with: [0x70, 0, 0, 0])
      graph.removeLast(20)
      graph += SHA1.digest(of: graph[...])
    default: break
    }
    try FileManager.default.removeItem(atPath: place)
    try Data(graph).write(to: URL(filePath: place))
    let repository = try Repository.open(sandbox.path("household"))
    #expect(try repository.mergeBases(ours, theirs) == [base])
    #expect(try repository.isAncestor(base, of: ours))
    #expect(try repository.aheadBehind(ours, theirs) == (1, 2))
    #expect(try visited(ours, hiding: [theirs]) == [ours.hex])
  }

  @Test("unrelated histories have no base, criss-cross merges have two")
  func unusualBases() throws {
    let (_, ours, theirs) = try fork()
    let stranger = try repository.record(["c": "1"], on: [])
    #expect(try repository.mergeBases(ours, stranger) == [])
    let one = try repository.record([:], on: [ours, theirs])
    let two = try repository.record([:], on: [theirs, ours])
    #expect(Set(try repository.mergeBases(one, two)) == [ours, theirs])
  }

  @Test("the history comes in git's topological order, without what is hidden")
  func order() throws {
    let (base, ours, theirs) = try fork()
    try sandbox.git("merge", "--quiet", "-m", "merge", "side")
    let head = try sandbox.id("HEAD")
    let expected = try sandbox.git("rev-list", "--topo-order", "HEAD").split(separator: "\n")
    #expect(try visited(head).count == 5)
    #expect(Set(try visited(head)) == Set(expected.map { String($0) }))
    let places = try visited(head)
    #expect(places.first == head.hex && places.last == base.hex)
    #expect(Set(try visited(head, hiding: [theirs])) == [head.hex, ours.hex])
    #expect(try visited(head, hiding: [head]) == [])
    var count = 0
    try repository.history(from: head) { _ in
      count += 1
      return count < 2
    }
    #expect(count == 2)
  }

  @Test("an error thrown by the visitor comes through")
  func visitorThrows() throws {
    let first = try sandbox.commit(["a": "1"])
    let error = #expect(throws: GitError.self) {
      try repository.history(from: first) { (_) throws(GitError) in
        throw GitError(.refused, action: "look", detail: "enough")
      }
    }
    #expect(error?.code == .refused)
  }

  @Test("in a shallow clone whatever needs more history says so")
  func shallow() throws {
    for number in 1...4 { try sandbox.commit(["a": "\(number)"]) }
    try sandbox.git(
      "clone", "--quiet", "--depth", "2", "file://" + sandbox.path("household"),
      sandbox.path("shallow"))
    let shallow = try Repository.open(sandbox.path("shallow"))
    #expect(shallow.isShallow)
    let head = try #require(try shallow.head().commit)
    let parent = try #require(try shallow.commit(head).parents.first)
    let boundary = try #require(try shallow.commit(parent).parents.first)
    let stranger = try shallow.record(["b": "1"], on: [])
    for walk in [
      { try shallow.history(from: head) { _ in true } },
      { try shallow.history(ofFile: "a", from: head, by: { _ in nil }) { _ in true } },
      { _ = try shallow.mergeBases(head, stranger) },
      { _ = try shallow.isAncestor(stranger, of: head) },
      { _ = try shallow.aheadBehind(head, stranger) },
    ] {
      let error = #expect(throws: GitError.self) { try walk() }
      #expect(error?.code == .shallow)
    }
    #expect(try shallow.isAncestor(parent, of: head), "known before the boundary")
    #expect(try shallow.isAncestor(boundary, of: head), "named by the last commit")
    try sandbox.git("fetch", "--quiet", "--unshallow", in: "shallow")
    #expect(!shallow.isShallow)
    #expect(try shallow.isAncestor(boundary, of: head))
  }

  @Test("walking from what isn't there is not found")
  func missing() throws {
    let nothing = try #require(ObjectID(hex: String(repeating: "d", count: 40)))
    let error = #expect(throws: GitError.self) {
      try repository.history(from: nothing) { _ in true }
    }
    #expect(error?.code == .notFound)
  }
}
