import Foundation
import TestSupport
import Testing

/// Every step of real commands at which the system lets them down.
///
/// A sample of the steps by default, chosen by `LARDER_SEED`; all of them with `LARDER_CRASH=all`,
/// which `make crash` sets.
@Suite(
  "Crash points", .enabled(if: Faults.missing == nil, "no C compiler for the library of faults"))
struct CrashTests {
  static let isThorough = ProcessInfo.processInfo.environment["LARDER_CRASH"] == "all"

  private func generator(_ scenario: Scenario) -> SeededGenerator {
    print("crash points: LARDER_SEED=\(Seed.ofRun)")
    return SeededGenerator(
      seed: Seed.ofRun &+ UInt64(scenario.name.utf8.reduce(0) { $0 + Int($1) }))
  }

  private func isWrite(_ step: Step) -> Bool { step.call.hasSuffix("write") }

  @Test(
    "killed at any step, a command has happened or has not",
    arguments: Scenario.local + [Scenario.setUp])
  func killed(_ scenario: Scenario) throws {
    var generator = generator(scenario)
    let rehearsal = try Rehearsal(scenario)
    for step in rehearsal.chosen(6, &generator) {
      try Trial(rehearsal, .kill(.one), at: step).runKilled()
    }
    for step in rehearsal.chosen(2, &generator, where: isWrite) {
      try Trial(rehearsal, .halfWrite, at: step).runKilled()
    }
  }

  @Test(
    "killed at any step of larder or git, a sync loses nothing and sends nothing twice",
    arguments: Scenario.remote)
  func killedRemotely(_ scenario: Scenario) throws {
    var generator = generator(scenario)
    let rehearsal = try Rehearsal(scenario)
    for victim in [Fault.Victim.one, .parent, .all] {
      for step in rehearsal.chosen(3, &generator) {
        try Trial(rehearsal, .kill(victim), at: step).runKilled()
      }
    }
  }

  @Test("killed at any step, init can be done again, and everything that lay there stays")
  func killedAtFirst() throws {
    var generator = generator(Scenario.start)
    let rehearsal = try Rehearsal(Scenario.start)
    for step in rehearsal.chosen(12, &generator) {
      let world = try rehearsal.world.copied()
      let words = Scenario.start.words
      _ = try Faults.run(words, in: "", of: world, .kill(.one), at: step)
      let name: Comment = "step \(step) of \(rehearsal.steps.count): \(rehearsal.steps[step - 1])"
      let again = try world("", words)
      // Where it was done already, it says so.
      #expect(again.code == 0 || again.errors.contains("is there already"), name)
      for words in [["stock", "use", "Tea", "1"], ["check"], ["doctor", "--fix"], ["doctor"]] {
        let outcome = try world("nest", words)
        #expect(outcome.code == 0, "\(name): larder \(words): \(outcome.errors)\(outcome.output)")
      }
      #expect(try world.larder.folder.read("nest/notes.txt") == "mine", name)
      #expect(
        try Git.run("status", "--porcelain", in: world.root("nest")) == "?? notes.txt\n", name)
    }
  }

  @Test(
    "on a disk that is full from any step on, a command fails and leaves nothing",
    arguments: Scenario.all)
  func full(_ scenario: Scenario) throws {
    var generator = generator(scenario)
    let rehearsal = try Rehearsal(scenario)
    for step in rehearsal.chosen(4, &generator) {
      try Trial(rehearsal, .failures(ENOSPC), at: step).runFailing()
    }
  }

  @Test(
    "an error of the disk at any step stops a command, or does no harm", arguments: Scenario.all)
  func broken(_ scenario: Scenario) throws {
    var generator = generator(scenario)
    let rehearsal = try Rehearsal(scenario)
    for step in rehearsal.chosen(4, &generator) {
      try Trial(rehearsal, .failure(EIO), at: step).runFailing()
    }
  }
}
