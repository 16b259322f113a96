import Foundation
import SystemSteps
import TestSupport

/// `simulate`: runs many seeds on all processors, and prints each failure as a script that is as
/// short as possible.
package enum SimulationProgram {
  /// Runs the seeds of the arguments; without arguments, the seeds that every change must pass.
  ///
  /// Returns the exit status, which is 0 if every seed passed.
  package static func run(_ words: [String]) throws -> Int32 {
    guard !words.isEmpty else {
      let byGit = try run(["--seeds", "250"])
      return max(byGit, try run(["--seeds", "150", "--cloud"]))
    }
    func number(_ option: String) -> UInt64? {
      words.firstIndex(of: option).flatMap { index in
        index + 1 < words.count ? UInt64(words[index + 1]) : nil
      }
    }
    if let stride = number("--stride"), let from = number("--from"), let to = number("--to") {
      try work(
        hasCloud: words.contains("--cloud"),
        seeds: Swift.stride(from: from, to: to, by: Int(stride)))
      return 0
    }
    let single = number("--seed") ?? Seed.single
    let from = single ?? number("--from") ?? Seed.ofRun
    let count = single == nil ? number("--seeds") ?? 2000 : 1
    let seeds = Workers.Seeds(from: from, to: from + count, hasCloud: words.contains("--cloud"))
    return try Workers(seeds).run()
  }

  /// Runs the seeds of one process, and reports each to the parent.
  private static func work(hasCloud: Bool, seeds: some Sequence<UInt64>) throws {
    steps_without_waiting()
    let template = try Template()
    for seed in seeds {
      say("begin \(seed)")
      // The limit allows for a busy machine, which is slower but does not hang.
      alarm(600)
      let script = Script(seed: seed, hasCloud: hasCloud)
      do {
        say("end \(try Simulation(script, template).run())")
      } catch {
        say(report(script, "\(error)", template))
        say("failed \(seed)")
      }
    }
    say("over")
  }

  private static func report(_ script: Script, _ message: String, _ template: Template) -> String {
    alarm(3600)
    var shrinking = Shrinking(script, message) { script in
      do {
        _ = try Simulation(script, template).run()
        return nil
      } catch {
        return "\(error)"
      }
    }
    shrinking.shrink()
    let simulation = Simulation(shrinking.script, template)
    _ = try? simulation.run()
    return """
      LARDER_SEED=\(script.seed)\(script.hasCloud ? " --cloud" : "") fails with \(shrinking.script.steps.count) of its \
      \(script.steps.count) steps:
        \(simulation.journal.joined(separator: "\n  "))
        \(shrinking.message)
      """
  }

  /// Prints a line immediately, even if the output is a file.
  static func say(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
  }
}
