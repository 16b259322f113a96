import LarderModel
import LarderStore
import TestSupport
import Testing

@Suite("Somebody pushes between our look and our push")
struct ForestalledTests {
  @Test("both pushes arrive, and the devices end equal")
  func forestalledOnce() throws {
    let devices = try Devices()
    let (laptop, phone, milk) = try devices.pair()
    try laptop.consume(milk, 1)
    try phone.consume(milk, 2)
    var pushed: String?
    let outcome = try Synchronizer(store: laptop) { event in
      guard case .pushing = event, pushed == nil else { return }
      do {
        try devices.sync(phone)
        pushed = try devices.commit(phone)
      } catch {
        Issue.record(error)
      }
    }
    .sync()
    #expect(outcome.retries == 1)
    let between = try #require(pushed)
    #expect(try devices.hubContains(between))
    #expect(try devices.hubContains(try devices.commit(laptop)))
    try devices.sync(phone)
    #expect(try devices.commit(laptop) == devices.commit(phone))
    #expect(try phone.read().household[milk.key]?.quantity.value == Number(7))
  }

  @Test("the first push to an empty remote never takes the place of another first push")
  func firstPush() throws {
    let devices = try Devices()
    let laptop = try devices.first("laptop")
    let phone = try devices.first("phone")
    var pushed: String?
    #expect(throws: SyncError.self) {
      _ = try Synchronizer(store: laptop) { event in
        guard case .pushing = event, pushed == nil else { return }
        do {
          try devices.sync(phone)
          pushed = try devices.commit(phone)
        } catch {
          Issue.record(error)
        }
      }
      .sync()
    }
    #expect(try devices.hubContains(try #require(pushed)))
    #expect(try devices.commit(phone) == pushed)
  }

  @Test("a remote that never rests is given up, with what is ours still there")
  func busy() throws {
    let devices = try Devices()
    let (laptop, phone, milk) = try devices.pair()
    try laptop.consume(milk, 1)
    let error = #expect(throws: SyncError.self) {
      _ = try Synchronizer(store: laptop, attempts: 3) { event in
        guard case .pushing = event else { return }
        do {
          try phone.consume(milk, 1)
          try devices.sync(phone)
        } catch {
          Issue.record(error)
        }
      }
      .sync()
    }
    guard case .busy(attempts: 3)? = error else {
      Issue.record("\(error as Any)")
      return
    }
    try devices.sync(laptop)
    try devices.sync(phone)
    #expect(try phone.read().household[milk.key]?.quantity.value == Number(6))
  }
}
