import Foundation
import TestSupport
import Testing

@Suite("log and diff")
struct HistoryCommandTests {
  /// A household whose milk was made, renamed and counted, by two devices.
  private func storied() throws -> HouseholdFixture {
    let nest = try HouseholdFixture([
      "stock/milk.json": Written.item(1, "Milk", "\"quantityInStock\": 4"),
      "stock/bread.json": Written.item(2, "Bread"),
    ])
    _ = try nest("adopt")
    let written = try nest.read("stock/milk.json")
    try nest.write(
      written.replacing("\"quantityInStock\": 4", with: "\"quantityInStock\": 3")
        .replacing("\"quantityFullStock\": 0", with: "\"quantityFullStock\": 6"),
      to: "stock/milk.json")
    var phone = nest.larder
    phone.device = "phone"
    phone.now = "2026-11-22T08:30:00Z"
    _ = try phone("adopt", in: "home/nest")
    return nest
  }

  /// A household that adopted "Thing 001" to "Thing 600" at once.
  private func imported() throws -> HouseholdFixture {
    let names = (1...600).map { String(format: "Thing %03d", $0) }
    let nest = try HouseholdFixture(
      Dictionary(
        uniqueKeysWithValues: names.enumerated().map { number, name in
          ("stock/\(name.replacing(" ", with: "-")).json", Written.item(number + 1, name))
        }))
    _ = try nest("adopt")
    return nest
  }

  @Test("of an import of hundreds the log tells the first ones and the number of the rest")
  func importing() throws {
    let nest = try imported()
    let lines = try nest("log", "--limit", "1").output.split(separator: "\n").dropFirst(2)
    #expect(lines.first == "    new item Thing 001: 0")
    #expect(lines.count == 13)
    #expect(lines.last == "    and 588 more")
    let commits = try #require(try nest("log", "--json").json()["commits"] as? [[String: Any]])
    #expect((commits.first?["differences"] as? [Any])?.count == 600)
    let own = try nest("log", "thing 599").output.split(separator: "\n").dropFirst(2)
    #expect(own == ["    new item Thing 599: 0"])
    let cut = try nest("log", "--limit", "1")
    #expect(cut.errors.contains("older commits are left out"))
  }

  @Test("hundreds of files that move by hand are told as moves, however many there are")
  func bulkMove() throws {
    let nest = try imported()
    let files = (1...600).map { "stock/Thing-\(String(format: "%03d", $0)).json" }
    try FileManager.default.createDirectory(
      atPath: nest.root + "/stock/shelf", withIntermediateDirectories: true)
    try Git.run(["mv"] + files + ["stock/shelf/"], in: nest.root)
    let adopted = try nest("adopt").output
    #expect(adopted.hasSuffix("and 580 more; 'larder diff HEAD~1' tells them all\n"))
    #expect(try nest("diff", "HEAD~1").output.split(separator: "\n").count == 1200)
    let lines = try nest("log", "--limit", "1").output.split(separator: "\n").dropFirst(2)
    #expect(lines.count == 13)
    for line in lines.dropLast() { #expect(line.contains(": its file is stock/shelf/Thing-")) }
    #expect(lines.last == "    and 588 more")
  }

  @Test("the log of a thing whose file is being moved by hand has what was committed of it")
  func moving() throws {
    let nest = try storied()
    try nest.git("mv", "stock/milk.json", "stock/other.json")
    #expect(try nest("log", "milk", "--plain").output.split(separator: "\n").count == 2)
    _ = try nest("adopt")
    try nest.git("mv", "stock/other.json", "stock/third.json")
    let text = try nest("log", "milk").output
    #expect(text.contains("Milk: its file is stock/other.json now"))
    #expect(!text.contains("archived"))
  }

  @Test("the log tells who did what on which device, with quantities before and after")
  func log() throws {
    let nest = try storied()
    let outcome = try nest("log")
    #expect(outcome.code == 0)
    let text = outcome.output.replacing(#/  [0-9a-f]{7}  /#, with: "  COMMIT  ")
    #expect(
      text == """
        Sun 2026-11-22 08:30  COMMIT  phone
          adopt the edit of stock/milk.json
            Milk: 4 → 3; full stock: 0 → 6
        Sat 2026-11-21 12:00  COMMIT  laptop
          adopt edits of 2 files
            new item Bread: 0
            new item Milk: 4
        Sat 2026-11-21 12:00  COMMIT  laptop
          init the household Nest
            new household Nest

        """)
  }

  @Test("times are those of the household's zone")
  func zone() throws {
    let nest = try HouseholdFixture()
    _ = try nest("config", "timeZone", "Pacific/Auckland")
    #expect(try nest("log", "-n", "1").output.hasPrefix("Sun 2026-11-22 01:00  "))
  }

  @Test("the log of a thing has its commits alone, by name, part of a name, path or id")
  func logOfThing() throws {
    let nest = try storied()
    for reference in ["Milk", "mil", "stock/milk.json", Written.id(1)] {
      let commits = try nest("log", reference, "--json").json()["commits"] as? [[String: Any]]
      #expect(commits?.count == 2, "\(reference)")
    }
    let bread = try nest("log", "bread")
    #expect(bread.output.contains("new item Bread"))
    #expect(!bread.output.contains("Milk"))
  }

  @Test("the log begins at a commit and ends after so many")
  func logFrom() throws {
    let nest = try storied()
    #expect(try nest("log", "HEAD~1", "--plain").output.split(separator: "\n").count == 2)
    let cut = try nest("log", "--limit", "1", "--plain")
    #expect(cut.output.split(separator: "\n").count == 1)
    #expect(cut.errors == "older commits are left out; --limit 0 shows all\n")
    #expect(try nest("log", "--limit", "0").errors == "")
  }

  @Test("a line for each commit, and only what was done since a day")
  func short() throws {
    let nest = try storied()
    let lines = try nest("log", "--oneline").output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(
      lines.first?.firstMatch(
        of: /^[0-9a-f]{7}  Sun 2026-11-22 08:30  (?:\S+ on )?phone  adopt the edit of/) != nil)
    #expect(
      try nest("log", "--since", "2026-11-22", "--plain").output.split(separator: "\n").count == 1)
    #expect(
      try nest("log", "--since", "2026-11-21", "--plain").output.split(separator: "\n").count == 3)
    #expect(try nest("log", "--since", "someday").code == 2)
  }

  @Test("a commit in JSON has its facts, and what changed by the format's names")
  func logJSON() throws {
    let nest = try storied()
    let commits = try #require(try nest("log", "--json").json()["commits"] as? [[String: Any]])
    let first = try #require(commits.first)
    #expect(first["at"] as? String == "2026-11-22T08:30:00.000Z")
    #expect(first["device"] as? String == "phone")
    #expect(first["command"] as? String == "adopt")
    let difference = try #require((first["differences"] as? [[String: Any]])?.first)
    let fields = difference["fields"] as? [String: [String: Int]]
    #expect(fields == ["quantityFullStock": ["before": 0, "after": 6]])
    let quantity = difference["quantity"] as? [String: [String: Any]]
    #expect(quantity?["before"]?["value"] as? Int == 4)
    #expect(quantity?["after"]?["value"] as? Int == 3)
    #expect((difference["changes"] as? [[String: Any]])?.first?["set"] as? Int == 3)
  }

  @Test("a commit of plain git is told as one, with its author")
  func plainCommit() throws {
    let nest = try HouseholdFixture([
      "stock/milk.json": "{\"name\": \"Milk\", \"quantityInStock\": 2}"
    ])
    try nest.git("add", "stock")
    try nest.git("commit", "-qm", "buy milk")
    let text = try nest("log", "-n", "1").output
    #expect(text.contains("  Ada, with git\n  buy milk\n    new item Milk: 2\n"))
  }

  @Test("diff tells hand edits as they will be understood, and nothing once they are adopted")
  func diff() throws {
    let nest = try storied()
    #expect(try nest("diff").output == "")
    let written = try nest.read("stock/milk.json")
    try nest.write(
      written.replacing("\"name\": \"Milk\"", with: "\"name\": \"Whole milk\""),
      to: "stock/milk.json")
    try nest.write("{\"name\": \"Fridge\", \"isColdStorage\": true}", to: "locations/fridge.json")
    let outcome = try nest("diff")
    #expect(
      outcome.output == """
        new location Fridge  locations/fridge.json
          cold: yes
        Whole milk  stock/milk.json
          name: Milk → Whole milk

        """)
    #expect(try nest.git("log", "-1", "--format=%s") == "adopt the edit of stock/milk.json\n")
    _ = try nest("adopt")
    #expect(try nest("diff").output == "")
  }

  @Test("diff compares with a commit, and two commits with each other")
  func diffCommits() throws {
    let nest = try storied()
    let since = try nest("diff", "HEAD~1").output.split(separator: "\n")
    #expect(since.count == 4)
    #expect(since[0...1] == ["Milk  stock/milk.json", "  quantity: 4 → 3"])
    #expect(since[2].hasPrefix("  wrote 3, ") && since[2].hasSuffix(", edit"))
    #expect(since[3] == "  full stock: 0 → 6")
    let between = try nest("diff", "HEAD~2", "HEAD~1", "--plain").output
    #expect(between.contains("stock/bread.json\tnew item Bread\n"))
    let json =
      try nest("diff", "HEAD~1", "HEAD", "--json").json()["differences"] as? [[String: Any]]
    #expect(json?.map { $0["name"] as? String } == ["Milk"])
  }

  @Test("what can't be read is warned about, and the rest is told")
  func diffUnreadable() throws {
    let nest = try storied()
    try nest.write("{", to: "stock/bad.json")
    try nest.write("{\"name\": \"Tea\"}", to: "stock/tea.json")
    let outcome = try nest("diff")
    #expect(outcome.code == 0)
    #expect(outcome.output.hasPrefix("new item Tea"))
    #expect(outcome.errors == "warning: stock/bad.json is broken; 'larder check' shows why\n")
  }
}
