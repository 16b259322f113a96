import Foundation
import TestSupport
import Testing

@Suite("Small faults that have words of their own")
struct SmallFaultTests {
  @Test("a bare repository and the inside of .git are no place for a household")
  func bare() throws {
    let larder = try CommandRunner()
    try Git.run("init", "-q", "--bare", "bare.git", in: larder.folder.path)
    let nest = try HouseholdFixture()
    for (runner, place) in [(larder, "bare.git"), (nest.larder, "home/nest/.git/info")] {
      let outcome = try runner("init", place, "--name", "N", "--time-zone", "UTC")
      #expect(outcome.code == 1)
      #expect(outcome.errors.contains("a repository without a work tree has no place for files"))
      #expect(!FileManager.default.fileExists(atPath: runner.folder(place) + "/household.json"))
    }
  }

  @Test("a moment that can't be written is a mistake of the line, told as such")
  func lateMoment() throws {
    let nest = try Nest()
    try nest.prepare("stock new Milk --in-stock 1")
    let head = try nest.subjects()
    for line in [
      "receipt save --shop A --line milk=1 --at '9999-12-31 23:59'",
      "stock open milk --at '9999-12-31 23:59'",
    ] {
      let outcome = try nest(line)
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains("--at: a moment from the year 0 to 9998"))
    }
    #expect(try nest.subjects() == head)
  }

  @Test("a place that can't be a folder is named with the system's reason")
  func noFolder() throws {
    let nest = try HouseholdFixture()
    let long = String(repeating: "x", count: 300)
    for (place, reason) in [
      ("/dev/null", "Not a directory"), ("/dev/null/x", "Not a directory"),
      (long, "File name too long"),
    ] {
      for words in [
        ["join", "nest", place], ["init", place, "--name", "N", "--time-zone", "UTC"],
      ] {
        let outcome = try nest.larder.run(words, in: "home")
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains(reason), "\(words): \(outcome.errors)")
        #expect(!outcome.errors.contains("no words yet"))
      }
    }
  }

  @Test("help is JSON where JSON is asked for")
  func help() throws {
    let larder = try CommandRunner()
    let command = try larder("help", "stock", "use", "--json").json()
    #expect(command["command"] as? String == "larder stock use")
    #expect((command["options"] as? [[String: Any]])?.isEmpty == false)
    #expect(try larder("stock", "use", "--help", "--json").json()["usage"] != nil)
    #expect(try larder("--json").json()["commands"] != nil)
    #expect(try larder("help", "exit-codes", "--json").json()["text"] != nil)
  }

  @Test("a branch that a remote deleted comes back with the next sync")
  func deletedBranch() throws {
    let pair = try Pair("stock new Milk")
    for line in ["stock new Tea", "status"] {
      try Git.run("update-ref", "-d", "refs/heads/main", in: pair.root("hub.git"))
      try pair.prepare("phone", line, "sync")
      #expect(
        try Git.run("rev-parse", "main", in: pair.root("hub.git"))
          == pair.git("phone", "rev-parse", "HEAD"))
    }
    try pair.settle()
  }

  @Test("a branch that can't be there is refused at once, not tried again and again")
  func folderOfBranches() throws {
    let pair = try Pair("stock new Milk")
    let hub = pair.root("hub.git")
    try Git.run("update-ref", "refs/heads/other", "refs/heads/main", in: hub)
    try Git.run("update-ref", "-d", "refs/heads/main", in: hub)
    try Git.run("update-ref", "refs/heads/main/side", "refs/heads/other", in: hub)
    try pair.prepare("phone", "stock new Tea")
    let outcome = try pair("phone", "sync")
    #expect(outcome.code == 4)
    #expect(!outcome.errors.contains("once more"))
  }

  @Test("of a partial clone it is said what is missing and how it comes")
  func partial() throws {
    let nest = try HouseholdFixture()
    try nest.git("config", "uploadpack.allowFilter", "true")
    #expect(try nest("stock", "new", "Milk").code == 0)
    #expect(try nest("stock", "edit", "milk", "--name", "Oat milk").code == 0)
    try Git.run(
      "clone", "-q", "--filter=tree:0", "file://\(nest.root)", "copy",
      in: nest.larder.folder("home"))
    let log = try nest.larder("log", in: "home/copy")
    #expect(log.code == 1)
    #expect(log.errors.contains("git left it out when this was cloned"))
    #expect(log.errors.contains("'larder doctor --fix' fetches what is missing"))
    #expect(try nest.larder("doctor", "--fix", in: "home/copy").code == 0)
    #expect(try nest.larder("log", in: "home/copy").output.contains("Oat milk"))
  }
}
