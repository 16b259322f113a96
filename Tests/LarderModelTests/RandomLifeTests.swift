import Testing

@Suite("Random lives of one household, against a naive model of it")
struct RandomLifeTests {
  @Test(
    "after each step totals, batches, order, answers and refusals are the model's",
    arguments: 0..<RandomRuns.parts)
  func lives(part: Int) {
    RandomRuns(of: 10_000, part: part) { seed, steps in
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
    }.run("random lives")
  }
}
