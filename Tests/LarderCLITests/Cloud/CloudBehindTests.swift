import Foundation
import TestSupport
import Testing

/// What commands do with the cloud without being told to: all of it, or nothing.
@Suite("The cloud behind commands")
struct CloudBehindTests {
  /// Whether something comes about; what runs behind a command takes its time.
  private static func comesAbout(_ what: () throws -> Bool) throws -> Bool {
    let end = Date(timeIntervalSinceNow: 60)
    while Date() < end {
      if try what() { return true }
      Thread.sleep(forTimeInterval: 0.1)
    }
    return try what()
  }

  /// When commands take what the cloud said last for old, or for new.
  private static func setAsked(_ date: Date, on device: CloudDevice) throws {
    try device.larder.folder.write("", to: "nest/.git/larder/asked")
    try FileManager.default.setAttributes(
      [.modificationDate: date], ofItemAtPath: device.larder.folder("nest/.git/larder/asked"))
  }

  @Test("with autoSync what a command did is sent behind it, and what another did is brought")
  func autoSync() throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 9")
    let phone = try laptop.invite()
    try laptop.prepare("config autoSync true", "stock use Milk 2")
    #expect(
      try Self.comesAbout {
        let rows = try laptop.request("GET", "/rest/v1/stock_items?select=quantity_in_stock").rows
        return rows.compactMap { $0["quantity_in_stock"] as? Int } == [7]
      })
    // A command that only reads asks where it has not for a while, and shows what is here meanwhile.
    let known = try phone.git("log", "-1", "--format=%H")
    try phone.git("config", "larder.autoSync", "true")
    try Self.setAsked(Date(timeIntervalSince1970: 0), on: phone)
    #expect(try phone("stock show Milk").code == 0)
    #expect(try Self.comesAbout { try phone.git("log", "-1", "--format=%H") != known })
    #expect(try phone.total("Milk") == 7)
    #expect(try Self.comesAbout { try laptop.count("pending") == 0 })
  }

  @Test("with autoSync a thing that is not here is looked up in the cloud, kept and shown")
  func lookedUp() throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 9")
    let phone = try laptop.invite()
    try laptop.prepare("stock new Tea --in-stock 3", "sync")
    #expect(try phone("stock show Tea").code == 3)

    // Nothing is asked behind these commands, so that it is they who look.
    try phone.git("config", "larder.autoSync", "true")
    try Self.setAsked(Date(timeIntervalSinceNow: 3600), on: phone)
    let shown = try phone("stock show Tea --json")
    #expect(shown.code == 0)
    #expect(shown.errors == "")
    #expect(shown.output.contains(#""name": "Tea""#))
    try phone.prepare("stock use Tea 1")
    try laptop.prepare("location new Cellar", "sync")
    try phone.prepare("stock put Milk 1 --location Cellar")
    try [phone, laptop].settle()
    #expect(try laptop.total("Tea") == 2)
    #expect(try laptop.total("Milk") == 10)

    let unknown = try phone("stock show Unheard-of")
    #expect(unknown.code == 3)
    try phone.git("config", "--unset", "larder.autoSync")
    #expect(try phone("stock show Unheard-of") == unknown)
    // Nor does it matter that nobody answers.
    try phone.git("config", "larder.autoSync", "true")
    try phone.move(to: "http://127.0.0.1:9")
    #expect(try phone("stock show Unheard-of") == unknown)
  }

  @Test("what another exchange brings while it is looked up is found, and a warning is told once")
  func lookedUpAtOnce() throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 9")
    let phone = try laptop.invite()
    try phone.git("config", "larder.autoSync", "true")
    try laptop.prepare("stock new Tea --in-stock 3", "sync")
    try Self.setAsked(Date(timeIntervalSinceNow: 3600), on: phone)
    try phone.larder.folder.write("{", to: "nest/shopping/broken.json")
    try phone.supabase.fail(
      phone.email, ["delay": 1.0], ["path": CloudDevice.news, "times": 1])
    let other = try phone.larder.start("cloud", "pull", in: "nest")
    #expect(try Self.comesAbout { try phone.supabase.failures(phone.email) == 1 })
    let shown = try phone("stock show Tea")
    #expect(shown.code == 0, "\(shown.errors)")
    #expect(shown.output.contains("Tea"))
    #expect(shown.errors.ranges(of: "broken.json").count == 1)
    #expect(try Self.comesAbout { other.hasExited })
    #expect(other.end() == 0)
    try phone.supabase.mend(phone.email)
  }

  @Test("a new device has what expires soon before all the rest, once a day but for who asks again")
  func expiring() throws {
    let laptop = try CloudDevice(
      "stock new Milk --in-stock 1", "stock new Rice --in-stock 1", "location new Fridge",
      "stock put Milk 2 --expiry +2d --location Fridge", "stock put Rice 3 --expiry +200d")
    let code = try laptop.invitation()
    let household = try laptop.household()
    try laptop.supabase.fail(household, ["status": 400], ["path": CloudDevice.news])
    let phone = try CloudDevice(aloneOn: laptop.supabase)
    #expect(try phone.join(code).code == 1)
    try laptop.supabase.mend(household)
    #expect(try phone("stock due --days 9 --json").array("items").isEmpty)

    let warm = try phone("cloud pull --expiring 9 --json")
    #expect(warm.code == 0)
    #expect(try warm.json()["fromCacheOnly"] as? Bool == false)
    #expect(try warm.json()["fetchedCount"] as? Int ?? 0 >= 3)
    let due = try phone("stock due --days 9")
    #expect(due.output.contains("Milk") && due.output.contains("Fridge"))
    #expect(try phone.total("Milk") == 3)
    #expect(try !phone("stock --all").output.contains("Rice"))

    try laptop.prepare("stock put Rice 1 --expiry +1d", "sync")
    let second = try phone("cloud pull --expiring 9 --json").json()
    #expect(second["fromCacheOnly"] as? Bool == true)
    #expect(second["fetchedCount"] as? Int == 0)
    #expect(try !phone("stock due --days 9").output.contains("Rice"))
    try phone.prepare("cloud pull --expiring 9 --again")
    #expect(try phone("stock due --days 9").output.contains("Rice"))
    try [phone, laptop].settle()
    #expect(try phone.total("Rice") == 5)
  }
}
