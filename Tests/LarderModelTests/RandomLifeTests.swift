import Foundation
import LarderModel
import TestSupport
import Testing

@Suite("Random lives of one household, against a naive model of it")
struct RandomLifeTests {
  private static let parts = 4

  /// 10,000 lives; `LARDER_RUNS` asks for another number of them.
  @Test(
    "after each step totals, batches, order, answers and refusals are the model's",
    arguments: 0..<parts)
  func lives(part: Int) throws {
    let runs = RandomRuns(of: 10_000, part: part, parts: Self.parts)
    print("random lives: LARDER_SEED=\(Seed.ofRun), \(runs.seeds.count) of them")
    for seed in runs.seeds {
      var random = SeededGenerator(seed: seed)
      let size = random.number(0...99)
      let count = random.number(size < 94 ? 3...9 : size < 99 ? 12...25 : 50...80)
      let steps = (0..<count).map { _ in random.next() }
      guard Self.failure(seed, steps) != nil else { continue }
      let failure = try #require(
        Self.failure(seed, Self.shrunk(steps) { Self.failure(seed, $0) != nil }))
      Issue.record("LARDER_SEED=\(Seed.ofRun), life \(seed):\n\(failure)")
      return
    }
  }

  /// What a life fails with, after what.
  private static func failure(_ seed: UInt64, _ steps: [UInt64]) -> String? {
    var journal: [String] = []
    do {
      var life = try RandomLife(seed: seed)
      defer { journal = life.journal }
      for step in steps { try life.step(step) }
      try life.compareAll()
      return nil
    } catch {
      return (journal + ["\(error)"]).joined(separator: "\n")
    }
  }

  /// As few of the steps as still fail.
  private static func shrunk(_ steps: [UInt64], _ fails: ([UInt64]) -> Bool) -> [UInt64] {
    var steps = steps
    var size = max(1, steps.count / 2)
    while true {
      var start = 0
      while start < steps.count {
        var fewer = steps
        fewer.removeSubrange(start..<min(start + size, steps.count))
        if fails(fewer) { steps = fewer } else { start += size }
      }
      guard size > 1 else { return steps }
      size /= 2
    }
  }
}

/// Seeds of many random runs, in parts that run side by side.
struct RandomRuns {
  let seeds: [UInt64]

  init(of usual: Int, part: Int, parts: Int) {
    let wish = ProcessInfo.processInfo.environment["LARDER_RUNS"].flatMap { Int($0) }
    let all = (0..<(wish ?? usual)).map { Seed.ofRun &+ UInt64($0) }
    seeds = all.enumerated().filter { $0.offset % parts == part }.map(\.element)
  }
}
