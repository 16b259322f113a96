import Foundation
import TestSupport
import Testing

/// A power cut at any step of real commands: what was not waited for is lost at random, and the next command
/// finds another boot id.
@Suite(
  "Power cuts", .enabled(if: Faults.missing == nil, "no C compiler for the library of faults"))
struct PowerCutTests {
  @Test(
    "after a power cut at any step, a command has happened or has not; one that said so has",
    arguments: Scenario.local)
  func cut(_ scenario: Scenario) throws {
    print("power cuts: LARDER_SEED=\(Seed.ofRun)")
    var generator = SeededGenerator(
      seed: Seed.ofRun &+ UInt64(scenario.name.utf8.reduce(0) { $0 + Int($1) }))
    let rehearsal = try Rehearsal(scenario)
    var steps = rehearsal.chosen(8, &generator)
    // Most of what can be lost is there at the end.
    let atTheEnd = CrashTests.isThorough ? 40 : 8
    steps += Array(repeating: rehearsal.steps.count + 1, count: atTheEnd)
    for step in steps { try cut(rehearsal, at: step, &generator) }
  }

  @Test(
    "what git did before the next command of Larder's is kept, too",
    arguments: [
      ["gc", "--quiet"], ["checkout", "-q", "-b", "other"],
      ["commit", "-q", "--allow-empty", "-m", "by hand"],
      ["reset", "-q"], ["status"],
    ])
  func git(_ words: [String]) throws {
    let scenario = Scenario.local[0]
    var generator = SeededGenerator(seed: Seed.ofRun)
    let rehearsal = try Rehearsal(scenario)
    for _ in 0..<4 {
      try cut(rehearsal, at: rehearsal.steps.count + 1, &generator, meanwhile: words)
    }
  }

  /// Runs a command up to a step, loses what was not waited for, and looks at what the next commands say.
  private func cut(
    _ rehearsal: Rehearsal, at step: Int, _ generator: inout SeededGenerator,
    meanwhile words: [String] = []
  ) throws {
    let (scenario, place) = (rehearsal.scenario, rehearsal.scenario.household)
    var world = try rehearsal.world.copied()
    let isAcknowledged = step > rehearsal.steps.count
    let run = try Faults.run(
      scenario.words, in: scenario.place, of: world, isAcknowledged ? nil : .kill(.one), at: step)
    let cut = PowerCut(
      before: rehearsal.world.root(place), after: world.root(place),
      steps: run.steps.filter { isAcknowledged || $0.number < step },
      // The journal may not have what was written so far, so nobody could write it again.
      // And git packs only what it can read, and drops torn lines of logs.
      keepsOrder: !isAcknowledged || words.first == "gc",
      // Git commits what the index says, so one that fell back would take the use back, as it does to git.
      spared: words.first == "commit" ? [".git/index"] : [])
    let losses = try cut.lose(&generator)
    try cut.age()
    let name: Comment = """
      \(scenario.name), cut at step \(step) of \(rehearsal.steps.count), lost:
      \(losses.joined(separator: "\n"))
      """
    if !words.isEmpty { _ = try? Git.run(words, in: world.root(place)) }
    try world.larder.folder.write("another start\n", to: "boot")
    world.larder = Faults.restarted(world.larder, bootID: world.larder.folder("boot"))
    for words in [["status"], ["adopt"], ["check"]] {
      let outcome = try world(place, words)
      #expect(outcome.code == 0, "\(name)\nlarder \(words): \(outcome.errors)\(outcome.output)")
    }
    let status = try Git.run("status", "--porcelain", in: world.root(place))
    #expect(status.isEmpty, "\(name)\ngit status: \(status)")
    var picture = try world.picture(place)
    if picture != rehearsal.after, words.first == "checkout" {
      // The new branch began where the old one had fallen back to, so only the old one has it all.
      try Git.run("checkout", "-q", "main", in: world.root(place))
      picture = try world.picture(place)
    }
    #expect(
      picture == rehearsal.after || !isAcknowledged && picture == rehearsal.before,
      "\(name)\n\(Self.difference(picture, rehearsal.after))")
    let damage = try Git.run("fsck", "--no-dangling", "--no-progress", in: world.root(place))
    #expect(damage.isEmpty, "\(name)\ngit fsck: \(damage)")
    let head = try Git.run("rev-parse", "HEAD", in: world.root(place))
    try world.larder.folder.write("a third start\n", to: "boot")
    #expect(try world(place, ["adopt"]).code == 0, name)
    #expect(try Git.run("rev-parse", "HEAD", in: world.root(place)) == head, name)
  }

  private static func difference(_ one: [String: String], _ other: [String: String]) -> String {
    Set(one.keys).union(other.keys).sorted().filter { one[$0] != other[$0] }.map { path in
      "\(path): \(one[path] ?? "is not there")"
    }.joined(separator: "\n")
  }

  @Test("a use waits for the disk once, a hundred new items at most four times")
  func waits() throws {
    let rehearsal = try Rehearsal(Scenario.local[0])
    let one = Self.waits(in: rehearsal.steps)
    #expect(one.count <= 2, "\(one)")
    let many = Scenario("a hundred files are adopted", "adopt") { world in
      for number in 100..<200 {
        let text = "{\"name\": \"Can \(number)\", \"quantityInStock\": 2}"
        try world.larder.folder.write(text, to: "laptop/stock/can-\(number).json")
      }
    }
    let hundred = Self.waits(in: try Rehearsal(many).steps)
    #expect(hundred.count <= 4, "\(hundred)")
  }

  private static func waits(in steps: [Step]) -> [Step] {
    steps.filter { ["fsync", "fdatasync", "syncfs", "msync"].contains($0.call) }
  }
}
