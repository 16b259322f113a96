import Testing

@Suite("Random devices that join, against the ledger's own definition")
struct RandomDevicesTests {
  @Test(
    "all have the same bytes in the end, every quantity is what was ever written, nothing twice",
    arguments: 0..<RandomRuns.parts)
  func devices(part: Int) {
    RandomRuns(of: 10_000, part: part) { seed, steps in
      var journal: [String] = []
      do {
        var all = try RandomDevices(seed: seed)
        defer { journal = all.journal }
        for step in steps { try all.step(step) }
        try all.settle(seed)
        return nil
      } catch {
        return (journal + ["\(error)"]).joined(separator: "\n")
      }
    }.run("random devices")
  }
}
