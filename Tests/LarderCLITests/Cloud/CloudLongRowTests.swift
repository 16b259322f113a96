import Foundation
import TestSupport
import Testing

/// A row that is too long for any answer, among others.
@Suite("A row that is too long keeps nobody from the others")
struct CloudLongRowTests {
  /// What no answer of ours is as long as.
  private static let body = String(repeating: "x", count: (16 << 20) + 1)

  @Test("a pull takes the rows before and behind it, and names it")
  func pulled() throws {
    let laptop = try CloudDevice()
    for number in 0..<5 { try laptop.prepare("stock new 'Thing \(number)' --in-stock \(number)") }
    try laptop.prepare("sync")
    let rows = try laptop.request(
      "GET", "/rest/v1/stock_items?select=id,name,version&order=version"
    ).rows
    let versions = rows.compactMap { $0["version"] as? Int }
    try #require(versions.count == 5)
    // The third: every page that would hold it is too long.
    let household = try laptop.household()
    try laptop.supabase.fail(
      household, ["status": 200, "body": Self.body], ["path": CloudDevice.news])
    for pattern in [
      #"stock_items.select=household_id.*version=gt\.(0|\#(versions[0]))&.*limit=[0-9]{2,}$"#,
      #"stock_items.select=household_id.*version=gt\.\#(versions[0])&.*limit=2$"#,
      #"stock_items.select=household_id.*version=gt\.\#(versions[1])&"#,
    ] {
      try laptop.supabase.fail(
        household, ["status": 200, "body": Self.body], ["method": "GET", "regex": pattern])
    }
    var phone = try CloudDevice(aloneOn: laptop.supabase)
    phone.larder.device = "phone"
    let joined = try phone.join(try laptop.invitation())
    #expect(joined.code == 0, "\(joined.errors)")
    let bad = try #require(rows[2]["id"] as? String)
    #expect(
      joined.errors.contains(
        "warning: a row of stock_items in the cloud is over 16 MiB and was left there: \(bad)\n"))
    let names = try phone("stock --all --json").array("items").compactMap { $0["name"] as? String }
    #expect(names == ["Thing 0", "Thing 1", "Thing 3", "Thing 4"])
    try laptop.supabase.mend(household)

    // Once it is shorter it comes, with its ledger.
    try laptop.prepare("stock edit 'Thing 2' --category Short", "sync")
    try [laptop, phone].settle()
    #expect(try phone.total("Thing 2") == 2)
  }

  @Test("of the households that somebody belongs to, one that is too long hides no other")
  func households() throws {
    let laptop = try CloudDevice()
    try laptop.supabase.fail(
      laptop.email, ["status": 200, "body": Self.body],
      ["method": "GET", "regex": "/households.select=household_id.*order="])
    let joined = try laptop.larder.run(["cloud", "join", laptop.supabase.url, "copy"])
    #expect(joined.code == 0, "\(joined.errors)")
    try laptop.supabase.mend(laptop.email)
  }

  @Test("a push names what comes back too long, and keeps nothing else back")
  func pushed() throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 3", "stock new Bread --in-stock 3")
    try laptop.prepare("stock edit Milk --category a", "stock edit Bread --category b")
    let milk = try #require(
      try laptop("stock --json").array("items").first { $0["name"] as? String == "Milk" })
    let id = try #require(milk["id"] as? String)
    try laptop.supabase.fail(id, ["status": 201, "body": Self.body], ["method": "POST"])
    // Nor does the household's own row.
    let household = try laptop.household()
    try laptop.supabase.fail(
      household, ["status": 201, "body": Self.body],
      ["method": "POST", "path": "/rest/v1/households"])
    try laptop.prepare("config name Home")
    let outcome = try laptop("cloud push")
    #expect(outcome.code == 1)
    #expect(
      outcome.errors.contains(
        "refused Milk: the project has more of it than a file may hold\n"))
    #expect(
      outcome.errors.hasSuffix("warning: 1 thing sent to the cloud, which still lacks 2 refused\n"))
    let sent = try laptop.request("GET", "/rest/v1/stock_items?select=category&name=eq.Bread").rows
    #expect(sent.compactMap { $0["category"] as? String } == ["b"])
    try laptop.supabase.mend(id)
    try laptop.supabase.mend(household)
    try [laptop].settle()
  }
}
