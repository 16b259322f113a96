import Foundation
import LarderModel
import Seeded
import TestSupport
import Testing

/// People of one household who use, buy, throw away and count with the real program on several
/// devices, and what there really is, by a sequence of acts of its own.
///
/// Left out is what no rule could know, as in the random worlds of the rules (`World`).
struct RealWorld {
  /// Runs a line on a device, with something on its standard input.
  typealias Run = (_ device: Int, _ line: String, _ input: String) throws -> CommandRunner.Outcome

  struct Item {
    let name: String
    /// The units that people name, with how many of the item's own they are.
    let units: [(name: String, size: Int)]
    /// How many are there.
    var real: Int
  }

  /// What was bought and is on no receipt yet.
  private struct Purchase {
    let item: Int
    let words: String
    let time: String
  }

  /// What a household has to begin with.
  static let beginning = [
    "location new Cellar", "stock new Eggs --in-stock 10 --full 12",
    "stock new Milk --in-stock 3000ml", "stock new Flour --in-stock 2000g",
    "stock put Eggs 6 --expiry 2027-12-01", "stock put Flour 500g --location Cellar",
  ]

  private(set) var items = [
    Item(name: "Eggs", units: [("", 1)], real: 16),
    Item(name: "Milk", units: [("ml", 1), ("l", 1000)], real: 3000),
    Item(name: "Flour", units: [("g", 1), ("kg", 1000)], real: 2500),
  ]
  private(set) var journal: [String] = []
  private var random: SeededGenerator
  private let run: Run
  private let devices: Int
  /// The time as a receipt names it, where the clock is one's own.
  private let time: (() -> String)?
  /// The file of the eggs on a device, for an editor; nil where files are not edited.
  private let file: ((Int) throws -> String)?
  private var purchases: [Purchase] = []
  /// The devices whose last command was false, which their next one takes back.
  private var slipped: Set<Int> = []
  /// The items of which something was used that nobody wrote down.
  private var forgotten: Set<Int> = []

  init(
    seed: UInt64, devices: Int, time: (() -> String)? = nil, file: ((Int) throws -> String)? = nil,
    run: @escaping Run
  ) {
    random = SeededGenerator(seed: seed)
    journal = ["LARDER_SEED=\(seed)"]
    (self.devices, self.time, self.file, self.run) = (devices, time, file, run)
  }

  @discardableResult
  private mutating func larder(_ device: Int, _ line: String, input: String = "") throws -> Bool {
    let outcome = try run(device, line, input)
    let end = outcome.code == 0 ? "" : ": \(outcome.errors)"
    journal.append("\(device): \(line)\(input.isEmpty ? "" : " < \(input)")\(end)")
    return outcome.code == 0
  }

  /// What a device says there is of an item.
  func total(_ item: Int, on device: Int) throws -> Int {
    let all = try run(device, "stock --all --json", "").array("items")
    let found = all.first { $0["name"] as? String == items[item].name }
    return try #require(found?["total"] as? Int, "\(journal.joined(separator: "\n"))")
  }

  mutating func act() throws {
    let device = random.number(0...devices - 1)
    let item = random.number(0...items.count - 1)
    let name = items[item].name
    if slipped.contains(device) {
      if random.happens(50) { try takeBack(device) } else { try larder(device, "sync") }
      return
    }
    switch random.number(0...99) {
    case 0..<25: try use(item, "stock use \(name)", on: device)
    case 25..<31: try use(item, "stock discard \(name)", on: device)
    case 31..<36: try use(item, "stock use \(name) --batch 2027-12-01", on: device)
    case 36..<50:
      let end = random.pick(["", " --expiry 2027-12-01", " --expiry 2027-06-01 --location Cellar"])
      let amount = amount(item)
      guard try larder(device, "stock put \(name) \(amount.text)\(end ?? "")") else { return }
      items[item].real += amount.number
    case 50..<55: try change(device, "stock move \(name) cellar \(amount(item).text)")
    case 55..<60: try change(device, "stock open \(name) \(amount(item).text)")
    case 60..<70: try count(item, on: device)
    case 70..<74: try countAll(on: device)
    case 74..<78: try edit(device)
    case 78..<84: try buy(item, on: device)
    case 84..<88: if let first = purchases.first { try save(first, on: device) }
    case 88..<91:
      let amount = amount(item, upTo: items[item].real)
      guard amount.number > 0 else { return }
      items[item].real -= amount.number
      forgotten.insert(item)
      journal.append("nobody writes down \(amount.text) \(name)")
    default: try actFalsely(item, on: device)
    }
    if random.happens(30) { try larder(device, "sync") }
  }

  /// Takes back, saves and counts what is wrong by now.
  mutating func putRight() throws {
    for device in slipped.sorted() { try takeBack(device) }
    for purchase in purchases { try save(purchase, on: random.number(0...devices - 1)) }
    for item in forgotten.sorted() { try count(item, on: random.number(0...devices - 1)) }
  }

  /// Compares what all devices say with what there is.
  func compare() throws {
    for device in 0..<devices {
      for item in items.indices {
        let total = try total(item, on: device)
        #expect(
          total == items[item].real,
          "\(items[item].name) on \(device)\n\(journal.joined(separator: "\n"))")
      }
    }
  }
}

// MARK: - Acts

extension RealWorld {
  /// Uses something that is there, in truth and by what the device knows.
  private mutating func use(_ item: Int, _ line: String, on device: Int) throws {
    let amount = amount(item, upTo: min(items[item].real, try total(item, on: device)))
    guard amount.number > 0 else { return }
    let words = line.split(separator: " ", maxSplits: 3).map(String.init)
    let all = (words.prefix(3) + [amount.text] + words.dropFirst(3)).joined(separator: " ")
    guard try larder(device, all) else { return }
    items[item].real -= amount.number
  }

  /// Moves or opens something, or can't.
  private mutating func change(_ device: Int, _ line: String) throws {
    try larder(device, line)
  }

  private mutating func count(_ item: Int, on device: Int) throws {
    let line = "stock count \(items[item].name) \(text(items[item].real, item))"
    try #require(try larder(device, line), "\(journal.joined(separator: "\n"))")
    forgotten.remove(item)
  }

  /// Two items on one sheet.
  private mutating func countAll(on device: Int) throws {
    let lines = [0, 2].map { "\(text(items[$0].real, $0)) \(items[$0].name)" }
    let sheet = lines.joined(separator: "\n")
    try #require(
      try larder(device, "stocktake", input: sheet), "\(journal.joined(separator: "\n"))")
    forgotten.subtract([0, 2])
  }

  /// Writes into the file how many eggs there are.
  private mutating func edit(_ device: Int) throws {
    guard let path = try file?(device), try total(0, on: device) != items[0].real else { return }
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let line = "  \"quantityInStock\": \(items[0].real),\n"
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { "\($0)\n" }
    lines.removeAll { $0.hasPrefix("  \"quantityInStock\"") }
    let place = try #require(lines.firstIndex { $0.hasPrefix("  \"unit\"") })
    lines.insert(line, at: place + 1)
    lines[lines.count - 1].removeLast()
    try lines.joined().write(toFile: path, atomically: true, encoding: .utf8)
    journal.append("\(device): in the file of the eggs, quantityInStock is \(items[0].real)")
    try #require(try larder(device, "status"), "\(journal.joined(separator: "\n"))")
    forgotten.remove(0)
  }

  private mutating func buy(_ item: Int, on device: Int) throws {
    let amount = amount(item)
    let name = items[item].name
    items[item].real += amount.number
    let end = random.happens(50) ? " --expiry \(name.lowercased())=2027-12-01" : ""
    let words = "receipt save --shop Shop --keep --line '\(name)=\(amount.text)'\(end)"
    let purchase = Purchase(item: item, words: words, time: time?() ?? "")
    journal.append("bought: \(amount.text) \(name) at \(purchase.time)")
    purchases.append(purchase)
    if random.happens(50) || time == nil { try save(purchase, on: device) }
  }

  private mutating func save(_ purchase: Purchase, on device: Int) throws {
    let end = purchase.time.isEmpty ? "" : " --at '\(purchase.time)'"
    try #require(
      try larder(device, purchase.words + end), "\(journal.joined(separator: "\n"))")
    purchases.removeAll { $0.words == purchase.words && $0.time == purchase.time }
  }

  /// Writes down what is not so.
  private mutating func actFalsely(_ item: Int, on device: Int) throws {
    let (name, text) = (items[item].name, amount(item).text)
    let line = random.pick([
      "stock use \(name) \(text)", "stock put \(name) \(text)", "stock count \(name) \(text)",
      "receipt save --shop Shop --keep --line '\(name)=\(text)'",
    ])
    if let line, try larder(device, line) { slipped.insert(device) }
  }

  private mutating func takeBack(_ device: Int) throws {
    try #require(try larder(device, "undo"), "\(journal.joined(separator: "\n"))")
    slipped.remove(device)
  }

  /// An amount as people type it, no more than there is.
  private mutating func amount(_ item: Int, upTo most: Int = .max) -> (number: Int, text: String) {
    let number = min(most, random.number(1...4) * (items[item].units.count > 1 ? 150 : 1))
    return (number, text(number, item))
  }

  private mutating func text(_ number: Int, _ item: Int) -> String {
    guard let unit = random.pick(items[item].units), unit.size > 1 else {
      return "\(number)\(items[item].units[0].name)"
    }
    return "\(Double(number) / Double(unit.size))".replacing(/\.0$/, with: "") + unit.name
  }
}
