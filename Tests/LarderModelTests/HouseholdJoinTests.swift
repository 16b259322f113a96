import LarderJSON
import LarderText
import Testing
import TestSupport

@testable import LarderModel

@Suite("Two households become one")
struct HouseholdJoinTests {
  private func place(_ entities: (Entity, FilePath)...) -> Household {
    var household = Household()
    for (entity, path) in entities { household.put(entity, at: path) }
    return household
  }

  private func paths(_ household: Household) -> [EntityKey: FilePath] {
    household.keys.reduce(into: [:]) { $0[$1] = household.path(of: $1) }
  }

  @Test("a file that has to make room for another keeps what both sides wrote in it")
  func displaced() throws {
    let old = try item(1)
    let newcomer = try item(0)
    var mine = old
    mine.write("category", .string("Mine"), at: moment(20))
    var other = old
    other.write("name", .string("Theirs"), at: moment(21))
    let base = place((old, "stock/r.json"))
    let ours = place((mine, "stock/p.json"))
    let theirs = place((other, "stock/q.json"), (newcomer, "stock/p.json"))
    let left = ours.joined(with: theirs, base: base)
    let right = theirs.joined(with: ours, base: base)
    #expect(left.texts == right.texts)
    #expect(paths(left) == paths(right))
    let joined = try #require(left[old.key])
    #expect(joined.name == "Theirs")
    #expect(joined.category == "Mine")
  }
}
