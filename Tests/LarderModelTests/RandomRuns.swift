import Foundation
import TestSupport
import Testing

/// Many random runs, each of random steps, a part of which runs beside other parts.
///
/// `LARDER_RUNS` asks for another number of them, where there are 10,000, and for that share of
/// others; with 1 and a run's seed it is that run again.
struct RandomRuns {
  static let parts = 4

  private let seeds: [UInt64]
  /// How many steps each has; nil for few in most of them.
  private let count: ClosedRange<Int>?
  /// What the run of a seed fails with after these steps, in words; nil where it does not.
  private let failure: (UInt64, [UInt64]) -> String?

  init(
    of usual: Int, part: Int, steps count: ClosedRange<Int>? = nil,
    failure: @escaping (UInt64, [UInt64]) -> String?
  ) {
    self.count = count
    let wish = ProcessInfo.processInfo.environment["LARDER_RUNS"].flatMap { Int($0) }
    seeds = stride(
      from: part, to: wish.map { max(1, $0 * usual / 10_000) } ?? usual, by: Self.parts
    ).map {
      Seed.ofRun &+ UInt64($0)
    }
    self.failure = failure
  }

  /// Runs them until one fails, which is told with as few of its steps as still do.
  func run(_ name: String) {
    print("\(name): LARDER_SEED=\(Seed.ofRun), \(seeds.count) runs")
    for seed in seeds {
      let steps = steps(seed)
      guard failure(seed, steps) != nil else { continue }
      let told = failure(seed, shrunk(steps, seed)) ?? "not again"
      Issue.record("\(name), LARDER_SEED=\(seed) LARDER_RUNS=1:\n\(told)")
      return
    }
  }

  /// Short ones find most, and find it soon; some need many steps.
  private func steps(_ seed: UInt64) -> [UInt64] {
    var random = SeededGenerator(seed: seed)
    let size = random.number(0...99)
    let count = count ?? (size < 96 ? 2...7 : size < 99 ? 12...20 : 40...50)
    return (0..<random.number(count)).map { _ in random.next() }
  }

  private func shrunk(_ steps: [UInt64], _ seed: UInt64) -> [UInt64] {
    var steps = steps
    var size = max(1, steps.count / 2)
    while true {
      var start = 0
      while start < steps.count {
        var fewer = steps
        fewer.removeSubrange(start..<min(start + size, steps.count))
        if failure(seed, fewer) != nil { steps = fewer } else { start += size }
      }
      guard size > 1 else { return steps }
      size /= 2
    }
  }
}
