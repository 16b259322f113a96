import Foundation
import TestSupport
import Testing

@Suite("sync")
struct SyncCommandTests {
  /// Two devices that have synced: the household `home/nest` and its copy `home/phone`.
  private func pair() throws -> (nest: HouseholdFixture, phone: CommandRunner) {
    let nest = try HouseholdFixture([
      "stock/milk.json": Written.item(1, "Milk", "\"quantityInStock\": 4")
    ])
    try nest.addOrigin()
    _ = try nest("sync")
    var phone = nest.larder
    phone.device = "phone"
    _ = try phone("join", "origin.git", "phone", in: "home")
    return (nest, phone)
  }

  private func edit(_ file: String, _ old: String, _ new: String, _ larder: CommandRunner) throws {
    let text = try larder.folder.read(file)
    #expect(text.contains(old))
    try larder.folder.write(text.replacing(old, with: new), to: file)
  }

  @Test("what both sides did is joined, and every step is told on standard error")
  func joins() throws {
    let (nest, phone) = try pair()
    try edit("home/nest/stock/milk.json", "\"quantityInStock\": 4", "\"quantityInStock\": 3", phone)
    try edit("home/phone/stock/milk.json", "\"name\": \"Milk\"", "\"name\": \"Oat milk\"", phone)
    #expect(try nest("sync").code == 0)
    let outcome = try phone("sync", in: "home/phone")
    #expect(outcome.code == 0)
    #expect(outcome.output == "Oat milk: 4 → 3\n")
    #expect(
      outcome.errors == """
        fetching from origin
        joining 1 commit
        sending 2 commits
        in sync with origin/main: 1 commit received, 2 sent, both sides joined

        """)
    #expect(try nest("sync").code == 0)
    #expect(
      try nest.read("stock/milk.json") == (try phone.folder.read("home/phone/stock/milk.json")))
    #expect(try nest("sync").errors.hasSuffix("up to date with origin/main\n"))
  }

  @Test("the result in JSON has the counts and what changed")
  func json() throws {
    let (nest, phone) = try pair()
    try edit("home/nest/stock/milk.json", "\"quantityInStock\": 4", "\"quantityInStock\": 1", phone)
    let sent = try nest("sync", "--json").json()
    #expect(sent["sent"] as? Int == 1)
    #expect(sent["received"] as? Int == 0)
    let received = try phone("sync", "--json", in: "home/phone").json()
    #expect(received["received"] as? Int == 1)
    #expect(received["sent"] as? Int == 0)
    #expect(received["merged"] as? Int == 0)
    #expect(received["remote"] as? String == "origin")
    let changed = received["changed"] as? [[String: String]]
    #expect(changed?.map { $0["name"] } == ["Milk"])
    #expect(
      try phone("sync", "--plain", in: "home/phone").output
        == "received\t0\nsent\t0\nmerged\t0\nchanged\t0\nretries\t0\n")
  }

  @Test("a dry run tells what would come and go, and moves nothing")
  func dryRun() throws {
    let (nest, phone) = try pair()
    try nest.write(Written.item(2, "Bread"), to: "stock/bread.json")
    #expect(
      try nest("sync", "--dry-run").errors.hasSuffix(
        "0 commits would come from origin/main, 0 would go, and the edits of 1 file\n"))
    _ = try nest("adopt")
    let dry = try nest("sync", "--dry-run")
    #expect(dry.errors.hasSuffix("0 commits would come from origin/main, 1 would go\n"))
    #expect(try phone("sync", in: "home/phone").errors.hasSuffix("up to date with origin/main\n"))
    _ = try nest("sync")
    let before = try Git.run("rev-parse", "HEAD", in: phone.folder("home/phone"))
    #expect(
      try phone("sync", "--dry-run", "--json", in: "home/phone").json()["received"] as? Int == 1)
    #expect(try Git.run("rev-parse", "HEAD", in: phone.folder("home/phone")) == before)
  }

  @Test("an unreachable remote leaves what was done here committed")
  func unreachable() throws {
    let (nest, _) = try pair()
    try nest.write(Written.item(2, "Bread"), to: "stock/bread.json")
    try FileManager.default.removeItem(atPath: nest.larder.folder("home/origin.git"))
    let outcome = try nest("sync")
    #expect(outcome.code == 6)
    #expect(outcome.errors.contains("sync failed; your changes on this device are kept\n"))
    #expect(try nest.git("status", "--porcelain") == "")
    #expect(try nest.git("log", "-1", "--format=%s") == "adopt the edit of stock/bread.json\n")
  }

  @Test("another household is joined with only when people say so")
  func joinHistories() throws {
    let (nest, _) = try pair()
    var other = nest.larder
    other.device = "tablet"
    _ = try other("init", "other", "--name", "Nest", "--time-zone", "UTC", in: "home")
    try Git.run("remote", "add", "origin", "../origin.git", in: other.folder("home/other"))
    #expect(try other("sync", in: "home/other").code == 1)
    #expect(try other("sync", "--join-histories", in: "home/other").code == 0)
    #expect(try other.folder.read("home/other/stock/milk.json").contains("\"Milk\""))
    #expect(try nest("sync").code == 0)
  }

  @Test("both versions of a plain file stay, and the second one is named")
  func conflict() throws {
    let (nest, phone) = try pair()
    for (place, text) in [("nest", "ours\n"), ("phone", "theirs\n")] {
      try phone.folder.write(text, to: "home/\(place)/README.md")
      let folder = phone.folder("home/\(place)")
      try Git.run("add", "README.md", in: folder)
      try Git.run("commit", "-qm", "a readme", in: folder)
    }
    _ = try nest("sync")
    let outcome = try phone("sync", in: "home/phone")
    #expect(outcome.code == 0)
    #expect(
      outcome.errors.contains("warning: README.md was changed on both sides; the other version is ")
    )
    let texts = try FileManager.default.contentsOfDirectory(atPath: phone.folder("home/phone"))
      .filter { $0.hasPrefix("README") }.map { try phone.folder.read("home/phone/\($0)") }
    #expect(Set(texts) == ["ours\n", "theirs\n"])
  }
}
