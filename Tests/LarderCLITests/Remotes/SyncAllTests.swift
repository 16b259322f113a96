import Foundation
import TestSupport
import Testing

@Suite("sync with two remotes")
struct SyncAllTests {
  /// The household `home/nest` with the remotes `origin` and `backup`, and a phone that knows one.
  private func pair(phoneKnows remote: String) throws -> HouseholdFixture {
    let nest = try HouseholdFixture(["stock/milk.json": Written.item(1, "Milk")])
    try nest.addOrigin()
    try Git.run(
      "init", "--quiet", "--bare", "-b", "main", "backup.git", in: nest.larder.folder("home"))
    try nest.git("remote", "add", "backup", "../backup.git")
    #expect(try nest("sync", "--all").code == 0)
    let joined = try nest.larder("join", "\(remote).git", "phone", in: "home")
    #expect(joined.code == 0, "\(joined.errors)")
    return nest
  }

  private func head(_ nest: HouseholdFixture, _ place: String) throws -> String {
    try Git.run("rev-parse", "main", in: nest.larder.folder("home/\(place)"))
  }

  @Test("--remote reaches the one that is named, --all reaches both")
  func both() throws {
    let nest = try pair(phoneKnows: "backup")
    #expect(try head(nest, "origin.git") == head(nest, "backup.git"))
    #expect(try nest.git("config", "branch.main.remote") == "origin\n")
    try nest.write(Written.item(2, "Bread"), to: "stock/bread.json")
    #expect(try nest("sync", "--remote", "backup").code == 0)
    #expect(try head(nest, "backup.git") == head(nest, "nest"))
    #expect(try head(nest, "origin.git") != head(nest, "nest"))
    let outcome = try nest("sync", "--all")
    #expect(
      outcome.errors.hasSuffix(
        """
        in sync with origin/main: 0 commits received, 1 sent
        up to date with backup/main

        """), "\(outcome.errors)")
    #expect(try head(nest, "origin.git") == head(nest, "nest"))
  }

  @Test("what comes from the second remote reaches the first in the same sync")
  func converges() throws {
    let nest = try pair(phoneKnows: "backup")
    try nest.larder.folder.write(Written.item(2, "Bread"), to: "home/phone/stock/bread.json")
    #expect(try nest.larder("sync", in: "home/phone").code == 0)
    try nest.write(Written.item(3, "Eggs"), to: "stock/eggs.json")
    let outcome = try nest("sync", "--all")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output == "new item Bread: 0\n", "\(outcome.output)")
    let heads = try ["nest", "origin.git", "backup.git"].map { try head(nest, $0) }
    #expect(Set(heads).count == 1)
    #expect(try nest.larder("sync", in: "home/phone").code == 0)
    #expect(try head(nest, "phone") == heads[0])
  }

  @Test("where one is down the other is still synced, and the failure names it")
  func oneDown() throws {
    for down in ["origin", "backup"] {
      let up = down == "origin" ? "backup" : "origin"
      let nest = try pair(phoneKnows: up)
      try nest.git("remote", "set-url", down, "http://127.0.0.1:1/home.git")
      try nest.write(Written.item(2, "Bread"), to: "stock/bread.json")
      let outcome = try nest("sync", "--all")
      #expect(outcome.code == 6)
      #expect(outcome.errors.contains("in sync with \(up)/main: 0 commits received, 1 sent\n"))
      #expect(
        outcome.errors.contains("error: can't sync with \(down): could not fetch"),
        "\(outcome.errors)")
      #expect(try head(nest, "\(up).git") == head(nest, "nest"))
      try nest.git("remote", "set-url", down, "../\(down).git")
      #expect(try nest("sync", "--all").code == 0)
      #expect(try head(nest, "\(down).git") == head(nest, "nest"))
    }
  }

  @Test("JSON has an object for each remote, with its counts or its error")
  func json() throws {
    let nest = try pair(phoneKnows: "origin")
    try nest.write(Written.item(2, "Bread"), to: "stock/bread.json")
    try nest.git("remote", "set-url", "backup", "../gone.git")
    let outcome = try nest("sync", "--all", "--json")
    #expect(outcome.code == 6)
    let object = try outcome.json()
    let remotes = try #require(object["remotes"] as? [[String: Any]])
    #expect(remotes.map { $0["remote"] as? String } == ["origin", "backup"])
    #expect(remotes[0]["sent"] as? Int == 1)
    #expect((remotes[1]["error"] as? [String: Any])?["kind"] as? String == "unreachable")
    #expect((object["error"] as? [String: Any])?["kind"] as? String == "unreachable")
    #expect(try nest("sync", "--all", "--plain").output.contains("origin\tsent\t0\n"))
  }

  @Test("a dry run moves nothing, and tells of each")
  func dryRun() throws {
    let nest = try pair(phoneKnows: "origin")
    try nest.write(Written.item(2, "Bread"), to: "stock/bread.json")
    _ = try nest("adopt")
    let outcome = try nest("sync", "--all", "--dry-run")
    #expect(outcome.errors.contains("0 commits would come from origin/main, 1 would go"))
    #expect(outcome.errors.contains("0 commits would come from backup/main, 1 would go"))
    #expect(try head(nest, "origin.git") != head(nest, "nest"))
  }
}
