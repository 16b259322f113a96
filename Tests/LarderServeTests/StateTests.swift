import Foundation
import LarderJSON
import LarderKit
import TestSupport
import Testing

/// What the state says beyond the files: what is usual, often, to be put away, and what became of it.
@OwnThread @Suite("What a phone's state knows of habits, places and syncs")
struct StateTests {
  private func receipt(of shop: String, in home: ServedHousehold) throws -> JSON {
    let receipts = try #require(try home.ask("state").1["receipts"]?.array)
    return try #require(receipts.first { $0["shopName"] == .string(shop) })
  }

  private func make(_ name: String, _ fields: JSON = [:], in home: ServedHousehold) throws -> JSON {
    let all = JSON.object([JSONMember("name", .string(name))] + (fields.members ?? []))
    let answers = try home.act(["kind": "new", "fields": all])
    try #require(answers.first?["answer"] == "done", "\(answers)")
    home.pass(minutes: 1)
    return try #require(try home.item(name)["id"])
  }

  private func place(_ name: String, in home: ServedHousehold) throws -> JSON {
    let places = try #require(try home.ask("state").1["locations"]?.array)
    return try #require(places.first { $0["name"] == .string(name) }?["id"])
  }

  @Test("where a thing was put last and how long it kept is usual, until somebody says otherwise")
  func usual() async throws {
    let home = try await ServedHousehold()
    let tofu = try make("Tofu", in: home)
    #expect(try home.item("Tofu")["usual"] == nil)
    let fridge = try place("Fridge", in: home)
    for days in [("2026-11-27", 6), ("2026-11-30", 9)] {
      _ = try home.act([
        "kind": "put", "item": tofu, "quantity": .number("1"), "location": fridge,
        "expiry": .string(days.0),
      ])
      home.pass(minutes: 1)
    }
    let usual = try home.item("Tofu")["usual"]
    #expect(usual == ["location": fridge, "days": .number("8"), "isAbout": .bool(true)])
    _ = try home.act(["kind": "edit", "item": tofu, "fields": ["keepsDays": .number("10")]])
    #expect(try home.item("Tofu")["usual"] == ["location": fridge, "days": .number("10")])
    await home.stop()
  }

  @Test("what nobody put anywhere goes where most of its category lies, if that is one place")
  func categories() async throws {
    let home = try await ServedHousehold()
    let (fridge, freezer) = (try place("Fridge", in: home), try place("Freezer", in: home))
    let category: JSON = ["category": "Soy"]
    for (name, place) in [("Tempeh", fridge), ("Natto", freezer)] {
      let item = try make(name, category, in: home)
      _ = try home.act([
        "kind": "put", "item": item, "quantity": .number("1"), "location": place,
      ])
      home.pass(minutes: 1)
    }
    _ = try make("Tofu", category, in: home)
    #expect(try home.item("Tofu")["usual"] == nil, "two places are equally often")
    let okara = try make("Okara", category, in: home)
    _ = try home.act(["kind": "put", "item": okara, "quantity": .number("1"), "location": fridge])
    #expect(try home.item("Tofu")["usual"]?["location"] == fridge)
    await home.stop()
  }

  @Test("a move into a freezer says how long it is frozen, and nothing of how it keeps elsewhere")
  func frozen() async throws {
    let home = try await ServedHousehold()
    let tofu = try make("Tofu", in: home)
    let (fridge, freezer) = (try place("Fridge", in: home), try place("Freezer", in: home))
    _ = try home.act([
      "kind": "put", "item": tofu, "quantity": .number("3"), "location": fridge,
      "expiry": "2026-11-28",
    ])
    home.pass(minutes: 1)
    let kept: JSON = ["location": fridge, "days": .number("7"), "isAbout": .bool(true)]
    let batch = try #require(try home.item("Tofu")["batches"]?.array?.first?["id"])
    let part = JSON.string(UUID().uuidString.lowercased())
    _ = try home.act([
      "kind": "move", "id": part, "batch": batch, "location": freezer, "quantity": .number("1"),
    ])
    #expect(try home.item("Tofu")["usual"] == kept, "no day was said in the freezer")
    home.pass(minutes: 1)
    _ = try home.act(["kind": "edit", "batch": part, "fields": ["expiry": "2027-02-19"]])
    home.pass(minutes: 1)
    let members = (kept.members ?? []) + [JSONMember("frozenDays", .number("90"))]
    #expect(try home.item("Tofu")["usual"] == .object(members))
    _ = try home.act(["kind": "move", "batch": batch, "location": freezer])
    #expect(try home.item("Tofu")["usual"]?["days"] == .number("7"))
    let batches = try #require(try home.item("Tofu")["batches"]?.array)
    #expect(batches.map { $0["expiry"]?["isoDate"] } == ["2027-02-19", nil], "\(batches)")
    await home.stop()
  }

  @Test("what a receipt brought is to be put away until it has place and date, or is settled")
  func putAway() async throws {
    let home = try await ServedHousehold()
    let (oil, tofu) = (try make("Walnut oil", in: home), try make("Tofu", in: home))
    let lines: [JSON] = [oil, tofu].map { ["item": $0, "quantity": .number("1")] }
    func buy(_ shop: String) throws -> String {
      home.pass(minutes: 1)
      let bought = try home.act(["kind": "bought", "shop": .string(shop), "lines": .array(lines)])
      return try #require(bought.first?["made"]?.string, "\(bought)")
    }
    let first = try buy("First")
    let asked = try #require(try receipt(of: "First", in: home)["toPutAway"]?.array)
    #expect(asked.map { $0["name"] } == ["Walnut oil", "Tofu"])
    #expect(asked.map { $0["item"] } == [oil, tofu])
    #expect(try home.item("Walnut oil")["usual"] == nil, "nobody was asked yet")
    #expect(try receipt(of: "First", in: home)["by"] == "Mira's phone")
    let fridge = try place("Fridge", in: home)
    let chosen: [JSON] = [["location": fridge], ["location": fridge, "expiry": "2026-11-25"]]
    for (line, fields) in zip(asked, chosen) {
      home.pass(minutes: 1)
      _ = try home.act([
        "kind": "correct", "receipt": .string(first), "line": line["line"], "fields": fields,
      ])
    }
    let still = try #require(try receipt(of: "First", in: home)["toPutAway"]?.array)
    #expect(still.map { $0["expiry"] } == [nil, "2026-11-25"], "the oil has no date")
    let larder = try await home.open()
    try await larder.settlePutAway(receipt: first)
    #expect(try receipt(of: "First", in: home)["toPutAway"] == nil)
    #expect(
      try home.item("Walnut oil")["usual"] == ["location": fridge, "hasNoDate": .bool(true)])

    let second = try buy("Second")
    let again = try #require(try receipt(of: "Second", in: home)["toPutAway"]?.array)
    for line in again {
      home.pass(minutes: 1)
      let isOil = line["name"] == "Walnut oil"
      _ = try home.act([
        "kind": "correct", "receipt": .string(second), "line": line["line"],
        "fields": isOil ? ["location": fridge] : ["location": fridge, "expiry": "2026-11-26"],
      ])
    }
    #expect(try receipt(of: "Second", in: home)["toPutAway"] == nil, "oil is not asked for a date")

    _ = try buy("Third")
    home.pass(minutes: 1)
    for item in [oil, tofu] {
      _ = try home.act(["kind": "count", "item": item, "quantity": .number("0")])
    }
    #expect(try receipt(of: "Third", in: home)["toPutAway"] == nil, "nothing is left of it")
    _ = try buy("Fourth")
    #expect(try receipt(of: "Fourth", in: home)["toPutAway"] != nil)
    home.pass(minutes: 60 * 24 * 15)
    #expect(try receipt(of: "Fourth", in: home)["toPutAway"] == nil, "it is too long ago")
    await home.stop()
  }

  @Test("what was bought on three days is bought often, by the median of days and amounts")
  func often() async throws {
    let home = try await ServedHousehold()
    let tofu = try make("Tofu", ["unit": "gram"], in: home)
    for (day, amount) in [("01", "200"), ("01", "200"), ("08", "400"), ("10", "300")] {
      #expect(try home.item("Tofu")["often"] == nil)
      let line: JSON = ["item": tofu, "quantity": .number(amount)]
      _ = try home.act([
        "kind": "bought", "shop": "Aldi", "lines": .array([line]),
        "timestamp": .string("2026-11-\(day)T10:00:00Z"),
      ])
      home.pass(minutes: 1)
    }
    let often: JSON = [
      "days": .number("2"), "last": "2026-11-10", "quantity": .number("400"), "unit": "gram",
    ]
    #expect(try home.item("Tofu")["often"] == often)
    await home.stop()
  }

  @Test("numbers under barcodes, archived items and entries that a receipt closed are in the state")
  func numbers() async throws {
    let home = try await ServedHousehold()
    let yeast = try make("Yeast", ["unit": "gram", "category": "Baking"], in: home)
    let made = try home.larder.run(
      [
        "product", "new", "4006381333931", "--title", "Dry Yeast", "--item", "yeast", "--pack-size",
        "42g",
      ], in: "home")
    try #require(made.code == 0, "\(made.errors)")
    let pack: JSON = ["number": "4006381333931", "quantity": .number("42"), "unit": "gram"]
    #expect(try home.item("Yeast")["barcodes"] == .array([pack]))
    home.pass(minutes: 1)
    _ = try home.act(["kind": "want", "item": yeast, "quantity": .number("42")])
    home.pass(minutes: 1)
    let entry = try #require(try home.entry("Yeast")?["id"])
    _ = try home.act(["kind": "bought", "shop": "Aldi", "entries": .array([entry])])
    #expect(try receipt(of: "Aldi", in: home)["entries"] == .array([entry]))
    home.pass(minutes: 1)
    let before = try home.ask("state").1["archived"]?.array ?? []
    _ = try home.act(["kind": "archive", "item": yeast])
    let archived = try #require(try home.ask("state").1["archived"]?.array)
    #expect(archived.count == before.count + 1)
    let names = archived.compactMap { $0["name"]?.string }
    #expect(names == names.sorted())
    let gone = try #require(archived.first { $0["id"] == yeast })
    #expect(gone["quantityInStock"] == .number("42") && gone["unit"] == "gram")
    #expect(gone["category"] == "Baking")
    await home.stop()
  }

  @Test("the place with the most things comes first, and what comes today counts tomorrow")
  func places() async throws {
    let home = try await ServedHousehold()
    func places() throws -> [String] {
      try #require(try home.ask("state").1["locations"]?.array).compactMap { $0["name"]?.string }
    }
    let added = try home.larder.run(["location", "new", "Attic"], in: "home")
    try #require(added.code == 0, "\(added.errors)")
    let before = try places()
    let attic = try place("Attic", in: home)
    func isInUse() throws -> JSON? {
      let all = try home.ask("state").1["locations"]?.array
      return all?.first { $0["id"] == attic }?["inUse"]
    }
    #expect(try isInUse() == nil)
    for number in 1...40 {
      _ = try home.act([
        "kind": "new", "fields": ["name": .string("Box \(number)"), "storageLocationId": attic],
      ])
    }
    #expect(try places() == before)
    #expect(try isInUse() == .bool(true))
    home.pass(minutes: 60 * 24)
    #expect(try places().first == "Attic")
    await home.stop()
  }

  @Test("each remote of the household says when it was synced, and why it is not")
  func syncs() async throws {
    let home = try await ServedHousehold()
    #expect(try home.ask("state").1["household"]?["syncs"] == nil)
    let hub = home.larder.folder("hub.git")
    try Git.run("init", "--bare", "--quiet", hub, in: home.root)
    try Git.run("remote", "add", "origin", hub, in: home.root)
    #expect(try home.ask("state").1["household"]?["syncs"] == .array([["remote": "origin"]]))
    #expect(try home.larder.run(["sync"], in: "home").code == 0)
    let well: JSON = ["remote": "origin", "last": "2026-11-21T12:00:00.000Z"]
    #expect(try home.ask("state").1["household"]?["syncs"] == .array([well]))
    try FileManager.default.moveItem(atPath: hub, toPath: hub + ".away")
    #expect(try home.larder.run(["sync"], in: "home").code != 0)
    let failing = try home.ask("state").1["household"]?["syncs"]?.array?.first
    #expect(failing?["say"]?.string?.contains("hub.git") == true)
    #expect(failing?["last"] == well["last"])
    await home.stop()
  }
}
