import Foundation
import TestSupport
import Testing

/// Who gets to know what.
@Suite("Secrets and policies of the cloud")
struct CloudSecrecyTests {
  /// Every file below a folder, with whatever git compressed made readable.
  private static func everything(_ device: CloudDevice) throws -> [(name: String, text: String)] {
    let nest = device.larder.folder("nest")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: nest)
    let files = paths.compactMap { path in
      FileManager.default.contents(atPath: "\(nest)/\(path)").map {
        (path, String(decoding: $0, as: UTF8.self))
      }
    }
    let objects = try device.git(
      "cat-file", "--batch-all-objects", "--batch", "--unordered", "--buffer")
    return files + [("objects", objects), ("reflog", try device.git("reflog", "--all"))]
  }

  @Test("no token, password, key or address of mail is in what is said, run or kept in a household")
  func leaks() throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 10", "shop buy Milk 1")
    let phone = try laptop.invite()
    var secrets = try [laptop, phone].flatMap { device in
      let known = try device.credentials()
      return [known["accessToken"], known["refreshToken"]].compactMap(\.self)
    }
    var said = ""
    for (number, action) in [
      [:], ["status": 403, "body": #"{"code":"42501","message":"no"}"#], ["status": 400],
      ["drop": "before"], ["status": 200, "body": "{"], ["expire": true],
    ].enumerated() {
      try laptop.prepare("stock use Milk 1")
      if number > 0 { try laptop.supabase.fail(laptop.email, action, ["times": 6]) }
      for line in [
        "sync", "sync --json", "cloud push --json", "cloud pull", "cloud retry",
        "cloud pull --expiring 14 --again --plain",
      ] {
        let outcome = try laptop(line)
        said += outcome.output + outcome.errors
      }
      try laptop.supabase.mend(laptop.email)
    }
    for line in ["status", "log", "doctor", "config", "undo", "diff", "cloud login x --json"] {
      let outcome = try laptop(line)
      said += outcome.output + outcome.errors
    }
    secrets += try [laptop, phone].flatMap { device in
      let known = try device.credentials()
      return [known["accessToken"], known["refreshToken"]].compactMap(\.self)
    }
    secrets += [laptop.supabase.anonKey, CloudDevice.password]
    // While a request waits, everybody on the computer can see what runs.
    try laptop.supabase.fail(laptop.email, ["delay": 0.7], ["times": 1])
    let sync = try laptop.larder.start("sync", in: "nest")
    while try laptop.supabase.failures(laptop.email) == 0, !sync.hasExited {}
    let shown = try Self.processes()
    #expect(sync.end(0) == 0)
    #expect(shown.contains("sync"))
    let places = [("output", said), ("processes", shown)] + (try Self.everything(laptop))
    for secret in secrets {
      #expect(secret.count > 5)
      for (name, text) in places { #expect(!text.contains(secret), "\(name)") }
    }
    for (name, text) in places { #expect(!text.contains(laptop.email), "\(name)") }
    let folder = laptop.larder.folder("home/.config/larder")
    for (path, rights) in [(folder, 0o700), (folder + "/credentials.json", 0o600)] {
      let known = try FileManager.default.attributesOfItem(atPath: path)
      #expect(known[.posixPermissions] as? Int == rights)
    }
  }

  private static func processes() throws -> String {
    let folder = "/proc"
    guard FileManager.default.fileExists(atPath: folder + "/self/cmdline") else { return "sync" }
    return try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { Int($0) != nil }
      .flatMap { [folder + "/\($0)/cmdline", folder + "/\($0)/environ"] }
      // What these tests are started with is not Larder's.
      .compactMap { FileManager.default.contents(atPath: $0) }
      .map { String(decoding: $0, as: UTF8.self).replacing("\0", with: " ") }
      .joined(separator: "\n")
  }

  @Test("a redirection is not followed: where it leads, nothing arrives")
  func redirected() throws {
    let thief = try WebServer { _ in .answer(200, "[]") }
    let laptop = try CloudDevice("stock new Milk --in-stock 10")
    try laptop.prepare("stock use Milk 1")
    try laptop.supabase.fail(laptop.email, ["redirect": thief.url + "/rest/v1/households"])
    for line in ["sync", "cloud push", "cloud pull", "cloud invite"] {
      let outcome = try laptop(line)
      #expect(outcome.code == 1)
      #expect(outcome.errors.contains("which larder does not follow: they hold your tokens"))
    }
    let login = try laptop.larder.run(
      ["cloud", "login", laptop.email, "--password-stdin"], in: "nest", input: "secret\n")
    #expect(login.code == 1)
    #expect(thief.connections == 0)
    try laptop.supabase.mend(laptop.email)
    try [laptop].settle()
  }

  @Test("plain http is refused but to this computer")
  func plain() throws {
    let laptop = try CloudDevice()
    for url in ["http://example.org", "http://127.0.0.1.example.org", "ftp://example.org"] {
      let outcome = try laptop("cloud connect \(url) --anon-key-file ../key")
      #expect(outcome.code == 2, "\(url)")
    }
  }

  private static let tables = [
    "households", "household_members", "household_invites", "stock_items", "inventory_items",
    "storage_locations", "products", "shopping_list_entries", "receipts", "receipt_items",
    "quantity_changes",
  ]

  @Test("a stranger, a former member and nobody get nothing from any table, and nothing into any")
  func strangers() throws {
    let owner = try CloudDevice(
      "stock new Milk --in-stock 10", "location new Fridge",
      "stock put Milk 1 --expiry +3d --location Fridge",
      "product new oat-drink --title 'Oat Drink'", "shop buy Milk 1", "shop got Milk",
      "receipt save --shop Corner")
    let former = try owner.invite()
    _ = try owner.invitation()
    let household = try owner.household()
    for table in Self.tables {
      let answer = try owner.request(
        "GET", "/rest/v1/\(table)?household_id=eq.\(household)&select=household_id")
      #expect(!answer.rows.isEmpty, "\(table) has nothing to hide: \(answer.text)")
    }
    let before = try Self.tables.map {
      try owner.request("GET", "/rest/v1/\($0)?select=household_id").text
    }
    let left = try former.request("POST", "/rest/v1/rpc/leave", ["household": household])
    try #require(left.status < 300, "\(left.text)")
    let stranger = try CloudDevice()
    let tokens = try [former, stranger].map { try $0.credentials()["accessToken"] } + [nil]
    for token in tokens {
      func ask(_ method: String, _ path: String, _ body: Any? = nil, _ prefer: String = "")
        throws -> LocalSupabase.Answer
      {
        try owner.supabase.request(
          method, "/rest/v1/" + path, body, token: token,
          headers: ["Prefer": "return=representation" + prefer])
      }
      for table in Self.tables {
        let filter = "\(table)?household_id=eq.\(household)"
        #expect(try ask("GET", filter).rows.isEmpty, "\(table)")
        #expect(
          try ask("GET", table).rows.allSatisfy { $0["household_id"] as? String != household })
        #expect(try ask("PATCH", filter, ["household_id": household]).rows.isEmpty, "\(table)")
        #expect(try ask("DELETE", filter).rows.isEmpty, "\(table)")
        let row: [String: Any] = ["household_id": household, "id": household]
        for prefer in ["", ",resolution=merge-duplicates"] {
          #expect(try ask("POST", table, [row], prefer).status >= 400, "\(table)")
        }
      }
      for function in ["create_invite", "leave"] {
        let answer = try ask("POST", "rpc/\(function)", ["household": household])
        #expect(answer.status >= 400 || answer.object["code"] == nil, "\(function): \(answer.text)")
      }
      #expect(try ask("POST", "rpc/accept_invite", ["code": "00000000"]).status >= 400)
    }
    let after = try Self.tables.map {
      try owner.request("GET", "/rest/v1/\($0)?select=household_id").text
    }
    #expect(before.count == after.count)
    for (table, sides) in zip(Self.tables, zip(before, after)) where table != "household_members" {
      #expect(sides.0 == sides.1, "\(table)")
    }
    try [owner].settle()
    #expect(try owner.total("Milk") != nil)
  }
}
