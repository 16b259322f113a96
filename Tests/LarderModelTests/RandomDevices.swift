import LarderJSON
import LarderModel
import TestSupport

/// Devices that change one household apart from each other, by clocks of their own, and join now and
/// then; and what all their ledgers have to come to, from what each of them ever wrote.
///
/// Every step draws from a seed of its own, so that it can be left out.
struct RandomDevices {
  struct Device {
    let name: String
    var household: Household
    var clock: Int64
  }

  struct Mismatch: Error, CustomStringConvertible {
    let description: String

    init(_ text: String) { description = text }
  }

  var devices: [Device]
  var random: SeededGenerator
  let ids = SeededIDs(seed: 0)
  var journal: [String] = []
  /// Every entry that anybody wrote.
  private(set) var written: [EntityKey: [String: LedgerEntry]] = [:]
  /// What was asked for under the names of requests.
  var requests: [String: Request] = [:]
  /// Whether all that happens is that something comes, goes or moves, nothing being counted or taken
  /// back; and what came and went then, by what made it.
  let isPlain: Bool
  var flow: [[String]: Int] = [:]
  /// Whether two devices served one request from one file with different amounts.
  var isUnclear = false
  /// Snapshots that both devices of a pair have come from.
  private var bases: [Set<Int>: Household] = [:]

  /// What is done over and over, in half of the runs; in the others it is anything.
  private(set) var habits: [Int] = []

  enum Request {
    case add(Amount, item: String)
    case addBatch(Amount, BatchDetails)
    case take(Amount, item: String)
    case takeProduct(Amount, String)
  }

  init(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let start = try Self.beginnings.get()
    devices = (0..<(random.happens(85) ? 2 : 3)).map { number in
      Device(
        name: ["laptop", "phone", "tablet"][number], household: start,
        clock: RandomLife.start + Int64(random.number(-5...5)) * 3_600_000)
    }
    for entity in start.entities where !entity.ledger.entries.isEmpty {
      written[entity.key] = Dictionary(
        uniqueKeysWithValues: entity.ledger.entries.map { ($0.id, $0) })
    }
    isPlain = random.happens(50)
    if random.happens(50) { habits = (0..<4).map { _ in random.number(0...99) } }
    self.random = random
  }

  private static let beginnings = Result { try beginning() }

  /// Two items with products, one of them on the shopping list, a lot to use and one of strangers.
  private static func beginning() throws -> Household {
    var strange = try batch(2, "5", expiry: "2026-11-01", product: "ean_1")
    strange.write("householdId", .string(uuid(701)), at: strange.createdAt)
    let entry = try entity(
      .shoppingListEntry,
      #""id": #400, "itemId": #101, "desiredQuantity": 2, "unit": "kilogram""#)
    return household(
      try home("Asia/Singapore"), try place(), try place(1),
      try item(loose: "3", full: "4", products: #"["ean_1"]"#),
      try item(1, unit: .kilogram, products: #"["ean_2"]"#),
      try batch(1, "3", expiry: "2026-11-30", product: "ean_1"), strange, entry)
  }

  mutating func step(_ seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    ids.random = SeededGenerator(seed: seed &+ 1)
    let device = random.number(0...devices.count - 1)
    devices[device].clock += Int64(random.happens(20) ? 0 : random.number(1...100_000))
    if random.happens(5) { devices[device].clock += Int64(random.number(-4...4)) * 3_600_000 }
    guard random.happens(25) else { return try act(device) }
    let other = (device + random.number(1...devices.count - 1)) % devices.count
    try join(device, with: other, entityByEntity: random.happens(30))
  }

  /// One command on one device, and what it wrote.
  mutating func perform(
    _ device: Int, _ words: String, _ change: (inout Edit, Writer) throws -> Void
  ) throws {
    let now = Instant(milliseconds: devices[device].clock)
    journal.append("\(devices[device].name) \(now) \(words)")
    let ids = ids
    let writer = Writer(
      now: now, device: devices[device].name, userID: uuid(801), newID: { ids.next() })
    var edit = Edit(devices[device].household)
    do {
      try change(&edit, writer)
    } catch let error as RuleError {
      return journal.append("  refused: \(error)")
    }
    edit.ensureShoppingForLowStock()
    for key in edit.changed {
      let known = devices[device].household[key]?.ledger.entries.count ?? 0
      guard let ledger = edit.after[key]?.ledger, ledger.entries.count != known else { continue }
      for entry in ledger.entries { note(entry, of: key) }
    }
    devices[device].household = edit.after
  }

  /// Devices only write derived entries twice: of two the earlier stands, then the one with the smaller
  /// bytes.
  private mutating func note(_ entry: LedgerEntry, of key: EntityKey) {
    guard let other = written[key]?[entry.id] else {
      written[key, default: [:]][entry.id] = entry
      return
    }
    guard other != entry else { return }
    let isSmaller = entry.json.compact().lexicographicallyPrecedes(other.json.compact())
    if entry.at == other.at ? isSmaller : entry.at < other.at { written[key]?[entry.id] = entry }
  }

  mutating func join(_ device: Int, with other: Int, entityByEntity: Bool = false) throws {
    let (mine, theirs) = (devices[device].household, devices[other].household)
    journal.append(
      "\(devices[device].name) joins \(devices[other].name)"
        + (entityByEntity ? " entity by entity" : ""))
    let base = bases[[device, other]]
    bases[[device, other]] = theirs
    devices[device].household =
      entityByEntity ? mine.joined(with: theirs) : mine.joined(with: theirs, base: base)
  }
}

// MARK: - What has to hold in the end

extension RandomDevices {
  /// All join, one after the other in any order, until everybody has it all.
  mutating func settle(_ seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    let order = devices.indices.shuffled(using: &random)
    for other in order.dropFirst() { try join(order[0], with: other) }
    for other in order.dropFirst().shuffled(using: &random) { try join(other, with: order[0]) }
    let first = devices[0].household
    for other in devices.dropFirst() {
      let differing = first.keys(differingFrom: other.household)
      guard differing.isEmpty, first.keys.count == other.household.keys.count else {
        throw Mismatch(
          "\(other.name) differs:\n"
            + differing.flatMap { [first[$0]?.text ?? "", other.household[$0]?.text ?? ""] }
            .joined(separator: "\n"))
      }
    }
    try checkLedgers(first)
    if seed % 4 == 0 { try checkRequests(first) }
    if seed % 16 == 0 { try compareBytes() }
    if isPlain, !isUnclear { try checkFlow(first) }
  }

  private func compareBytes() throws {
    let texts = devices.map { $0.household.texts }
    guard texts.allSatisfy({ $0 == texts[0] }) else { throw Mismatch("files differ in bytes") }
  }

  /// Every ledger has what was ever written, once, and comes to what the format says.
  private func checkLedgers(_ household: Household) throws {
    var rests: [EntityKey: Int] = [:]
    for entity in household.entities where [.stockItem, .inventoryItem].contains(entity.kind) {
      let entries = written[entity.key] ?? [:]
      guard entity.ledger.entries.count == entries.count,
        entity.ledger.entries.allSatisfy({ entries[$0.id] == $0 })
      else { throw Mismatch("entries came or went:\n\(entity.text)") }
      let rest = Self.rest(Array(entries.values), in: entity.unit)
      rests[entity.key] = rest
      guard NaiveStock.grains(entity.quantity) == rest,
        entity.isConsumed == (entity.kind == .inventoryItem && rest <= 0 && entity.isActive)
      else {
        throw Mismatch("is not \(Amount(grains: rest, unit: entity.unit)):\n\(entity.text)")
      }
    }
    for key in written.keys where household[key] == nil { throw Mismatch("\(key) is lost") }
    for item in household.all(.stockItem) {
      let total = total(of: item, household)
      let holding = Stock(household).holding(of: item)
      let read = [holding.item] + holding.batches.filter(\.isActive)
      guard total < 0 || read.allSatisfy({ $0.quantity.value >= .zero }),
        read.map({ NaiveStock.grains($0.quantity) }).reduce(0, +) == total
      else { throw Mismatch("of \(item.title) there is \(read.map(\.quantity)), in all \(total)") }
      guard NaiveStock.grains(Quantity(Stock(household).total(of: item), item.unit)) == total else {
        throw Mismatch("\(item.title) has \(Stock(household).total(of: item)), not \(total) grains")
      }
    }
  }

  /// What was counted of all there is and what each ledger changed since, or without such a count
  /// what all ledgers come to; what has left the stock is nothing from then on.
  private func total(of item: Entity, _ household: Household) -> Int {
    let own = Array((written[item.key] ?? [:]).values)
    let count = Self.count(own, in: item.unit)
    var total = Self.rest(own, in: item.unit)
    if let count, let all = count.total {
      total += NaiveStock.grains(Quantity(all, count.unit))
      total -= count.quantity.map(NaiveStock.grains) ?? 0
    }
    for batch in Self.batches(of: item, household) {
      let status = batch.register("status")
      let gone = status?.value == .string("active") ? nil : status?.stamp
      let entries = Array((written[batch.key] ?? [:]).values)
      total += Self.rest(entries, in: batch.unit, gone: gone)
      if let count, count.total != nil {
        total -= Self.rest(entries, in: batch.unit, gone: gone, before: count.at)
      }
    }
    return shown(total, in: item.unit)
  }

  /// The latest count that stands, up to a time.
  private static func count(
    _ entries: [LedgerEntry], in unit: Unit, upTo end: Instant? = nil
  ) -> LedgerEntry? {
    let undone = entries.compactMap { entry in
      if case .undoes(let id) = entry.event { id } else { nil }
    }
    return entries.filter { entry in
      guard case .set = entry.event else { return false }
      return convert(entry.unit, unit) && !undone.contains(entry.id) && entry.at <= end ?? entry.at
    }.max { ($0.at, $0.id) < ($1.at, $1.id) }
  }

  /// The latest count and the changes after it, without what was undone; rounded once.
  ///
  /// Of what is gone, it is what came and went from then on; with `before`, what there was then.
  private static func rest(
    _ entries: [LedgerEntry], in unit: Unit, gone: Instant? = nil, before end: Instant? = nil
  ) -> Int {
    let undone = entries.compactMap { entry in
      if case .undoes(let id) = entry.event { id } else { nil }
    }
    let counting = entries.filter { entry in
      convert(entry.unit, unit) && !undone.contains(entry.id)
    }
    let latest = count(entries, in: unit, upTo: end)
    var (start, sum) = (latest?.at, latest?.quantity.map(NaiveStock.grains) ?? 0)
    if let gone, gone <= end ?? gone, start.map({ $0 <= gone }) ?? true {
      (start, sum) = (gone, min(0, rest(entries, in: unit, before: gone)))
    }
    for entry in counting {
      guard case .delta(let number) = entry.event, start.map({ entry.at >= $0 }) ?? true,
        end.map({ entry.at < $0 }) ?? true
      else { continue }
      sum += NaiveStock.grains(Quantity(number, entry.unit))
    }
    return shown(sum, in: unit)
  }

  private static func batches(of item: Entity, _ household: Household) -> [Entity] {
    household.all(.inventoryItem).filter { batch in
      ([item.id] + item.productIDs).contains(batch.productID) && batch.householdID != uuid(701)
    }
  }

  /// A request that adds to one file is counted once, whoever served it; what devices apart served
  /// from different files is found by `check`.
  private func checkRequests(_ household: Household) throws {
    var served: [String: [(key: EntityKey, entry: LedgerEntry)]] = [:]
    for (key, entries) in written {
      for entry in entries.values {
        if let request = entry.request { served[request, default: []].append((key, entry)) }
      }
    }
    var told: Set<String> = []
    for finding in HouseholdCheck.findings(in: household, now: moment(20)) {
      if case .servedTwice(let request, _, _) = finding.kind { told.insert(request) }
    }
    for (name, all) in served {
      let devices = Set(all.map(\.entry.by))
      let isApart = devices.count > 1 && Set(all.map(\.key)).count > 1
      if case .add = requests[name], all.count != 1 {
        throw Mismatch("\(name) is counted \(all.count) times")
      }
      // Undoing one of them settles it.
      guard isPlain, told.contains(name) != isApart else { continue }
      throw Mismatch("\(name) was served by \(devices), and check tells of \(told)")
    }
  }

  /// What there is of an item, thrown out or not, is what came less what went.
  private func checkFlow(_ household: Household) throws {
    for item in household.all(.stockItem) {
      let all = ([item] + Self.batches(of: item, household)).map { NaiveStock.grains($0.quantity) }
      let start = item.id == uuid(100) ? 6_000_000 : 0
      let wanted = flow.filter { $0.key[0] == item.id }.map(\.value).reduce(start, +)
      guard all.reduce(0, +) == wanted else {
        throw Mismatch("of \(item.title) there is \(all.reduce(0, +)), not \(wanted): \(flow)")
      }
    }
  }
}
