import Foundation
import TestSupport
import Testing

/// One failure of the cloud: how it comes about, and the command that reports it.
struct CloudGalleryEntry: Sendable, CustomTestStringConvertible {
  /// The golden file's name.
  let name: String
  /// What is typed behind `larder`; `URL` and `EMAIL` are the device's own.
  let line: String
  let input: String
  let prepare: @Sendable (CloudDevice) throws -> Void

  init(
    _ name: String, _ line: String, input: String = "",
    prepare: @escaping @Sendable (CloudDevice) throws -> Void = { _ in }
  ) {
    self.name = name
    self.line = line
    self.input = input
    self.prepare = prepare
  }

  var testDescription: String { name }

  /// The same, where the household is connected and somebody signed in.
  static func member(
    _ name: String, _ line: String, input: String = "",
    prepare: @escaping @Sendable (CloudDevice) throws -> Void = { _ in }
  ) -> CloudGalleryEntry {
    CloudGalleryEntry(name, line, input: input) { device in
      try device.connect()
      try device.signIn("--sign-up")
      try device.prepare("sync")
      try prepare(device)
    }
  }

  /// The same, where the project answers every request of the user's in one way.
  static func answered(
    _ name: String, _ line: String, _ status: Int, _ body: String,
    _ headers: [String: String] = [:], to path: String = "/rest/v1"
  ) -> CloudGalleryEntry {
    CloudGalleryEntry(name, line) { device in
      try device.connect()
      try device.signInQuietly()
      try device.supabase.fail(
        device.email, ["status": status, "body": body, "headers": headers], ["path": path])
    }
  }
}

/// Every failure of the cloud as people see it; `UPDATE_GOLDEN=1` writes the texts anew.
@Suite("The error gallery of the cloud")
struct CloudGalleryTests {
  private static let signingIn = "cloud login EMAIL --password-stdin"

  static let entries = connecting + signing + sharing + answers

  private static let connecting = [
    CloudGalleryEntry("not-connected", "cloud push"),
    CloudGalleryEntry("http", "cloud connect http://example.org --anon-key-file ../key"),
    CloudGalleryEntry("no-address", "cloud connect example --anon-key-file ../key"),
    CloudGalleryEntry("service-key", "cloud connect URL --anon-key-file ../key") { device in
      try device.larder.folder.write(device.supabase.serviceKey + "\n", to: "key")
    },
    CloudGalleryEntry("no-key", "cloud connect URL"),
    CloudGalleryEntry("wrong-key", signingIn, input: CloudDevice.password + "\n") { device in
      try device.larder.folder.write("sb_publishable_other\n", to: "key")
      try device.connect()
    },
    CloudGalleryEntry("unreachable", signingIn, input: CloudDevice.password + "\n") { device in
      try device.prepare("cloud connect http://127.0.0.1:9 --anon-key-file ../key")
    },
    .member("local-only", "cloud push") { try $0.prepare("config localOnly yes") },
  ]

  private static let signing = [
    CloudGalleryEntry("not-signed-in", "cloud push") { try $0.connect() },
    CloudGalleryEntry("not-signed-in-sync", "sync") { try $0.connect() },
    .member("wrong-password", signingIn, input: "guess\n"),
    .member("no-password", "cloud login EMAIL"),
    CloudGalleryEntry("mail-unanswered", signingIn, input: CloudDevice.password + "\n") { device in
      try device.connect()
      try device.supabase.fail(
        device.email,
        [
          "status": 400, "body": #"{"code":"email_not_confirmed","message":"Email not confirmed"}"#,
        ],
        ["path": "/auth/v1/token"])
    },
    CloudGalleryEntry(
      "mail-sent", signingIn + " --sign-up", input: CloudDevice.password + "\n"
    ) { device in
      try device.connect()
      try device.supabase.fail(
        device.email, ["status": 200, "body": #"{"id":"u","confirmation_sent_at":"now"}"#],
        ["path": "/auth/v1/signup"])
    },
    .member("same-password", "cloud password --password-stdin", input: CloudDevice.password + "\n"),
    .member("user-exists", signingIn + " --sign-up", input: "another word\n"),
    CloudGalleryEntry("weak-password", signingIn + " --sign-up", input: "a\n") { try $0.connect() },
    .member("session-over", "sync") { device in
      try device.request("POST", "/auth/v1/logout?scope=global")
      try device.supabase.fail(device.email, ["expire": true], ["path": "/rest/v1", "times": 1])
    },
  ]

  private static let sharing = [
    CloudGalleryEntry.member("bad-invite", "cloud join --invite 2345-6789 --email EMAIL"),
    .member("whose-invite", "cloud join --invite 2345-6789"),
    .member("other-household", "cloud join --invite CODE --yes") { device in
      let other = try CloudDevice(on: device.supabase)
      try device.larder.folder.write(try other.invitation(), to: "code")
    },
    CloudGalleryEntry("no-household", "cloud join URL other") { device in
      try device.connect()
      try device.signInQuietly()
    },
    .member("not-a-member-pull", "cloud pull") { try leave($0) },
    .member("not-a-member-push", "cloud push") { device in
      try leave(device)
      try device.prepare("stock new Milk")
    },
    .member("not-a-member-invite", "cloud invite") { try leave($0) },
    CloudGalleryEntry("household-taken", "sync") { device in
      try found(device)
      try device.connect()
      try device.signInQuietly()
    },
    .member("no-member", "cloud remove nobody@example.org"),
    .member("own-membership", "cloud remove EMAIL"),
    .member("no-invite", "cloud revoke 12345678"),
    .member("no-hours", "cloud invite --hours 0"),
    .member("last-member", "cloud disconnect --leave"),
    .member("account-unasked", "cloud delete-account"),
  ]

  /// Lets somebody else found a household of a device's id.
  private static func found(_ device: CloudDevice) throws {
    let other = try CloudDevice(on: device.supabase)
    let made = try other.request(
      "POST", "/rest/v1/households", ["id": try device.household(), "name": "Other"])
    try #require(made.status == 201, "\(made.text)")
  }

  private static func leave(_ device: CloudDevice) throws {
    let left = try device.request(
      "POST", "/rest/v1/rpc/leave", ["household": try device.household(), "delete_rows": true])
    try #require(left.status < 300, "\(left.text)")
  }

  private static let answers = [
    CloudGalleryEntry.answered(
      "schema-too-old", "sync", 200, #"{"number":"20261001000000","missing":[]}"#,
      to: "/rest/v1/rpc/larder_schema"),
    .answered(
      "schema-incomplete", "sync", 200,
      """
      {"number":"20991231235959","missing":["the table receipts",\
      "the trigger write_row of the table products"]}
      """, to: "/rest/v1/rpc/larder_schema"),
    CloudGalleryEntry("schema-too-old-join", "cloud join URL other --invite CODE --yes") { device in
      try device.connect()
      try device.signInQuietly()
      let other = try CloudDevice(on: device.supabase)
      try device.larder.folder.write(try other.invitation(), to: "code")
      try device.supabase.fail(
        device.email, ["status": 200, "body": #"{"number":"20261001000000","missing":[]}"#],
        ["path": "/rest/v1/rpc/larder_schema"])
    },
    .answered(
      "schema-missing", "cloud push", 404,
      """
      {"code":"PGRST202","details":"Searched for the function public.larder_schema without \
      parameters or with a single unnamed json/jsonb parameter, but no matches were found in the \
      schema cache.","hint":null,"message":"Could not find the function public.larder_schema \
      without parameters in the schema cache"}
      """),
    .answered("rate-limited", "sync", 429, "", ["Retry-After": "3600"]),
    .answered(
      "rate-limited-json", "sync --json", 429, "", ["Retry-After": "3600"]),
    .answered("paused", "sync", 540, "", ["Retry-After": "3600"]),
    .answered("trouble", "cloud push", 503, "<html>", ["Retry-After": "3600"]),
    .answered("not-a-project", "cloud pull", 404, "<html>Not found</html>"),
    .answered(
      "not-json", "sync", 200, "<html>Sign in to the network</html>",
      ["Content-Type": "text/html"]),
    .answered("redirected", "sync", 307, "", ["Location": "https://example.org/"]),
    .answered(
      "refused", "cloud pull", 400,
      #"{"code":"22P02","message":"invalid input syntax for type uuid","hint":null}"#),
  ]

  @Test("a failure reads as it was reviewed", arguments: entries)
  func entry(_ entry: CloudGalleryEntry) throws {
    let device = try CloudDevice(aloneOn: LocalSupabase.shared.get())
    try device.start()
    try entry.prepare(device)
    let code = (try? device.larder.folder.read("code")) ?? ""
    let line = entry.line.replacing("EMAIL", with: device.email)
      .replacing("URL", with: device.supabase.url).replacing("CODE", with: code)
    let outcome = try device(line, input: entry.input)
    try device.supabase.mend(device.email)
    #expect(outcome.code != 0)
    let text = device.larder.normalized(
      """
      $ larder \(entry.line)
      \(outcome.output)\(outcome.errors)(exit code \(outcome.code))

      """
    ).replacing(device.supabase.url, with: "URL").replacing("ID@example.org", with: "EMAIL")
    #expect(try Golden.kept("errors/cloud/\(entry.name).txt", now: text) == text)
  }

  @Test("no two entries have one name, and no golden text lacks its entry")
  func names() throws {
    let names = Self.entries.map(\.name)
    #expect(Set(names).count == names.count)
    // What is being written just now need not be complete yet.
    guard !Golden.isUpdating else { return }
    let folder = Golden.folder.appending(path: "errors/cloud").path()
    let kept = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(Set(kept) == Set(names.map { $0 + ".txt" }))
  }
}
