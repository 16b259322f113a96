import LarderJSON
import LarderKit
import LarderServe
import TestSupport
import Testing

/// What a phone is told of days: it knows no rule, so all that it draws follows from this.
@Suite("The days in a phone's state")
struct FrozenStateTests {
  private func batch(_ id: JSON?, of name: String, in home: ServedHousehold) throws -> JSON? {
    try home.item(name)["batches"]?.array?.first { $0["id"] == id }
  }

  @Test("what is moved to a freezer has no day until one is written there")
  func frozen() async throws {
    let home = try await ServedHousehold()
    let places = try #require(try home.ask("state").1["locations"]?.array)
    let freezers = places.filter { $0["isFreezer"] == .bool(true) }
    #expect(freezers.compactMap { $0["name"]?.string } == ["Freezer"])
    let (freezer, milk) = (try #require(freezers.first?["id"]), try home.item("Milk"))
    _ = try home.act([
      "kind": "put", "item": milk["id"], "quantity": .number("1"), "expiry": "2026-11-23",
    ])
    let batches = try #require(try home.item("Milk")["batches"]?.array)
    let id = try #require(
      batches.first { $0["expiry"]?["isoDate"] == .string("2026-11-23") }?["id"])
    home.pass(minutes: 1)
    _ = try home.act(["kind": "move", "batch": id, "location": freezer])
    #expect(try batch(id, of: "Milk", in: home)?["storageLocationId"] == freezer)
    #expect(try batch(id, of: "Milk", in: home)?["expiry"] == nil)
    let due = try home.larder.run(["due", "milk", "--json"], in: "home").output
    #expect(!due.contains(id.string ?? "?"))
    home.pass(minutes: 1)
    // The day on the package, said again, counts.
    _ = try home.act(["kind": "edit", "batch": id, "fields": ["expiry": "2026-11-23"]])
    #expect(try batch(id, of: "Milk", in: home)?["expiry"]?["isoDate"] == .string("2026-11-23"))
    await home.stop()
  }

  @Test("a guess says that it is one, and what is past its best has not expired")
  func guesses() async throws {
    let home = try await ServedHousehold()
    for (name, confidence, isGuess) in [("Plums", "0.5", true), ("Cherries", "0.97", false)] {
      let made = try home.larder.run(["stock", "new", name], in: "home")
      try #require(made.code == 0, "\(made.errors)")
      let put = try home.larder.run(
        ["put", name, "2", "--use-by", "2026-11-20", "--confidence", confidence], in: "home")
      try #require(put.code == 0, "\(put.errors)")
      home.pass(minutes: 1)
      let expiry = try #require(try home.item(name)["batches"]?.array?.first?["expiry"])
      #expect((expiry["isGuess"] == .bool(true)) == isGuess)
      #expect((expiry["isBest"] == .bool(true)) == isGuess)
      #expect(expiry["confidence"] == .number(confidence))
    }
    await home.stop()
  }
}
