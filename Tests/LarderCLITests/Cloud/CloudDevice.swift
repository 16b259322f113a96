import Foundation
import TestSupport
import Testing

@testable import LarderCLI

/// A device whose household is in the local Supabase, with a user of its own.
struct CloudDevice {
  static let password = "correct horse battery staple"

  /// Held, as it ends with whoever holds it last.
  var supabase: LocalSupabase
  let email = "\(UUID().uuidString.lowercased())@example.org"
  var larder: CommandRunner

  /// A new household with what some lines do.
  init(_ lines: String..., on supabase: LocalSupabase? = nil) throws {
    try self.init(aloneOn: supabase ?? LocalSupabase.shared.get())
    try start()
    try connect()
    try signIn("--sign-up")
    for line in lines { try prepare(line) }
    try prepare("sync")
  }

  /// A device without a household.
  init(aloneOn supabase: LocalSupabase) throws {
    self.supabase = supabase
    larder = try CommandRunner()
    // The clock of the computer, as the server has it.
    larder.variables["LARDER_NOW"] = ""
    try larder.folder.write(supabase.anonKey + "\n", to: "key")
  }

  /// Makes a household that is in no project yet.
  func start() throws {
    let made = try larder(
      "init", "nest", "--name", "Nest", "--time-zone", "UTC", "--currency", "EUR")
    try #require(made.code == 0, "\(made.errors)")
  }

  func connect() throws {
    try prepare("cloud connect \(supabase.url) --anon-key-file ../key")
  }

  func signIn(_ words: String...) throws {
    let outcome = try larder.run(
      ["cloud", "login", email, "--password-stdin"] + words, in: "nest",
      input: Self.password + "\n")
    try #require(outcome.code == 0, "\(outcome.errors)")
  }

  /// Signs in and exchanges nothing yet.
  func signInQuietly() throws {
    try supabase.fail(email, ["status": 400], ["path": "/rest/v1"])
    try signIn("--sign-up")
    try supabase.mend(email)
  }

  /// Has the project at another address from now on, with the same key and tokens.
  func move(to url: String) throws {
    let file = "home/.config/larder/credentials.json"
    let credentials = try larder.folder.read(file).replacing(supabase.url, with: url)
    try larder.folder.write(credentials, to: file)
    try git("config", "larder.cloudUrl", url)
  }

  /// Another device, of somebody whom this one invites.
  func invite(name: String = "phone") throws -> CloudDevice {
    var other = try CloudDevice(aloneOn: supabase)
    other.larder.device = name
    let outcome = try other.join(try invitation())
    try #require(outcome.code == 0, "\(outcome.errors)")
    return other
  }

  /// A code for somebody else.
  func invitation() throws -> String {
    let outcome = try self("cloud invite --plain")
    try #require(outcome.code == 0, "\(outcome.errors)")
    return outcome.output.trimmingCharacters(in: .newlines)
  }

  /// Joins as a new user with a code.
  func join(_ code: String) throws -> CommandRunner.Outcome {
    try larder.run(
      [
        "cloud", "join", supabase.url, "nest", "--email", email, "--password-stdin", "--sign-up",
        "--anon-key-file", "key", "--invite", code,
      ], input: Self.password + "\n")
  }

  /// Runs a line as it is typed behind `larder`.
  @discardableResult
  func callAsFunction(_ line: String, input: String = "") throws -> CommandRunner.Outcome {
    try larder.run(shellWords(line), in: "nest", input: input)
  }

  /// Runs lines that have to succeed.
  func prepare(_ lines: String..., at location: SourceLocation = #_sourceLocation) throws {
    for line in lines {
      let outcome = try self(line)
      try #require(
        outcome.code == 0, "larder \(line): \(outcome.errors)", sourceLocation: location)
    }
  }

  @discardableResult
  func git(_ words: String...) throws -> String { try Git.run(words, in: larder.folder("nest")) }

  /// What there is of an item.
  func total(_ name: String) throws -> Int? {
    let items = try self("stock --all --json").array("items").filter {
      $0["name"] as? String == name
    }
    try #require(items.count == 1, "\(name) is there \(items.count) times")
    return items[0]["total"] as? Int
  }

  /// The file of an item, from the folder of all that the device has.
  func file(_ name: String) throws -> String {
    let item = try #require(
      try self("stock --all --json").array("items").first { $0["name"] as? String == name })
    return "nest/" + (try #require(item["path"] as? String))
  }

  /// The household's id, which its requests name.
  func household() throws -> String {
    let file = try larder.folder.read("nest/household.json")
    let object = try JSONSerialization.jsonObject(with: Data(file.utf8)) as? [String: Any]
    return try #require(object?["id"] as? String)
  }

  /// What the credentials file has of the user: `email`, `accessToken`, `refreshToken`.
  func credentials() throws -> [String: String] {
    let file = try larder.folder.read("home/.config/larder/credentials.json")
    let object = try JSONSerialization.jsonObject(with: Data(file.utf8)) as? [String: Any]
    let projects = try #require(object?["projects"] as? [String: [String: Any]])
    let users = try #require(projects[supabase.url]?["users"] as? [String: [String: String]])
    return try #require(users.values.first { $0["email"] == email })
  }

  /// What the project's function for all news is called at.
  static let news = "/rest/v1/rpc/news"

  /// Lets the project answer, to requests about a text, as if it lacked the function for all news.
  func withoutNews(about text: String? = nil) throws {
    let body = #"{"code":"PGRST202","message":"Could not find the function public.news"}"#
    try supabase.fail(text ?? email, ["status": 404, "body": body], ["path": Self.news])
  }

  /// Sends a request as this user, but not as Larder.
  @discardableResult
  func request(
    _ method: String, _ path: String, _ body: Any? = nil, headers: [String: String] = [:]
  ) throws -> LocalSupabase.Answer {
    try supabase.request(
      method, path, body, token: try credentials()["accessToken"], headers: headers)
  }

  /// How many things stand so, by `cloud status`.
  func count(_ standing: String) throws -> Int {
    let kinds = try #require(
      try self("cloud status --json").json()["kinds"] as? [String: [String: Int]])
    return kinds.values.compactMap { $0[standing] }.reduce(0, +)
  }
}

extension [CloudDevice] {
  /// Syncs all devices until they are alike, and checks that they are, to the byte.
  func settle(at location: SourceLocation = #_sourceLocation) throws {
    for device in self + dropLast() { try device.prepare("sync", at: location) }
    let trees = try map { try $0.git("rev-parse", "HEAD^{tree}") }
    #expect(Set(trees).count == 1, sourceLocation: location)
    for device in self {
      #expect(try device.git("status", "--porcelain") == "", sourceLocation: location)
      #expect(try device("check").code == 0, sourceLocation: location)
      #expect(try device.count("synced") > 0, sourceLocation: location)
      for standing in ["pending", "failed", "parked"] {
        #expect(try device.count(standing) == 0, "\(standing)", sourceLocation: location)
      }
    }
  }
}
