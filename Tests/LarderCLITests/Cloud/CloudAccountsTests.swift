import Foundation
import TestSupport
import Testing

/// Several people at one machine, each in a clone of their own.
@Suite("Two accounts on one machine")
struct CloudAccountsTests {
  private static func who(_ device: CloudDevice, _ clone: String) throws -> [String: Any] {
    let outcome = try device.larder.run(["cloud", "status", "--json"], in: clone)
    return try outcome.json()
  }

  private static func userID(_ device: CloudDevice, _ clone: String) throws -> String {
    try Git.run(["config", "larder.userId"], in: device.larder.folder(clone))
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Somebody else joins on the same machine.
  private static func join(_ device: CloudDevice, as email: String, in clone: String) throws {
    let outcome = try device.larder.run(
      [
        "cloud", "join", device.supabase.url, clone, "--email", email, "--password-stdin",
        "--sign-up", "--invite", try device.invitation(),
      ], input: CloudDevice.password + "\n")
    try #require(outcome.code == 0, "\(outcome.errors)")
  }

  @Test("signing in in one clone changes nobody in the other, and each writes as themselves")
  func apart() throws {
    let mira = try CloudDevice("stock new Milk --in-stock 9")
    let jonas = "\(UUID().uuidString.lowercased())@example.org"
    try Self.join(mira, as: jonas, in: "other")
    #expect(try Self.who(mira, "nest")["email"] as? String == mira.email)
    #expect(try Self.who(mira, "other")["email"] as? String == jonas)
    #expect(try Self.userID(mira, "nest") != Self.userID(mira, "other"))
    try mira.prepare("stock new Bread", "sync")
    let tea = try mira.larder.run(["stock", "new", "Tea"], in: "other")
    #expect(tea.code == 0)
    #expect(try mira.larder.run(["sync"], in: "other").code == 0)
    let rows = try mira.request("GET", "/rest/v1/stock_items?select=name,user_id").rows
    for (name, clone) in [("Bread", "nest"), ("Tea", "other")] {
      let row = try #require(rows.first { $0["name"] as? String == name })
      #expect(row["user_id"] as? String == (try Self.userID(mira, clone)))
    }

    // Nor does signing out, or in again.
    #expect(try mira.larder.run(["cloud", "logout"], in: "other").code == 0)
    #expect(try Self.who(mira, "other")["isSignedIn"] as? Bool == false)
    try mira.prepare("sync")
    let again = try mira.larder.run(
      ["cloud", "login", jonas, "--password-stdin"], in: "other",
      input: CloudDevice.password + "\n")
    #expect(again.code == 0, "\(again.errors)")
    #expect(try Self.who(mira, "nest")["email"] as? String == mira.email)
    // Whoever is known need not type a password again.
    let third = try mira.larder.run(
      ["cloud", "join", mira.supabase.url, "third", "--email", jonas, "--no-input"])
    #expect(third.code == 0, "\(third.errors)")
    #expect(try Self.who(mira, "third")["email"] as? String == jonas)
    // A clone that changes its user is that user's.
    let changed = try mira.larder.run(
      ["cloud", "login", mira.email, "--password-stdin"], in: "third",
      input: CloudDevice.password + "\n")
    #expect(changed.code == 0, "\(changed.errors)")
    #expect(try Self.who(mira, "third")["email"] as? String == mira.email)
    #expect(try Self.who(mira, "other")["email"] as? String == jonas)
  }

  @Test("a sign-in that an older larder kept is taken over, and stays when somebody else signs in")
  func older() throws {
    let mira = try CloudDevice("stock new Milk --in-stock 9")
    let account = try mira.credentials()
    let id = try Self.userID(mira, "nest")
    var one: [String: String] = account
    one["anonKey"] = mira.supabase.anonKey
    one["userId"] = id
    let old = try JSONSerialization.data(withJSONObject: ["projects": [mira.supabase.url: one]])
    try mira.larder.folder.write(
      String(decoding: old, as: UTF8.self), to: "home/.config/larder/credentials.json")
    try mira.git("config", "--unset", "larder.cloudAccount")
    try mira.prepare("stock use Milk 1", "sync")
    #expect(try Self.who(mira, "nest")["email"] as? String == mira.email)
    let jonas = "\(UUID().uuidString.lowercased())@example.org"
    try Self.join(mira, as: jonas, in: "other")
    #expect(try Self.who(mira, "nest")["email"] as? String == mira.email)
    #expect(try Self.who(mira, "other")["email"] as? String == jonas)
    try mira.prepare("sync")
  }

  @Test(
    "what was made before the first sign-in names the user, and what others made does not change")
  func takenOver() throws {
    let mira = try CloudDevice(aloneOn: LocalSupabase.shared.get())
    try mira.start()
    try mira.prepare(
      "stock new Milk --in-stock 9", "location new Fridge", "shop buy Milk 2",
      "stock put Milk 1 --expiry +3d", "stock new Old", "stock archive Old",
      "receipt save --shop Corner --line Milk=1@@2")
    let before = try Self.userID(mira, "nest")
    try mira.connect()
    let commits = try Int(mira.git("rev-list", "--count", "HEAD").trimmingCharacters(in: .newlines))
    try mira.signIn("--sign-up")
    let user = try Self.userID(mira, "nest")
    #expect(user != before)
    #expect(throws: Git.Failure.self) { try mira.git("grep", "-q", before) }
    let after = try Int(mira.git("rev-list", "--count", "HEAD").trimmingCharacters(in: .newlines))
    #expect(after == commits.map { $0 + 1 })
    for table in ["stock_items", "inventory_items", "storage_locations", "receipts"] {
      let rows = try mira.request("GET", "/rest/v1/\(table)?select=user_id").rows
      #expect(!rows.isEmpty && rows.allSatisfy { $0["user_id"] as? String == user }, "\(table)")
    }
    try [mira].settle()

    // Somebody else who signs in here later takes nothing from her.
    let jonas = try mira.invite()
    try jonas.prepare("stock new Tea", "sync")
    let login = try mira.larder.run(
      ["cloud", "login", jonas.email, "--password-stdin"], in: "nest",
      input: CloudDevice.password + "\n")
    #expect(login.code == 0, "\(login.errors)")
    #expect(try mira.larder.folder.read(mira.file("Milk")).contains(user))
    #expect(try mira.larder.folder.read(mira.file("Tea")).contains(Self.userID(mira, "nest")))
  }
}
