import Foundation
import TestSupport
import Testing

/// What happened to one file.
private enum Harm: CaseIterable {
  case flipped, cut, emptied, zeroed, overwritten, gone

  func applied(to bytes: Data, _ random: inout SeededGenerator) -> Data? {
    var bytes = [UInt8](bytes)
    switch self {
    case .flipped:
      guard let index = bytes.indices.randomElement(using: &random) else { return Data([1]) }
      bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case .cut:
      bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
    case .emptied: bytes = []
    case .zeroed: bytes = bytes.map { _ in 0 }
    case .overwritten: bytes = bytes.map { _ in UInt8.random(in: 0...255, using: &random) }
    case .gone: return nil
    }
    return Data(bytes)
  }
}

@Suite("A household with a damaged file")
struct RandomDamageTests {
  /// `LARDER_SEED` repeats one run, `LARDER_DAMAGES` asks for more than the usual number.
  static var seeds: [UInt64] {
    if let seed = Seed.single { return [seed] }
    let wish = ProcessInfo.processInfo.environment["LARDER_DAMAGES"].flatMap { UInt64($0) }
    return (0..<(wish ?? 48)).map { Seed.ofRun + $0 }
  }

  @Test(
    "is told of, read where it can be, never made worse, and mended or copied again",
    arguments: seeds)
  func damage(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let household = try DamagedHousehold()
    let before = try household("stock", "--plain")
    try #require(before.code == 0)
    // Each place of the repository has its turn, however few files it has.
    let groups = Dictionary(grouping: try household.paths()) { path in
      path.split(separator: "/").prefix(path.hasPrefix(".git/objects") ? 2 : 3).joined()
    }
    let group = try #require(groups.keys.sorted().randomElement(using: &random))
    let path = try #require(groups[group]?.randomElement(using: &random))
    let harm = try #require(Harm.allCases.randomElement(using: &random))
    let old = try household.bytes(path)
    let new = harm.applied(to: old, &random)
    try household.damage(path, with: new)
    let note = Comment(rawValue: "LARDER_SEED=\(seed): \(path) \(harm)")

    try expectHonestReading(of: household, note)
    let fixed = try household("doctor", "--fix")
    #expect(fixed.code <= 1, "\(note), doctor --fix: \(fixed.output)\(fixed.errors)")
    let left = try household("doctor")
    if fixed.code == 0 { #expect(left.code == 0, "\(note), after fixing: \(left.output)") }
    var place = "home/nest"
    if path.hasPrefix(".git/"), !path.hasPrefix(".git/logs"), !isSetting(path) {
      if fixed.code != 0 {
        #expect(fixed.errors.contains("'larder join ADDRESS NEW'"), "\(note): \(fixed.errors)")
        place = try household.copyAgain()
        let sound = try household.larder("doctor", in: place)
        #expect(sound.code == 0, "\(note), in a new copy: \(sound.output)")
      }
      let after = try household.larder("stock", "--plain", in: place)
      #expect(after.output == before.output, "\(note), after fixing: \(after.errors)")
    }
    // Bytes that people may want to look at are somewhere.
    if let new, Harm.gone != harm, !new.isEmpty, path.hasSuffix(".json") {
      #expect(try household.isKept(new), "\(note), the damaged bytes")
    }
    let added = try household.larder("stock", "put", "milk", "1", in: place)
    let isSetUp = fixed.code == 0 || !isSetting(path)
    #expect(
      [0, 3, 5].contains(added.code) || !isSetUp, "\(note), writing: \(added.errors)")
  }

  /// Commands that read end by themselves, say what is the matter, and change nothing.
  private func expectHonestReading(of household: DamagedHousehold, _ note: Comment) throws {
    let before = try household.contents()
    for words in [["status"], ["stock"], ["check"], ["log", "--limit", "0"], ["doctor"]] {
      let outcome = try household.larder.run(words, in: "home/nest")
      let said = "\(note), \(words[0]): \(outcome.code) \(outcome.output)\(outcome.errors)"
      #expect((0...7).contains(outcome.code), "\(said)")
      if outcome.code != 0 {
        let text = outcome.output + outcome.errors
        #expect(text.contains("hint: ") || words[0] == "check", "\(said)")
        #expect(!text.contains("no words yet"), "\(said)")
      }
    }
    let after = try household.contents()
    #expect(Set(after.keys) == Set(before.keys), "\(note), reading")
    for (path, bytes) in before where after[path] != bytes {
      Issue.record("\(note), reading changed \(path)")
    }
  }

  /// What is not in the history, and can only be set up anew.
  private func isSetting(_ path: String) -> Bool { path == ".git/config" }
}
