import Foundation
import LarderJSON
import LarderKit
import TestSupport
import Testing

@OwnThread @Suite("A served household whose folder changes")
struct ChangedFolderTests {
  private let home: ServedHousehold
  private let milk: JSON

  init() async throws {
    home = try await ServedHousehold()
    milk = try home.item("Milk")
  }

  private var beside: String { home.root + "-beside" }

  private func use() -> JSON {
    let id = JSON.string(UUID().uuidString.lowercased())
    return [
      "id": id, "at": .string(home.clock.change { $0 }.description), "kind": "use",
      "item": milk["id"], "quantity": .number("0.25"),
    ]
  }

  private func milkLeft() throws -> Double {
    try #require(try home.item("Milk")["quantityInStock"]?.number.flatMap { Double($0) })
  }

  private func move(_ one: String, to other: String) throws {
    try FileManager.default.moveItem(atPath: one, toPath: other)
  }

  private func copy(_ one: String, to other: String) throws {
    #expect(try run("cp", "-a", one, other).code == 0)
  }

  /// Whatever happens to the files, a phone keeps its act until it is in the history, and it counts
  /// once.
  private func expectDone(_ act: JSON, once used: Double) throws {
    let answer = try home.send(act)
    #expect(answer.status == 200 && ["done", "repeated"].contains(answer.answer), "\(answer)")
    #expect(try home.send(act).answer == "repeated")
    #expect(try milkLeft() == used)
  }

  /// The last commit, and what is not in it.
  private func standing() throws -> String {
    try ["rev-parse HEAD", "status --short"].map { words in
      let shown = try run("sh", "-c", "git -C '\(home.root)' \(words)")
      try #require(shown.code == 0, "\(shown.output)")
      return shown.output
    }.joined()
  }

  nonisolated private static let damages = [
    "gone", "empty", "cut off", "something else", "a folder",
  ]
  nonisolated static let files = [
    "household.json", ".git/HEAD", ".git/index", ".git/config", ".git/refs/heads/main",
    ".git/logs/HEAD", ".git/info/exclude", ".gitattributes", ".git/larder/*",
  ]

  @Test(
    "an act that meets a broken file is kept by its phone, and done when the file is back",
    arguments: files)
  func brokenFile(name: String) async throws {
    var names = [name]
    if name.hasSuffix("/*") {
      let folder = String(name.dropLast(2))
      names = try FileManager.default.contentsOfDirectory(atPath: "\(home.root)/\(folder)").sorted()
        .map { "\(folder)/\($0)" }
      #expect(names.contains(".git/larder/journal"))
    }
    _ = try home.act(["kind": "put", "item": milk["id"], "quantity": .number("20")])
    var left = try milkLeft()
    for (name, damage) in names.flatMap({ name in Self.damages.map { (name, $0) } }) {
      let file = URL(filePath: "\(home.root)/\(name)")
      guard let whole = try? Data(contentsOf: file) else { continue }
      switch damage {
      case "gone": try FileManager.default.removeItem(at: file)
      case "empty": try Data().write(to: file)
      case "cut off": try whole.prefix(9).write(to: file)
      case "a folder":
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
      default: try Data("what is this?\n".utf8).write(to: file)
      }
      home.pass(minutes: 1)
      let act = use()
      let answer = try home.send(act)
      let isKept = answer.status == 503
      #expect(isKept || answer.answer == "done", "\(name) \(damage): \(answer)")
      #expect([200, 503].contains(try home.ask("state").0), "\(name) \(damage)")
      if damage == "a folder" { try? FileManager.default.removeItem(at: file) }
      if isKept || damage == "a folder" { try whole.write(to: file) }
      left -= 0.25
      try expectDone(act, once: left)
    }
    await home.stop()
  }

  @Test("another household in the place of the served one is neither shown nor changed")
  func otherHousehold() async throws {
    try move(home.root, to: beside)
    let made = try home.larder.run(["init", "home", "--name", "Next door"], in: ".")
    #expect(made.code == 0, "\(made.errors)")
    let before = try standing()
    let act = use()
    let (status, said) = try home.ask("state")
    #expect(status == 503 && said["say"]?.string?.contains("another household is in") == true)
    #expect(try home.send(act).status == 503)
    #expect(try home.ask("news").0 == 503)
    #expect(try standing() == before)
    try move(home.root, to: home.root + "-next-door")
    try move(beside, to: home.root)
    try expectDone(act, once: 3.5)
    await home.stop()
  }

  @Test("a backup without the last acts is gone on with", arguments: [true, false])
  func backup(isOtherFolder: Bool) async throws {
    try copy(home.root, to: beside)
    _ = try home.send(use())
    if isOtherFolder {
      try move(home.root, to: home.root + "-old")
      try move(beside, to: home.root)
    } else {
      for name in try FileManager.default.contentsOfDirectory(atPath: home.root) {
        try FileManager.default.removeItem(atPath: "\(home.root)/\(name)")
      }
      try copy(beside + "/.", to: home.root)
    }
    home.pass(minutes: 1)
    try expectDone(use(), once: 3.5)
    await home.stop()
  }

  @Test("a folder that is gone for a while is waited for")
  func gone() async throws {
    let act = use()
    try move(home.root, to: beside)
    #expect(try home.send(act).status == 503)
    #expect(try home.ask("state").0 == 503)
    try move(beside, to: home.root)
    try expectDone(act, once: 3.5)
    await home.stop()
  }
}
