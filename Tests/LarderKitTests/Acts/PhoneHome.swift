import Foundation
import HomeSupport
import LarderKit
import LarderStore
import Seeded
import TestSupport

/// A household in which somebody acted on a phone without a connection, twice: as acts that come
/// late, and as changes of a clone that were made then and are synced now.
final class PhoneHome {
  let folder: Folder
  let clock = SetClock()
  /// The household of the others, to which the acts come.
  private(set) var home: Larder

  init() async throws {
    folder = try Folder()
    try Git.run("init", "-q", "--bare", "-b", "main", folder("hub.git"), in: folder.path)
    let store = try Store.create(
      at: folder("home"), name: "Home", timeZone: "Europe/London", currency: "GBP",
      program: "larder",
      context: StoreContext(now: { [clock] in clock.now }, device: "laptop"))
    try Git.run("remote", "add", "origin", folder("hub.git"), in: store.root)
    for section in ["merge.larder", "diff.larder"] {
      try Git.run("config", "--remove-section", section, in: store.root)
    }
    home = try await Larder.open(from: folder("home"), Self.context(clock, "laptop"))
  }

  static func context(_ clock: SetClock, _ device: String) -> LarderContext {
    var context = LarderContext(environment: [:])
    let ids = IdsOfMoments()
    context.now = { clock.now }
    context.newID = { ids.next(at: $0) }
    context.device = device
    return context
  }

  /// The phone as a clone of the household as it is now.
  func phone() async throws -> Larder {
    _ = try await home.sync()
    let store = try Store.join(
      folder("hub.git"), into: folder("phone"), program: "larder",
      context: StoreContext(now: { [clock] in clock.now }, device: "phone"))
    let own = try Git.run("config", "larder.userId", in: folder("home")).trimmed
    try Git.run("config", "larder.userId", own, in: store.root)
    for section in ["merge.larder", "diff.larder"] {
      try Git.run("config", "--remove-section", section, in: store.root)
    }
    return try await Larder.open(from: store.root, Self.context(clock, "phone"))
  }

  /// The household as a copy that knows nothing of what becomes of the first.
  func copy() async throws -> Larder {
    try FileManager.default.copyItem(atPath: folder("home"), toPath: folder("copy"))
    return try await Larder.open(from: folder("copy"), Self.context(clock, "laptop"))
  }

  /// Another program's larder of the same folder, as after a restart.
  func restarted() async throws -> Larder {
    try await Larder.open(from: home.root, Self.context(clock, "laptop"))
  }
}

/// A clock that stands where it is set.
final class SetClock: @unchecked Sendable {
  private let lock = NSLock()
  private var moment = Instant(milliseconds: 1_700_000_000_000)

  var now: Instant { lock.withLock { moment } }

  func pass(milliseconds: Int64) {
    lock.withLock { moment = Instant(milliseconds: moment.milliseconds + milliseconds) }
  }

  func set(_ moment: Instant) { lock.withLock { self.moment = moment } }
}

/// Ids that follow from the moment and from how many it had before.
private final class IdsOfMoments: @unchecked Sendable {
  private let lock = NSLock()
  private var counts: [Instant: UInt64] = [:]

  func next(at moment: Instant) -> String {
    lock.withLock {
      counts[moment, default: 0] += 1
      var random = SeededGenerator(
        seed: UInt64(bitPattern: moment.milliseconds) &* 1000 &+ (counts[moment] ?? 0))
      return random.id(at: moment)
    }
  }
}

extension SeededGenerator {
  /// Returns an act of somebody who sees a household.
  mutating func act(on survey: Survey, at moment: Instant, by device: String) -> Act? {
    deed(on: survey).map { Act(id: id(at: moment), at: moment, by: device, $0) }
  }

  private mutating func deed(on survey: Survey) -> Deed? {
    let household = survey.household
    let items = household.all(.stockItem).sorted { $0.id < $1.id }
    let entries = household.all(.shoppingListEntry).sorted { $0.id < $1.id }
    let batches = household.all(.inventoryItem).sorted { $0.id < $1.id }
    let places = household.all(.storageLocation).map(\.id).sorted()
    let receipts = household.all(.receipt).sorted { $0.id < $1.id }
    let day = survey.calendar.today.adding(days: number(-3...30))
    let amount = Deed.Amount(Number(number(1...4)))
    guard let item = pick(items)?.id else {
      return .new([(.name, .string("Milk"))], amount, expiry: nil)
    }
    let holder: Deed.Holder =
      happens(50) ? .loose(item: item) : pick(batches).map { .batch($0.id) } ?? .item(item)
    let part = happens(50) ? amount : nil
    let said: Day?? = happens(30) ? nil : .some(happens(70) ? day : nil)
    switch number(0...27) {
    case 0, 1: return pick(entries).map { .got(entry: $0.id) }
    case 2: return pick(entries).map { .ungot(entry: $0.id) }
    case 3: return .want([.init(.item(item), part, note: happens(30) ? "big" : nil)])
    case 4:
      return .want([
        .init(.words("candles \(number(1...3))")), .init(.item(item)), .init(.words("soap"), part),
      ])
    case 5: return pick(entries).map { .drop(entry: $0.id) }
    case 6: return pick(entries).map { .restore(entry: $0.id) }
    case 7, 8:
      return .put(
        item: item, amount, location: happens(50) ? nil : .some(happens(70) ? pick(places) : nil),
        expiry: said)
    case 9, 10: return .use(holder, amount)
    case 11, 12: return .use(.item(item), amount)
    case 13: return .spoil(.item(item), amount, note: "mould")
    case 14: return .count(.item(item), amount)
    case 15: return pick(batches).map { .count(.batch($0.id), amount) }
    case 16: return pick(places).map { .move(holder, to: $0, part, expiry: said) }
    case 17: return .open(holder, part)
    case 18:
      return .date(
        holder, part, expiry: said, location: happens(50) ? nil : .some(pick(places)))
    case 19:
      return happens(60)
        ? .edit(.stockItem, item, [(.category, .string("C\(number(1...3))"))])
        : pick(entries).map {
          .edit(.shoppingListEntry, $0.id, [(.desiredQuantity, Number(number(1...9)).json)])
        }
    case 20:
      let name = happens(50) ? "Another \(number(1...9))" : nil
      return happens(50) ? .archive(item: item) : .unarchive(item: item, name: name)
    case 21:
      let name: FieldValue = (.name, .string("Thing \(number(1...99))"))
      return .new(
        happens(50) ? [name] : [name, (.keepsDays, .number("5"))], part, expiry: said)
    case 22:
      let name = happens(50) ? "Freezer \(number(1...99))" : "Shelf \(number(1...99))"
      return .place(
        location: happens(50) ? nil : pick(places), [(.name, .string(name))], isFreezer: nil)
    case 23: return pick(places).map { .unplace(location: $0) }
    case 24:
      return .barcode(pick(["5012345678900", "4006381333931"]) ?? "", item: item, part)
    case 25: return .settings([(.expiringWithinDays, Number(number(1...30)).json)])
    case 26:
      guard let receipt = pick(receipts) else { return nil }
      if happens(50) { return .unvoid(receipt: receipt.id) }
      var correction = Deed.Correction()
      correction.lines = receipt.lines.map {
        ($0.id, [(.quantity, Number(number(1...5)).json), (.expiry, .string(day.description))])
      }
      return .correct(receipt: receipt.id, correction)
    default:
      if happens(25), let receipt = pick(receipts) { return .void(receipt: receipt.id) }
      var bought = Deed.Bought(shop: "Dorfmarkt")
      bought.entries = entries.filter { $0.isCompleted && !$0.isTombstone }.map(\.id)
      if happens(40) { bought.lines = [Deed.Line(.item(item), amount)] }
      return .bought(bought)
    }
  }
}
