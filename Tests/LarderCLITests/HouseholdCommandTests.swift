import Foundation
import TestSupport
import Testing

@Suite("init, join, status, config and doctor")
struct HouseholdCommandTests {
  @Test("init makes a household that is committed, set up and without complaints")
  func initialize() throws {
    let larder = try CommandRunner()
    let made = try larder("init", "nest", "--name", "Nest", "--time-zone", "Asia/Singapore")
    #expect(made.code == 0)
    #expect(made.output == "Nest is in \(larder.folder("nest"))\n")
    #expect(made.errors.hasPrefix("this device is called laptop;"))
    #expect(try larder("doctor", in: "nest").output == "all is well\n")
    #expect(try larder("check", in: "nest").code == 0)
    #expect(try Git.run("status", "--porcelain", in: larder.folder("nest")) == "")
    #expect(try larder.folder.read("nest/.gitattributes").contains("merge=larder diff=larder"))
  }

  @Test("at a terminal, init asks again for what does not exist, and for a remote")
  func asked() throws {
    let nest = try Nest()
    let made = try nest.atTerminal(
      "--no-color init ../flat", typing: "Flat\nMars\nEurope/Berlin\npounds\ngbp\n../hub.git\n")
    #expect(made.code == 0, "\(made.screen)")
    #expect(made.screen.contains("there is no time zone called 'Mars'"))
    #expect(made.screen.contains("'pounds' is no currency code"))
    let config = try nest("-C ../flat config --plain").output
    #expect(config.contains("Europe/Berlin"))
    #expect(config.contains("GBP"))
    let remotes = try Git.run("remote", "-v", in: nest.larder.folder("flat"))
    #expect(remotes.contains("../hub.git (push)"))
  }

  @Test("init with a remote is synced at once, and tells of a household around it")
  func remote() throws {
    let nest = try Nest()
    try Git.run("init", "--quiet", "--bare", "hub.git", in: nest.larder.folder.path)
    let made = try nest("init cellar --remote \(nest.larder.folder("hub.git"))")
    #expect(made.code == 0, "\(made.errors)")
    #expect(made.errors.contains("around it is a household too"))
    #expect(try nest("-C cellar sync").code == 0)
  }

  @Test("an init that fails leaves nothing")
  func failed() throws {
    let nest = try Nest()
    #expect(try nest("init ../flat --time-zone Mars").code == 2)
    #expect(!FileManager.default.fileExists(atPath: nest.larder.folder("flat")))
  }

  @Test("check names a time zone that does not exist")
  func unknownZone() throws {
    let nest = try Nest()
    try nest.write(
      try nest.read("household.json").replacing("\"timeZone\": \"", with: "\"timeZone\": \"Moon/"),
      to: "household.json")
    #expect(
      try nest("check").output.contains("so days begin and end in UTC; names are such as Europe"))
  }

  @Test("what was taken back and done again is told once")
  func redone() throws {
    let nest = try Nest()
    try nest.prepare("stock new Eggs 6", "count eggs 4", "undo", "redo")
    let shown = try nest("show eggs").output
    #expect(shown.contains("counted 4"))
    #expect(!shown.contains("took back"))
    try nest.prepare("undo", "redo", "undo")
    #expect(try nest("show eggs").output.contains("took back: counted 4"))
  }

  @Test("init adopts files that lie there already, and says so as JSON")
  func initializeAround() throws {
    let larder = try CommandRunner()
    try larder.folder.write("{\"name\": \"Milk\"}", to: "nest/stock/milk.json")
    let made = try larder("-C", "nest", "init", "--name", "N", "--time-zone", "UTC", "--json")
      .json()
    #expect(made["root"] as? String == larder.folder("nest"))
    #expect((made["changed"] as? [[String: Any]])?.first?["name"] as? String == "N")
    #expect(try larder.folder.read("nest/stock/milk.json").contains("\"createdAt\""))
  }

  @Test("join brings a household to another device, which is then set up")
  func join() throws {
    let nest = try HouseholdFixture()
    try nest.addOrigin()
    _ = try nest("sync")
    var phone = nest.larder
    phone.device = "phone"
    let joined = try phone("join", "origin.git", "phone", in: "home")
    #expect(joined.code == 0)
    #expect(joined.output == "Nest is in \(nest.larder.folder("home/phone"))\n")
    #expect(try phone("doctor", in: "home/phone").output == "all is well\n")
    #expect(try phone("config", "device", in: "home/phone").output == "phone\n")
    #expect(try phone("join", "origin.git", in: "home").output.hasSuffix("/home/origin\n"))
  }

  @Test("status tells what waits, what is low and what can't be read")
  func status() throws {
    let nest = try HouseholdFixture([
      "stock/milk.json": Written.item(
        1, "Milk", "\"quantityInStock\": 1,\n  \"quantityFullStock\": 6"),
      "stock/bread.json": Written.item(2, "Bread"),
    ])
    _ = try nest("adopt")
    try nest.write("{\"name\": \"Tea\", \"quantityInStock\": 1}", to: "stock/tea.json")
    try nest.write("{", to: "stock/bad.json")
    let outcome = try nest("status")
    #expect(outcome.code == 0)
    #expect(
      outcome.output == """
        Nest  \(nest.root)
        not synced with any remote yet
        edited by hand, not adopted yet:
          stock/bad.json
          stock/tea.json
        1 item used up, 1 item low
        1 file is broken:
        stock/bad.json:1:2: the file ends where a key in double quotes is needed
            1 | {
              |  ^

        """)
    let object = try nest("status", "--json").json()
    #expect(object["edited"] as? [String] == ["stock/bad.json", "stock/tea.json"])
    #expect(object["unreadable"] as? [String] == ["stock/bad.json"])
    #expect(object["low"] as? Int == 1)
    #expect(object["usedUp"] as? Int == 1)
    #expect(object["branch"] as? String == "main")
    #expect(try nest("status", "--plain").output.contains("edited\tstock/tea.json\n"))
  }

  @Test("status counts what is over and what expires soon, by lots")
  func statusOfBatches() throws {
    let nest = try HouseholdFixture(["stock/milk.json": Written.item(1, "Milk")])
    for day in ["2026-11-20", "2026-11-21", "2026-12-05", "2026-12-06"] {
      _ = try nest("stock", "put", "milk", "2", "--expiry", day)
    }
    let outcome = try nest("status")
    #expect(outcome.output.contains("1 batch expired, 2 batches expire within 14 days\n"))
    #expect(outcome.errors.contains("'larder stock expired' lists what has expired"))
    let object = try nest("status", "--json").json()
    #expect(object["expired"] as? Int == 1)
    #expect(object["due"] as? Int == 2)
  }

  @Test("status counts the commits of plain git, and those ahead and behind")
  func statusOfCommits() throws {
    let nest = try HouseholdFixture()
    try nest.addOrigin()
    _ = try nest("sync")
    #expect(try nest("status").output.contains("up to date with origin/main, as of "))
    try nest.write(Written.item(1, "Milk"), to: "stock/milk.json")
    try nest.git("add", "stock")
    try nest.git("commit", "-qm", "buy milk")
    let object = try nest("status", "--json").json()
    #expect(object["plainCommits"] as? Int == 1)
    let upstream = object["upstream"] as? [String: Any]
    #expect(upstream?["name"] as? String == "origin/main")
    #expect(upstream?["ahead"] as? Int == 1)
    #expect(upstream?["behind"] as? Int == 0)
  }

  @Test("status of a plain clone says how to set it up")
  func statusOfClone() throws {
    let nest = try HouseholdFixture()
    try Git.run("clone", "-q", "nest", "clone", in: nest.larder.folder("home"))
    let outcome = try nest.larder("status", in: "home/clone")
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains("run 'larder doctor --fix'"))
  }

  @Test("config shows all settings, or one, in every form")
  func config() throws {
    let nest = try HouseholdFixture()
    #expect(
      try nest("config", "--plain").output
        == "name\tNest\ntimeZone\tEurope/London\ncurrency\tGBP\nexpiringWithinDays\t14\ndevice\tlaptop\n"
        + "archiveConsumed\tno\nlocalOnly\tno\nautoSync\tno\nnewItems\task\ncloudRetries\t4\n"
        + "cloudRetryDelay\t500\n")
    #expect(try nest("config", "timeZone").output == "Europe/London\n")
    #expect(try nest("config", "--json").json()["expiringWithinDays"] as? Int == 14)
  }

  @Test("a household's setting is a commit, and one that is so already makes none")
  func configChange() throws {
    let nest = try HouseholdFixture()
    #expect(try nest("config", "expiringWithinDays", "7").output == "expiringWithinDays is now 7\n")
    #expect(try nest("config", "currency", "").output == "currency is now nothing\n")
    #expect(try nest("config", "name", "Den").output == "name is now Den\n")
    #expect(try nest("config", "name", "Den").output == "name is already Den\n")
    #expect(
      try nest.git("log", "--format=%s") == """
        config name: Den
        config currency: nothing
        config expiringWithinDays: 7
        init the household Nest

        """)
    #expect(!(try nest.read("household.json").contains("\"currency\": \"GBP\"")))
  }

  @Test("the device's name is this device's alone")
  func configDevice() throws {
    let nest = try HouseholdFixture()
    #expect(
      try nest("config", "device", "tablet").output
        == "this device is called tablet; LARDER_DEVICE overrides that here with laptop\n")
    #expect(try nest.git("config", "larder.device") == "tablet\n")
    #expect(try nest.git("log", "--format=%s") == "init the household Nest\n")
  }

  @Test("doctor --fix sets a plain clone up once and for all")
  func doctor() throws {
    let nest = try HouseholdFixture()
    try Git.run("clone", "-q", "nest", "clone", in: nest.larder.folder("home"))
    let clone = nest.larder
    #expect(try clone("doctor", in: "home/clone").code == 1)
    let fixed = try clone("doctor", "--fix", "--json", in: "home/clone")
    #expect(fixed.code == 0)
    let names = (try fixed.json()["fixed"] as? [[String: String]])?.compactMap { $0["name"] }
    #expect(names == ["noUserID", "noDeviceName", "noMergeDriver", "noTextConversion"])
    #expect(try clone("doctor", in: "home/clone").output == "all is well\n")
    #expect(try clone("doctor", "--fix", in: "home/clone").output == "all is well\n")
  }

  @Test("doctor --fix mends .gitattributes in a commit, keeping what people wrote there")
  func doctorAttributes() throws {
    let nest = try HouseholdFixture()
    try nest.write("*.png binary\n", to: ".gitattributes")
    try nest.git("commit", "-qam", "pictures")
    let outcome = try nest("doctor", "--fix")
    #expect(outcome.output.hasPrefix(".gitattributes has the lines"))
    let text = try nest.read(".gitattributes")
    #expect(text.hasPrefix("*.png binary\n"))
    #expect(text.contains("merge=larder"))
    #expect(try nest.git("status", "--porcelain") == "")
  }

  @Test(
    "a new household, a clone and a mended plain clone have the folders in which people save files")
  func folders() throws {
    let nest = try HouseholdFixture()
    try nest.addOrigin()
    #expect(try nest("sync").code == 0)
    try nest.join("phone")
    try Git.run("clone", "-q", "origin.git", "plain", in: nest.larder.folder("home"))
    #expect(try nest.larder("doctor", "--fix", in: "home/plain").code == 0)
    #expect(try nest.larder("init", "fresh", in: "home").code == 0)
    for place in ["fresh", "phone", "plain"] {
      // As a shell does it, which makes no folder.
      let file = nest.larder.folder("home/\(place)/stock/soy-milk.json")
      #expect(
        FileManager.default.createFile(
          atPath: file, contents: Data(#"{ "name": "Soy milk" }"#.utf8)))
      #expect(try nest.larder("stock", in: "home/\(place)").output.contains("Soy milk"))
    }
  }
}
