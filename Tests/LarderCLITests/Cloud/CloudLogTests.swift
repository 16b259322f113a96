import Foundation
import TestSupport
import Testing

/// What can be seen of an exchange while it goes on, and how patient it is.
@Suite("The log of the cloud, and its patience")
struct CloudLogTests {
  @Test("--verbose tells what each layer does, LARDER_LOG chooses, and no secret is in it")
  func layers() throws {
    var laptop = try CloudDevice("stock new Milk --in-stock 9")
    try laptop.git("init", "-q", "--bare", laptop.larder.folder("origin.git"))
    try laptop.prepare("git -- remote add origin ../origin.git")
    #expect(try laptop("stock use Milk 1 --verbose").errors.contains("store: committed\n"))
    let all = try laptop("sync --verbose")
    #expect(all.code == 0)
    for line in [
      "store: opened ", "git: fetching from origin\n", "cloud: sent 1 of 1\n",
      "http: POST /rest/v1/quantity_changes: 201, ",
    ] {
      #expect(all.errors.contains(line), "\(line)")
    }
    #expect(try !laptop("sync").errors.contains("http: "))
    laptop.larder.variables["LARDER_LOG"] = "http,git"
    try laptop.prepare("stock use Milk 1")
    let some = try laptop("sync --json")
    #expect(some.errors.contains("http: ") && some.errors.contains("git: "))
    #expect(!some.errors.contains("store: ") && !some.errors.contains("cloud: "))

    laptop.larder.variables["LARDER_LOG"] = "all"
    var told = ""
    for line in ["sync", "cloud invite --plain", "cloud status", "cloud pull", "cloud logout"] {
      let outcome = try laptop(line)
      told += outcome.errors
      if line == "cloud invite --plain" {
        let code = outcome.output.trimmingCharacters(in: .newlines)
        #expect(!code.isEmpty && !outcome.errors.contains(code))
      }
    }
    try laptop.signIn()
    let tokens = try laptop.credentials()
    for secret in [
      laptop.supabase.anonKey, CloudDevice.password, tokens["accessToken"] ?? "-",
      tokens["refreshToken"] ?? "-", laptop.email,
    ] {
      #expect(!told.contains(secret))
    }
  }

  @Test("how often and how patiently a request is repeated is a setting of the clone")
  func patience() throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 9")
    #expect(try laptop("config cloudRetries").output == "4\n")
    #expect(try laptop("config cloudRetryDelay").output == "500\n")
    try laptop.prepare("config cloudRetries 2", "config cloudRetryDelay 1")
    try laptop.supabase.fail(laptop.email, ["status": 503], ["path": CloudDevice.news])
    #expect(try laptop("cloud pull").code == 6)
    #expect(try laptop.supabase.failures(laptop.email) == 3)
    try laptop.prepare("config cloudRetries 0")
    #expect(try laptop("cloud pull").code == 6)
    #expect(try laptop.supabase.failures(laptop.email) == 4)
    try laptop.supabase.mend(laptop.email)
    for line in ["config cloudRetries many", "config cloudRetries 21", "config cloudRetryDelay 0"] {
      #expect(try laptop(line).code == 2)
    }
  }
}
