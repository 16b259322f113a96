import Foundation
import LarderGit
import LarderJSON
import LarderStore
import LarderText
import Testing
import TestSupport

@testable import Simulation

@Suite("Simulated devices that do at random what people do")
struct SimulationTests {
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

  @Test(
    "an edit that no command has taken in yet reaches the cloud after others' news came",
    arguments: [Action.adopt, .commitAll])
  func editsAndNews(_ action: Action) async throws {
    try await byCloudAlone(
      3, [(0, .handField), (1, .handNumber), (0, .push), (1, action), (1, .pull)])
    try await byCloudAlone(3, [(0, .handField), (1, .handNumber), (0, .push), (1, .pull)])
  }

  @Test("what a plain client made, by whom or by nobody, can be read on every device")
  func plainRows() async throws {
    try await byCloudAlone(12, [(0, .plainClient)])
  }

  /// Two devices that have the cloud alone do some things, one after the other; from several seeds,
  /// in a thread of their own, since they wait for others.
  private func byCloudAlone(_ seeds: UInt64, _ actions: [(device: Int, action: Action)])
    async throws
  {
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      Thread.detachNewThread {
        done.resume(
          with: Result {
            let template = try Template()
            for seed in 1...seeds {
              _ = try Simulation(Self.script(seed, actions), template).run()
            }
          })
      }
    }
  }

  private static func script(_ seed: UInt64, _ actions: [(device: Int, action: Action)]) -> Script {
    var script = Script(seed: 1, hasCloud: true)
    script.devices = 2
    script.clocks = [0, 0]
    script.hasGitProgram = [false, false]
    script.targets = [.cloud, .cloud]
    script.steps = actions.enumerated().map { index, step in
      Script.Step(
        number: index + 1, device: step.device, action: step.action, jump: 0,
        seed: seed &* 100 &+ UInt64(index))
    }
    return script
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

  @Test("an undo that takes back too much, or too little, is noticed")
  func reversals() throws {
    func item(_ name: String, _ lines: String...) throws -> RecordedEntity {
      let text = """
        {"id": "a", "name": "\(name)", "createdAt": "1",
         "changes": [\(lines.joined(separator: ", "))]}
        """
      return try #require(RecordedEntity(try JSON(parsing: Array(text.utf8)), folder: "stock"))
    }
    let add = #"{"id": "1", "at": "2", "delta": 2, "why": "add"}"#
    let use = #"{"id": "2", "at": "3", "delta": -1, "why": "consume"}"#
    let undo = #"{"id": "3", "at": "4", "undoes": "1", "why": "undo"}"#
    let known = try item("Oat milk", add, use)
    let later = try item("Soy milk", add, use)
    let right = try item("Milk", add, use, undo)
    let change = RecordedChange(before: try item("Milk"), after: try item("Oat milk", add))
    #expect(change.mistake(takenBackFrom: known, to: right) == nil)
    #expect(change.mistake(takenBackFrom: later, to: right) == "loses the later name")
    let half = try item("Oat milk", add, use, undo)
    #expect(change.mistake(takenBackFrom: known, to: half) == "leaves a wrong name")
    let other = try item("Milk", add, use)
    #expect(change.mistake(takenBackFrom: known, to: other) == "leaves wrong ledger lines")
    let made = RecordedChange(before: nil, after: known)
    #expect(made.mistake(takenBackFrom: known, to: known) == "leaves what was made")
  }

  @Test("a commit that loses a ledger line is noticed")
  func lostLine() throws {
    let template = try Template()
    try template.layOut(remotes: 1, targets: [.git])
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
