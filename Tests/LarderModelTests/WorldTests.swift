import Testing

@Suite("What people really did, against what all devices say in the end")
struct WorldTests {
  @Test(
    "every total is what is there, however late it arrives what was used, bought, moved or counted",
    arguments: 0..<RandomRuns.parts)
  func world(part: Int) {
    var done: [String: Int] = [:]
    RandomRuns(of: 1500, part: part, steps: 20...60) { seed, steps in
      var journal: [String] = []
      do {
        var world = try World(seed: seed)
        defer {
          journal = world.journal
          done.merge(world.done, uniquingKeysWith: +)
        }
        for step in steps { try world.step(step) }
        try world.settle(seed)
        return nil
      } catch {
        return (journal + ["\(error)"]).joined(separator: "\n")
      }
    }.run("worlds")
    // Whoever tries many tries everything.
    guard done["use", default: 0] > 1000 else { return }
    #expect(done.filter { $0.value > 5 }.keys.sorted() == Self.acts, "\(done)")
  }

  private static let acts = [
    "buy", "correct", "count", "count falsely", "date", "discard", "discard falsely", "forget",
    "give", "merge", "move", "open", "put", "put falsely", "save", "save basket", "save falsely",
    "save wrongly", "take back", "take back falsely", "throw away", "tick off", "use",
    "use falsely", "void",
  ]
}
