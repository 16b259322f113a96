import Foundation

/// The processes that run seeds in parallel.
///
/// They are processes instead of threads, so a crash shows its seed. Their hashing is
/// deterministic, so a seed always gives the same run.
final class Workers {
  struct Seeds {
    let from: UInt64
    let to: UInt64
    /// Whether some of the devices sync with a cloud.
    let hasCloud: Bool
  }

  private let seeds: Seeds
  private let count: UInt64
  private let lock = NSLock()
  private var figures = Figures()
  private var failed: [UInt64] = []

  init(_ seeds: Seeds) {
    self.seeds = seeds
    count = min(UInt64(ProcessInfo.processInfo.activeProcessorCount), seeds.to - seeds.from)
  }

  /// Runs all seeds and prints a summary; returns 1 if one failed.
  func run() throws -> Int32 {
    let start = Date()
    nonisolated(unsafe) let workers = self
    DispatchQueue.concurrentPerform(iterations: Int(count)) { index in
      var next = workers.seeds.from + UInt64(index)
      // After a crash, the next process continues.
      while next < workers.seeds.to { next = workers.runOne(from: next) }
    }
    let seconds = Date().timeIntervalSince(start)
    let rate = (Double(figures.seeds + failed.count) / max(seconds, 0.001)).rounded()
    SimulationProgram.say("seeds \(seeds.from) to \(seeds.to - 1): \(figures)")
    SimulationProgram.say(
      "\(Int(seconds.rounded())) s, \(Int(rate)) seeds a second on \(count) processors")
    let list = failed.sorted().map(String.init).joined(separator: " ")
    SimulationProgram.say(failed.isEmpty ? "no failures" : "FAILED: \(list)")
    return failed.isEmpty ? 0 : 1
  }

  /// Runs one process, and returns the seed to continue with.
  private func runOne(from: UInt64) -> UInt64 {
    let process = Process()
    process.executableURL = Bundle.main.executableURL
    process.arguments = [
      "--from", "\(from)", "--to", "\(seeds.to)", "--stride", "\(count)",
    ]
    if seeds.hasCloud { process.arguments?.append("--cloud") }
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["SWIFT_DETERMINISTIC_HASHING": "1", "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1"]
    ) { $1 }
    let output = Pipe()
    process.standardOutput = output
    do {
      try process.run()
    } catch {
      SimulationProgram.say("a process can't be started: \(error)")
      note(failure: from)
      return seeds.to
    }
    var current = from
    for line in Lines(output.fileHandleForReading) {
      let words = line.split(separator: " ", maxSplits: 1)
      switch (words.first, words.last) {
      case ("begin", let seed?): current = UInt64(seed) ?? current
      case ("end", let text?): add(Figures(text))
      case ("failed", _): note(failure: current)
      case ("over", _): return seeds.to
      default: SimulationProgram.say(String(line))
      }
    }
    process.waitUntilExit()
    let end = process.terminationStatus
    SimulationProgram.say("LARDER_SEED=\(current) \(end == SIGALRM ? "hangs" : "crashes (\(end))")")
    note(failure: current)
    return current + count
  }

  private func add(_ more: Figures) { lock.withLock { figures.add(more) } }

  private func note(failure seed: UInt64) { lock.withLock { failed.append(seed) } }
}

/// The lines of a pipe, as soon as they arrive.
private struct Lines: Sequence, IteratorProtocol {
  private let handle: FileHandle
  private var buffer = Data()

  init(_ handle: FileHandle) { self.handle = handle }

  mutating func next() -> Substring? {
    while true {
      if let end = buffer.firstIndex(of: 10) {
        defer { buffer = Data(buffer[(end + 1)...]) }
        return Substring(decoding: buffer[..<end], as: UTF8.self)
      }
      let more = handle.availableData
      guard !more.isEmpty else { return nil }
      buffer += more
    }
  }
}
