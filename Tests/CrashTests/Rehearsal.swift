import Foundation
import TestSupport
import Testing

/// A scenario ready to be tried again and again: the world before it, and what comes of it.
final class Rehearsal {
  let scenario: Scenario
  let world: World
  let before: [String: String]
  let after: [String: String]
  /// Every change of a file that the command makes, in order.
  let steps: [Step]

  init(_ scenario: Scenario) throws {
    self.scenario = scenario
    var world = try World.first.get().copied()
    world.larder.now = "2026-11-21T12:05:00Z"
    try scenario.prepare(world)
    world.larder.now = "2026-11-21T12:10:00Z"
    self.world = world
    before = try world.picture(scenario.household)
    let copy = try world.copied()
    let run = try Faults.run(scenario.words, in: scenario.place, of: copy)
    try #require(run.outcome.code == 0, "\(run.outcome.errors)")
    steps = run.steps
    after = try copy.picture(scenario.household)
    try #require(steps.count > 5)
  }

  /// The number of the first step that fits.
  func first(_ call: String, _ path: Regex<Substring>) throws -> Int {
    let index = steps.indices.first {
      steps[$0].call == call && steps[$0].path.contains(path)
    }
    return try #require(index, "\(steps)") + 1
  }

  /// The numbers of the steps that are tried: all where that is asked for, else some, evenly spread.
  func chosen(
    _ count: Int, _ generator: inout SeededGenerator, where isMeant: (Step) -> Bool = { _ in true }
  ) -> [Int] {
    let meant = steps.indices.filter { isMeant(steps[$0]) }.map { $0 + 1 }
    guard !CrashTests.isThorough, meant.count > count else { return meant }
    let width = Double(meant.count) / Double(count)
    return (0..<count).map { part in
      let place = (Double(part) + Double.random(in: 0..<1, using: &generator)) * width
      return meant[min(Int(place), meant.count - 1)]
    }
  }
}
