import Foundation
import LarderJSON
import LarderServe
import TestSupport
import Testing

@OwnThread @Suite("What the server says of acts that it does not do")
struct ActRefusalTests {
  @Test("a refusal says why for a program: too little, a name or a number that is taken, or gone")
  func because() async throws {
    let home = try await ServedHousehold()
    let apples = try home.item("Apples")
    let milk = try home.item("Milk")
    let coffee = "019fd325-5d74-7370-9a83-f826ee3e8972"
    let number = "5012345678900"
    let known = try home.act(["kind": "barcode", "number": .string(number), "item": milk["id"]])
    try #require(known.first?["answer"] == "done")
    let nobody = JSON.string(UUID().uuidString.lowercased())
    let piece: JSON = ["kind": "short", "there": .number("9"), "unit": "piece"]
    let taken: JSON = ["kind": "taken", "item": milk["id"]]
    let cases: [(JSON, JSON?)] = [
      (["kind": "use", "item": apples["id"], "quantity": .number("10")], piece),
      (
        [
          "kind": "open", "item": apples["id"], "loose": .bool(true), "quantity": .number("9.5"),
        ], piece
      ),
      (["kind": "new", "fields": ["name": "milk"]], taken),
      (["kind": "unarchive", "item": .string(coffee), "name": "Milk"], taken),
      (["kind": "barcode", "number": .string(number), "item": apples["id"]], taken),
      (["kind": "got", "entry": nobody], ["kind": "gone"]),
      (["kind": "put", "item": .string(coffee), "quantity": .number("1")], ["kind": "gone"]),
      (["kind": "open", "item": milk["id"], "loose": .bool(true)], ["kind": "gone"]),
      (["kind": "put", "item": apples["id"], "quantity": .number("0")], nil),
      (["kind": "place", "fields": ["name": "Attic", "isFreezer": .bool(true)]], nil),
      (["kind": "unplace", "location": "019fbc65-4d6b-759e-a687-902d58151a99"], nil),
    ]
    let version = try home.ask("state").1["version"]
    for (act, because) in cases {
      let answer = try #require(try home.act(act).first)
      #expect(answer["answer"] == "refused", "\(act)")
      #expect(answer["say"]?.string?.isEmpty == false)
      #expect(answer["because"] == because, "\(act): \(answer)")
    }
    #expect(try home.ask("state").1["version"] == version)
    await home.stop()
  }

  @Test(
    "a mistake of the client in an act has its place",
    arguments: [
      (#""kind": "move", "item": "ID", "location": "ID""#, "loose"),
      (#""kind": "open", "batch": "ID", "loose": true"#, ""),
      (#""kind": "edit", "item": "ID", "quantity": 2, "fields": {"note": "x"}"#, "quantity"),
      (#""kind": "edit", "item": "ID", "loose": true, "fields": {"note": "x"}"#, "fields.note"),
      (#""kind": "want", "lines": []"#, "lines"),
      (#""kind": "want", "lines": [{"words": "a"}], "note": "x""#, "note"),
      (#""kind": "want", "lines": [{"note": "x"}]"#, "lines[0]"),
      (#""kind": "put", "item": "ID", "quantity": 1, "expiry": "soon""#, "expiry"),
      (#""kind": "correct", "receipt": "ID""#, ""),
      (#""kind": "correct", "receipt": "ID", "lines": [{"fields": {}}]"#, "lines[0].line"),
      (#""kind": "place", "fields": {"isColdStorage": true}"#, "fields.name"),
      (#""kind": "place", "fields": {"name": null}"#, "fields.name"),
      (#""kind": "settings", "fields": {"timeZone": "Middle-earth"}"#, "fields.timeZone"),
      (#""kind": "settings", "fields": {"currency": "pounds"}"#, "fields.currency"),
      (#""kind": "settings", "fields": {"name": " "}"#, "fields.name"),
    ])
  func places(act: String, place: String) async throws {
    let home = try await ServedHousehold()
    let id = "0c5d5e0a-3c59-4d8e-9f5a-5f6f1b7d2a10"
    let text = act.replacing("\"ID\"", with: "\"\(id)\"")
    let body = try JSON(
      parsing: Array(
        #"{"acts": [{"id": "\#(id)", "at": "2026-11-21T11:00:00Z", \#(text)}]}"#.utf8))
    let (status, answer) = try home.ask("acts", body)
    #expect(status == 400)
    #expect(answer["at"] == .string(place.isEmpty ? "acts[0]" : "acts[0].\(place)"), "\(answer)")
    await home.stop()
  }
}
