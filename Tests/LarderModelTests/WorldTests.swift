import Testing

@Suite("What people really did, against what all devices say in the end")
struct WorldTests {
  @Test(
    "every total is what is there, however late it arrives what was used, bought, moved or counted",
    arguments: 0..<RandomRuns.parts)
  func world(part: Int) {
    var done: [String: Int] = [:]
    RandomRuns(of: 2000, part: part, steps: 20...60) { seed, steps in
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
    print("worlds, part \(part):", done.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" })
  }
}
