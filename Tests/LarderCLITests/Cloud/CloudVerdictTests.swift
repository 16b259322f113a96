import LarderKit
import Foundation
import TestSupport
import Testing

/// What exchanges say of what they came to, and the exit codes that go with it.
@Suite("The cloud has everything only where it has")
struct CloudVerdictTests {
  private static func refuse(_ name: String, _ device: CloudDevice) throws {
    try device.supabase.fail(
      name, ["status": 400, "body": #"{"code":"23514","message":"no"}"#], ["method": "POST"])
  }

  @Test("what is parked counts in every line, and the exit code says so until the cloud takes it")
  func parked() throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 9")
    let name = "Cheese \(UUID().uuidString.prefix(8))"
    try laptop.prepare("stock new '\(name)'")
    try Self.refuse(name, laptop)
    for _ in 0..<Outbox.mostRefusals {
      let push = try laptop("cloud push")
      #expect(push.code == 1)
      #expect(push.errors.contains("warning: nothing sent to the cloud, which still lacks 1 "))
    }
    let push = try laptop("cloud push")
    #expect(push.code == 1)
    #expect(push.errors == "warning: nothing sent to the cloud, which still lacks 1 parked\n")
    let sync = try laptop("sync")
    #expect(sync.code == 1)
    #expect(
      sync.errors.hasSuffix(
        "warning: nothing new in the cloud, nothing sent to the cloud, which still lacks 1 parked\n"
      ))
    try laptop.prepare("stock use Milk 1")
    let json = try laptop("cloud push --json")
    #expect(json.code == 1)
    #expect(try json.json()["synced"] as? Int == 1)
    #expect(try json.json()["parked"] as? Int == 1)
    #expect(try laptop("cloud push --plain").output.contains("parked\t1\n"))

    try laptop.supabase.mend(name)
    #expect(try laptop("cloud retry").errors == "1 thing sent to the cloud\n")
    let last = try laptop("sync")
    #expect(last.code == 0)
    #expect(last.errors.hasSuffix("nothing new in the cloud, the cloud has everything\n"))
  }

  @Test("what a limit or another sort of change leaves out counts as well, and is no failure")
  func leftOut() throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 9", "stock new Bread --in-stock 9")
    try laptop.prepare("stock edit Milk --category a", "stock edit Bread --category b")
    let other = try laptop("cloud push --operation use")
    #expect(other.code == 0)
    #expect(other.errors == "warning: nothing sent to the cloud, which still lacks 2 pending\n")
    let one = try laptop("cloud push --limit 1")
    #expect(one.code == 0)
    #expect(one.errors == "warning: 1 thing sent to the cloud, which still lacks 1 pending\n")
    #expect(try laptop("cloud push --limit 1").errors == "1 thing sent to the cloud\n")
    #expect(try laptop("cloud push").errors == "the cloud has everything\n")
  }

  @Test("what a broken file says, nobody claims to have sent")
  func untaken() throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 9")
    try laptop.larder.folder.write(#"{"name": "Tea", "#, to: "nest/stock/tea.json")
    for line in ["cloud push", "sync"] {
      let outcome = try laptop(line)
      #expect(outcome.errors.hasSuffix("which still lacks 1 broken or refused file\n"))
      #expect(outcome.errors.contains(/warning: .*which still lacks 1/))
    }
    let status = try laptop("status")
    #expect(!status.output.contains("the cloud has everything"))
    #expect(status.output.contains("for the cloud: 1 broken or refused file\n"))
  }

  @Test("a row that nobody can read is no success, and warming up says whether the cloud answered")
  func fetched() throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 1")
    try laptop.prepare("cloud pull --expiring 9")
    #expect(
      try laptop("cloud pull --expiring 9").errors
        == "the cloud was already asked today; nothing was fetched\n")
    try laptop.supabase.fail(laptop.email, ["drop": "before"])
    let offline = try laptop("cloud pull --expiring 9 --again")
    #expect(offline.code == 0)
    #expect(offline.errors.hasPrefix("warning: the cloud can't be reached: "))
    try laptop.supabase.mend(laptop.email)

    let rows = try laptop.request("GET", "/rest/v1/stock_items?select=*").rows
    var row = try #require(rows.first)
    row["edited"] = [1]
    row["version"] = 1 << 40
    let body = String(decoding: try JSONSerialization.data(withJSONObject: [row]), as: UTF8.self)
    try laptop.withoutNews()
    try laptop.supabase.fail(
      laptop.email, ["status": 200, "body": body], ["path": "/rest/v1/stock_items", "times": 1])
    let pulled = try laptop("cloud pull")
    #expect(pulled.errors.hasSuffix("warning: nothing new in the cloud, 1 row left there\n"))
  }
}
