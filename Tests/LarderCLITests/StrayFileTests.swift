import Foundation
import TestSupport
import Testing

@testable import LarderCLI

/// Files that people moved to where no household's file may lie: they are there, so they are not gone.
@Suite("Files that strayed")
struct StrayFileTests {
  static let places = [
    "stock/\(String(repeating: "d/", count: 66))salt.json", "stock/sa\tlt.json", "stock/a\\b.json",
    "stock/sub.json/salt.json", "stock/x\u{1b}.json",
  ]

  private func start(_ place: String) throws -> (nest: CommandRunner, from: String, to: String) {
    var larder = try CommandRunner()
    larder.variables["LARDER_NOW"] = "2026-11-22T10:00:00Z"
    for line in [
      "init nest --name Nest --time-zone UTC", "-C nest stock new Salt --in-stock 5",
      "-C nest stock new Bread --in-stock 2",
    ] {
      #expect(try larder.run(shellWords(line)).code == 0)
    }
    let stock = try FileManager.default.contentsOfDirectory(atPath: larder.folder("nest/stock"))
    let name = try #require(stock.first { $0.hasPrefix("salt") })
    let target = larder.folder("nest/" + place)
    try FileManager.default.createDirectory(
      atPath: URL(filePath: target).deletingLastPathComponent().path(percentEncoded: false),
      withIntermediateDirectories: true)
    return (larder, larder.folder("nest/stock/" + name), target)
  }

  private func salt(_ larder: CommandRunner) throws -> Int? {
    let item = try larder("-C", "nest", "stock", "--json").array("items")
      .first { $0["name"] as? String == "Salt" }
    return item?["total"] as? Int
  }

  @Test("keep what they said, and are as before once they are moved back", arguments: places)
  func byHand(_ place: String) throws {
    let (larder, from, to) = try start(place)
    try FileManager.default.moveItem(atPath: from, toPath: to)
    #expect(try salt(larder) == 5)
    let told = try larder("-C", "nest", "stock", "put", "Bread", "1")
    #expect(told.code == 0, "\(told.errors)")
    #expect(!told.errors.contains("marked as deleted"), "\(told.errors)")
    #expect(try larder("-C", "nest", "stock", "use", "Salt", "1").code == 5)
    #expect(try larder("-C", "nest", "doctor").code == 1)
    #expect(try salt(larder) == 5)
    try FileManager.default.moveItem(atPath: to, toPath: from)
    #expect(try larder("-C", "nest", "stock", "use", "Salt", "1").code == 0)
    #expect(try salt(larder) == 4)
    #expect(try larder("-C", "nest", "stock", "--json").array("items").count == 2)
  }

  @Test("keep what they said when plain git committed the move", arguments: places.dropFirst())
  func committed(_ place: String) throws {
    let (larder, from, to) = try start(place)
    let root = larder.folder("nest")
    try FileManager.default.moveItem(atPath: from, toPath: to)
    try Git.run("add", "-A", in: root)
    try Git.run("commit", "--quiet", "-m", "move", in: root)
    #expect(try larder("-C", "nest", "stock", "put", "Bread", "1").code == 0)
    #expect(try salt(larder) == 5)
    // The commit is mended; the file in its odd place is people's own to move.
    #expect(try larder("-C", "nest", "doctor", "--fix").output.contains("is checked out"))
    let folder = URL(filePath: to).deletingLastPathComponent().path(percentEncoded: false)
    try FileManager.default.removeItem(atPath: folder.contains(".json") ? folder : to)
    #expect(try larder("-C", "nest", "doctor").code == 0)
    #expect(try larder("-C", "nest", "stock", "use", "Salt", "1").code == 0)
    #expect(try salt(larder) == 4)
  }
}
