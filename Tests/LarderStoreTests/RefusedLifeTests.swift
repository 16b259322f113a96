import Foundation
import HomeSupport
import LarderGit
import LarderJSON
import LarderModel
import LarderStore
import LarderText
import Testing
import TestSupport

@Suite("Random lives with refused edits, against a naive model of them")
struct RefusedLifeTests {
  private static var seeds: [UInt64] {
    let wish = ProcessInfo.processInfo.environment["LARDER_RUNS"].flatMap { UInt64($0) }
    return Array(1...max(1, (wish ?? 800) / 100))
  }

  @Test(
    "no command, merge, clone or move takes a refused edit, and none loses a use",
    arguments: Self.seeds)
  func life(_ seed: UInt64) throws {
    var life = try RefusedLife(seed: seed)
    do {
      for _ in 0..<25 { try life.step() }
      try life.settle()
    } catch {
      Issue.record("seed \(seed): \(error)\n\(life.journal.joined(separator: "\n"))")
    }
  }
}

/// Two devices whose items, in litres, are used, named, refused, moved, mended and merged, beside a
/// model that knows only uses and names.
private struct RefusedLife {
  struct Mismatch: Error, CustomStringConvertible { let description: String }

  /// What a device knows of an item.
  struct Known {
    var uses = 0
    var name: (time: Int, text: String)

    mutating func join(_ other: Known, by uses: Int) {
      self.uses = uses
      if other.name.time > name.time { name = other.name }
    }
  }

  let home: Home
  private let items: [EntityKey]
  /// The uses that were made, by item, with what each device and the hub knows of them.
  private var uses: [EntityKey: [Set<Int>]] = [:]
  private var names: [EntityKey: [(time: Int, text: String)]] = [:]
  private var time = 0
  private var random: SeededGenerator
  private(set) var journal: [String] = []
  private static let hub = 2

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    var made: [EntityKey] = []
    home = try Home { store in
      for name in ["Oat milk", "Juice"] {
        made.append(try store.newItem(name, 90, full: 6, unit: .liter))
      }
    }
    items = made
    for (item, name) in zip(items, ["Oat milk", "Juice"]) {
      uses[item] = [[], [], []]
      names[item] = Array(repeating: (0, name), count: 3)
    }
  }

  mutating func step() throws {
    let device = random.number(0...1)
    let store = home.devices[device]
    guard let item = random.pick(items) else { return }
    time += 1
    let what = random.number(0...99)
    journal.append("\(time): device \(device), item \(items.firstIndex(of: item) ?? 0), \(what)")
    switch what {
    case ..<18: try use(item, device)
    case ..<28: try name(item, device)
    case ..<46: try refuse(item, device)
    case ..<54: try store.newItem("Thing \(time)", 1)
    case ..<72: try sync(device)
    case ..<80: try pull(device)
    case ..<86: try move(item, device)
    case ..<94: try mend(item, device)
    default: try forgetCache(device)
    }
    try check(device)
  }

  private func isLeft(_ item: EntityKey, _ device: Int) throws -> Bool {
    let household = try home.devices[device].read().household
    return household.path(of: item).map { household.untaken[$0] != nil } ?? false
  }

  private mutating func use(_ item: EntityKey, _ device: Int) throws {
    let isLeft = try isLeft(item, device)
    do {
      try home.devices[device].consume(item, 1)
      guard !isLeft else { throw Mismatch(description: "a refused file was written") }
      uses[item]?[device].insert(time)
    } catch let error as StoreError {
      guard isLeft else { throw error }
    }
  }

  private mutating func name(_ item: EntityKey, _ device: Int) throws {
    guard try !isLeft(item, device) else { return }
    try home.devices[device].set("name", .string("Name \(time)"), of: item)
    names[item]?[device] = (time, "Name \(time)")
  }

  /// Commits an edit with git that can't be taken.
  private mutating func refuse(_ item: EntityKey, _ device: Int) throws {
    let store = home.devices[device]
    let household = try store.read().household
    guard let entity = household[item], let path = household.path(of: item) else { return }
    var text = String(decoding: entity.fileBytes, as: UTF8.self)
      .replacing("\"unit\": \"liter\",\n", with: "\"unit\": \"pack\",\n")
      .replacing("\"name\": \"", with: "\"name\": \"Refused \(time) ")
    if random.happens(50), let start = text.firstRange(of: "\"changes\": [") {
      text = text[..<start.upperBound] + "]\n}\n"
    }
    if random.happens(20) { text = String(text.dropLast(5)) }
    try store.write(text, to: path)
    if random.happens(85) { try home.commitAll(store, "refused \(time)") }
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
      if let more = uses[item]?[other] { uses[item]?[device].formUnion(more) }
      guard let mine = names[item]?[device], let theirs = names[item]?[other] else { continue }
      if theirs.time > mine.time { names[item]?[device] = theirs }
    }
  }

  private mutating func move(_ item: EntityKey, _ device: Int) throws {
    let store = home.devices[device]
    let household = try store.read().household
    // A file that is moved while it is broken counts as removed.
    guard try store.status() == "", let path = household.path(of: item), store.exists(path),
      household.untaken[path]?.isRefused ?? true
    else { return }
    try home.git(store, "mv", path.text, "stock/m\(time).json")
    try home.git(store, "commit", "-q", "-m", "move \(time)")
  }

  private mutating func mend(_ item: EntityKey, _ device: Int) throws {
    let store = home.devices[device]
    let household = try store.read().household
    guard let entity = household[item], let path = household.path(of: item),
      household.untaken[path] != nil
    else { return }
    let text = String(decoding: entity.fileBytes, as: UTF8.self)
    try store.write(text.replacing("\"\(entity.name ?? "")\"", with: "\"Name \(time)\""), to: path)
    names[item]?[device] = (time, "Name \(time)")
    if random.happens(50) {
      try home.commitAll(store, "mended \(time)")
    } else {
      _ = try store.adopt()
    }
  }

  private func forgetCache(_ device: Int) throws {
    try? FileManager.default.removeItem(
      atPath: home.devices[device].root + "/.git/larder/cache")
  }

  /// Compares what the device reads, and one that is opened anew, with the model.
  private func check(_ device: Int) throws {
    let store = home.devices[device]
    for store in [store, try home.opened(store)] {
      let household = try store.read().household
      for (index, item) in items.enumerated() {
        guard let entity = household[item] else { throw Mismatch(description: "\(index) is gone") }
        let left = Number(90 - (uses[item]?[device].count ?? 0))
        let told = "device \(device), item \(index)"
        if entity.unit != .liter { throw Mismatch(description: "\(told): unit \(entity.unit)") }
        if entity.quantity.value != left {
          throw Mismatch(description: "\(told): \(entity.quantity.value) instead of \(left)")
        }
        if entity.name != names[item]?[device].text {
          throw Mismatch(
            description: "\(told): \(entity.name ?? ""), not \(names[item]?[device].text ?? "")")
        }
      }
    }
  }

  /// Lets both devices end alike, and compares a new clone.
  mutating func settle() throws {
    for _ in 0..<3 { for device in 0...1 { try sync(device) } }
    for device in 0...1 { try check(device) }
    try home.settle(isClean: false)
  }
}
