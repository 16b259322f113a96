import LarderKit
import TestSupport
import Testing

@Suite("A name or a code that somebody typed comes before parts of ids")
struct NamedLotLawTests {
  /// Codes that are easily parts of ids, and ids that are easily codes.
  private struct Kitchen {
    var random: SeededGenerator
    var edit = Edit(Household())
    var item: Entity?

    mutating func id() -> String {
      let digits = (0..<32).map { _ in random.pick(Array("0123456789abcdefa2")) ?? "0" }
      let text = String(digits)
      let ends = [8, 12, 16, 20, 32]
      return zip([0] + ends, ends).map { start, end in
        String(text.dropFirst(start).prefix(end - start))
      }.joined(separator: "-")
    }

    func writer(_ id: String) -> Writer {
      Writer(
        now: Instant(milliseconds: 1_790_000_000_000), device: "laptop", userID: id,
        newID: { id })
    }

    /// A part of an id in the household, or something like one.
    mutating func code() -> String {
      let ids = edit.after.entities.map { $0.id.replacing("-", with: "") }
      let length = random.number(1...7)
      guard random.happens(70), let id = random.pick(ids) else {
        return String(id().prefix(length))
      }
      if random.happens(50) { return String(id.suffix(length)) }
      return String(id.dropFirst(random.number(0...25)).prefix(length))
    }

    mutating func fill() throws {
      let item = try edit.add(NewItem("Yuzu"), by: writer(id()))
      self.item = item
      for _ in 0..<random.number(2...6) {
        var details = BatchDetails(productID: item.id)
        details.lotCode = random.happens(80) ? code() : nil
        _ = try edit.add(Quantity(Number(2), .piece), details, by: writer(id()))
      }
      for batch in edit.after.all(.inventoryItem) where random.happens(25) {
        try edit.count(Quantity(.zero, .piece), ofBatch: batch, by: writer(id()))
      }
    }
  }

  @Test("a lot's code finds this lot, whatever ids contain it, and no other is used instead")
  func codes() throws {
    for seed in 0..<600 as Range<UInt64> {
      var kitchen = Kitchen(random: SeededGenerator(seed: seed))
      try kitchen.fill()
      let item = try #require(kitchen.item)
      let survey = Survey(kitchen.edit.after, now: Instant(milliseconds: 1_790_000_000_000))
      let batches = survey.stock.batches(of: item)
      for word in batches.compactMap(\.lotCode) + (0..<6).map({ _ in kitchen.code() }) {
        let named = batches.filter { $0.lotCode == word }
        let found: Lot?
        do throws(NamingError) {
          found = try survey.lot(word, of: item)
        } catch {
          found = nil
        }
        guard let found else {
          let left = named.filter(\.hasSomethingLeft)
          #expect(left.count != 1, "seed \(seed): '\(word)' does not find its lot")
          continue
        }
        let areLeft = found.batches.allSatisfy(\.hasSomethingLeft)
        #expect(areLeft, "seed \(seed): '\(word)' finds one that is used up")
        if named.isEmpty {
          let isPart = found.batches.allSatisfy { $0.lotCode?.contains(word) ?? false }
          let isEnd = word.count >= 6 && found.batches.allSatisfy { $0.id.hasSuffix(word) }
          #expect(isPart || isEnd, "seed \(seed): '\(word)' finds \(found.first.id)")
        } else {
          #expect(
            found.batches.allSatisfy { $0.lotCode == word },
            "seed \(seed): '\(word)' finds the lot \(found.first.lotCode ?? "without a code")")
        }
      }
    }
  }

  @Test("short parts of ids name nothing, and the end that file names show names one thing")
  func otherKinds() throws {
    let household = household(ids: "0192f0c4-7c1e-7d3a-9b52-3f6a1c7f3a9c")
    let survey = Survey(household, now: Instant(milliseconds: 1_790_000_000_000))
    for kind in Kind.allCases where kind != .household {
      for word in ["0192", "0192f", "3a9c", "7f3a"] {
        #expect(throws: NamingError.self) { try survey.naming.find(word, kind) }
      }
      #expect(try survey.naming.find("7f3a9c", kind).kind == kind)
      #expect(try survey.naming.find("0192f0c4", kind).kind == kind)
    }
  }

  private func household(ids: String...) -> Household {
    var household = Household()
    for id in ids {
      let at = Instant(milliseconds: 1_790_000_000_000)
      for kind in Kind.allCases where kind != .household {
        var entity = Entity(kind, id: id, createdAt: at)
        let name = Schema.of(kind).title ?? .productRef
        entity.write(
          name,
          kind == .inventoryItem
            ? .object([JSONMember("productId", .string(id))]) : .string("Thing"), at: at)
        household.put(entity, at: household.defaultPath(for: entity))
      }
    }
    return household
  }
}
