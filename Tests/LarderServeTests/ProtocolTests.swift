import Foundation
import LarderJSON
import LarderKit
import LarderServe
import TestSupport
import Testing

@OwnThread @Suite("The protocol of larder serve")
struct ProtocolTests {
  @Test("each example of docs/protocol.md is an act that the sample household takes")
  func examples() async throws {
    let home = try await ServedHousehold()
    let text = try String(
      contentsOf: Checkout.root.appending(path: "docs/protocol.md"), encoding: .utf8)
    let examples = text.matches(of: /```json act\n((?:.*\n)+?)```/).map { String($0.output.1) }
    var kinds: Set<String> = []
    for example in examples {
      let act = try JSON(parsing: Array(example.utf8))
      kinds.insert(try #require(act["kind"]?.string))
      home.pass(minutes: 1)
      let answers = try home.act(act)
      let isUnknown = act["kind"]?.string == "undo"
      #expect(
        answers.first?["answer"] == .string(isUnknown ? "refused" : "done"), "\(example)\(answers)")
    }
    let documented = Set(text.matches(of: /\*\*([a-z]+)\*\*/).map { String($0.output.1) })
    #expect(kinds == documented)
    #expect(kinds.count == 24)
    await home.stop()
  }

  @Test("why the household does not sync is in the state, once it lasts, and 304 while it stays so")
  func notSynced() async throws {
    let home = try await ServedHousehold()
    let hub = home.larder.folder("hub.git")
    try Git.run("init", "--bare", "--quiet", hub, in: home.root)
    try Git.run("remote", "add", "origin", hub, in: home.root)
    let first = try home.larder.run(["sync"], in: "home")
    #expect(first.code == 0)
    let well = try home.ask("state").1["household"]?["notSynced"]
    #expect(well == nil)

    try FileManager.default.moveItem(atPath: hub, toPath: hub + ".away")
    let failed = try home.larder.run(["sync"], in: "home")
    #expect(failed.code != 0)
    home.pass(minutes: 16)
    let trouble = try home.ask("state").1["household"]?["notSynced"]
    #expect(trouble?["since"]?.string == "2026-11-21T12:00:00.000Z")
    #expect(trouble?["say"]?.string?.contains("hub.git") == true, "\(failed.errors)")
    let token = try home.server.token("Tom")
    let answer = try home.server.ask("GET", "/api/1/state", [], token: token)
    let tag = try #require(answer.firstMatch(of: /ETag: (\S+)/)?.output.1)
    let asking = ["If-None-Match: \(tag)"]
    let again = try home.server.ask("GET", "/api/1/state", asking, token: token)
    #expect(LarderServeTests.status(again) == 304)

    try FileManager.default.moveItem(atPath: hub + ".away", toPath: hub)
    let mended = try home.larder.run(["sync"], in: "home")
    #expect(mended.code == 0)
    let back = try home.server.ask("GET", "/api/1/state", asking, token: token)
    #expect(LarderServeTests.status(back) == 200)
    #expect(!back.contains("notSynced"))
    await home.stop()
  }

  @Test("the state has what the screens need, and 304 while nothing changed")
  func state() async throws {
    let home = try await ServedHousehold()
    let (status, state) = try home.ask("state")
    #expect(status == 200)
    let members = ["household", "items", "entries", "locations", "receipts", "shops", "categories"]
    for name in members { #expect(state[name] != nil, "\(name)") }
    let milk = try home.item("Milk")
    #expect(milk["unit"] == .string("liter"))
    #expect(milk["batches"]?.array?.isEmpty == false)
    let answer = try home.server.ask("GET", "/api/1/state", token: home.server.token("Tom"))
    let tag = try #require(answer.firstMatch(of: /ETag: (\S+)/)?.output.1)
    let again = try home.server.ask(
      "GET", "/api/1/state", ["If-None-Match: \(tag)"], token: home.server.token("Ida"))
    #expect(LarderServeTests.status(again) == 304)
    _ = try home.act(["kind": "use", "item": milk["id"], "quantity": .number("1")])
    let changed = try home.server.ask(
      "GET", "/api/1/state", ["If-None-Match: \(tag)"], token: home.server.token("Eva"))
    #expect(LarderServeTests.status(changed) == 200)
    await home.stop()
  }

  @Test("an act that is sent again is repeated, whatever was lost, and its item is there once")
  func repeated() async throws {
    let home = try await ServedHousehold()
    let id = JSON.string(UUID().uuidString.lowercased())
    let ginger: JSON = [
      "id": id, "kind": "new", "fields": ["name": "Ginger", "unit": "gram"],
      "quantity": .number("80"),
    ]
    let use: JSON = [
      "id": .string(UUID().uuidString.lowercased()), "kind": "use", "item": id,
      "quantity": .number("30"),
    ]
    #expect(try home.act(ginger, use).map { $0["answer"]?.string } == ["done", "done"])
    home.pass(minutes: 60 * 24 * 30)
    #expect(try home.act(ginger, use).map { $0["answer"]?.string } == ["repeated", "repeated"])
    #expect(try home.item("Ginger")["quantityInStock"] == .number("50"))
    await home.stop()
  }

  @Test(
    "of a request with one act that cannot be read nothing is done, and the answer names the act")
  func unreadable() async throws {
    let home = try await ServedHousehold()
    let bananas = try #require(try home.entry("Bananas")?["id"])
    func act(_ kind: JSON, _ id: String = UUID().uuidString) -> JSON {
      ["id": .string(id), "at": "2026-11-20T12:00:00Z", "kind": kind, "entry": bananas]
    }
    let (status, answer) = try home.ask("acts", ["acts": .array([act("got"), act("juggle")])])
    #expect(status == 400)
    #expect(answer["at"] == "acts[1].kind")
    #expect(try home.entry("Bananas")?["isCompleted"] == .bool(false))
    for id in ["7d444840-9dc0-11d1-b245-5ffdce74fad2", "5b4efdf1-0135-550c-8f91-0596df197a57"] {
      #expect(try home.ask("acts", ["acts": .array([act("got", id)])]).0 == 400, "\(id)")
    }
    await home.stop()
  }

  @Test("an act that changes nothing is done, and done again")
  func nothing() async throws {
    let home = try await ServedHousehold()
    let ungot: JSON = [
      "id": .string(UUID().uuidString), "kind": "ungot", "entry": try home.entry("Bananas")?["id"],
    ]
    let version = try home.ask("state").1["version"]
    #expect(try (home.act(ungot) + home.act(ungot)).map { $0["answer"] } == ["done", "done"])
    #expect(try home.ask("state").1["version"] == version)
    await home.stop()
  }

  @Test("a part that was moved to a batch that was there is used by the id of its act")
  func movedParts() async throws {
    let home = try await ServedHousehold()
    _ = try home.act([
      "kind": "new", "fields": ["name": "Quark", "unit": "piece"], "quantity": .number("0"),
    ])
    let quark = try #require(try home.item("Quark")["id"])
    let places = try #require(try home.ask("state").1["locations"]?.array)
    let ids = places.prefix(2).compactMap { $0["id"] }
    for (place, quantity) in zip(ids, ["5", "3"]) {
      _ = try home.act([
        "kind": "put", "item": quark, "quantity": .number(quantity), "location": place,
        "expiry": "2026-12-24",
      ])
    }
    let batches = try #require(try home.item("Quark")["batches"]?.array)
    for (from, to) in [(0, 1), (1, 0)] {
      let source = try #require(batches.first { $0["storageLocationId"] == ids[from] }?["id"])
      let act = JSON.string(UUID().uuidString.lowercased())
      let moved = try home.act([
        "kind": "move", "batch": source, "location": ids[to], "quantity": .number("1"), "id": act,
      ])
      home.pass(minutes: 1)
      let used = try home.act(["kind": "use", "batch": act, "quantity": .number("1")])
      #expect((moved + used).map { $0["answer"] } == ["done", "done"])
    }
    let left = try #require(try home.item("Quark")["batches"]?.array)
    let amounts = ids.map { id in left.first { $0["storageLocationId"] == id }?["quantity"] }
    #expect(amounts == [.number("4"), .number("2")], "\(left)")
    await home.stop()
  }

  @Test("words for the list are read as after larder buy, and an amount alone is no thing")
  func words() async throws {
    let home = try await ServedHousehold()
    let answers = try home.act(
      ["kind": "want", "words": "2l"], ["kind": "want", "words": "2 l milk, Kerzen 3"])
    #expect(answers.map { $0["answer"]?.string } == ["refused", "done"])
    #expect(try home.entry("Milk")?["desiredQuantity"] == .number("2"))
    #expect(try home.entry("Kerzen")?["desiredQuantity"] == .number("3"))
    await home.stop()
  }

  @Test(
    "a pack of what is counted in grams is on the list as such; who saves it says how much it was")
  func otherUnit() async throws {
    let home = try await ServedHousehold()
    _ = try home.act([
      "kind": "new", "fields": ["name": "Yeast", "unit": "gram"], "quantity": .number("42"),
    ])
    let yeast = try #require(try home.item("Yeast")["id"])
    let want: JSON = ["kind": "want", "item": yeast, "quantity": .number("2"), "unit": "pack"]
    #expect(try home.act(want).map { $0["answer"] } == ["done"])
    let entry = try #require(try home.entry("Yeast"))
    #expect(entry["unit"] == "pack" && entry["content"] == nil)
    home.pass(minutes: 1)
    let id = try #require(entry["id"])
    let edit: JSON = [
      "kind": "edit", "entry": id, "fields": ["desiredQuantity": .number("3"), "unit": "sachet"],
    ]
    #expect(
      try home.act(edit, ["kind": "got", "entry": id]).map { $0["answer"] } == ["done", "done"])
    home.pass(minutes: 1)
    let lineless = try home.act(["kind": "bought", "shop": "Aldi", "entries": .array([id])])
    #expect(lineless.map { $0["answer"] } == ["refused"])
    let say = lineless.first?["say"]?.string ?? ""
    #expect(say.hasPrefix("how much of Yeast is 3 sachets? It is counted in g"), "\(say)")
    let line: JSON = ["entry": id, "quantity": .number("21"), "unit": "gram"]
    let bought = try home.act([
      "kind": "bought", "shop": "Aldi", "entries": .array([id]), "lines": .array([line]),
    ])
    #expect(bought.map { $0["answer"] } == ["done"])
    #expect(try home.item("Yeast")["quantityInStock"] == .number("63"))
    #expect(try home.entry("Yeast") == nil)
    await home.stop()
  }

  @Test(
    "of packs whose size is known the state says what they come to, and a receipt needs no line")
  func packs() async throws {
    let home = try await ServedHousehold()
    _ = try home.act(["kind": "new", "fields": ["name": "Yeast", "unit": "gram"]])
    let made = try home.larder.run(
      [
        "product", "new", "4006381333931", "--title", "Dry Yeast", "--item", "yeast", "--pack-size",
        "42g",
      ],
      in: "home")
    try #require(made.code == 0, "\(made.errors)")
    let yeast = try #require(try home.item("Yeast")["id"])
    home.pass(minutes: 1)
    _ = try home.act(["kind": "want", "item": yeast, "quantity": .number("80")])
    home.pass(minutes: 1)
    let id = try #require(try home.entry("Yeast")?["id"])
    _ = try home.act([
      "kind": "edit", "entry": id, "fields": ["desiredQuantity": .number("2"), "unit": "pack"],
    ])
    #expect(try home.entry("Yeast")?["content"] == .number("84"))
    home.pass(minutes: 1)
    let bought = try home.act(["kind": "bought", "shop": "Aldi", "entries": .array([id])])
    #expect(bought.map { $0["answer"] } == ["done"])
    #expect(try home.item("Yeast")["quantityInStock"] == .number("84"))
    await home.stop()
  }

  @Test("what a rule refuses has the program's own sentence, and changes nothing")
  func refused() async throws {
    let home = try await ServedHousehold()
    let milk = try home.item("Milk")
    let answers = try home.act(
      ["kind": "use", "item": milk["id"], "quantity": .number("900")],
      ["kind": "got", "entry": .string(UUID().uuidString)])
    #expect(answers.map { $0["answer"]?.string } == ["refused", "refused"])
    #expect(answers[0]["say"]?.string?.hasPrefix("can't take 900 l of Milk: only") == true)
    #expect(try home.item("Milk") == milk)
    await home.stop()
  }

  @Test("acts that were done in another household are not done here")
  func acrossHouseholds() async throws {
    let home = try await ServedHousehold()
    let state = try home.ask("state").1
    let id = try #require(state["household"]?["id"])
    let want: JSON = [
      "kind": "want", "words": "caviar 3", "id": .string(UUID().uuidString),
      "at": "2026-11-21T12:00:00Z",
    ]
    let other = try home.ask(
      "acts", ["household": .string(UUID().uuidString), "acts": .array([want])])
    #expect(other.0 == 409 && other.1["say"]?.string?.contains("another household") == true)
    #expect(try home.ask("acts", ["household": "x", "acts": .array([want])]).0 == 400)
    #expect(try home.ask("state").1["version"] == state["version"])
    let own = try home.ask("acts", ["household": id, "acts": .array([want])])
    #expect(own.0 == 200 && own.1["answers"]?.array?.first?["answer"] == "done")
    await home.stop()
  }

  @Test("an act takes the place of nothing: its id is new, and so is the line that it adds")
  func takenIDs() async throws {
    let home = try await ServedHousehold()
    let milk = try home.item("Milk")
    let log = try home.larder.run(["log", "--oneline"], in: "home").output
    let item: JSON = ["name": "Caviar", "unit": "gram"]
    let kinds: [JSON] = [
      ["kind": "new", "id": milk["id"], "fields": item, "quantity": .number("3")],
      ["kind": "use", "id": milk["id"], "item": milk["id"], "quantity": .number("1")],
      ["kind": "bought", "id": milk["id"], "shop": "Aldi", "lines": .array([])],
    ]
    for act in kinds {
      let answer = try #require(try home.act(act).first)
      #expect(answer["answer"] == "refused", "\(answer)")
      #expect(answer["say"]?.string?.contains("the id of this is that of Milk") == true)
    }
    #expect(try home.item("Milk") == milk)
    #expect(try home.larder.run(["log", "--oneline"], in: "home").output == log)
    let receipt = try #require(try home.ask("state").1["receipts"]?.array?.first?["id"])
    let add: JSON = ["name": "Parsley", "quantity": .number("1")]
    let id = JSON.string(UUID().uuidString.lowercased())
    _ = try home.act(["kind": "correct", "id": id, "receipt": receipt, "add": add])
    let again = try home.act(["kind": "correct", "id": id, "receipt": receipt, "add": add])
    #expect(again.first?["answer"] == "repeated")
    await home.stop()
  }

  @Test("a location that is not there is refused, whatever would be put to it")
  func unknownLocations() async throws {
    let home = try await ServedHousehold()
    let milk = try home.item("Milk")
    let nowhere = JSON.string(UUID().uuidString.lowercased())
    let place: JSON = ["storageLocationId": nowhere]
    let new: JSON = ["name": "Caviar", "unit": "gram", "storageLocationId": nowhere]
    let line: JSON = ["item": milk["id"], "quantity": .number("1"), "location": nowhere]
    let batch = try #require(milk["batches"]?.array?.first?["id"])
    let acts: [JSON] = [
      ["kind": "put", "item": milk["id"], "quantity": .number("1"), "location": nowhere],
      ["kind": "move", "batch": batch, "location": nowhere],
      ["kind": "edit", "item": milk["id"], "fields": place], ["kind": "new", "fields": new],
      ["kind": "bought", "shop": "Aldi", "lines": .array([line])],
    ]
    for act in acts {
      let answer = try #require(try home.act(act).first)
      #expect(answer["answer"] == "refused", "\(act) \(answer)")
      #expect(answer["say"]?.string?.contains("location") == true, "\(answer)")
    }
    #expect(try home.item("Milk") == milk)
    await home.stop()
  }

  @Test("a name that turns a terminal's colours does not do so in git's log")
  func cleanSubjects() async throws {
    let home = try await ServedHousehold()
    let done = try home.act(
      ["kind": "want", "words": "tea\u{1B}[31m\u{202E}x"],
      ["kind": "new", "fields": ["name": "Jam\u{1B}[2J", "unit": "gram"]])
    #expect(done.map { $0["answer"]?.string } == ["done", "done"])
    let log = try run("git", "-C", home.root, "log", "-3", "--format=%B")
    #expect(log.output.contains("Jam") && log.output.contains("tea"))
    #expect(!log.output.unicodeScalars.contains { ["\u{1B}", "\u{202E}"].contains($0) })
    await home.stop()
  }

  @Test(
    "a mistake of the client has its place",
    arguments: [
      (#"{"acts": [{"id": "x"}]}"#, "acts[0].id"),
      (#"{"acts": [{"id": "0c5d5e0a-3c59-1d8e-9f5a-5f6f1b7d2a10"}]}"#, "acts[0].id"),
      (#"{"acts": [{"id": "0c5d5e0a-3c59-4d8e-9f5a-5f6f1b7d2a10", "at": "now"}]}"#, "acts[0].at"),
      (
        #"{"acts": [{"id": "0c5d5e0a-3c59-4d8e-9f5a-5f6f1b7d2a10", "at": "2026-11-21T11:00:00Z", "kind": "use", "item": "0c5d5e0a-3c59-4d8e-9f5a-5f6f1b7d2a10", "quantity": "one"}]}"#,
        "acts[0].quantity"
      ),
      (
        #"{"acts": [{"id": "0c5d5e0a-3c59-4d8e-9f5a-5f6f1b7d2a10", "at": "2026-11-21T11:00:00Z", "kind": "edit", "item": "0c5d5e0a-3c59-4d8e-9f5a-5f6f1b7d2a10", "fields": {"quantity": 1}}]}"#,
        "acts[0].fields.quantity"
      ),
      (#"{"act": []}"#, "act"), (#"{"acts": 3}"#, "acts"), ("[]", ""),
    ])
  func mistakes(body: String, place: String) async throws {
    let home = try await ServedHousehold()
    let answer = try home.server.ask(
      "POST", "/api/1/acts", token: home.server.token("Tom"), body: body)
    #expect(status(answer) == 400)
    #expect(
      answer.contains(#""at":"\#(place)""#) || answer.contains(#""at": "\#(place)""#), "\(answer)")
    await home.stop()
  }
}
