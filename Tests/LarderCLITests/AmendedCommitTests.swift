import Foundation
import TestSupport
import Testing

/// A household in which one person works with larder and with git, by the same name and clock.
private struct Desk {
  let nest: HouseholdFixture
  let path: String

  init(_ quantity: Int = 100) throws {
    nest = try HouseholdFixture()
    try nest.git("config", "user.name", "Ada")
    try nest.git("config", "user.email", "ada@example.org")
    let made = try nest("stock", "new", "Milk", "--in-stock", "\(quantity)")
    try #require(made.code == 0, "\(made.errors)")
    let files = try FileManager.default.contentsOfDirectory(atPath: nest.root + "/stock")
    path = "stock/" + (try #require(files.first))
  }

  @discardableResult
  func git(_ words: String..., at now: String? = nil) throws -> String {
    var larder = nest.larder
    let time = now ?? larder.now
    larder.variables = ["GIT_COMMITTER_DATE": time]
    if words.contains("--reset-author") { larder.variables["GIT_AUTHOR_DATE"] = time }
    let outcome = try larder.run(["git", "--"] + words, in: "home/nest")
    #expect(outcome.code == 0, "git \(words.joined(separator: " ")): \(outcome.errors)")
    return outcome.output
  }

  func prepare(_ words: String...) throws {
    let outcome = try nest.run(words)
    try #require(outcome.code == 0, "larder \(words): \(outcome.errors)")
  }

  func setNumber(_ old: Int, _ new: Int) throws {
    let text = try nest.read(path)
    try #require(text.contains("\"quantityInStock\": \(old)"))
    try nest.write(
      text.replacing("\"quantityInStock\": \(old)", with: "\"quantityInStock\": \(new)"), to: path)
  }

  func total() throws -> Int? {
    try nest("stock", "--all", "--json").array("items").first?["total"] as? Int
  }
}

@Suite("A commit of larder's that somebody amends")
struct AmendedCommitTests {
  @Test(
    "what was typed into it counts, also within the second and by another author",
    arguments: [["--no-edit"], ["--no-edit", "--reset-author"], ["-m", "by hand"]])
  func edited(options: [String]) throws {
    let desk = try Desk()
    try desk.prepare("stock", "use", "milk")
    try desk.setNumber(99, 500)
    let later = "2026-11-21T18:00:00Z"
    let time = options.contains("--reset-author") ? later : nil
    switch options.count {
    case 1: try desk.git("commit", "-qa", "--amend", options[0], at: time)
    default: try desk.git("commit", "-qa", "--amend", options[0], options[1], at: time)
    }
    #expect(try desk.total() == 500)
    try desk.prepare("adopt")
    #expect(try desk.total() == 500)
    #expect(try desk.nest.read(desk.path).contains("\"quantityInStock\": 500"))
    #expect(try desk.nest("check").code == 0)
  }

  @Test("every device reads it alike")
  func synced() throws {
    let desk = try Desk()
    let nest = desk.nest
    try nest.addOrigin()
    try desk.prepare("sync")
    try nest.join("phone")
    try desk.prepare("stock", "use", "milk")
    try desk.setNumber(99, 500)
    try desk.git("commit", "-qa", "--amend", "--no-edit")
    try desk.git("push", "-q", "origin", "main")
    var phone = nest.larder
    phone.device = "phone"
    #expect(try phone("sync", in: "home/phone").code == 0)
    try desk.prepare("sync")
    let heads = try ["phone", "nest"].map {
      try Git.run("rev-parse", "HEAD", in: nest.larder.folder("home/\($0)"))
    }
    #expect(heads[0] == heads[1])
    let items = try phone("stock", "--json", in: "home/phone").array("items")
    #expect(items.first?["total"] as? Int == 500)
  }

  @Test("a file taken out of it is marked as deleted")
  func removed() throws {
    let desk = try Desk()
    let nest = desk.nest
    try desk.prepare("stock", "new", "Tea")
    try desk.git("rm", "-q", desk.path)
    try desk.git("commit", "-q", "--amend", "--no-edit")
    try desk.prepare("adopt")
    #expect(try nest.read(desk.path).contains("\"isArchived\": true"))
    #expect(try nest("stock", "--json").array("items").map { $0["name"] as? String } == ["Tea"])
  }

  @Test("one with only another message or author stands as larder wrote it")
  func reworded() throws {
    let desk = try Desk()
    try desk.prepare("stock", "use", "milk")
    let text = try desk.nest.read(desk.path)
    for options in [
      ["--reset-author", "--no-edit"], ["--no-edit", "--date=2026-11-22T10:00:00Z"],
    ] {
      try desk.git("commit", "-q", "--amend", options[0], options[1], at: "2026-11-23T10:00:00Z")
      let head = try desk.nest.git("rev-parse", "HEAD")
      try desk.prepare("adopt")
      #expect(try desk.nest.git("rev-parse", "HEAD") == head)
      #expect(try desk.nest.read(desk.path) == text)
    }
    try desk.prepare("undo")
    #expect(try desk.total() == 100)
  }

  @Test("one that is put on another commit with its files drops nothing of that one's")
  func moved() throws {
    let desk = try Desk()
    let nest = desk.nest
    try desk.prepare("stock", "use", "milk")
    let own = try nest.git("rev-parse", "HEAD").dropLast()
    try desk.git("checkout", "-q", "-b", "other", "HEAD~1")
    try desk.prepare("stock", "new", "Tea")
    let tree = try nest.git("rev-parse", "\(own)^{tree}").dropLast()
    let message = try nest.git("show", "-s", "--format=%B", String(own))
    let made = try nest.git("commit-tree", String(tree), "-p", "HEAD", "-m", message).dropLast()
    try desk.git("reset", "-q", "--hard", String(made))
    try desk.prepare("adopt")
    let items = try nest("stock", "--all", "--json").array("items")
    #expect(Set(items.compactMap { $0["name"] as? String }) == ["Milk", "Tea"])
  }

  @Test(
    "one of an earlier program, which does not say what it wrote, stands while nobody touched it")
  func earlier() throws {
    let desk = try Desk()
    let nest = desk.nest
    try desk.prepare("stock", "use", "milk")
    let message = try nest.git("show", "-s", "--format=%B", "HEAD")
    #expect(message.contains("\nLarder-Tree: "))
    let old = message.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("Larder-Tree") }.joined(separator: "\n")
    try desk.git("commit", "-q", "--amend", "-m", old)
    let head = try nest.git("rev-parse", "HEAD")
    try desk.prepare("adopt")
    #expect(try nest.git("rev-parse", "HEAD") == head)
    #expect(try desk.total() == 99)
  }
}
