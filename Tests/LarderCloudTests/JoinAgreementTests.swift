import Foundation
import LarderJSON
import LarderModel
import TestSupport
import Testing

@testable import LarderCloud

@Suite("The database's join and ours")
struct JoinAgreementTests {
  /// All kinds, 250 pairs each but for the household's; `LARDER_RUNS` asks for 850 of them at most,
  /// which are over 5,000 pairs.
  private static let pairsPerKind = {
    let wish = ProcessInfo.processInfo.environment["LARDER_RUNS"].flatMap { Int($0) }
    return min(max(wish ?? 250, pairsBothWays), 850)
  }()
  private static let pairsBothWays = 60

  @Test("come to the same, whichever comes first", arguments: Kind.allCases)
  func agree(on kind: Kind) async throws {
    print("joins of \(kind) in the database: LARDER_SEED=\(Seed.ofRun)")
    let member = try await Member(LocalSupabase.shared.get())
    if kind == .household { return try await agreeOnHouseholds(member) }
    let there = try await member.makeHousehold()
    let back = try await member.makeHousehold()
    let pairs = (0..<Self.pairsPerKind).map { pair($0, kind) }
    try await member.send(pairs.map(\.0), to: there)
    try await member.send(pairs.map(\.1), to: there)
    let some = pairs.prefix(Self.pairsBothWays)
    try await member.send(some.map(\.1), to: back)
    try await member.send(some.map(\.0), to: back)
    let (joined, joinedBack) = (try await held(there, member), try await held(back, member))
    for (index, (ours, theirs)) in pairs.enumerated() {
      let expected = ours.joined(with: theirs)
      try expectSame(joined[ours.key], expected, ours, theirs)
      if index < some.count { try expectSame(joinedBack[ours.key], expected, theirs, ours) }
    }
    // Neither version has anything to add, and nothing echoes.
    let before = try await news(there, member).cursors
    try await member.send(some.map(\.0), to: there)
    #expect(try await news(there, member).cursors == before)
  }

  private func news(_ household: String, _ member: Member) async throws -> Pull.News {
    try await Pull(client: member.client, household: household, report: { _ in })
      .news(since: [:], knows: { _ in false })
  }

  /// What the cloud holds, as a device that knows nothing yet reads it.
  private func held(_ household: String, _ member: Member) async throws -> [EntityKey: Entity] {
    let news = try await news(household, member)
    #expect(news.refused.isEmpty)
    return Dictionary(news.held { _ in nil }.map { ($0.entity.key, $0.entity) }) { first, _ in first
    }
  }

  /// A household is one to a household.
  private func agreeOnHouseholds(_ member: Member) async throws {
    for number in 0..<Self.pairsBothWays {
      let (ours, theirs) = pair(number, .household)
      try await member.send([ours], to: ours.id)
      let joined = try await member.send([theirs], to: ours.id)
      try expectSame(joined.first, ours.joined(with: theirs), ours, theirs)
    }
  }

  private func pair(_ number: Int, _ kind: Kind) -> (Entity, Entity) {
    let place = Kind.allCases.firstIndex(of: kind) ?? 0
    let seed = Seed.ofRun &+ UInt64(place * 1_000_000 + number)
    var generator = SeededGenerator(seed: seed)
    let id = kind == .product ? "ean_é\(number)" : Identifier.derived(from: "pair", "\(seed)")
    var versions = RandomVersions(kind, generator, id: id)
    let pool = versions.pool(of: 6).map(withMaker)
    return (pool[generator.number(0...5)], pool[generator.number(0...5)])
  }

  /// The database takes no row of a device that names nobody as its maker, and a device makes none.
  private func withMaker(_ entity: Entity) -> Entity {
    guard entity[.userID] == nil else { return entity }
    var entity = entity
    let stamp = entity.register(.userID)?.stamp ?? entity.createdAt
    entity.write(.userID, .string(Identifier.derived(from: "maker", entity.id)), at: stamp)
    return entity
  }

  private func expectSame(
    _ found: Entity?, _ expected: Entity, _ first: Entity, _ second: Entity
  ) throws {
    guard found != expected || found?.fileBytes != expected.fileBytes else { return }
    let text = { (entity: Entity) in String(decoding: entity.fileBytes, as: UTF8.self) }
    Issue.record(
      """
      LARDER_SEED=\(Seed.ofRun): the database joins
      \(text(first))\(text(second))to
      \(found.map(text) ?? "nothing")instead of
      \(text(expected))
      """)
    throw Disagreement()
  }

  private struct Disagreement: Error {}
}
