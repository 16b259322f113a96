import TestSupport
import Testing

/// What commands say of files and formats that can't be read is so.
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

  @Test("doctor says that there are files which can't be read, as check does")
  func unreadable() throws {
    let pair = try Pair("stock new Milk --in-stock 4")
    try pair.larder.folder.write("{", to: "laptop/stock/new.json")
    let doctor = try pair("laptop", "doctor")
    #expect(doctor.code == 1)
    #expect(doctor.output.contains("stock/new.json can't be read"))
  }
}
