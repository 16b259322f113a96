import Foundation
import TestSupport
import Testing

/// More rows at once than a request has, or a page.
@Suite("A large household in the cloud")
struct CloudLoadTests {
  /// `LARDER_LOAD_ROWS`; 20,000 is a household of many years.
  private static let rows =
    ProcessInfo.processInfo.environment["LARDER_LOAD_ROWS"].flatMap { Int($0) } ?? 2000
  /// What the server lets a page have.
  private static let cap = 100

  /// Files as people write them, of as many kinds as have no other kind to refer to.
  private static func write(_ count: Int, to device: CloudDevice) throws {
    for number in 0..<count {
      let (path, members): (String, String) =
        switch number % 4 {
        case 0, 1:
          (
            "stock/thing-\(number).json",
            "\"name\": \"Thing \(number)\", \"quantityInStock\": \(number)"
          )
        case 2: ("shopping/\(number).json", "\"name\": \"Wish \(number)\"")
        default: ("products/\(number).json", "\"title\": \"Bränd 😀 \(number)\"")
        }
      try device.larder.folder.write("{ \(members) }\n", to: "nest/\(path)")
    }
  }

  /// The number of trees of the whole household that were written to know what the cloud has.
  ///
  /// It must not grow with the rows, or the time would grow with their square.
  private static func notes(_ device: CloudDevice) throws -> Int {
    let objects = try device.git("cat-file", "--batch-all-objects", "--batch-check")
    let commits = objects.split(separator: "\n").count { $0.contains(" commit ") }
    let history = try device.git("rev-list", "--count", "HEAD")
    return commits - (Int(history.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0)
  }

  @Test("thousands of rows at once, from a server that caps its pages, arrive byte for byte")
  func manyRows() throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 3")
    try Self.write(Self.rows, to: laptop)
    let household = try laptop.household()
    try laptop.withoutNews(about: household)
    try laptop.supabase.fail(household, ["cap": Self.cap], ["method": "GET"])
    let push = try laptop("cloud push --json")
    #expect(push.code == 0, "\(push.errors)")
    #expect(try push.json()["synced"] as? Int == Self.rows)
    #expect(try push.json()["failed"] as? Int == 0)
    #expect(try Self.notes(laptop) <= 30)
    let phone = try laptop.invite()
    #expect(try laptop.supabase.failures(household) > Self.rows / Self.cap)
    #expect(try phone.git("rev-parse", "HEAD^{tree}") == laptop.git("rev-parse", "HEAD^{tree}"))
    #expect(try phone.git("status", "--porcelain") == "")
    #expect(try phone("check").code == 0)
    for device in [laptop, phone] { #expect(try device.count("synced") == Self.rows + 2) }
    #expect(try phone.total("Thing 1") == 1)
    try laptop.supabase.mend(household)
  }

  @Test("a long push that is killed at its second request, again and again, gets on each time")
  func killedAgain() throws {
    let laptop = try CloudDevice()
    let ids = (0..<6000).map { "01a2117f-0000-7000-8000-" + String(100_000_000_000 + $0) }
    for (number, id) in ids.enumerated() {
      let wish = "{ \"id\": \"\(id)\", \"name\": \"Wish \(number)\" }\n"
      try laptop.larder.folder.write(wish, to: "nest/shopping/\(number).json")
    }
    try laptop.prepare("check")
    for life in 1...3 {
      // Requests take the rows by their ids, and two are under way at once. The second one has no
      // answer before the push is killed, however long a busy machine takes for the first.
      try laptop.supabase.fail(ids[500 * life], ["delay": 600])
      let noted = try laptop.git("rev-parse", "refs/larder/cloud")
      let push = try laptop.larder.start("cloud", "push", in: "nest")
      let end = Date(timeIntervalSinceNow: 300)
      while try laptop.git("rev-parse", "refs/larder/cloud") == noted, Date() < end {
        Thread.sleep(forTimeInterval: 0.05)
      }
      _ = push.end(SIGKILL)
      try laptop.supabase.mend(ids[500 * life])
      #expect(try laptop.count("pending") == ids.count - 500 * life)
    }
  }
}
