import Foundation
import HomeSupport
import LarderKit
import LarderStore
import TestSupport
import Testing

@Suite("Days of an app's stock")
struct StockDayTests {
  /// Batches by the days on which they expire, in a household somewhere, and a clock to set.
  private struct Calendar {
    let folder: Folder
    let larder: Larder
    let clock: SetClock

    init(in timeZone: String, days: [String]) async throws {
      folder = try Folder()
      let clock = SetClock()
      self.clock = clock
      larder = Larder(
        try Store.create(
          at: folder("home"), name: "Home", timeZone: timeZone, currency: nil, program: "larder",
          context: StoreContext(now: { clock.now }, device: "phone")))
      for day in days {
        var details = BatchDetails(productID: "ean_1")
        details.expiry = ExpiryInfo(.expiry, Day(day))
        try await larder.add(Quantity(Number(1), .piece), details)
      }
      try await larder.add(Quantity(Number(1), .piece), BatchDetails(productID: "ean_1"))
    }

    func days(_ batches: [Batch]) -> [String] {
      batches.compactMap { $0.expiry?.date?.description }
    }
  }

  private final class SetClock: @unchecked Sendable {
    private let lock = NSLock()
    private var instant = Instant(milliseconds: 1_700_000_000_000)
    var now: Instant { lock.withLock { instant } }
    func set(_ text: String) throws {
      let new = try #require(Instant(text))
      lock.withLock { instant = new }
    }
  }

  @Test(
    "a day ends where the household lives, daylight saving included",
    arguments: [
      // 00:30 on the 21st in Singapore, and half an hour before that.
      ("Asia/Singapore", "2026-11-20T16:30:00Z", "2026-11-21"),
      ("Asia/Singapore", "2026-11-20T15:59:59.999Z", "2026-11-20"),
      // London is an hour ahead until the clocks go back on the 25th.
      ("Europe/London", "2026-10-24T23:30:00Z", "2026-10-25"),
      ("Europe/London", "2026-10-25T23:30:00Z", "2026-10-25"),
      ("Europe/London", "2026-10-26T00:00:00Z", "2026-10-26"),
      // And from the 29th of March on.
      ("Europe/London", "2026-03-28T23:30:00Z", "2026-03-28"),
      ("Europe/London", "2026-03-29T23:30:00Z", "2026-03-30"),
    ])
  func boundary(zone: String, now: String, today: String) async throws {
    let day = try #require(Day(today))
    let days = (-2...3).map { day.adding(days: $0).description }
    let calendar = try await Calendar(in: zone, days: days.shuffled())
    try calendar.clock.set(now)
    let expired = try await calendar.larder.survey().expired()
    #expect(calendar.days(expired) == Array(days[..<2]))
    #expect(expired.map { $0.isExpired(on: day) } == [true, true])
    let due = try await calendar.larder.survey().expiring(withinDays: 2)
    #expect(calendar.days(due) == Array(days[2...4]))
    #expect(due.map { $0.isExpired(on: day) } == [false, false, false])
    let all = try await calendar.larder.survey().batches(of: "ean_1")
    #expect(all.map { $0.isExpired(on: day) } == [true, true, false, false, false, false, false])
  }

  @Test("without a number, the household's own window counts; no number is too large")
  func window() async throws {
    let calendar = try await Calendar(
      in: "Asia/Singapore", days: ["2026-12-05", "2026-12-06", "2099-01-01"])
    try calendar.clock.set("2026-11-21T12:00:00Z")
    let larder = calendar.larder
    #expect(try await calendar.days(larder.survey().expiring()) == ["2026-12-05"])
    #expect(try await larder.survey().expiring(withinDays: .max).count == 3)
    #expect(try await larder.survey().expiring(withinDays: -1) == [])
    let store = try Store.open(
      from: larder.root, context: StoreContext(now: { calendar.clock.now }, device: "phone"))
    let own = try #require(try store.read().household.own)
    try store.set("expiringWithinDays", .number("15"), of: own.key)
    #expect(try await calendar.days(larder.survey().expiring()) == ["2026-12-05", "2026-12-06"])
  }

  @Test("what is used up or discarded is neither expired nor expiring")
  func past() async throws {
    let calendar = try await Calendar(
      in: "Asia/Singapore", days: ["2026-11-01", "2026-11-02", "2026-11-22", "2026-11-23"])
    try calendar.clock.set("2026-11-21T12:00:00Z")
    let larder = calendar.larder
    let batches = try await larder.survey().batches(of: "ean_1")
    for batch in [batches[0], batches[2]] {
      try await larder.consume(Quantity(Number(1), .piece), ofBatch: batch.id)
    }
    for batch in [batches[1], batches[3]] { try await larder.discard(batch: batch.id) }
    #expect(try await larder.survey().expired() == [])
    #expect(try await larder.survey().expiring() == [])
    #expect(
      try await larder.survey().batch(batches[0].id)?.isExpired(on: larder.survey().calendar.today)
        == false)
  }
}
