import LarderJSON
import Testing

@OwnThread @Suite("Acts that come too late")
struct OvertakenTests {
  @Test("a tick of forty minutes ago loses against an untick of five minutes ago, and is told so")
  func overtaken() async throws {
    let home = try await ServedHousehold()
    let bananas = try #require(try home.entry("Bananas")?["id"])
    home.pass(minutes: 60)
    _ = try home.act(["kind": "got", "entry": bananas], minutesAgo: 5)
    _ = try home.act(["kind": "ungot", "entry": bananas], minutesAgo: 4)
    let late = try home.act(["kind": "got", "entry": bananas], minutesAgo: 40)
    #expect(late.first?["answer"] == .string("overtaken"))
    #expect(late.first?["say"]?.string?.contains("not in the basket") == true)
    #expect(try home.entry("Bananas")?["isCompleted"] == .bool(false))
    await home.stop()
  }

  @Test("a value that stands is told as people write it, whatever field it is of")
  func overtakenValues() async throws {
    let home = try await ServedHousehold()
    home.pass(minutes: 60)
    let milk = try #require(try home.item("Milk")["id"])
    let receipt = try #require(try home.ask("state").1["receipts"]?.array?.first?["id"])
    let places = try home.ask("state").1["locations"]?.array ?? []
    let (fridge, cellar) = (
      places.first { $0["name"] == "Fridge" }, places.first { $0["name"] == "Cellar" }
    )
    let cases: [(act: [String: JSON], field: String, value: JSON, other: JSON, words: String)] = [
      (["item": milk], "quantityFullStock", .number("8"), .number("9"), "8 l"),
      (["item": milk], "keepsDays", .number("5"), .number("4"), "5 days"),
      (
        ["item": milk], "storageLocationId", fridge?["id"] ?? .null, cellar?["id"] ?? .null,
        "Fridge"
      ),
      (["item": milk], "aliases", .array(["Milch", "lait"]), .array(["latte"]), "Milch, lait"),
      (["receipt": receipt], "amount", .number("12.5"), .number("3"), "12.50 GBP"),
      (
        ["receipt": receipt], "timestamp", "2026-11-20T10:00:00.000Z", "2026-11-20T11:00:00.000Z",
        "Fri 2026-11-20 10:00"
      ),
    ]
    for (thing, field, value, other, words) in cases {
      func edit(_ value: JSON, minutesAgo minutes: Int64) throws -> JSON? {
        let kind: JSON = thing["receipt"] == nil ? "edit" : "correct"
        let members = thing.merging(["kind": kind, "fields": .object([.init(field, value)])]) { $1 }
        return try home.act(
          .object(members.map { .init($0.key, $0.value) }), minutesAgo: minutes
        ).first
      }
      #expect(try edit(value, minutesAgo: 5)?["answer"] == "done", "\(field)")
      let late = try edit(other, minutesAgo: 40)
      #expect(late?["answer"] == "overtaken", "\(field)")
      let say = late?["say"]?.string ?? ""
      #expect(say.contains(": \(words), "), "\(field): \(say)")
    }
    await home.stop()
  }
}
