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

  private static let seed: UInt64 =
    ProcessInfo.processInfo.environment["LARDER_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 0..<1_000_000)

  private func generator(_ scenario: Scenario) -> SeededGenerator {
    print("crash points: LARDER_SEED=\(Self.seed)")
    return SeededGenerator(seed: Self.seed &+ UInt64(scenario.name.utf8.reduce(0) { $0 + Int($1) }))
  }

  private func isWrite(_ step: Step) -> Bool { step.call.hasSuffix("write") }

  @Test("killed at any step, a command has happened or has not", arguments: Scenario.local)
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
