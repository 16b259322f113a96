import Foundation
import TestSupport
import Testing

/// What a project goes through in its time: migrations, stops, sessions that are over.
@Suite("The life of a project")
struct CloudProjectLifeTests {
  @Test(
    "a project without the tables says so and what to do, and gets everything once they are there")
  func noTables() throws {
    let project = try ProjectHost()
    var laptop = try CloudDevice(aloneOn: try project.start(migrations: 0))
    try laptop.start()
    try laptop.connect()
    try laptop.signIn("--sign-up")
    try laptop.prepare("stock new Milk --in-stock 3", "location new Fridge", "shop buy Milk 1")
    try laptop.prepare("stock use Milk 1")
    for line in ["cloud push", "cloud pull", "sync"] {
      let outcome = try laptop(line)
      #expect(outcome.code == 1, "\(line): \(outcome.output)")
      #expect(
        outcome.errors.contains("error: the project's tables are older than this larder needs: "),
        "\(line): \(outcome.errors)")
      #expect(outcome.errors.contains("hint: run the files in supabase/migrations"))
    }
    #expect(try laptop.count("pending") == 4)
    #expect(try laptop.count("synced") == 0)
    #expect(try laptop.total("Milk") == 2)
    try laptop.supabase.stop()
    laptop.supabase = try project.start(at: laptop.supabase.port)
    try laptop.prepare("sync")
    try [laptop, try laptop.invite()].settle()
  }

  @Test("while the server is stopped local work goes on, and once it is there again gets there")
  func stopped() throws {
    let project = try ProjectHost()
    let supabase = try project.start()
    var laptop = try CloudDevice("stock new Milk --in-stock 9", on: supabase)
    let phone = try laptop.invite()
    try supabase.stop()
    for device in [laptop, phone] { try device.prepare("stock use Milk 1") }
    let sync = try laptop("sync")
    #expect(sync.code == 0)
    #expect(
      sync.errors.contains(
        "warning: the cloud can't be reached: can't reach 127.0.0.1; 1 thing waits for it"))
    for device in [laptop, phone] {
      #expect(try device.total("Milk") == 8)
      #expect(try device.count("pending") == 1)
    }
    laptop.supabase = try project.start(at: supabase.port)
    try [laptop, phone].settle()
    #expect(try laptop.total("Milk") == 7)
  }

  @Test("a refresh token that somebody else used ends the session, which a new sign-in makes good")
  func reuse() throws {
    let project = try ProjectHost()
    let supabase = try project.start("--reuse-interval", "0")
    let laptop = try CloudDevice("stock new Milk --in-stock 9", on: supabase)
    let file = "home/.config/larder/credentials.json"
    let stale = try laptop.larder.folder.read(file)
    try laptop.supabase.fail(laptop.email, ["expire": true], ["path": "/rest/v1", "times": 1])
    try laptop.prepare("stock use Milk 1", "sync")
    let current = try laptop.larder.folder.read(file)
    #expect(current != stale)
    // As a backup of the home folder brings it back; then what was current serves no more.
    for tokens in [stale, current] {
      try laptop.larder.folder.write(tokens, to: file)
      try laptop.prepare("stock use Milk 1")
      try laptop.supabase.fail(laptop.email, ["expire": true], ["path": "/rest/v1", "times": 1])
      let over = try laptop("sync")
      #expect(over.code == 4)
      #expect(
        over.errors.contains(
          "error: the session with the project is over (refresh_token_already_used)"))
      #expect(over.errors.contains("hint: 'larder cloud login EMAIL' signs you in again; nothing"))
    }
    #expect(try laptop.credentials()["refreshToken"] == nil)
    #expect(try laptop.count("pending") == 1)
    #expect(try laptop.total("Milk") == 6)
    try laptop.signIn()
    try [laptop, try laptop.invite()].settle()
    #expect(try laptop.total("Milk") == 6)
  }
}
