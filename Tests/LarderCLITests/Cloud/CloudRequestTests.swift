import Foundation
import TestSupport
import Testing

/// How often a sync asks the project; what refreshes a token is not counted.
@Suite("The requests of a sync")
struct CloudRequestTests {
  /// Syncs, and returns the requests to tables and functions.
  private static func sync(_ device: CloudDevice) throws -> [String] {
    let outcome = try device("sync --verbose")
    try #require(outcome.code == 0, "\(outcome.errors)")
    return outcome.errors.split(separator: "\n").map { String($0) }
      .filter { $0.hasPrefix("http: ") && $0.contains("/rest/v1/") }
  }

  @Test("one if nothing is new, and two to four for what was used, bought or added")
  func few() throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 9 --full 2", "stock new Tea")
    let phone = try laptop.invite()
    for device in [laptop, phone] { _ = try Self.sync(device) }
    #expect(try Self.sync(laptop).count == 1)
    for (line, most) in [
      ("stock use Milk 1", 2), ("stock put Tea 3 --expiry +9d", 4), ("stock use Milk 8", 3),
      ("receipt save --shop Corner --line 'Milk=2@@3'", 4), ("stock new Rice --in-stock 2", 3),
      ("config name 'Our nest'", 2),
    ] {
      try laptop.prepare(line)
      let sent = try Self.sync(laptop)
      #expect(sent.count <= most, "\(line): \(sent)")
      // What was sent comes back once, and to the others.
      for device in [laptop, phone] {
        let read = try Self.sync(device)
        #expect(read.count == 1, "\(line): \(read)")
      }
      #expect(try Self.sync(laptop).count == 1)
    }
    try [laptop, phone].settle()
    // The ledger of a thing that was read before the thing itself is asked for once more.
    try laptop.prepare("stock new Salt --in-stock 5")
    let items = try laptop("stock --all --json").array("items")
    let id = try #require(items.first { $0["name"] as? String == "Salt" }?["id"] as? String)
    try laptop.supabase.fail(id, ["status": 400], ["path": "/rest/v1/stock_items"])
    #expect(try laptop("sync").code == 1)
    try phone.prepare("sync")
    try laptop.supabase.mend(id)
    try laptop.prepare("sync")
    #expect(try Self.sync(phone).count == 3)
    #expect(try phone.total("Salt") == 5)
    try [laptop, phone].settle()
  }

  @Test("a thousand changes come in a page or two, and go 500 rows at a time")
  func many() throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 9")
    let phone = try laptop.invite()
    for number in 0..<1000 {
      try laptop.larder.folder.write(
        #"{ "name": "Thing \#(number)", "quantityInStock": \#(number + 1) }"#,
        to: "nest/stock/thing-\(number).json")
    }
    #expect(try Self.sync(laptop).count <= 5)
    #expect(try Self.sync(phone).count <= 2)
    #expect(try phone.total("Thing 999") == 1000)
    try [laptop, phone].settle()
  }

  @Test("a project without the function for all news is asked for each table, and brings the same")
  func withoutFunction() throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 9")
    let phone = try laptop.invite()
    for device in [laptop, phone] { try device.withoutNews() }
    try laptop.prepare(
      "stock use Milk 2", "stock new Tea --in-stock 3", "stock put Tea 1 --expiry +9d")
    try [laptop, phone].settle()
    #expect(try phone.total("Milk") == 7)
    #expect(try phone.total("Tea") == 4)
    #expect(try Self.sync(phone).count == 9)
    // What one of them reads by the function and the other one without is the same.
    try laptop.supabase.mend(laptop.email)
    try phone.prepare("stock use Milk 1", "sync")
    try [laptop, phone].settle()
    // Whether migrations are missing is another question.
    try phone.larder.folder.write("", to: "nest/.git/larder/cloud-schema")
    try phone.supabase.fail(
      phone.email, ["status": 200, "body": #"{"number": "20261122100450"}"#],
      ["path": "/rest/v1/rpc/larder_schema"])
    #expect(try phone("sync").errors.contains("20261122100450 ran last"))
    try phone.supabase.mend(phone.email)
  }
}
