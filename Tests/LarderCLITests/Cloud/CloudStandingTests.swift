import Foundation
import LarderKit
import TestSupport
import Testing

/// How lists and reports show what the cloud has of each thing.
@Suite("How each thing stands with the cloud")
struct CloudStandingTests {
  private static let standings = ["synced", "pending", "failed", "parked"]
  private static let lists = [
    "stock", "stock low", "stock due --days 9", "stock expired", "shop", "receipt", "location",
    "product",
  ]

  private let device: CloudDevice
  /// What is in all names here, and in no others on the server.
  private let mark = UUID().uuidString.prefix(8).lowercased()

  /// A device with things of all kinds that stand in all ways, as their names say.
  init() throws {
    device = try CloudDevice()
    try make("synced")
    try device.prepare("sync")
    for (standing, pushes) in [("parked", Outbox.mostRefusals - 1), ("failed", 1)] {
      try make(standing)
      try device.supabase.fail(
        name(standing), ["status": 400, "body": #"{"code":"23514","message":"no"}"#],
        ["method": "POST"])
      for _ in 0..<pushes { #expect(try device("cloud push").code == 1) }
    }
    try make("pending")
  }

  private func name(_ standing: String) -> String { "\(standing) \(mark)" }

  private func make(_ standing: String) throws {
    let name = name(standing)
    try device.prepare(
      "stock new '\(name)' --in-stock 1 --full 9", "location new '\(name)'",
      "product new '\(name)' --title '\(name)'",
      "stock put '\(name)' 1 --expiry +2d --lot '\(name)'",
      "stock put '\(name)' 1 --expiry -2d --lot '\(name)'",
      "receipt save --shop '\(name)' --line '\(name)=1@@2'", "shop buy '\(name) sweets'")
  }

  @Test("every list shows it for each line, in every form of output")
  func lists() throws {
    for list in Self.lists {
      let items = try device("\(list) --sync --json").array("items")
      let records = try device("\(list) --sync --plain").output.split(separator: "\n")
      for standing in Self.standings {
        let shown = items.filter { "\($0)".contains(name(standing)) }
        #expect(!shown.isEmpty, "\(list)")
        for item in shown {
          #expect(item["syncState"] as? String == standing, "\(list): \(item)")
        }
        let lines = records.filter { $0.contains(name(standing)) }
        #expect(!lines.isEmpty, "\(list)")
        for line in lines { #expect(line.hasSuffix("\t\(standing)"), "\(list): \(line)") }
      }
      let table = try device("\(list) --sync").output
      #expect(table.contains("Sync\n"), "\(list)")
      for standing in Self.standings {
        #expect(table.contains(try Regex("\(name(standing)).* \(standing)")), "\(list): \(table)")
      }
      #expect(try !device(list).output.contains("Sync\n"), "\(list)")
    }
  }

  @Test("the status counts it for each kind of thing, and sums it up in a line")
  func status() throws {
    let kinds = try #require(
      try device("status --json").json()["cloud"] as? [String: [String: Int]])
    let cloud = try device("cloud status --json").json()
    #expect(kinds == cloud["kinds"] as? [String: [String: Int]])
    #expect(Set(kinds.keys) == Set(Kind.allCases.map(\.rawValue)))
    for (kind, counts) in kinds where kind != "Household" {
      let each = kind == "InventoryItem" ? 2 : 1
      for standing in Self.standings { #expect(counts[standing] == each, "\(kind) \(standing)") }
    }
    let records = try device("status --plain").output
    for (kind, counts) in kinds {
      for (standing, count) in counts {
        #expect(records.contains("cloud.\(standing).\(kind)\t\(count)\n") == (count > 0))
      }
    }
    let status = try device("status")
    #expect(status.output.contains("for the cloud: 7 pending, 7 refused, 7 parked\n"))
    #expect(status.errors.contains("hint: 'larder cloud status' says what the project refused"))
    #expect((cloud["refused"] as? [Any])?.count == 14)
    let shown = try device("cloud status")
    #expect(shown.output.contains(/StockItem +1 +1 +1 +1\n/))
    for (standing, tries) in [("failed", 1), ("parked", Outbox.mostRefusals)] {
      #expect(
        shown.output.contains(
          try Regex(
            "\(name(standing)) +\(standing) +\(tries) +[A-Z][a-z]+ [-0-9]+ [:0-9]+ +23514: no")))
      let refused = (cloud["refused"] as? [[String: Any]] ?? []).filter {
        $0["retryCount"] as? Int == tries
      }
      #expect(refused.count == 7)
      for refusal in refused {
        #expect(refusal["errorMessage"] as? String == "23514: no")
        #expect(refusal["lastAttempt"] is String)
      }
    }
    #expect(shown.errors.contains("hint: 'larder cloud retry' tries again what is parked"))
    let record = try #require(
      try device("cloud status --plain").output.split(separator: "\n").first {
        $0.hasPrefix("refused\tStockItem\t")
      })
    #expect(record.hasSuffix("\t23514: no"))
  }

  @Test("of each thing it is known when the cloud last had it as it is here")
  func lastSynced() throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 9", "stock new Bread")
    func times(_ device: CloudDevice) throws -> [String: String] {
      let items = try device("stock --all --sync --json").array("items")
      return Dictionary(
        items.compactMap { item in
          guard let name = item["name"] as? String, let time = item["lastSyncedAt"] as? String
          else { return nil }
          return (name, time)
        }
      ) { first, _ in first }
    }
    let first = try times(laptop)
    #expect(Set(first.keys) == ["Milk", "Bread"])
    try laptop.prepare("stock edit Milk --category Dairy", "stock new Tea", "cloud pull")
    let second = try times(laptop)
    #expect(second["Milk"] == first["Milk"], "it is otherwise since then")
    #expect(try #require(second["Bread"]) > (first["Bread"] ?? ""))
    #expect(second["Tea"] == nil, "the cloud never had it")
    try laptop.prepare("cloud push")
    let third = try times(laptop)
    #expect(try #require(third["Milk"]) > (second["Bread"] ?? ""))
    #expect(third["Tea"] != nil)
    #expect(third["Bread"] == second["Bread"])
  }

  @Test("what is being sent is syncing, for whoever looks, and not after its sender was killed")
  func syncing() throws {
    let laptop = try CloudDevice()
    try laptop.prepare("stock new Milk")
    try laptop.supabase.fail(
      laptop.email, ["delay": 600], ["method": "POST", "path": "/rest/v1/stock_items"])
    let push = try laptop.larder.start("cloud", "push", in: "nest")
    let end = Date(timeIntervalSinceNow: 300)
    while try laptop.supabase.failures(laptop.email) == 0, Date() < end {
      Thread.sleep(forTimeInterval: 0.05)
    }
    #expect(try laptop.count("syncing") == 1)
    #expect(try laptop("stock --sync --plain").output.hasSuffix("\tsyncing\n"))
    #expect(push.end(SIGKILL) != 0)
    #expect(try laptop.count("syncing") == 0)
    #expect(try laptop.count("pending") == 1)
    try laptop.supabase.mend(laptop.email)
    try [laptop].settle()
  }
}
