import Foundation
import TestSupport
import Testing

/// What the server does wrong, and what people are told of it.
@Suite("Faults of the cloud")
struct CloudFaultTests {
  private static func pair() throws -> [CloudDevice] {
    let laptop = try CloudDevice("stock new Milk --in-stock 100")
    return [laptop, try laptop.invite()]
  }

  @Test("offline is no error of a sync, which says how much waits; a push alone fails")
  func offline() throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 3")
    try laptop.prepare("stock use Milk 1")
    try laptop.move(to: "http://127.0.0.1:9")
    let sync = try laptop("sync")
    #expect(sync.code == 0)
    #expect(sync.errors.contains("the cloud can't be reached: can't reach 127.0.0.1; "))
    let json = try laptop("sync --json")
    #expect(json.code == 0)
    let cloud = try #require(try json.json()["cloud"] as? [String: Any])
    #expect(cloud["offline"] as? String == "can't reach 127.0.0.1")
    for verb in ["push", "pull"] { #expect(try laptop("cloud \(verb)").code == 6) }
    #expect(try laptop.total("Milk") == 2)
  }

  @Test("pages of any size bring everything", arguments: [1, 3, 1000])
  func cappedPages(_ cap: Int) throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 100")
    for number in 0..<7 {
      try laptop.prepare("stock new 'Thing \(number)' --in-stock \(number)")
      try laptop.prepare("stock put Milk 1 --expiry +\(number)d")
    }
    try laptop.prepare("sync")
    try laptop.withoutNews(about: try laptop.household())
    try laptop.supabase.fail(try laptop.household(), ["cap": cap], ["method": "GET"])
    let phone = try laptop.invite()
    #expect(try laptop.supabase.failures(laptop.household()) > 0)
    for number in 0..<7 { #expect(try phone.total("Thing \(number)") == number) }
    #expect(try phone.total("Milk") == 107)
    try [laptop, phone].settle()
  }

  @Test("rows that are too long for one answer come and go in several")
  func longRows() throws {
    let laptop = try CloudDevice()
    let text = String(repeating: "x", count: (1 << 20) - 4096)
    for number in 0..<17 {
      try laptop.larder.folder.write(
        #"{"name": "Long \#(number)", "quantityInStock": 1, "story": "\#(text)"}"#,
        to: "nest/stock/long-\(number).json")
    }
    try laptop.prepare("sync")
    try [laptop, try laptop.invite()].settle()
  }

  @Test("an expired token in the middle is refreshed, and a session that is over asks to sign in")
  func expired() throws {
    let pair = try Self.pair()
    for request in [0, 1, 2] {
      try pair[0].prepare("stock use Milk 1", "shop buy Milk 1")
      let before = try pair[0].credentials()["refreshToken"]
      try pair[0].supabase.fail(
        pair[0].email, ["expire": true],
        ["path": "/rest/v1", "after": request, "times": 1])
      try pair[0].prepare("sync")
      #expect(try pair[0].credentials()["refreshToken"] != before)
      try pair[0].supabase.mend(pair[0].email)
    }
    try pair.settle()
    #expect(try pair[1].total("Milk") == 97)

    // Somebody else ended it.
    try pair[0].request("POST", "/auth/v1/logout?scope=global")
    try pair[0].prepare("stock use Milk 1")
    try pair[0].supabase.fail(pair[0].email, ["expire": true], ["path": "/rest/v1", "times": 1])
    let over = try pair[0]("sync")
    #expect(over.code == 4)
    #expect(over.errors.contains("error: the session with the project is over"))
    #expect(over.errors.contains("hint: 'larder cloud login EMAIL' signs you in again; nothing"))
    let next = try pair[0]("sync")
    #expect(next.code == 4)
    #expect(next.errors.contains("error: nobody is signed in to the project"))
    try pair[0].supabase.mend(pair[0].email)
    #expect(try pair[0].count("pending") == 1)
    try pair[0].signIn()
    try pair.settle()
    #expect(try pair[1].total("Milk") == 96)
  }

  @Test("one that is refreshed without an answer is refreshed again, as the old token still serves")
  func lostRefresh() throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 3")
    let token = try #require(try laptop.credentials()["refreshToken"])
    try laptop.prepare("stock use Milk 1")
    try laptop.supabase.fail(laptop.email, ["expire": true], ["path": "/rest/v1", "times": 1])
    try laptop.supabase.fail(token, ["drop": "after"], ["path": "/auth/v1", "times": 1])
    try laptop.prepare("sync")
    #expect(try laptop.supabase.mend(token) == 2)
    try laptop.supabase.mend(laptop.email)
    try [laptop].settle()
  }

  @Test("what passes is waited for", arguments: [408, 429, 500, 502, 503, 504])
  func passing(_ status: Int) throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 3")
    try laptop.prepare("stock use Milk 1")
    for request in [0, 1] {
      try laptop.supabase.fail(
        laptop.email,
        [
          "status": status, "body": "<html><h1>Trouble</h1></html>",
          "headers": ["Content-Type": "text/html"],
        ], ["after": request, "times": 1])
    }
    try laptop.prepare("sync")
    try laptop.supabase.mend(laptop.email)
    #expect(try laptop.count("pending") == 0)
  }

  @Test("a pause that the server asks for is kept, and one that is too long is told at once")
  func retryAfter() throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 3")
    try laptop.supabase.fail(
      laptop.email, ["status": 429, "headers": ["Retry-After": "2"]], ["times": 1])
    let start = Date()
    try laptop.prepare("sync")
    #expect(Date().timeIntervalSince(start) >= 2)
    try laptop.supabase.mend(laptop.email)
    try laptop.prepare("stock use Milk 1")
    try laptop.supabase.fail(
      laptop.email, ["status": 429, "headers": ["Retry-After": "3600"]], ["method": "POST"])
    let outcome = try laptop("sync")
    #expect(outcome.code == 6)
    #expect(outcome.errors.contains("error: the project asks for a pause of 3600 s"))
    #expect(try laptop.supabase.mend(laptop.email) == 1)
    #expect(try laptop.count("pending") == 1)
  }

  @Test("an answer that is cut off changes nothing, and is read again by the next sync")
  func truncated() throws {
    let pair = try Self.pair()
    try pair[1].prepare("stock use Milk 1", "stock new Tea --in-stock 2", "sync")
    try pair[0].prepare("stock use Milk 1")
    try pair[0].prepare("config cloudRetries 0")
    for path in [CloudDevice.news, "/rest/v1/quantity_changes"] {
      try pair[0].supabase.fail(pair[0].email, ["truncate": 40], ["path": path, "times": 1])
      #expect(try pair[0]("sync").errors.contains("the connection to 127.0.0.1 broke"), "\(path)")
    }
    try pair[0].supabase.mend(pair[0].email)
    try pair.settle()
    #expect(try pair[0].total("Milk") == 98)
    #expect(try pair[0].total("Tea") == 2)
  }

  @Test("a page that is no JSON, or no rows, is told and changes nothing")
  func noRows() throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 3")
    let head = try laptop.git("rev-parse", "HEAD")
    for body in ["<html>Sign in to the network</html>", "{}", "[[1]]", "[{\"version\": 1}"] {
      try laptop.supabase.fail(laptop.email, ["status": 200, "body": body])
      let outcome = try laptop("sync")
      #expect(outcome.code == 6, "\(body)")
      #expect(outcome.errors.contains("error: the project's answer can't be read"), "\(body)")
      try laptop.supabase.mend(laptop.email)
    }
    #expect(try laptop.git("rev-parse", "HEAD") == head)
    try [laptop].settle()
  }

  @Test("a former member keeps the files, and is told who can let them in again")
  func formerMember() throws {
    let pair = try Self.pair()
    let left = try pair[1].request(
      "POST", "/rest/v1/rpc/leave", ["household": try pair[1].household()])
    try #require(left.status < 300, "\(left.text)")
    try pair[0].prepare("stock new Secret --in-stock 1", "sync")
    try pair[1].prepare("stock use Milk 1")
    let sync = try pair[1]("sync")
    #expect(sync.code == 4)
    #expect(
      sync.errors.contains("error: you do not belong to this household in the project\n"))
    let push = try pair[1]("cloud push")
    #expect(push.code == 4)
    #expect(
      push.errors.contains("error: you do not belong to this household in the project\n"))
    #expect(try pair[1]("stock --all").output.contains("Secret") == false)
    #expect(try pair[1].total("Milk") == 99)
    #expect(try pair[0].total("Milk") == 100)
    let again = try pair[1].larder.run(
      ["cloud", "join", "--yes", "--invite", try pair[0].invitation()], in: "nest")
    try #require(again.code == 0, "\(again.errors)")
    try pair.settle()
    #expect(try pair[0].total("Milk") == 99)
  }

  @Test("a clock that is a day wrong loses nothing and locks nobody out", arguments: [-1, 1])
  func clock(_ days: Double) throws {
    var pair = try Self.pair()
    let wrong = Date(timeIntervalSinceNow: days * 86_400)
    pair[1].larder.variables["LARDER_NOW"] = wrong.formatted(.iso8601)
    try pair[1].prepare(
      "stock use Milk 2", "stock new Tea --in-stock 1", "shop buy Tea", "sync")
    try pair[0].prepare("stock use Milk 3", "sync")
    // A session lasts by the server's clock, whatever this one says.
    try pair[1].signIn()
    try pair[1].prepare("stock edit Tea --category Drinks", "sync", "sync")
    for device in pair + [pair[0]] { try device.prepare("sync") }
    for device in pair {
      #expect(try device.total("Milk") == 95)
      #expect(try device.total("Tea") == 1)
      #expect(try device.count("pending") == 0)
    }
    let trees = try pair.map { try $0.git("rev-parse", "HEAD^{tree}") }
    #expect(trees[0] == trees[1])
  }

  @Test("an item that another household made up keeps the others from nothing")
  func otherHousehold() throws {
    let pair = [try CloudDevice("stock new Milk --in-stock 3"), try CloudDevice()]
    let row = try #require(try pair[0].request("GET", "/rest/v1/stock_items?select=*").rows.first)
    // The same id in a household of one's own is another thing.
    let made = try pair[1].request(
      "POST", "/rest/v1/stock_items",
      [["household_id": try pair[1].household(), "id": row["id"], "name": "Mine"]])
    try #require(made.status == 201, "\(made.text)")
    for device in pair { try device.prepare("sync") }
    #expect(try pair[0].total("Milk") == 3)
    #expect(try pair[1]("stock --all").output.contains("Mine"))
    // Into another's it does not go.
    let foreign = try pair[1].request(
      "POST", "/rest/v1/stock_items?on_conflict=household_id,id",
      [["household_id": try pair[0].household(), "id": row["id"], "name": "Mine"]],
      headers: ["Prefer": "resolution=merge-duplicates"])
    #expect(foreign.status == 403)
    try pair[0].prepare("sync")
    #expect(try pair[0].total("Milk") == 3)
  }
}
