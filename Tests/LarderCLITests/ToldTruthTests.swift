import TestSupport
import Testing

/// What commands say of broken files and formats that can't be read is so.
@Suite("What is told of what can't be read")
struct ToldTruthTests {
  @Test("a newer format that the others have is told by doctor, until it goes back")
  func formatOfOthers() throws {
    let pair = try Pair("stock new Milk --in-stock 4")
    let file = try pair.larder.folder.read("laptop/household.json")
    try pair.larder.folder.write(
      file.replacing("\"format\": 1", with: "\"format\": 2"), to: "laptop/household.json")
    try pair.git("laptop", "commit", "--quiet", "-am", "newer")
    try pair.git("laptop", "push", "--quiet")
    #expect(try pair("phone", "sync").code == 5)
    let doctor = try pair("phone", "doctor")
    #expect(doctor.code == 1)
    #expect(doctor.output.contains("the others have the household in format 2"))
    try pair.git("laptop", "revert", "--no-edit", "HEAD")
    try pair.git("laptop", "push", "--quiet")
    try pair.prepare("phone", "sync", "doctor")
  }

  @Test("a commit that breaks a file archives nothing in the log, and one that mends it is no news")
  func brokenInLog() throws {
    let pair = try Pair("stock new Milk --in-stock 4")
    let path = try #require(try pair.item("Milk", on: "laptop")["path"] as? String)
    let file = try pair.larder.folder.read("laptop/" + path)
    try pair.larder.folder.write(file.replacing("\"Milk\"", with: "Milk"), to: "laptop/" + path)
    try pair.git("laptop", "commit", "--quiet", "-am", "oops")
    let broken = try pair("laptop", "log --limit 1").output
    #expect(broken.contains("oops") && !broken.contains("archived"), "\(broken)")
    try pair.larder.folder.write(
      file.replacing("\"Milk\"", with: "\"Oat milk\""), to: "laptop/" + path)
    try pair.git("laptop", "commit", "--quiet", "-am", "mended")
    let mended = try pair("laptop", "log --limit 1").output
    #expect(!mended.contains("new item"), "\(mended)")
    #expect(mended.contains("Oat milk"), "\(mended)")
  }

  @Test("a broken file is one line above a list, and told once by what reads twice and writes")
  func oneLine() throws {
    let nest = try HouseholdFixture(["stock/milk.json": Written.item(1, "Milk")])
    _ = try nest("location", "new", "Fridge")
    try nest.write("{", to: "stock/bad.json")
    let one = "warning: stock/bad.json is broken; 'larder check' shows why\n"
    for line in ["stock list", "stock list --json", "stock due", "shop list", "receipt list"] {
      let outcome = try nest.run(line.split(separator: " ").map(String.init))
      #expect(outcome.code == 0)
      #expect(outcome.errors.hasPrefix(one), "\(line): \(outcome.errors)")
      #expect(outcome.errors.ranges(of: "bad.json").count == 1, "\(line): \(outcome.errors)")
    }
    try nest.write("{ \"name\": 4 }", to: "batches/old.json")
    let two = "warning: 2 files are broken; 'larder check' shows why\n"
    let lines = [
      "adopt", "stock put milk 2 --expiry 10d", "stock move milk fridge", "shop buy milk",
      "receipt save --shop Corner --line milk=1@@2",
    ]
    for line in lines {
      let outcome = try nest.run(line.split(separator: " ").map(String.init))
      #expect(outcome.errors.ranges(of: two).count == 1, "\(line): \(outcome.errors)")
      #expect(!outcome.errors.contains(".json"), "\(line): \(outcome.errors)")
    }
    let check = try nest("check")
    #expect(check.code == 1)
    #expect(check.output.contains("stock/bad.json:1:2: "))
    #expect(check.output.contains("batches/old.json:1:"))
  }

  @Test("status shows the first mistakes with their lines, and where the rest is")
  func mistakesInStatus() throws {
    let nest = try HouseholdFixture()
    for number in 1...7 { try nest.write("{ \"name\": \(number) }", to: "stock/\(number).json") }
    let status = try nest("status")
    #expect(status.code == 0)
    #expect(status.output.contains("\n7 files are broken:\nstock/1.json:1:11: "))
    #expect(status.output.contains("    1 | { \"name\": 5 }\n"))
    #expect(!status.output.contains("    1 | { \"name\": 6 }\n"))
    #expect(status.output.hasSuffix("and 2 more mistakes: 'larder check'\n"))
    #expect(try nest("status", "--json").json()["unreadable"] as? [String] != [])
  }

  @Test("doctor says that there are broken files, as check does")
  func untaken() throws {
    let pair = try Pair("stock new Milk --in-stock 4")
    try pair.larder.folder.write("{", to: "laptop/stock/new.json")
    let doctor = try pair("laptop", "doctor")
    #expect(doctor.code == 1)
    #expect(doctor.output.contains("stock/new.json is broken or refused"))
  }
}
