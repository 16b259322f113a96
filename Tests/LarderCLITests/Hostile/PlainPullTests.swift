import Foundation
import TestSupport
import Testing

/// Trees that git writes, and no household may have, brought by somebody who pulls with plain git.
@Suite("What plain git pulls")
struct PlainPullTests {
  @Test("into the place of the household's folder is set aside by doctor, and nothing is archived")
  func hiddenFolder() throws {
    for hostile in HostileTree.hidingStock {
      let siege = try Siege()
      let pair = siege.pair
      try siege.push(siege.commit(hostile, on: siege.head()))
      try pair.git("phone", "pull", "--quiet")
      let stock = try pair("phone", "stock")
      #expect(stock.code == 5)
      #expect(stock.errors.contains("'larder doctor --fix' sets"), "\(stock.errors)")
      #expect(try pair("phone", "doctor").code == 1)
      try pair.prepare("phone", "doctor --fix", "doctor", "sync")
      try pair.prepare("laptop", "sync", "doctor")
      for device in ["laptop", "phone"] {
        #expect(try pair.total("Milk", on: device) == 4, "\(hostile.name)")
        #expect(try pair.total("Tea", on: device) == 2, "\(hostile.name)")
        #expect(try pair.git(device, "status", "--porcelain") == "", "\(hostile.name)")
        let log = try pair(device, "log --limit 3").output
        #expect(!log.contains("archived"), "\(log)")
      }
    }
  }

  @Test("into the place of household.json leaves an index that git can commit")
  func household() throws {
    let siege = try Siege()
    let pair = siege.pair
    let hostile = try #require(HostileTree.all.first { $0.name == "40000 \"household.json\"" })
    try siege.push(siege.commit(hostile, on: siege.head()))
    try pair.git("phone", "pull", "--quiet")
    try pair.prepare("phone", "doctor --fix", "doctor", "sync")
    #expect(try !pair.git("phone", "ls-files").contains("household.json/"))
    try pair.larder.folder.write("a note\n", to: "phone/mine.txt")
    try pair.git("phone", "add", "-A")
    try pair.git("phone", "commit", "--quiet", "-m", "mine")
    try pair.settle()
    #expect(try pair.total("Milk") == 4)
  }

  @Test("behind a link of one's own fails that sync, and leaves nothing half done")
  func linkedFolder() throws {
    let siege = try Siege()
    let pair = siege.pair
    let files = FileManager.default
    let link = pair.larder.folder("phone/stock/dairy")
    try files.createSymbolicLink(atPath: link, withDestinationPath: siege.trees.root)
    try files.createDirectory(
      atPath: pair.root("laptop") + "/stock/dairy", withIntermediateDirectories: false)
    try pair.larder.folder.write(#"{"name": "Yogurt"}"#, to: "laptop/stock/dairy/yogurt.json")
    try pair.prepare("laptop", "sync")
    #expect(try pair("phone", "sync").code == 5)
    try pair.prepare("phone", "stock", "stock use tea 1", "undo")
    let doctor = try pair("phone", "doctor")
    #expect(!doctor.output.contains("half written"), "\(doctor.output)")
    try files.removeItem(atPath: link)
    try pair.settle()
    #expect(try pair.total("Yogurt", on: "phone") == 0)
  }
}
