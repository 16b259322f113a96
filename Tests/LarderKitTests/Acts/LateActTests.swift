import Foundation
import HomeSupport
import LarderKit
import Seeded
import TestSupport
import Testing

@Suite("Acts of a phone")
struct LateActTests {
  /// Each household of these takes as long as a thousand random lives without files.
  static let seeds: [UInt64] = {
    let runs = ProcessInfo.processInfo.environment["LARDER_RUNS"].flatMap { Int($0) } ?? 10_000
    return (0..<max(2, runs / 1000)).map { Seed.single ?? Seed.ofRun &+ UInt64($0) }
  }()

  @Test(
    "an act that comes late ends as the change of a clone that made it then and syncs now",
    arguments: seeds)
  func likeAClone(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let people = try await PhoneHome()
    // Commits have whole seconds, and several people may act within one.
    let pause = random.happens(50) ? 20 : 90_000
    try await lead(40, on: people.home, &random, people.clock, pause)
    let phone = try await people.phone()
    var acts: [(Act, refusal: String?)] = []
    for _ in 0..<random.number(1...4) {
      people.clock.pass(milliseconds: Int64(random.number(1...pause)))
      guard let act = random.act(on: try await phone.survey(), at: people.clock.now, by: "phone")
      else {
        continue
      }
      acts.append((act, await refusal(act, phone)))
    }
    people.clock.pass(milliseconds: Int64(random.number(1...pause)))
    try await lead(random.number(1...15), on: people.home, &random, people.clock, pause)
    let server = try await people.copy()

    _ = try await phone.sync()
    _ = try await people.home.sync()
    for (act, refused) in acts {
      #expect(await refusal(act, server) == refused, "seed \(seed): \(act.deed)")
    }
    let (expected, found) = (try await people.home.survey(), try await server.survey())
    let differences = found.household.differences(
      from: expected.household, ofStampsToo: true)
    #expect(
      differences.map { "\($0.key.id) \($0.fields) \($0.entries)" } == [],
      "seed \(seed): \(acts.map { "\($0.0.deed)" })")
  }

  @Test(
    "a repeated act changes nothing and says so, also after a restart", arguments: seeds.prefix(4))
  func repeated(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let people = try await PhoneHome()
    var acts: [Act] = []
    try await lead(30, on: people.home, &random, people.clock, 90_000) { acts.append($0) }
    people.clock.pass(milliseconds: 3_600_000)
    let head = try Git.run("rev-parse", "HEAD", in: people.home.root)
    for act in acts {
      guard case .repeated = try await people.restarted().perform(act).result else {
        Issue.record("seed \(seed): \(act.deed) was done again")
        continue
      }
    }
    #expect(try Git.run("rev-parse", "HEAD", in: people.home.root) == head)
  }

  @Test("whatever an act does, its undo leaves all that was there as it was", arguments: seeds)
  func undone(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let people = try await PhoneHome()
    try await lead(40, on: people.home, &random, people.clock, 90_000)
    for _ in 0..<20 {
      people.clock.pass(milliseconds: 60_000)
      let before = try await people.home.survey()
      guard let act = random.act(on: before, at: people.clock.now, by: "phone"),
        await refusal(act, people.home) == nil
      else { continue }
      let after = try await people.home.survey()
      // A wish that only says the same again leaves nothing to take back.
      guard after.meaning != before.meaning else { continue }
      people.clock.pass(milliseconds: 5_000)
      let undo = Act(
        id: random.id(at: people.clock.now), at: people.clock.now, by: "phone", .undo(act: act.id))
      let refused = await refusal(undo, people.home)
      #expect(refused == nil, "seed \(seed): \(act.deed)")
      let undone = try await people.home.survey()
      #expect(
        undone.meaning.filter { before.meaning[$0.key] != $0.value }.isEmpty
          && before.meaning.keys.allSatisfy { undone.meaning[$0] != nil },
        "seed \(seed): \(act.deed)")
    }
  }

  /// Lets the household's people do some things, a little time apart; tells those that changed it.
  private func lead(
    _ count: Int, on larder: Larder, _ random: inout SeededGenerator, _ clock: SetClock,
    _ pause: Int, done: (Act) -> Void = { _ in }
  ) async throws {
    if try await larder.survey().locations.isEmpty {
      for name in ["Fridge", "Cellar"] {
        try await larder.commit(name) { _ = $0.addLocation(name) }
      }
    }
    for _ in 0..<count {
      clock.pass(milliseconds: Int64(random.number(1...pause)))
      guard let act = random.act(on: try await larder.survey(), at: clock.now, by: "laptop") else {
        continue
      }
      let head = try Git.run("rev-parse", "HEAD", in: larder.root)
      if await refusal(act, larder) == nil,
        try Git.run("rev-parse", "HEAD", in: larder.root) != head
      {
        done(act)
      }
    }
  }

  /// Does an act; returns the rule that refuses it.
  private func refusal(_ act: Act, _ larder: Larder) async -> String? {
    do {
      _ = try await larder.perform(act)
      return nil
    } catch {
      return "\(error)"
    }
  }
}

extension Survey {
  /// What there is, by its key: each field, and how much there is.
  fileprivate var meaning: [EntityKey: [String]] {
    var meaning: [EntityKey: [String]] = [:]
    for entity in household.entities where !entity.isTombstone {
      let fields = entity.registers.compactMap { field in
        field.value.map { "\(field.name.text): \($0)" }
      }
      let there = stock.withoutLack(entity)
      let isCounted = [.stockItem, .inventoryItem].contains(entity.kind)
      meaning[entity.key] =
        fields.sorted() + (isCounted ? ["\(there.quantity)", "\(there.isKeptFrozen)"] : [])
    }
    return meaning
  }
}
