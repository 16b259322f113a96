import Foundation
import TestSupport
import Testing

@Suite("HEAD on no branch")
struct LooseHeadTests {
  /// A household with a remote, twelve eggs that were bought once and used once.
  private func eggs() throws -> HouseholdFixture {
    let nest = try HouseholdFixture(["stock/eggs.json": Written.item(1, "Eggs")])
    try nest.addOrigin()
    for words in [["put", "eggs", "12"], ["use", "eggs", "1"]] {
      #expect(try nest.run(["stock"] + words).code == 0)
    }
    #expect(try nest("sync").code == 0)
    return nest
  }

  private func hasBranch(_ nest: HouseholdFixture) -> Bool {
    (try? nest.git("symbolic-ref", "-q", "HEAD")) != nil
  }

  /// Follows the hints, which are commands in quotes, and gives the last outcome.
  private func follow(_ text: String, _ nest: HouseholdFixture) throws {
    let hints = text.split(separator: "'larder ").dropFirst()
    #expect(!hints.isEmpty, "\(text)")
    for part in hints {
      let line = part.prefix { $0 != "'" }
      let outcome = try nest.run(shellWords(String(line)))
      #expect(outcome.code == 0, "larder \(line): \(outcome.errors)")
    }
  }

  @Test(
    "no command writes there, all say why, and what they say leads back without a loss",
    arguments: [
      "use eggs 1", "use eggs 1 --dry-run", "adopt", "undo", "sync", "fmt", "config currency EUR",
    ], ["HEAD~1", "v1", "main --detach"])
  func refused(line: String, place: String) throws {
    let nest = try eggs()
    try nest.git("tag", "v1")
    try Git.run(["checkout", "-q"] + shellWords(place), in: nest.root)
    let before = try nest.git("rev-parse", "HEAD", "main")
    let outcome = try nest.run(shellWords(line))
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("no branch is checked out"), "\(outcome.errors)")
    #expect(try nest.git("rev-parse", "HEAD", "main") == before)
    #expect(try nest("stock", "list").output.contains("Eggs"))
    try follow(outcome.errors, nest)
    #expect(try nest("use", "eggs", "1").code == 0)
    #expect(try nest("stock", "list", "--plain").output.contains("10"))
  }

  @Test("commits of plain git there are kept and taken in by what the message says")
  func plainCommits() throws {
    let nest = try eggs()
    try nest.git("checkout", "-q", "--detach")
    try nest.write(Written.item(2, "Flour"), to: "stock/flour.json")
    try nest.git("add", "stock/flour.json")
    try nest.git("commit", "-qm", "flour")
    let outcome = try nest("use", "eggs", "1")
    #expect(outcome.errors.contains("1 commit here is in no branch"), "\(outcome.errors)")
    try follow(outcome.errors, nest)
    #expect(hasBranch(nest))
    let list = try nest("stock", "list").output
    #expect(list.contains("Flour") && list.contains("Eggs"))
  }

  @Test("status and doctor say it, and nothing untrue about remotes")
  func told() throws {
    let nest = try eggs()
    try nest.git("checkout", "-q", "HEAD~1")
    let status = try nest("status")
    #expect(status.output.contains("no branch is checked out"))
    #expect(!status.output.contains("not synced with any remote"))
    #expect(status.errors.contains("'larder git -- switch main'"))
    #expect(try nest("status", "--json").output.contains("\"branch\": null"))
    #expect(try nest("doctor").errors.contains("'larder git -- switch main'"))
    #expect(try nest("doctor", "--fix").code == 1)
    try nest.git("checkout", "-q", "main")
    try nest.git("remote", "rename", "origin", "one")
    try nest.git("remote", "add", "two", "../two.git")
    try nest.git("branch", "--unset-upstream")
    #expect(
      try nest("status").output.contains("the branch follows none of the remotes one, two"))
  }

  @Test("a command's commit that was left there is told by doctor, and taken in by --fix")
  func left() throws {
    let nest = try eggs()
    // Older versions committed there, which moved no branch.
    try nest.git("checkout", "-q", "--detach")
    try nest.git("branch", "-qf", "main", "HEAD~1")
    try nest.git("checkout", "-q", "main")
    try nest.git("update-ref", "-d", "refs/remotes/origin/main")
    #expect(try nest("stock", "put", "eggs", "6").code == 0)
    let told = try nest("doctor")
    #expect(told.code == 1)
    #expect(told.output.contains("no branch has it") || told.errors.contains("no branch has it"))
    #expect(try nest("doctor", "--fix").output.contains("is taken in"))
    #expect(try nest("doctor").code == 0)
    #expect(try nest("stock", "list", "--plain").output.contains("17"))
  }

  @Test("in a jj workspace commits go to the one bookmark at HEAD, else a message says how")
  func jujutsu() throws {
    let nest = try eggs()
    try nest.write("/*\n", to: ".jj/.gitignore")
    try FileManager.default.createDirectory(
      atPath: nest.root + "/.jj/repo", withIntermediateDirectories: true)
    try nest.git("checkout", "-q", "--detach")
    #expect(try nest("status").output.contains("up to date with origin/main"))
    #expect(try nest("use", "eggs", "1").code == 0)
    #expect(try nest.git("rev-parse", "HEAD") == nest.git("rev-parse", "main"))
    #expect(try nest("sync").code == 0)
    // A commit of jj's, to which no bookmark was moved.
    try nest.git("checkout", "-q", "--detach")
    try nest.git("commit", "-q", "--allow-empty", "-m", "by jj")
    let head = try nest.git("rev-parse", "HEAD")
    let outcome = try nest("use", "eggs", "1")
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("'jj bookmark move main --to @-'"), "\(outcome.errors)")
    #expect(try nest.git("rev-parse", "HEAD") == head)
    try nest.git("branch", "-qf", "main", "HEAD")
    #expect(try nest("use", "eggs", "1").code == 0)
  }

  @Test("a linked work tree on no branch is not sent to the branch of another")
  func linked() throws {
    let nest = try eggs()
    try nest.git("worktree", "add", "-q", "--detach", "../side")
    var larder = nest.larder
    larder.device = "side"
    let outcome = try larder("use", "eggs", "1", in: "home/side")
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("'larder git -- switch -c NAME'"), "\(outcome.errors)")
  }
}
