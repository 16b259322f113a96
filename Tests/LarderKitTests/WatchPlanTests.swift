@testable import LarderKit
import TestSupport
import Testing

@Suite("What a watch does next")
struct WatchPlanTests {
  private typealias Step = WatchPlan.Step

  /// A plan that has looked and synced at the start; every random time is the longest there is.
  private func settled(every interval: Duration = .seconds(300)) -> WatchPlan {
    var plan = WatchPlan(every: interval) { $0 }
    plan.looked(at: .zero, ahead: [])
    plan.syncBegan()
    plan.synced(at: .zero)
    return plan
  }

  @Test("it looks first, then syncs, then waits")
  func beginning() {
    var plan = WatchPlan(every: .seconds(30)) { $0 }
    #expect(plan.step(at: .zero) == .look)
    plan.looked(at: .seconds(1), ahead: [])
    #expect(plan.step(at: .seconds(1)) == .sync(.git))
    plan.syncBegan()
    #expect(plan.step(at: .seconds(1)) == .wait(.seconds(30)))
    plan.synced(at: .seconds(2))
    #expect(plan.step(at: .seconds(2)) == .wait(.seconds(29)))
    #expect(plan.step(at: .seconds(31)) == .look)
    plan.looked(at: .seconds(31), ahead: [])
    #expect(plan.step(at: .seconds(32)) == .sync(.git))
  }

  @Test("no wait is longer than a minute, so that a machine that slept syncs soon")
  func slept() {
    #expect(settled(every: .seconds(7200)).step(at: .seconds(5)) == .wait(.seconds(60)))
  }

  @Test("a file is looked at once nothing has changed for a second")
  func quiet() {
    var plan = settled()
    plan.changed(at: .milliseconds(5000))
    #expect(plan.step(at: .milliseconds(5400)) == .wait(.milliseconds(600)))
    plan.changed(at: .milliseconds(5900))
    #expect(plan.step(at: .milliseconds(6000)) == .wait(.milliseconds(900)))
    #expect(plan.step(at: .milliseconds(6900)) == .look)
    plan.looked(at: .milliseconds(6900), ahead: [])
    #expect(plan.step(at: .milliseconds(6900)) == .wait(.seconds(60)))
  }

  @Test("somebody who writes all the time does not put it off for ever")
  func steadyWriter() {
    var plan = settled()
    var time = Duration.seconds(20)
    while plan.step(at: time) != .look {
      plan.changed(at: time)
      time += .milliseconds(100)
      guard time < .seconds(60) else { break }
    }
    #expect(time == .seconds(30))
  }

  @Test("what was done here is sent at once, and not again")
  func ahead() {
    var plan = settled()
    plan.changed(at: .seconds(5))
    plan.looked(at: .seconds(6), ahead: [.git])
    #expect(plan.step(at: .seconds(6)) == .sync(.git))
    plan.syncBegan()
    #expect(plan.step(at: .seconds(6)) == .wait(.seconds(60)))
    plan.synced(at: .seconds(7))
    #expect(plan.step(at: .seconds(7)) == .wait(.seconds(60)))
  }

  @Test("what is done here while a sync runs is sent by the next one")
  func aheadWhileSyncing() {
    var plan = settled()
    plan.syncBegan()
    plan.changed(at: .seconds(5))
    #expect(plan.step(at: .seconds(6)) == .look)
    plan.looked(at: .seconds(6), ahead: [.git])
    #expect(plan.step(at: .seconds(6)) == .wait(.seconds(60)))
    plan.synced(at: .seconds(8))
    #expect(plan.step(at: .seconds(8)) == .sync(.git))
    plan.syncBegan()
    plan.synced(at: .seconds(9))
    #expect(plan.step(at: .seconds(9)) == .wait(.seconds(60)))
  }

  @Test("while a merge waits, nothing is synced, and it looks each second whether it is over")
  func blocked() {
    var plan = settled(every: .seconds(10))
    plan.changed(at: .seconds(5))
    plan.blocked(at: .seconds(6))
    #expect(plan.step(at: .milliseconds(6500)) == .wait(.milliseconds(500)))
    for second in 7..<40 {
      #expect(plan.step(at: .seconds(second)) == .look)
      plan.blocked(at: .seconds(second))
    }
    plan.looked(at: .seconds(40), ahead: [.git])
    #expect(plan.step(at: .seconds(40)) == .sync(.git))
  }

  @Test("a remote that is away is asked after 4, 8, 16 s and so on, at most twice the interval")
  func backoff() {
    var plan = settled(every: .seconds(20))
    var rests: [Duration] = []
    var time = Duration.zero
    for _ in 0..<6 {
      plan.syncBegan()
      let rest = plan.syncFailed(at: time)
      rests.append(rest)
      // What is done here meanwhile waits with the rest.
      plan.looked(at: time, ahead: [.git])
      #expect(plan.step(at: time) != .sync(.git))
      plan.looked(at: time + rest, ahead: [.git])
      #expect(plan.step(at: time + rest) == .sync(.git))
      time += rest
    }
    #expect(rests == [4, 8, 16, 32, 40, 40].map { .seconds($0) })
    plan.syncBegan()
    plan.synced(at: time)
    plan.syncBegan()
    #expect(plan.syncFailed(at: time) == .seconds(4), "a success forgets the failures")
  }

  @Test("git and the project wait apart, and what becomes available is synced with at once")
  func twoTargets() {
    var plan = WatchPlan(every: .seconds(20), for: [.git, .cloud]) { $0 }
    plan.looked(at: .zero, ahead: [.git, .cloud])
    #expect(plan.step(at: .zero) == .sync(.git))
    plan.syncBegan(.git)
    #expect(plan.step(at: .zero) == .sync(.cloud), "one that is slow keeps no other waiting")
    plan.syncBegan(.cloud)
    #expect(plan.step(at: .zero) == .wait(.seconds(20)))
    #expect(plan.syncFailed(.git, at: .seconds(1)) == .seconds(4))
    #expect(plan.syncFailed(.git, at: .seconds(1)) == .seconds(8))
    plan.synced(.cloud, at: .seconds(1))
    plan.looked(at: .seconds(2), ahead: [.git, .cloud])
    #expect(plan.step(at: .seconds(2)) == .sync(.cloud))
    plan.synced(.cloud, at: .seconds(2))
    #expect(plan.step(at: .seconds(2)) == .wait(.seconds(7)))
    plan.looked(at: .seconds(3), ahead: [], opened: [.git])
    #expect(plan.step(at: .seconds(3)) == .sync(.git))
  }

  @Test("the waits for a remote are spread over the whole of their range")
  func jitter() {
    var longest: [Duration] = []
    var plan = WatchPlan(every: .seconds(20)) { most in
      longest.append(most)
      return most / 4
    }
    #expect(plan.syncFailed(at: .zero) == .seconds(1))
    #expect(plan.syncFailed(at: .zero) == .seconds(2))
    #expect(longest == [.seconds(4), .seconds(8)])
  }

  @Test("however often it fails, the arithmetic holds")
  func manyFailures() {
    var plan = WatchPlan(every: .seconds(86_400)) { $0 }
    for _ in 0..<200 { _ = plan.syncFailed(at: .zero) }
    #expect(plan.syncFailed(at: .zero) == .seconds(172_800))
  }
}
