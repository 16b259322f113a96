import LarderKit
import Seeded
import TestSupport
import Testing

@Suite("Copies of random households")
struct HouseholdCopyTests {
  private func tree(_ home: RandomHousehold) throws -> String {
    try Git.run("ls-tree", "-r", "HEAD", in: home.larder.root)
  }

  private func copy(_ home: RandomHousehold) async throws -> HouseholdCopy {
    try await HouseholdCopy(try HouseholdCopy(of: home.larder.read().household).bytes)
  }

  @Test(
    "fill an empty household with the same files, byte for byte", arguments: RandomHousehold.seeds)
  func restored(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let home = try await RandomHousehold(&random)
    let other = try await RandomHousehold(&random, isEmpty: true)
    let outcome = try await other.larder.take(copy(home))
    #expect(!outcome.isNothing)
    #expect(try tree(other) == tree(home), "seed \(seed)")
    #expect(try Git.run("status", "--porcelain", in: other.larder.root).isEmpty, "seed \(seed)")
    #expect(try await other.larder.take(copy(home)).writing.commit == nil, "seed \(seed)")
    #expect(try await home.larder.take(copy(home)).writing.commit == nil, "seed \(seed)")
  }

  @Test(
    "of two devices join to the same household, whoever takes over whose",
    arguments: RandomHousehold.seeds)
  func joined(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let home = try await RandomHousehold(&random)
    let other = try await RandomHousehold(&random, isEmpty: true)
    _ = try await other.larder.take(copy(home))
    for device in [home, other] {
      random = try await device.larder.commit("apart") { [random] change in
        var random = random
        for item in change.survey.items where random.happens(50) {
          try change.count(Quantity(RandomHousehold.number(&random), item.unit), of: item)
          change.update(item) { $0.category = random.pick(["A", "B", "C"]) }
        }
        change.addLocation("place \(random.number(0...9_999))")
        return random
      }.value
    }
    let (mine, theirs) = (try await copy(home), try await copy(other))
    _ = try await home.larder.take(theirs)
    _ = try await other.larder.take(mine)
    #expect(try tree(home) == tree(other), "seed \(seed)")
  }

  @Test(
    "of another household bring its things along, and change no name",
    arguments: RandomHousehold.seeds)
  func brought(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let home = try await RandomHousehold(&random)
    _ = random.next()
    let other = try await RandomHousehold(&random)
    let (mine, theirs) = (
      try await home.larder.read().household, try await other.larder.read().household
    )
    let outcome = try await home.larder.take(copy(other))
    let after = outcome.after.household
    #expect(after.own == mine.own, "seed \(seed)")
    for entity in theirs.entities where entity.kind != .household {
      let arrived = try #require(after[entity.key], "seed \(seed)")
      #expect(arrived.ledger.joined(with: entity.ledger) == arrived.ledger, "seed \(seed)")
      #expect(arrived.householdID.map { $0 == mine.own?.id } ?? true, "seed \(seed)")
    }
    for entity in mine.entities {
      let kept = try #require(after[entity.key], "seed \(seed)")
      #expect(kept.updatedAt >= entity.updatedAt, "seed \(seed)")
    }
    #expect(try await home.larder.take(copy(other)).writing.commit == nil, "seed \(seed)")
  }
}
