import Foundation
import LarderJSON
import Seeded
import TestSupport
import Testing

@Suite("Commands at random, taken back one after the other")
struct UndoneLifeTests {
  static var seeds: [UInt64] {
    if let seed = Seed.single { return [seed] }
    let wish = ProcessInfo.processInfo.environment["LARDER_RUNS"].flatMap { UInt64($0) }
    return (0..<(wish.map { min($0, 400) } ?? 6)).map { Seed.ofRun + $0 }
  }

  @Test(
    "undo shows what was there before each command, and redo what was there after it",
    arguments: seeds)
  func alone(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pair = try Pair(Self.beginning[0])
    for line in Self.beginning.dropFirst() { try pair.prepare("laptop", line) }
    var acts = Acts(items: ["Milk", "Tea", "Rice"])
    var done: [Step] = []
    while done.count < 7 {
      let line = acts.next(&random)
      if let step = try Step(line, on: "laptop", of: pair) { done.append(step) }
    }
    var undone: [Step] = []
    while let step = done.popLast() {
      let outcome = try pair("laptop", "undo --json")
      try #require(outcome.code == 0, "seed \(seed): \(step.line): \(outcome.output)")
      let taken = (try outcome.json()["command"] as? [String: Any])?["commit"] as? String
      #expect(taken == step.commit, "seed \(seed): \(step.line)")
      undone.append(step)
      try compare(try View("laptop", of: pair), step.before, "seed \(seed): undo of \(step.line)")
    }
    while let step = undone.popLast() {
      try pair.prepare("laptop", "redo")
      try compare(try View("laptop", of: pair), step.after, "seed \(seed): redo of \(step.line)")
    }
    #expect(try pair("laptop", "check --json").array("problems").isEmpty, "seed \(seed)")
  }

  @Test(
    "undo takes back what was done here, and nothing of what came from elsewhere", arguments: seeds)
  func apart(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pair = try Pair(Self.beginning[0])
    for line in Self.beginning.dropFirst() { try pair.prepare("laptop", line) }
    try pair.prepare("laptop", "sync")
    try pair.prepare("phone", "sync")
    var mine = Acts(items: ["Milk", "Tea"])
    var theirs = Acts(items: ["Rice", "Eggs"])
    let before = try View("laptop", of: pair).only(mine.items)
    var (done, salt) = (0, 20)
    for _ in 0..<10 {
      switch random.number(0...9) {
      case 0..<4:
        if try Step(mine.next(&random), on: "laptop", of: pair) != nil { done += 1 }
      case 4..<7: _ = try Step(theirs.next(&random), on: "phone", of: pair)
      case 7:
        try pair.prepare("laptop", "use salt 1")
        done += 1
      case 8:
        try pair.prepare("phone", "use salt 1")
        salt -= 1
      default: for device in ["laptop", "phone", "laptop"] { try pair.prepare(device, "sync") }
      }
    }
    for device in ["laptop", "phone", "laptop"] { try pair.prepare(device, "sync") }
    let others = try View("laptop", of: pair).only(theirs.items)
    for _ in 0..<done {
      let undone = try pair("laptop", "undo")
      #expect(undone.code == 0, "seed \(seed): \(undone.errors)")
    }
    for device in ["laptop", "phone", "laptop"] { try pair.prepare(device, "sync") }
    for device in ["laptop", "phone"] {
      let view = try View(device, of: pair)
      try compare(view.only(mine.items), before, "seed \(seed): undone on the laptop")
      try compare(view.only(theirs.items), others, "seed \(seed): done on the phone")
      #expect(try pair.total("Salt", on: device) == salt, "seed \(seed)")
    }
  }

  private static let beginning = [
    "stock new Milk 2l --full 4l --minimum 1l", "stock new Tea 2 --full 30 --minimum 3",
    "stock new Rice 500g --full 1kg", "stock new Eggs 6 --minimum 2", "stock new Salt 20",
    "location new Cellar", "put milk 1l --expiry 2026-12-01",
  ]

  private func compare(_ view: View, _ wanted: View, _ words: String) throws {
    for (name, lines) in wanted.parts {
      let now = view.parts[name] ?? []
      guard now != lines else { continue }
      let gone = lines.filter { !now.contains($0) }
      let new = now.filter { !lines.contains($0) }
      Issue.record("\(words): \(name)\n  was: \(gone)\n  is: \(new)")
    }
  }
}

/// A command that made a commit, and what the household showed before and after it.
private struct Step {
  let line: String
  let commit: String
  let before: View
  let after: View

  /// Nil if the command was refused, or only said again what was so.
  init?(_ line: String, on device: String, of pair: Pair) throws {
    let head = try pair.git(device, "rev-parse", "HEAD").trimmingCharacters(in: .newlines)
    before = try View(device, of: pair)
    self.line = line
    guard try pair(device, line).code == 0 else { return nil }
    commit = try pair.git(device, "rev-parse", "HEAD").trimmingCharacters(in: .newlines)
    guard commit != head, try !pair.output(device, "diff HEAD~1 HEAD").isEmpty else { return nil }
    after = try View(device, of: pair)
  }
}

/// What lists show, without what only tells when it was written.
private struct View: Equatable {
  var parts: [String: [String]] = [:]

  init(_ device: String, of pair: Pair) throws {
    for line in ["stock list", "shop list", "receipt list", "location list"] {
      let json = try JSON(parsing: Array(pair.output(device, "\(line) --json").utf8))
      guard case .object(let members) = json else { continue }
      parts[line] = members.flatMap { $0.value.array ?? [] }.map { Self.text($0) }.sorted()
    }
    for folder in ["batches", "products"] {
      parts[folder] = try Self.files(pair.root(device) + "/" + folder)
    }
  }

  /// The files of a folder that are not tombstones.
  private static func files(_ folder: String) throws -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let files = try names.map { name in
      try JSON(parsing: Array(Data(contentsOf: URL(filePath: "\(folder)/\(name)"))))
    }
    return files.filter { $0["status"]?.string != "discarded" && $0["isArchived"] != .bool(true) }
      .map { text($0) }.sorted()
  }

  /// Only the lines that name one of the things.
  func only(_ names: [String]) -> View {
    var view = self
    view.parts = parts.mapValues { lines in
      lines.filter { line in names.contains { line.contains($0) } }
    }
    return view
  }

  private static let bookkeeping: Set<String> = ["updatedAt", "edited", "changes", "pageFrom"]

  private static func text(_ json: JSON) -> String {
    guard case .object(let members) = json else { return "\(json)" }
    // An item that had batches once goes on saying what lies loose, under that name.
    let kept = members.filter { !bookkeeping.contains($0.key) }.map { member in
      JSONMember(member.key == "quantityLoose" ? "quantityInStock" : member.key, member.value)
    }
    return String(decoding: JSON.object(kept).compact(), as: UTF8.self)
  }
}

/// Commands of every kind about a few items.
private struct Acts {
  let items: [String]
  private var made = 0

  init(items: [String]) { self.items = items }

  mutating func next(_ random: inout SeededGenerator) -> String {
    let item = random.pick(items) ?? "Milk"
    let other = items.first { $0 != item } ?? item
    let number = random.number(1...4)
    made += 1
    let shop = "Shop \(items[0])"
    let lines = [
      "put \(item) \(number)", "put \(item) \(number) --expiry 2026-12-0\(number)",
      "put \(item) 1 --location cellar", "use \(item) \(number) --partial", "use \(item) all",
      "use \(item) all", "count \(item) \(number)", "count \(item) 0",
      "stock discard \(item) 1 --partial --reason old", "buy \(item) \(number)", "buy \(item)",
      "buy \(item) --note 'n\(number)'", "buy 'cake for \(item)' \(number)", "got \(item)",
      "got \(item) \(number)", "shop undone \(item)", "shop remove \(item)", "shop restore \(item)",
      "shop edit \(item) \(number)", "receipt save --shop '\(shop)'",
      "receipt save --shop '\(shop)' --line \(item)=\(number)@2",
      "receipt save --shop '\(shop)' --line \(item)=\(number)@2 --expiry \(item)=2026-12-0\(number)",
      "receipt edit '\(shop)' --line \(item)=\(number)@3", "receipt void '\(shop)'",
      "receipt restore '\(shop)'", "stock edit \(item) --minimum \(number)",
      "stock edit \(item) --minimum 0", "stock edit \(item) --full \(number * 3)",
      "stock edit \(item) --category C\(number)",
      "stock merge '\(other)' '\(item)'", "stock archive \(item)", "stock restore \(item)",
      "stock move \(item) cellar 1", "stock move \(item) cellar", "stock open \(item)",
      "stock new '\(item) \(made)' \(number) --minimum 5", "stock new '\(item) \(made)'",
      "stock edit '\(item) \(made - 1)' --name '\(item) \(made)'",
      "location new 'Shelf of \(item) \(made)'",
      "product new 'p\(items[0])\(made)' --title '\(item) box'",
    ]
    return random.pick(lines) ?? lines[0]
  }
}
