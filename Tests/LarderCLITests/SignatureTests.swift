import Foundation
import TestSupport
import Testing

@Suite("Who commits are by")
struct SignatureTests {
  @Test("a device's name that no line can hold is refused, from wherever it comes")
  func device() throws {
    let nest = try HouseholdFixture()
    for name in ["kitchen\ntablet", "a\r", "<tablet>", "\u{1b}[31m", " "] {
      let refused = try nest("config", "device", name)
      #expect(refused.code == 2 && refused.errors.contains("one line"), "\(name)")
      var larder = nest.larder
      larder.device = name
      let outcome = try larder("stock", "new", "Milk", in: "home/nest")
      #expect(outcome.code == 2 && outcome.errors.contains("LARDER_DEVICE"), "\(outcome.errors)")
    }
    #expect(try nest.git("rev-list", "--count", "HEAD") == "1\n")
  }

  @Test(
    "settings that git can't keep are cleaned, so that every commit can be read",
    arguments: [
      ("Ada\nLovelace", "ada@example.org\nx", "Ada Lovelace", "ada@example.org x"),
      ("<Ada>", "<ada@example.org>", "Ada", "ada@example.org"),
      (" \n ", "\t", "laptop", "laptop@larder.invalid"),
      ("A\u{7}da\u{1b}", "a\u{0b}b", "A da", "a b"),
    ])
  func settings(name: String, email: String, cleanName: String, cleanEmail: String) throws {
    let nest = try HouseholdFixture()
    try nest.git("config", "user.name", name)
    try nest.git("config", "user.email", email)
    #expect(try nest("stock", "new", "Milk").code == 0)
    #expect(
      try nest.git("log", "-1", "--format=%an|%ae|%cn|%ce")
        == "\(cleanName)|\(cleanEmail)|\(cleanName)|\(cleanEmail)\n")
    #expect(try nest.git("fsck", "--strict") == "")
    #expect(try nest("log").code == 0)
  }

  @Test("a device's name that git's settings have broken is cleaned in ledgers and trailers too")
  func brokenDevice() throws {
    let nest = try HouseholdFixture()
    try nest.git("config", "larder.device", "kitchen\nLarder-Undoes: x")
    var larder = nest.larder
    larder.device = ""
    #expect(try larder("stock", "new", "Milk", "--in-stock", "2", in: "home/nest").code == 0)
    let message = try nest.git("log", "-1", "--format=%B")
    #expect(message.contains("Larder-Device: kitchen Larder-Undoes: x\n"))
    #expect(try nest.git("fsck", "--strict") == "")
    #expect(try larder("undo", in: "home/nest").code == 0)
  }

  @Test(
    "a clock at either end of time makes commits that git reads",
    arguments: [
      "9998-12-31T23:59:59Z", "0001-01-01T00:00:00Z",
    ])
  func clock(now: String) throws {
    let nest = try HouseholdFixture()
    var larder = nest.larder
    larder.now = now
    #expect(try larder("stock", "new", "Milk", in: "home/nest").code == 0)
    #expect(try nest.git("fsck", "--strict") == "")
    let seconds = try nest.git("log", "-1", "--format=%at").dropLast()
    #expect((0..<(1 << 34)).contains(try #require(Int(seconds))))
    #expect(try larder("log", in: "home/nest").code == 0)
  }

  @Test("commits have the offset of the household's zone at their moment, as its lists do")
  func offset() throws {
    for (zone, now, offset) in [
      ("Europe/Berlin", "2026-11-26T12:00:00Z", "+0100"),
      ("Europe/Berlin", "2026-07-01T12:00:00Z", "+0200"),
      ("America/St_Johns", "2026-01-15T12:00:00Z", "-0330"),
      ("Asia/Kathmandu", "2026-01-15T12:00:00Z", "+0545"), ("UTC", "2026-01-15T12:00:00Z", "+0000"),
    ] {
      let larder = try CommandRunner.calling(now: now)
      #expect(try larder("init", "nest", "--time-zone", zone).code == 0)
      #expect(try larder("stock", "new", "Milk", "3", in: "nest").code == 0)
      let dates = try Git.run(
        "log", "--format=%ad %cd", "--date=format:%z", in: larder.folder("nest"))
      #expect(dates == "\(offset) \(offset)\n\(offset) \(offset)\n", "\(zone) \(now)")
    }
  }
}
