import Foundation
import TestSupport
import Testing

/// What is left when an exchange with the cloud ends somewhere in the middle.
@Suite("Exchanges with the cloud that are cut off")
struct CloudCrashTests {
  /// Changes of every sort, whose sums tell whether one was lost or counted twice.
  private static let changes = [
    "stock use Milk 1", "stock put Milk 2 --expiry +9d", "stock put Bread 1",
    "stock edit Bread --category 'Bakery'", "shop buy Milk 2",
  ]

  private static func pair() throws -> [CloudDevice] {
    let laptop = try CloudDevice("stock new Milk --in-stock 100", "stock new Bread --in-stock 50")
    return [laptop, try laptop.invite()]
  }

  /// A change on both devices, so that a sync has something to bring and something to send.
  private func change(_ pair: [CloudDevice], _ step: Int) throws {
    for line in Self.changes { try pair[0].prepare(line) }
    try pair[0].prepare("stock new 'Thing \(step)' --in-stock \(step)")
    try pair[1].prepare("stock use Milk 2", "stock use Bread 1", "sync")
  }

  private func checkSums(_ pair: [CloudDevice], after steps: Int) throws {
    for device in pair {
      #expect(try device.total("Milk") == 100 - steps)
      #expect(try device.total("Bread") == 50)
      for step in 0..<steps { #expect(try device.total("Thing \(step)") == step) }
    }
  }

  private func requestsOfASync(_ device: CloudDevice) throws -> Int {
    try device.supabase.fail(device.email, ["delay": 0])
    try device.prepare("sync")
    return try device.supabase.mend(device.email)
  }

  @Test(
    "a sync that is killed at any request is made good by the next, nothing lost and nothing doubled",
    arguments: ["delay", "linger"])
  func killed(_ action: String) throws {
    let pair = try Self.pair()
    try change(pair, 0)
    let count = try requestsOfASync(pair[0])
    try #require(count > 4)
    var steps = 1
    // Before and after the transaction; that of a dead sync may come later than the next sync.
    for request in 0..<count {
      try change(pair, steps)
      steps += 1
      try pair[0].supabase.fail(pair[0].email, [action: 1], ["after": request, "times": 1])
      let sync = try pair[0].larder.start("sync", in: "nest")
      let end = Date(timeIntervalSinceNow: 60)
      while try pair[0].supabase.failures(pair[0].email) == 0, !sync.hasExited, Date() < end {
        Thread.sleep(forTimeInterval: 0.01)
      }
      if action == "linger" { Thread.sleep(forTimeInterval: 0.1) }
      _ = sync.end(SIGKILL)
      try pair[0].supabase.mend(pair[0].email)
      try pair[0].prepare("sync")
    }
    Thread.sleep(forTimeInterval: 1)
    try pair.settle()
    try checkSums(pair, after: steps)
  }

  @Test(
    "where connections break before or after the server's commit, the sync itself tries again",
    arguments: ["before", "after"])
  func dropped(_ moment: String) throws {
    let pair = try Self.pair()
    for step in 0..<3 {
      try change(pair, step)
      for request in stride(from: step, to: 60, by: 3) {
        try pair[0].supabase.fail(
          pair[0].email, ["drop": moment], ["after": request, "times": 1])
      }
      try pair[0].prepare("sync")
      try pair[0].supabase.mend(pair[0].email)
    }
    try pair.settle()
    try checkSums(pair, after: 3)
  }

  @Test("what was committed without an answer, again and again, is not doubled when one comes")
  func unanswered() throws {
    let pair = try Self.pair()
    try change(pair, 0)
    try pair[0].supabase.fail(pair[0].email, ["drop": "after"], ["regex": "on_conflict"])
    let outcome = try pair[0]("sync")
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains("the cloud can't be reached: the connection to"))
    #expect(outcome.errors.contains("wait for it"))
    #expect(try pair[0]("cloud push").code == 6)
    try pair[0].prepare("stock use Milk 1", "stock put Milk 1")
    try pair[0].supabase.mend(pair[0].email)
    try pair.settle()
    try checkSums(pair, after: 1)
  }

  @Test("a join that is cut off says how to go on, which brings everything", arguments: [nil, 4])
  func join(_ table: Int?) throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 7", "stock put Milk 1 --expiry +3d")
    let code = try laptop.invitation()
    let household = try laptop.household()
    if let table {
      try laptop.withoutNews(about: household)
      try laptop.supabase.fail(household, ["status": 400], ["method": "GET", "after": table])
    } else {
      try laptop.supabase.fail(household, ["status": 400], ["path": CloudDevice.news])
    }
    let phone = try CloudDevice(aloneOn: laptop.supabase)
    let outcome = try phone.join(code)
    #expect(outcome.code == 1)
    #expect(
      outcome.errors.hasSuffix(
        "hint: the household is in nest and connected: 'larder sync' there brings the rest\n"))
    try laptop.supabase.mend(household)
    try [phone, laptop].settle()
    #expect(try phone.total("Milk") == 8)
  }
}
