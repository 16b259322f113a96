import Foundation
import LarderJSON
import LarderKit
import TestSupport
import Testing

/// What a phone is told of what was done, what is gone, and of the household's own syncs.
@OwnThread @Suite("What a phone is told of changes, of what is gone, and of syncs")
struct HistoryAnswersTests {
  private func changes(of item: JSON, in home: ServedHousehold) throws -> [JSON] {
    let (status, answer) = try home.ask("item/\(item.string ?? "")")
    try #require(status == 200, "\(answer)")
    return try #require(answer["changes"]?.array)
  }

  @Test("each change of an item says who did what with how much, in words without files")
  func changes() async throws {
    let home = try await ServedHousehold()
    let milk = try #require(try home.item("Milk")["id"])
    #expect(try changes(of: milk, in: home) == [], "it came from files alone")
    let places = try #require(try home.ask("state").1["locations"]?.array)
    func place(_ name: String) -> JSON? { places.first { $0["name"] == .string(name) }?["id"] }
    func told(_ act: JSON) throws -> JSON {
      home.pass(minutes: 1)
      let answers = try home.act(act)
      try #require(answers.first?["answer"] == "done", "\(answers)")
      return try #require(try changes(of: milk, in: home).first)
    }
    let put = try told([
      "kind": "put", "item": milk, "quantity": .number("2"), "location": place("Fridge"),
      "expiry": "2026-12-01",
    ])
    #expect(put["kind"] == "put" && put["quantity"] == .number("2") && put["unit"] == "liter")
    #expect(put["location"] == place("Fridge") && put["isOwn"] == .bool(true))
    #expect(put["say"] == "put 2 l in the fridge" && put["by"] == "Mira's phone")
    let batch = try #require(
      try home.item("Milk")["batches"]?.array?.first { $0["expiry"]?["isoDate"] == "2026-12-01" }?[
        "id"])
    let acts: [(JSON, String, String)] = [
      (
        ["kind": "move", "batch": batch, "location": place("Freezer"), "quantity": .number("1")],
        "move", "moved 1 l to the freezer"
      ), (["kind": "open", "batch": batch], "open", "opened 1 l"),
      (
        ["kind": "edit", "batch": batch, "fields": ["expiry": "2026-12-02"]], "date",
        "said until when 1 l keeps"
      ), (["kind": "use", "batch": batch, "quantity": .number("0.5")], "use", "used 0.5 l"),
      (["kind": "spoil", "batch": batch], "spoil", "threw away 0.5 l"),
      (["kind": "count", "item": milk, "quantity": .number("3")], "count", "counted 3 l"),
      (["kind": "edit", "item": milk, "fields": ["note": "blue"]], "edit", "edited Milk"),
      (["kind": "archive", "item": milk], "archive", "archived Milk"),
      (["kind": "unarchive", "item": milk], "unarchive", "restored Milk"),
    ]
    for (act, kind, say) in acts {
      let change = try told(act)
      #expect(change["kind"] == .string(kind), "\(say): \(change)")
      #expect(change["say"] == .string(say), "\(change)")
    }
    let line: JSON = ["item": milk, "quantity": .number("2")]
    let bought = try told(["kind": "bought", "shop": "Aldi", "lines": .array([line])])
    #expect(bought["kind"] == "bought" && bought["say"] == "bought 2 l")
    home.pass(minutes: 1)
    #expect(try home.larder.run(["use", "milk", "0.5l"], in: "home").code == 0)
    let other = try #require(try changes(of: milk, in: home).first)
    #expect(other["say"] == "used 0.5 l" && other["isOwn"] == nil)
    let named = try #require(
      FileManager.default.enumerator(atPath: home.root + "/stock")?.compactMap { $0 as? String }
        .first { $0.hasPrefix("milk-") })
    let file = home.root + "/stock/" + named
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try Data(text.replacing(#""note": "blue""#, with: #""note": "red""#).utf8)
      .write(to: URL(filePath: file))
    #expect(try home.larder.run(["adopt"], in: "home").code == 0)
    let byHand = try #require(try changes(of: milk, in: home).first)
    #expect(byHand["say"] == "edited Milk by hand" && byHand["byHand"] == .bool(true))
    await home.stop()
  }

  @Test("what was archived, dropped and taken back is told with who did it, until it is back")
  func back() async throws {
    let home = try await ServedHousehold()
    func names(_ part: String, _ key: String) throws -> [String] {
      try #require(try home.ask("back").1[part]?.array).compactMap { $0[key]?.string }
    }
    let before = try names("archived", "name")
    let milk = try #require(try home.item("Milk")["id"])
    let bananas = try #require(try home.entry("Bananas")?["id"])
    let receipt = try #require(try home.ask("state").1["receipts"]?.array?.first)
    home.pass(minutes: 1)
    _ = try home.act(
      ["kind": "archive", "item": milk], ["kind": "drop", "entry": bananas],
      ["kind": "void", "receipt": receipt["id"]])
    #expect(try names("archived", "name") == ["Milk"] + before)
    #expect(try names("dropped", "name") == ["Bananas"])
    #expect(try names("receipts", "shopName") == [receipt["shopName"]?.string])
    for part in ["archived", "dropped", "receipts"] {
      #expect(try home.ask("back").1[part]?.array?.first?["by"] == "Mira's phone", "\(part)")
    }
    home.pass(minutes: 1)
    _ = try home.act(
      ["kind": "unarchive", "item": milk], ["kind": "restore", "entry": bananas])
    #expect(try names("archived", "name") == before)
    #expect(try names("dropped", "name") == [])
    home.pass(minutes: 1)
    _ = try home.act(["kind": "bought", "shop": "Aldi", "entries": .array([bananas])])
    #expect(try names("dropped", "name") == [], "what was bought was not dropped")
    await home.stop()
  }

  @Test("a phone can sync the household, and hears why that fails, or that there is no remote")
  func syncs() async throws {
    let home = try await ServedHousehold()
    let (status, none) = try home.ask("sync", [:])
    #expect(status == 503)
    #expect(none["say"]?.string?.contains("nothing to sync with") == true)
    let hub = home.larder.folder("hub.git")
    try Git.run("init", "--bare", "--quiet", hub, in: home.root)
    try Git.run("remote", "add", "origin", hub, in: home.root)
    let well: JSON = ["remote": "origin", "last": "2026-11-21T12:00:00.000Z"]
    #expect(try home.ask("sync", [:]).1["syncs"] == .array([well]))
    try FileManager.default.moveItem(atPath: hub, toPath: hub + ".away")
    let failed = try home.ask("sync", [:]).1["syncs"]?.array?.first
    #expect(failed?["say"]?.string?.contains("hub.git") == true, "\(String(describing: failed))")
    await home.stop()
  }
}
