import Foundation
import HomeSupport
import LarderGit
import LarderJSON
import LarderModel
import LarderStore
import LarderText
import Testing
import TestSupport

@Suite("Random lives of three devices with batches, against a naive model of what there is")
struct LooseStockLifeTests {
  private static var seeds: [UInt64] {
    let wish = ProcessInfo.processInfo.environment["LARDER_RUNS"].flatMap { UInt64($0) }
    return Array(1...max(1, (wish ?? 800) / 100))
  }

  @Test(
    "whoever writes quantityInStock counts all there is, and nothing else counts anything",
    arguments: Self.seeds)
  func life(_ seed: UInt64) throws {
    var life = try LooseStockLife(seed: seed)
    do {
      for _ in 0..<25 { try life.step() }
      try life.settle()
    } catch {
      Issue.record("seed \(seed): \(error)\n\(life.journal.joined(separator: "\n"))")
    }
  }
}

/// Three devices, some with files of an earlier program, which had `quantityInStock` for what lies
/// loose beside batches.
///
/// Two items are used and added to, named, merged and saved from old buffers; of these the model knows
/// every change. The third is also counted by hand, so that of it only the count is checked, at once.
private struct LooseStockLife {
  struct Mismatch: Error, CustomStringConvertible { let description: String }

  private let home: Home
  private var items: [EntityKey] = []
  /// What came and went of each item, with what each device and the hub knows of it.
  private var known: [EntityKey: [Set<Int>]] = [:]
  private var changes: [Int: Int] = [:]
  private var time = 0
  private var random: SeededGenerator
  private(set) var journal: [String] = []
  private static let hub = 3
  private static let start = 90

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    let isEarlier = seed % 2 == 0
    var made: [EntityKey] = []
    home = try Home { store in
      for (name, unit) in [("Oat milk", Unit.liter), ("Flour", .kilogram), ("Eggs", .piece)] {
        let item = try store.newItem(name, Self.start - 12, unit: unit)
        try store.put(item, 12, until: 30)
        made.append(item)
      }
      if isEarlier { try Self.writeAsEarlier(store) }
    }
    items = made
    try home.join("tablet")
    for item in items { known[item] = [[], [], [], []] }
    for device in 0...2 {
      let reading = try home.devices[device].read()
      guard reading.plainCommits == 0, reading.edited.isEmpty else {
        throw Mismatch(description: "an earlier program's household is not as it was")
      }
      let shown = try home.devices[device].files().values.filter { $0.contains("quantityLoose") }
      guard shown.isEmpty == isEarlier else { throw Mismatch(description: "shows \(shown.count)") }
      try check(device)
    }
  }

  /// Makes a commit of Larder's in which items say `quantityInStock` for what lies loose.
  private static func writeAsEarlier(_ store: Store) throws {
    for (path, text) in try store.files() where text.contains("quantityLoose") {
      try store.write(text.replacing("quantityLoose", with: "quantityInStock"), to: path)
    }
    try Git.run("add", "-A", in: store.root)
    let tree = try Git.run("write-tree", in: store.root).trimmed
    let head = try store.head()
    let message = "as before\n\nLarder-Command: test\nLarder-Tree: \(tree) \(head)\n"
    let commit = try Git.run("commit-tree", tree, "-p", head, "-m", message, in: store.root)
    try Git.run("update-ref", "refs/heads/main", commit.trimmed, in: store.root)
  }

  mutating func step() throws {
    let device = random.number(0...2)
    guard let item = random.pick(items) else { return }
    time += 1
    let what = random.number(0...99)
    journal.append("\(time): device \(device), item \(items.firstIndex(of: item) ?? 0), \(what)")
    switch what {
    case ..<20: try use(item, device)
    case ..<32: try put(item, device)
    case ..<44: try name(item, device)
    case ..<54: try saveOldBuffer(item, device)
    case ..<68: try count(device)
    case ..<80: try sync(device)
    case ..<92: try pull(device)
    default: try forgetCache(device)
    }
    try check(device)
  }

  private mutating func note(_ change: Int, of item: EntityKey, on device: Int) {
    changes[time] = change
    known[item]?[device].insert(time)
  }

  private mutating func use(_ item: EntityKey, _ device: Int) throws {
    do {
      try home.devices[device].consume(item, 1)
      note(-1, of: item, on: device)
    } catch let error as RuleError {
      guard item == items[2] else { throw error }
    }
  }

  private mutating func put(_ item: EntityKey, _ device: Int) throws {
    try home.devices[device].put(item, 2, until: random.number(10...40))
    note(2, of: item, on: device)
  }

  /// Writes another name into the file, and commits it with git, or leaves it to the next command.
  private mutating func name(_ item: EntityKey, _ device: Int) throws {
    let store = home.devices[device]
    let path = try store.path(item)
    guard let name = try store.name(item), store.exists(path) else { return }
    try store.edit(path, "\"\(name)\"", "\"Name \(time)\"")
    try leave(store, "name")
  }

  /// Saves an earlier version of a file, with a new field, as an editor does that did not read it again.
  private mutating func saveOldBuffer(_ item: EntityKey, _ device: Int) throws {
    guard item != items[2] else { return }
    let store = home.devices[device]
    let path = try store.path(item)
    let commits = try Git.run("log", "--format=%H", "--", path.text, in: store.root)
      .split(separator: "\n")
    guard let commit = random.pick(commits) else { return }
    let old = try Git.run("show", "\(commit):\(path.text)", in: store.root)
    try store.write(
      old.replacing("\n  \"isArchived\"", with: "\n  \"buffer\(time)\": 1,\n  \"isArchived\""),
      to: path)
    try leave(store, "old buffer")
  }

  private mutating func leave(_ store: Store, _ words: String) throws {
    guard random.happens(60), try store.status() != "" else { return }
    try home.commitAll(store, "\(words) \(time)")
  }

  /// Writes what there is of the third item into its file, in one of all ways, and reads it at once.
  private mutating func count(_ device: Int) throws {
    let (store, item) = (home.devices[device], items[2])
    _ = try store.adopt()
    let path = try store.path(item)
    let text = try store.text(path)
    let number = random.number(0...120)
    let shown = #/"quantity(Loose|InStock)": [-0-9.]+/#
    guard let match = text.firstMatch(of: shown) else { return }
    let ways = ["\"quantityInStock\": \(number)", "\"quantityLoose\": \(number)"]
    let beside =
      match.output.1 == "Loose" ? ["\"quantityInStock\": \(number), \(match.output.0)"] : []
    guard let way = random.pick(ways + beside) else { return }
    journal.append("  \(match.output.0) becomes \(way)")
    try store.write(text.replacing(shown, with: way), to: path)
    try leave(store, "count")
    _ = try store.adopt()
    let household = try store.read().household
    guard let entity = household[item] else { throw Mismatch(description: "the item is gone") }
    let isAll = way.contains("InStock")
    let there = isAll ? Stock(household).total(of: entity) : entity.ownQuantity.value
    // The third item is in pieces, and the two forms of a file differ in their name alone.
    guard there == Number(number) || way == match.output.0 else {
      throw Mismatch(description: "\(way) is read as \(there)")
    }
    guard try store.text(path).contains("quantityInStock") == false else {
      throw Mismatch(description: "what was counted stays in the file")
    }
  }

  private mutating func sync(_ device: Int) throws {
    try home.sync(home.devices[device])
    join(device, with: Self.hub)
    join(Self.hub, with: device)
  }

  /// Merges what the hub has with plain git, which may not manage it.
  private mutating func pull(_ device: Int) throws {
    let store = home.devices[device]
    guard try store.status() == "" else { return }
    do {
      try home.git(store, "pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
      join(device, with: Self.hub)
    } catch {
      try Git.run("merge", "--abort", in: store.root)
    }
  }

  private mutating func join(_ device: Int, with other: Int) {
    for item in items {
      if let more = known[item]?[other] { known[item]?[device].formUnion(more) }
    }
  }

  private func forgetCache(_ device: Int) throws {
    try? FileManager.default.removeItem(
      atPath: home.devices[device].root + "/.git/larder/cache")
  }

  /// Compares what the device reads of the first two items with the model.
  private func check(_ device: Int) throws {
    let household = try home.devices[device].read().household
    for (index, item) in items.prefix(2).enumerated() {
      guard let entity = household[item] else { throw Mismatch(description: "\(index) is gone") }
      let left = (known[item]?[device] ?? []).reduce(Self.start) { $0 + (changes[$1] ?? 0) }
      let total = Stock(household).total(of: entity)
      if total != Number(left) {
        throw Mismatch(description: "device \(device), item \(index): \(total), not \(left)")
      }
    }
  }

  /// Lets the devices end alike, and compares a new clone.
  mutating func settle() throws {
    for _ in 0..<3 { for device in 0...2 { try sync(device) } }
    for device in 0...2 { try check(device) }
    try home.settle()
    for (path, text) in try home.laptop.files() where path.text.hasPrefix("stock/") {
      guard text.contains("quantityLoose") != text.contains("quantityInStock") else {
        throw Mismatch(description: "\(path) shows both or none")
      }
    }
  }
}

extension Store {
  /// Adds a batch of an item that keeps for some days.
  fileprivate func put(_ item: EntityKey, _ quantity: Int, until days: Int) throws {
    try commit(as: "put") { edit, writer in
      let unit = try #require(edit.after[item]).unit
      let day = try #require(Day("2026-12-\(days % 28 + 1 < 10 ? "0" : "")\(days % 28 + 1)"))
      var details = BatchDetails(productID: item.id)
      details.expiry = ExpiryInfo(.expiry, day)
      _ = try edit.add(Quantity(Number(quantity), unit), details, by: writer)
      return ("put", ())
    }.get().value
  }
}
