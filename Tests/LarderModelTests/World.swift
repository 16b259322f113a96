import LarderJSON
import LarderModel
import TestSupport

/// People of one household in a world where things really come and go, with devices that know of each
/// other's acts when they have joined.
///
/// `truth` is what there is, by one sequence of acts with true times. It reads nothing of the devices
/// but to which batch they said that an act belongs. In the end each item's total has to be the true
/// one, whoever wrote what when, and however late it arrived.
///
/// Left out by how acts are drawn is what no rule could know (docs/adoption.md, section 18):
/// - Clocks are right.
/// - Nobody counts one batch or the loose stock alone: that says nothing of what others booked elsewhere.
/// - A batch is thrown away whole only where the record of it is right; else its amount is noted. Nobody
///   has batches archived by themselves, or takes back the making of one, which others may have used.
/// - Nobody falsely counts what then begins a page: what arrives from before it would be lost.
/// - Items are merged, and products given away, when all have joined and nothing is left to be put right.
struct World {
  struct Device {
    let name: String
    var household: Household
    /// The numbers of the acts that it knows of.
    var known: Set<Int> = []
  }

  /// Something false in the books that somebody will put right.
  struct Slip {
    enum Repair {
      case takeBack([EntityDifference])
      case correct(receipt: String, from: [ReceiptLine], to: [ReceiptLine])
      case void(receipt: String)
    }

    let words: String
    let act: Int
    let item: String
    let repair: Repair
    /// Whether two may put it right apart from each other.
    let mayBeTwice: Bool
    var repairs: [Int] = []
    /// Whether all was counted since, so that the total is right without any repair.
    var isCounted = false
  }

  /// Something bought that is not in the books yet, or that another one may still save as well.
  struct Purchase {
    struct Part {
      let item: String
      let grains: Int
      var line: ReceiptLine
      /// Where it is in truth, under the id that the line's batch would have.
      let lot: String
    }

    let at: Instant
    var parts: [Part]
    /// The shopping entry in the basket and when it was ticked off.
    var basket: (entry: EntityKey, ticked: Instant)?
    var savings: [Int] = []
  }

  struct Mismatch: Error, CustomStringConvertible {
    let description: String

    init(_ text: String) { description = text }
  }

  var devices: [Device]
  var truth = TrueStock()
  var random: SeededGenerator
  let ids = SeededIDs(seed: 0)
  var journal: [String] = []
  /// How often everything was done.
  var done: [String: Int] = [:]
  var slips: [Slip] = []
  var purchases: [Purchase] = []
  /// The items of which something was used that nobody wrote down, until they are counted.
  var forgotten: Set<String> = []
  /// The items that are there.
  var items: [String]
  /// Whether ledgers are long, so that counts begin pages.
  let isLong: Bool
  private var now = RandomLife.start
  private(set) var acts = 0
  /// How many of a hundred acts are known to all at once.
  private let online: Int

  init(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    isLong = random.happens(8)
    let start = try (isLong ? Self.long : Self.short).get()
    let count = random.number(2...4)
    devices = ["laptop", "phone", "tablet", "desk"].prefix(count).map {
      Device(name: $0, household: start)
    }
    online = random.pick([0, 5, 20, 90]) ?? 0
    items = start.all(.stockItem).map(\.id).sorted()
    for item in start.all(.stockItem) {
      truth.put(NaiveStock.grains(item.ownQuantity), of: item.id, into: item.id)
      for batch in Stock(start).batches(of: item) {
        truth.put(NaiveStock.grains(batch.ownQuantity), of: item.id, into: batch.id)
      }
    }
    self.random = random
  }

  mutating func step(_ seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    ids.random = SeededGenerator(seed: seed &+ 1)
    pass()
    let device = random.number(0...devices.count - 1)
    try act(device)
    if random.happens(online) { joinAll() } else if random.happens(15) { joinTwo() }
  }

  /// Some time goes by.
  mutating func pass() { now += Int64(random.number(1000...5_000_000)) }

  var time: Instant { Instant(milliseconds: now) }

  func writer(on device: Int) -> Writer {
    let ids = ids
    return Writer(
      now: time, device: devices[device].name, userID: uuid(801), newID: { ids.next() })
  }

  /// What a rule changes on a device, without doing it; nil if the rule refuses it.
  mutating func tried(
    _ device: Int, _ words: String, _ change: (inout Edit, Writer) throws -> Void
  ) throws -> Edit? {
    var edit = Edit(devices[device].household)
    let writer = writer(on: device)
    do {
      try change(&edit, writer)
    } catch let error as RuleError {
      journal.append("\(time) \(devices[device].name) can't \(words): \(error)")
      return nil
    }
    edit.moveShares(by: writer)
    edit.ensureShoppingForLowStock()
    return edit
  }

  /// Keeps what a rule changed on a device; returns the act's number and its changes.
  @discardableResult
  mutating func keep(
    _ edit: Edit, on device: Int, _ kind: String, _ words: String
  ) -> (act: Int, changes: [EntityDifference]) {
    journal.append("\(time) \(devices[device].name): \(kind) \(words)")
    acts += 1
    done[kind, default: 0] += 1
    devices[device].household = edit.after
    devices[device].known.insert(acts)
    return (acts, edit.after.differences(from: edit.before))
  }

  /// One command on one device; nil if the rules refuse it.
  @discardableResult
  mutating func perform(
    _ device: Int, _ kind: String, _ words: String,
    _ change: (inout Edit, Writer) throws -> Void
  ) throws -> (act: Int, changes: [EntityDifference])? {
    guard let edit = try tried(device, "\(kind) \(words)", change) else { return nil }
    return keep(edit, on: device, kind, words)
  }
}

// MARK: - Joining

extension World {
  mutating func joinTwo() {
    let one = random.number(0...devices.count - 1)
    let other = (one + random.number(1...devices.count - 1)) % devices.count
    join(one, with: other)
    if random.happens(50) { join(other, with: one) }
  }

  mutating func joinAll() {
    let order = devices.indices.shuffled(using: &random)
    for other in order.dropFirst() { join(order[0], with: other) }
    for other in order.dropFirst() { join(other, with: order[0]) }
  }

  private mutating func join(_ one: Int, with other: Int) {
    journal.append("\(devices[one].name) joins \(devices[other].name)")
    let theirs = devices[other].household
    devices[one].household = devices[one].household.joined(with: theirs, base: nil)
    devices[one].known.formUnion(devices[other].known)
  }

  /// What all devices know together, if one of them were at this version.
  func everything(_ household: Household) -> Household {
    devices.reduce(household) { $0.joined(with: $1.household, base: nil) }
  }
}

// MARK: - How it begins and ends

extension World {
  private static let short = Result { try beginning(isLong: false) }
  private static let long = Result { try beginning(isLong: true) }

  /// Items in pieces, by weight and by volume, with products, of which some keep so many days or
  /// have a place of their own.
  private static func beginning(isLong: Bool) throws -> Household {
    var entities = [
      try home("Asia/Singapore"), try place(), try place(1),
      try item(loose: "10", full: "4", products: #"["ean_1", "ean_5"]"#),
      try item(1, full: "6", products: #"["ean_2"]"#),
      try item(2, loose: "2", unit: .kilogram, full: "3", products: #"["ean_3"]"#),
      try item(3, unit: .gram, full: "500", products: #"["ean_4"]"#),
      try item(4, loose: "1.5", unit: .liter, full: "2", other: #", "keepsDays": 7"#),
      try item(5, unit: .milliliter, other: ##", "storageLocationId": #300"##),
      try batch(1, "5", expiry: "2026-11-30"), try batch(2, "4", product: "ean_1"),
      try batch(3, "6", expiry: "2026-12-24", product: "ean_2"),
      try batch(4, "750", unit: .gram, product: "ean_3"),
      try batch(5, "0.8", unit: .kilogram, expiry: "2026-11-20", product: uuid(103)),
      try batch(6, "500", unit: .milliliter, product: uuid(104)),
    ]
    if isLong {
      for index in entities.indices where entities[index].ledger.entries.count > 0 {
        for number in 0..<104 {
          entities[index].record(
            LedgerEntry(
              id: uuid(20_000 + index * 1000 + number), at: moment(2, number),
              .delta(Number(number.isMultiple(of: 2) ? 1 : -1)), unit: entities[index].unit,
              why: .edit, by: "setup"))
        }
      }
    }
    var household = Household()
    for entity in entities { household.put(entity, at: household.defaultPath(for: entity)) }
    return household
  }

  /// What was bought is saved, what was false put right, what nobody knows counted; then all join.
  mutating func settle(_ seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    ids.random = SeededGenerator(seed: seed &+ 1)
    for index in purchases.indices where purchases[index].savings.isEmpty {
      pass()
      try save(index, on: random.number(0...devices.count - 1), atLast: true)
    }
    for index in slips.indices where slips[index].repairs.isEmpty {
      pass()
      let knowing = devices.indices.filter { devices[$0].known.contains(slips[index].act) }
      if let device = random.pick(knowing) { try putRight(index, on: device) }
      let slip = slips[index]
      if slip.repairs.isEmpty, !slip.isCounted { forgotten.insert(slip.item) }
    }
    for item in forgotten.sorted() {
      pass()
      try count(item, on: random.number(0...devices.count - 1))
      if random.happens(20) { joinTwo() }
    }
    joinAll()
    try compare()
  }

  private func compare() throws {
    for device in devices {
      for id in items {
        guard let item = device.household[.stockItem, id] else { throw Mismatch("\(id) is lost") }
        let total = Stock(device.household).total(of: item)
        let grains = NaiveStock.grains(Quantity(total, item.unit))
        guard grains != truth.total(of: id) else { continue }
        let real = Amount(grains: truth.total(of: id), unit: item.unit)
        let files = [item] + Stock(device.household).batches(of: item)
        throw Mismatch(
          "\(device.name) has \(total) of \(item.title), and there are \(real), "
            + "\(truth.lots[id] ?? [:]):\n" + files.map(\.text).joined(separator: "\n"))
      }
    }
  }
}
