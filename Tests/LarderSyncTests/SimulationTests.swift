import Foundation
import LarderGit
import LarderJSON
import LarderStore
import TestSupport
import Testing

@testable import Simulation

@Suite("Simulated devices that do at random what people do")
struct SimulationTests {
  /// `LARDER_SEED` repeats one seed, `LARDER_SEEDS` asks for another number of them.
  @Test("agree once all have synced, and nothing that anybody wrote is lost")
  func converge() throws {
    let process = Process()
    process.executableURL = CommandRunner.program.deletingLastPathComponent()
      .appending(path: "simulate")
    let count = ProcessInfo.processInfo.environment["LARDER_SEEDS"]
    process.arguments = ["--seeds", count ?? "2000"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    print(text)
    #expect(process.terminationStatus == 0, "\(text)")
  }

  @Test("a script comes from its seed alone, and one that fails shrinks to the steps that matter")
  func shrinking() throws {
    let script = Script(seed: 7)
    #expect(script == Script(seed: 7))
    #expect(script != Script(seed: 8))
    let wanted = [script.steps[1].number, script.steps[3].number]
    var shrinking = Shrinking(script, "two steps") { script in
      let numbers = script.steps.map(\.number)
      return wanted.allSatisfy(numbers.contains) ? "two steps" : nil
    }
    shrinking.shrink()
    #expect(shrinking.script.steps.map(\.number) == wanted)
    #expect(shrinking.script.steps.allSatisfy { $0.fault == nil && $0.jump == 0 })
  }

  @Test("the record keeps what was written last, and the one that deletes of two at one time")
  func record() throws {
    func entity(_ name: String, _ stamp: String, isArchived: Bool) throws -> RecordedEntity {
      let text = """
        {"id": "a", "name": "\(name)", "isArchived": \(isArchived), "createdAt": "1",
         "edited": {"name": "\(stamp)"}, "changes": [{"id": "\(name)", "at": "\(stamp)"}]}
        """
      let json = try JSON(parsing: Array(text.utf8))
      return try #require(RecordedEntity(json, folder: "stock"))
    }
    let early = try entity("early", "2", isArchived: true)
    let late = try entity("late", "3", isArchived: false)
    var sums = [early, late]
    sums[0].add(late)
    sums[1].add(early)
    #expect(sums[0] == sums[1])
    #expect(sums[0].writes["name"] == late.writes["name"])
    #expect(sums[0].writes["isArchived"] == early.writes["isArchived"])
    #expect(Set(sums[0].entries.keys) == ["early", "late"])
    #expect(sums[0].updatedAt == "3")
  }

  @Test("a commit that loses a ledger line is noticed")
  func lostLine() throws {
    let template = try Template()
    try template.layOut(remotes: 1, devices: 1)
    let device = try Device(
      "laptop", root: template.place + "/laptop",
      clock: DeviceClock(milliseconds: DeviceClock.start, seed: 1), hasGitProgram: false)
    let file = "{\"name\": \"Milk\", \"quantityInStock\": 2}"
    try device.write(Array(file.utf8), to: "stock/milk.json")
    _ = try device.store.adopt()
    let record = Record()
    try record.read(try device.head, in: device.repository)
    let json = try #require(device.json("stock/milk.json"))
    let blob = try device.repository.writeBlob(json.setting("changes", .array([])).writeFile())
    let tree = try device.repository.writeTree(
      from: try device.headTree, changing: ["stock/milk.json": (blob, .file)])
    let author = try device.repository.commit(try device.head).author
    let commit = try device.repository.writeCommit(
      tree: tree, parents: [try device.head], author: author, committer: author,
      message: "lose a line\n\nLarder-Command: consume\n")
    #expect(throws: Failure.self) { try record.read(commit, in: device.repository) }
  }
}
