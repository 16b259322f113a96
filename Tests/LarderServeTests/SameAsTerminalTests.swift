import Foundation
import LarderJSON
import LarderServe
import TestSupport
import Testing

@OwnThread @Suite("An act and the command that says the same")
struct SameAsTerminalTests {
  struct Pair: CustomTestStringConvertible, Sendable {
    let act: String
    let command: [String]
    /// What was done before, in both households.
    var before: [[String]] = []

    var testDescription: String { command.joined(separator: " ") }
  }

  nonisolated private static let quark = ["stock", "new", "Quark", "6"]
  nonisolated private static let rolls = [
    "stock", "new", "Rolls", "4", "--keeps", "5", "--place", "Fridge",
  ]
  nonisolated private static let beside = [
    ["put", "Quark", "2", "--location", "Fridge", "--expiry", "2026-12-01"]
  ]

  nonisolated static let pairs: [Pair] = [
    Pair(
      act: #"{"kind": "move", "item": "Quark", "loose": true, "location": "Freezer"}"#,
      command: ["move", "quark", "freezer"], before: [quark]),
    Pair(
      act: #"""
        {"kind": "move", "item": "Quark", "loose": true, "location": "Freezer", "quantity": 2,
         "expiry": "2027-02-01"}
        """#,
      command: ["move", "quark", "freezer", "2", "--batch", "loose", "--expiry", "2027-02-01"],
      before: [quark] + beside),
    Pair(
      act: #"{"kind": "move", "batch": "Quark", "location": "Freezer", "expiry": "2026-12-01"}"#,
      command: [
        "move", "quark", "freezer", "--batch", "2026-12-01", "--expiry", "2026-12-01",
      ], before: [quark] + beside),
    Pair(
      act: #"{"kind": "move", "batch": "Quark", "location": "Cellar", "expiry": null}"#,
      command: ["move", "quark", "cellar", "--batch", "fridge", "--expiry", ""],
      before: [quark] + beside),
    Pair(
      act: #"{"kind": "open", "item": "Quark", "loose": true, "quantity": 1}"#,
      command: ["open", "quark"], before: [quark]),
    Pair(
      act: #"{"kind": "open", "item": "Quark", "loose": true}"#,
      command: ["open", "quark", "all", "--batch", "loose"], before: [quark] + beside),
    Pair(
      act: #"{"kind": "use", "item": "Quark", "loose": true, "quantity": 2}"#,
      command: ["use", "quark", "2", "--batch", "loose"], before: [quark] + beside),
    Pair(
      act: #"{"kind": "spoil", "item": "Quark", "loose": true, "note": "sour"}"#,
      command: ["discard", "quark", "--batch", "loose", "--reason", "sour"],
      before: [quark] + beside),
    Pair(
      act: #"""
        {"kind": "edit", "item": "Quark", "loose": true,
         "fields": {"expiry": "2026-12-24", "storageLocationId": "Fridge"}}
        """#,
      command: [
        "stock", "edit", "quark", "--batch", "loose", "--expiry", "2026-12-24", "--location",
        "fridge",
      ], before: [quark] + beside),
    Pair(
      act: #"""
        {"kind": "edit", "item": "Quark", "loose": true, "quantity": 2,
         "fields": {"expiry": "2026-12-24", "storageLocationId": "Fridge"}}
        """#,
      command: ["move", "quark", "fridge", "2", "--expiry", "2026-12-24"], before: [quark]),
    Pair(
      act: #"{"kind": "put", "item": "Rolls", "quantity": 2}"#, command: ["put", "rolls", "2"],
      before: [rolls]),
    Pair(
      act: #"""
        {"kind": "put", "item": "Rolls", "quantity": 2, "location": "Freezer", "expiry": "2027-01-01"}
        """#,
      command: ["put", "rolls", "2", "--location", "freezer", "--expiry", "2027-01-01"],
      before: [rolls]),
    Pair(
      act: #"{"kind": "put", "item": "Rolls", "quantity": 2, "location": null, "expiry": null}"#,
      command: ["put", "rolls loose", "2"], before: [rolls, ["count", "rolls", "9"]]),
    Pair(
      act: #"""
        {"kind": "new", "fields": {"name": "Tofu", "keepsDays": 20, "storageLocationId": "Fridge"},
         "quantity": 2}
        """#,
      command: ["stock", "new", "Tofu", "2", "--keeps", "20", "--place", "fridge"]),
    Pair(
      act: #"{"kind": "new", "fields": {"name": "Tofu", "keepsDays": 20}, "quantity": 2}"#,
      command: ["stock", "new", "Tofu", "2", "--keeps", "20"]),
    Pair(
      act: #"""
        {"kind": "new", "fields": {"name": "Tofu", "keepsDays": 20}, "quantity": 2,
         "expiry": "2026-12-24"}
        """#,
      command: ["stock", "new", "Tofu", "2", "--keeps", "20", "--expiry", "2026-12-24"]),
    Pair(
      act: #"{"kind": "new", "fields": {"name": "Tofu"}, "quantity": 2}"#,
      command: ["stock", "new", "Tofu", "2"]),
    Pair(
      act: #"{"kind": "want", "item": "Quark"}"#, command: ["buy", "quark"],
      before: [quark, ["buy", "quark", "3"], ["got", "quark"]]),
    Pair(
      act: #"""
        {"kind": "want", "lines": [{"item": "Quark", "quantity": 4}, {"words": "soap 2, figs"}]}
        """#,
      command: ["buy", "quark", "4", "soap", "2", "figs"], before: [quark]),
    Pair(
      act: #"{"kind": "place", "fields": {"name": "Chest freezer", "isColdStorage": true}}"#,
      command: ["location", "new", "Chest freezer", "--cold"]),
    Pair(
      act: #"{"kind": "place", "location": "Cellar", "fields": {"name": "Vault"}}"#,
      command: ["location", "edit", "cellar", "--name", "Vault"]),
    Pair(
      act: #"{"kind": "unplace", "location": "Shed"}"#, command: ["location", "archive", "shed"],
      before: [["location", "new", "Shed"]]),
    Pair(
      act: #"{"kind": "settings", "fields": {"currency": "EUR"}}"#,
      command: ["config", "currency", "EUR"]),
    Pair(
      act: #"""
        {"kind": "barcode", "number": "5012345678900", "item": "Quark", "quantity": 500,
         "unit": "gram"}
        """#,
      command: [
        "product", "new", "5012345678900", "--title", "Quark", "--item", "quark", "--pack-size",
        "500g",
      ], before: [["stock", "new", "Quark", "500g"]]),
    Pair(
      act: #"{"kind": "unarchive", "item": "Quark"}"#, command: ["stock", "restore", "quark"],
      before: [quark, ["stock", "archive", "quark"]]),
    Pair(
      act: #"{"kind": "unvoid", "receipt": "Aldi"}"#, command: ["receipt", "restore", "aldi"],
      before: [
        quark, ["receipt", "save", "--shop", "Aldi", "--line", "quark=3"],
        ["receipt", "void", "aldi"],
      ]),
  ]

  @Test("both leave the same household", arguments: pairs)
  func same(_ pair: Pair) async throws {
    let home = try await ServedHousehold()
    for command in pair.before {
      let done = try home.larder.run(command, in: "home")
      try #require(done.code == 0, "\(command): \(done.errors)")
    }
    try FileManager.default.copyItem(atPath: home.root, toPath: home.larder.folder("copy"))
    let known = try Files(home.root)
    home.pass(minutes: 1)
    let answers = try home.act(try known.naming(pair.act))
    try #require(answers.first?["answer"] == "done", "\(answers)")
    let said = try home.larder.run(pair.command, in: "copy")
    try #require(said.code == 0, "\(said.errors)")
    let (acted, typed) = (try Files(home.root), try Files(home.larder.folder("copy")))
    #expect(acted.texts != known.texts)
    #expect(acted.meanings(known) == typed.meanings(known))
    await home.stop()
  }
}

/// The files of a household as they are read.
private struct Files {
  let texts: [String]
  private let ids: Set<String>
  private let names: [String: String]

  init(_ root: String) throws {
    var (texts, names): ([String], [String: String]) = ([], [:])
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root).sorted()
    for path in paths where path.hasSuffix(".json") && !path.hasPrefix(".git") {
      let text = try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
      texts.append(text)
      let json = try JSON(parsing: Array(text.utf8))
      let kind = path.split(separator: "/").first.map(String.init) ?? ""
      let title = (json["name"] ?? json["shopName"])?.string
      if let title, let id = json["id"]?.string { names[title] = id }
      if kind == "batches", let id = json["id"]?.string,
        let product = json["productRef"]?["productId"]?.string
      {
        names["batch of \(product)"] = id
      }
    }
    self.texts = texts
    self.names = names
    ids = Set(texts.flatMap { $0.matches(of: Self.uuid).map { String($0.output) } })
  }

  private static var uuid: Regex<Substring> { /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/ }

  /// Returns an act with ids in place of the names of things.
  func naming(_ text: String) throws -> JSON {
    named(try JSON(parsing: Array(text.utf8)))
  }

  private func named(_ value: JSON, _ key: String = "") -> JSON {
    let isID = ["item", "batch", "location", "storageLocationId", "receipt"].contains(key)
    if let title = value.string, isID, let id = names[title] {
      return .string(key == "batch" ? names["batch of \(id)"] ?? id : id)
    }
    if let members = value.members {
      return .object(members.map { JSONMember($0.key, named($0.value, $0.key)) })
    }
    return value.array.map { .array($0.map { named($0) }) } ?? value
  }

  /// What they say, without new ids, times, and who wrote it.
  func meanings(_ known: Files) -> [String] {
    texts.map { text in
      text.replacing(Self.uuid) { known.ids.contains(String($0.output)) ? $0.output : "new" }
        .replacing(/\d{4}-\d\d-\d\dT[\d:.]+Z/, with: "time")
        .replacing(#/\s*"(?:by|request)": "[^"]*",?/#, with: "")
        .replacing(/,(?=\s*})/, with: "")
    }.sorted()
  }
}
