import LarderJSON
import LarderModel
import LarderText
import Testing
import TestSupport

@Suite("What is wrong with a household, and how two versions differ")
struct HouseholdCheckTests {
  private let now = Instant(milliseconds: 1_795_000_000_000)

  private func item(_ id: String, _ entries: LedgerEntry...) -> Entity {
    var item = Entity(.stockItem, id: id, createdAt: now)
    item.write("name", .string(id == "a" ? "Milk" : "Milk \(id)"), at: now)
    for entry in entries { item.record(entry) }
    return item
  }

  private func entry(_ id: String, by device: String, request: String?) -> LedgerEntry {
    LedgerEntry(
      id: id, at: now, .delta(Number(1)), unit: .piece, why: .add, by: device, request: request)
  }

  private func household(_ entities: Entity...) -> Household {
    var household = Household()
    for entity in entities { household.put(entity, at: "stock/\(entity.id).json") }
    return household
  }

  @Test("a request that one device served from two files is no finding, two devices are one")
  func requests() {
    let one = item("a", entry("1", by: "phone", request: "r"))
    let same = item("b", entry("2", by: "phone", request: "r"))
    let other = item("b", entry("2", by: "laptop", request: "r"))
    #expect(HouseholdCheck.findings(in: household(one, same), now: now) == [])
    let findings = HouseholdCheck.findings(in: household(one, other), now: now)
    #expect(
      findings.map(\.kind) == [
        .servedTwice(request: "r", otherPath: "stock/a.json", devices: ["laptop", "phone"])
      ])
    #expect(findings.map(\.path) == ["stock/b.json"])
  }

  @Test("a name or other name of two items is named at the one with the greater id")
  func sharedNames() {
    var one = item("a")
    one.write("aliases", .array([.string("Mjölk"), .string("Semi-skimmed")]), at: now)
    var other = item("b")
    other.write("aliases", .array([.string("Full fat"), .string("MJOLK")]), at: now)
    var archived = item("c")
    archived.write("name", .string("Full fat"), at: now)
    archived.write("isArchived", .bool(true), at: now)
    let findings = HouseholdCheck.findings(in: household(one, other, archived), now: now)
    #expect(findings.map(\.kind) == [.sharedName("MJOLK", otherPath: "stock/a.json")])
    #expect(findings.map(\.place) == [.value([.key("aliases"), .index(1)])])
  }

  @Test("what came to an item that was merged is told; what was there when one was archived is not")
  func leftBehind() {
    // The stamps of one edit follow each other by milliseconds: up to ten are the edit that merges.
    for (gap, isMerged) in [(1, true), (10, true), (11, false)] {
      func entry(_ id: String, _ at: Int64, _ number: Int, _ why: LedgerEntry.Reason) -> LedgerEntry
      {
        LedgerEntry(
          id: id, at: now.adding(milliseconds: at), .delta(Number(number)), unit: .piece, why: why,
          by: "phone")
      }
      var item = item(
        "a", entry("1", 0, 5, .add), entry("2", 50, 2, .add), entry("3", 100, -5, .move))
      item.write("isArchived", .bool(true), at: now.adding(milliseconds: 100 + Int64(gap)))
      let findings = HouseholdCheck.findings(in: household(item), now: now)
      #expect(
        findings.map(\.kind)
          == (isMerged ? [.archivedWithQuantity(Quantity(Number(2), .piece))] : []),
        "archived \(gap) ms after the move")
    }
  }

  @Test("a request that was taken back does not count as served")
  func undoneRequest() {
    let undoing = LedgerEntry(
      id: "3", at: now.next, .undoes("2"), unit: .piece, why: .undo, by: "laptop")
    let one = item("a", entry("1", by: "phone", request: "r"))
    let other = item("b", entry("2", by: "laptop", request: "r"), undoing)
    #expect(HouseholdCheck.findings(in: household(one, other), now: now) == [])
  }

  @Test("a stamp is ahead of the clock from one millisecond past a day on")
  func clock() {
    let household = household(item("a"))
    let limit = now.adding(milliseconds: -86_400_000)
    #expect(HouseholdCheck.findings(in: household, now: limit) == [])
    let findings = HouseholdCheck.findings(in: household, now: limit.adding(milliseconds: -1))
    #expect(findings.map(\.kind) == [.aheadOfClock(field: "createdAt", now)])
  }

  @Test("equal households don't differ, and neither does one whose stamps alone moved")
  func noDifference() {
    let before = household(item("a"))
    #expect(before.differences(from: before).isEmpty)
    var later = item("a")
    later.write("name", .string("Milk"), at: now.next)
    #expect(household(later).differences(from: before).isEmpty)
  }

  @Test("a difference has the fields, the quantity and the new entries of an entity")
  func difference() throws {
    let before = household(item("a"))
    var changed = item("a", entry("1", by: "phone", request: nil))
    changed.write("name", .string("Oat milk"), at: now.next)
    changed.write("category", .string("Drinks"), at: now.next)
    let difference = try #require(household(changed).differences(from: before).first)
    #expect(difference.fields.map(\.name) == ["name", "category"])
    #expect(difference.fields[0].before == .string("Milk"))
    #expect(difference.fields[1].before == nil)
    #expect(difference.quantity?.before == Quantity(.zero, .piece))
    #expect(difference.quantity?.after == Quantity(Number(1), .piece))
    #expect(difference.entries.map(\.id) == ["1"])
    #expect(!difference.isNew && !difference.isDeleted && !difference.isRestored)
  }

  @Test("what is new, deleted, restored or gone is told apart")
  func lives() throws {
    let live = item("a")
    let deleted = live.deleted(at: now.next)
    func only(_ before: Household, _ after: Household) throws -> EntityDifference {
      try #require(after.differences(from: before).first)
    }
    #expect(try only(household(), household(live)).isNew)
    #expect(try only(household(live), household(deleted)).isDeleted)
    #expect(try only(household(deleted), household(live)).isRestored)
    let gone = try only(household(live), household())
    #expect(gone.isDeleted && gone.path == nil && gone.oldPath == "stock/a.json")
  }

  @Test("a renamed file is a difference by itself")
  func renamed() throws {
    var moved = Household()
    moved.put(item("a"), at: "stock/milk.json")
    let difference = try #require(moved.differences(from: household(item("a"))).first)
    #expect(difference.oldPath == "stock/a.json" && difference.path == "stock/milk.json")
    #expect(difference.fields.isEmpty && difference.entries.isEmpty)
  }
}
