import LarderKit
import Foundation
import TestSupport
import Testing

/// One bad thing among many, and many things at once.
@Suite("Many rows, and bad ones among them")
struct CloudParkingTests {
  /// Writes the files of many new items, and gives the ids.
  private static func write(
    _ count: Int, _ device: CloudDevice, named name: String = "Thing"
  ) throws -> [String] {
    let ids = (0..<count).map { _ in UUID().uuidString.lowercased() }
    for (number, id) in ids.enumerated() {
      try device.larder.folder.write(
        """
        {
          "id": "\(id)",
          "name": "\(name) \(number)",
          "keepsDays": \(number)
        }

        """, to: "nest/stock/thing-\(id).json")
    }
    return ids
  }

  @Test("one refused row among 500 parks alone after some tries, until somebody asks or it changes")
  func parking() throws {
    let laptop = try CloudDevice()
    let ids = try Self.write(500, laptop)
    let bad = ids[333]
    try laptop.supabase.fail(
      bad, ["status": 400, "body": #"{"code":"23514","message":"too cheesy"}"#],
      ["method": "POST"])
    let first = try laptop("cloud push --json")
    #expect(first.code == 1)
    #expect(try first.json()["attempted"] as? Int == 500)
    #expect(try first.json()["synced"] as? Int == 499)
    #expect(try first.json()["failedIds"] as? [String] == [bad])
    for _ in 0..<(Outbox.mostRefusals - 2) {
      let next = try laptop("cloud push")
      #expect(next.errors.contains("the cloud refused Thing 333: 23514: too cheesy\n"))
    }
    #expect(try laptop.count("failed") == 1)
    let last = try laptop("cloud push")
    #expect(
      last.errors.contains(
        "too cheesy; it is parked now, and 'larder cloud retry' tries again"))
    #expect(try laptop.count("parked") == 1)
    let tries = try laptop.supabase.failures(bad)
    #expect(try laptop("sync").code == 1)
    #expect(try laptop.supabase.failures(bad) == tries, "a parked row was sent")

    #expect(try laptop("cloud retry").code == 1)
    #expect(try laptop.supabase.failures(bad) == tries + 1)
    #expect(try laptop.count("failed") == 1)
    for _ in 1..<Outbox.mostRefusals { #expect(try laptop("cloud push").code == 1) }
    #expect(try laptop.count("parked") == 1)
    try laptop.prepare("stock edit 'Thing 333' --category Cheese")
    #expect(try laptop.count("pending") == 1)
    try laptop.supabase.mend(bad)
    try laptop.prepare("sync")
    try [laptop, try laptop.invite()].settle()
    #expect(
      try laptop.request(
        "GET", "/rest/v1/stock_items?select=name&id=eq.\(bad)"
      ).rows.count == 1)
  }

  @Test("a conflict is a refusal like another, and what is refused keeps nothing else back")
  func conflict() throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 3", "stock new Bread --in-stock 3")
    try laptop.prepare("stock edit Milk --category a", "stock edit Bread --category b")
    let milk = try #require(
      try laptop("stock --json").array("items").first { $0["name"] as? String == "Milk" })
    let id = try #require(milk["id"] as? String)
    try laptop.supabase.fail(
      id, ["status": 409, "body": #"{"code":"23505","message":"twice"}"#], ["method": "POST"])
    let outcome = try laptop("sync")
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("the cloud refused Milk: 23505: twice"))
    let rows = try laptop.request("GET", "/rest/v1/stock_items?select=category").rows
    #expect(rows.compactMap { $0["category"] as? String } == ["b"])
    try laptop.supabase.mend(id)
    try [laptop].settle()
  }

  @Test("a row that comes back as no file may be is refused, and the others are not")
  func unreadableAnswer() throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 3", "stock new Bread --in-stock 3")
    try laptop.prepare("sync", "stock edit Milk --category a", "stock edit Bread --category b")
    var rows = try laptop.request("GET", "/rest/v1/stock_items?select=*&order=name").rows
    #expect(rows.compactMap { $0["name"] as? String } == ["Bread", "Milk"])
    rows[1]["edited"] = [1]
    let body = String(decoding: try JSONSerialization.data(withJSONObject: rows), as: UTF8.self)
    try laptop.supabase.fail(laptop.email, ["status": 201, "body": body], ["method": "POST"])
    let outcome = try laptop("cloud push --json")
    #expect(outcome.code == 1, "\(outcome.errors)")
    let milk = try #require(rows[1]["id"] as? String)
    #expect(try outcome.json()["failedIds"] as? [String] == [milk])
    let told = try laptop("cloud push").errors
    #expect(told.contains("refused Milk: what the project has of it is nothing that a file may be"))
    try laptop.supabase.mend(laptop.email)
    try [laptop].settle()
    let sent = try laptop.request("GET", "/rest/v1/stock_items?select=category&order=name").rows
    #expect(sent.compactMap { $0["category"] as? String } == ["b", "a"])
  }

  @Test("two devices that push 500 rows each at the same time, again and again, only ever add up")
  func atOnce() throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 0")
    let pair = [laptop, try laptop.invite()]
    for (number, device) in pair.enumerated() {
      _ = try Self.write(500, device, named: "Of \(number)")
      try device.prepare("adopt")
    }
    let seconds =
      ProcessInfo.processInfo.environment["LARDER_LOAD_SECONDS"].flatMap(Double.init) ?? 5
    let end = Date(timeIntervalSinceNow: seconds)
    var rounds = 0
    repeat {
      rounds += 1
      for device in pair {
        try device.prepare("stock put Milk 1", "shop buy Milk 1", "shop got Milk")
        try device.prepare("stock edit is:low --category 'Round \(rounds)' --yes --no-input")
      }
      let pushes = try pair.map { try $0.larder.start("sync", in: "nest") }
      for push in pushes {
        while !push.hasExited { Thread.sleep(forTimeInterval: 0.02) }
        let errors = try push.errors()
        #expect(push.end() == 0, "\(errors)")
        #expect(!errors.contains("40P01") && !errors.contains("refused"), "\(errors)")
      }
    } while Date() < end
    try pair.settle()
    for device in pair { #expect(try device.total("Milk") == rounds * 2) }
  }
}
