import Foundation
import TestSupport
import Testing

/// A watch in a household that is in a project, with and without a git remote.
@Suite("watch, with a cloud")
struct CloudWatchTests {
  private func watch(_ device: CloudDevice, every time: String = "1h") throws -> RunningLarder {
    let watch = try device.larder.start("watch", "--every", time, in: "nest")
    #expect(try watch.says("watching"))
    return watch
  }

  @Test("what is done here is sent at once, and what others did arrives within the interval")
  func bothWays() throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 9")
    let phone = try laptop.invite()
    let watch = try watch(laptop, every: "1s")
    #expect(try watch.says(", syncing every 1 s\n"))
    #expect(try watch.says("nothing new in the cloud, the cloud has everything\n"))
    try laptop.prepare("stock use Milk 2")
    #expect(try watch.says("nothing new in the cloud, 1 thing sent to the cloud\n"))
    try phone.prepare("sync", "stock use Milk 3", "sync")
    #expect(try watch.says("received Milk: 7 → 4"))
    // A program that knows no larder.
    try phone.request("PATCH", "/rest/v1/stock_items?name=eq.Milk", ["category": "Dairy"])
    #expect(try watch.says("received Milk: category"))
    #expect(try !watch.errors().contains("no remote"))
    #expect(watch.end() == 0)
    try [phone, laptop].settle()
  }

  @Test("where nobody is signed in it says so, and signing in exchanges at once")
  func signingIn() throws {
    let laptop = try CloudDevice(aloneOn: LocalSupabase.shared.get())
    try laptop.start()
    try laptop.connect()
    try laptop.prepare("stock new Milk --in-stock 9")
    let watch = try watch(laptop)
    #expect(try watch.says("which has no remote, and nobody is signed in to its project\n"))
    try laptop.signIn("--sign-up")
    #expect(try laptop.count("pending") == 0)
    let rows = try laptop.request("GET", "/rest/v1/stock_items?select=name").rows
    #expect(rows.compactMap { $0["name"] as? String } == ["Milk"])
    #expect(try watch.says("signed in to the project, exchanging with it from now on\n"))
    #expect(try watch.says("in the cloud, ", within: 10))
    #expect(watch.end() == 0)
    let another = try self.watch(laptop, every: "1s")
    #expect(try another.says("in the cloud, "))
    try laptop.prepare("cloud logout")
    #expect(try another.says("nobody is signed in to a project any more\n"))
    #expect(another.end() == 0)
  }

  @Test("a remote that is away keeps nothing from the cloud, nor the cloud from the remote")
  func away() throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 9")
    try laptop.git("init", "-q", "--bare", laptop.larder.folder("origin.git"))
    try laptop.prepare("git -- remote add origin ../origin.git", "sync")
    let home = laptop.larder.folder("")
    try FileManager.default.moveItem(atPath: home + "/origin.git", toPath: home + "/gone.git")
    let watch = try watch(laptop)
    #expect(try watch.says("could not fetch"))
    try laptop.prepare("stock use Milk 2")
    #expect(try watch.says("1 thing sent to the cloud\n"))
    try laptop.supabase.fail(laptop.email, ["drop": "before"])
    try FileManager.default.moveItem(atPath: home + "/gone.git", toPath: home + "/origin.git")
    try laptop.prepare("stock use Milk 1")
    #expect(try watch.says("in sync with origin/main: 0 commits received, "))
    #expect(try watch.says("the connection to 127.0.0.1 broke; trying again in "))
    try laptop.supabase.mend(laptop.email)
    #expect(try watch.says("1 thing sent to the cloud\n", times: 2))
    #expect(watch.end() == 0)
  }

  @Test("a sync whose remote is away goes to the cloud all the same, and fails for the remote")
  func oneTarget() throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 9")
    try laptop.prepare("git -- remote add origin ../nowhere.git", "stock use Milk 1")
    let sync = try laptop("sync")
    #expect(sync.code == 6, "\(sync.errors)")
    #expect(sync.errors.contains("nothing new in the cloud, 1 thing sent to the cloud\n"))
    #expect(sync.errors.contains("sync failed"))
    #expect(try laptop.count("pending") == 0)
  }

  @Test("sync --all goes to the cloud as well, and the remotes get what came from there")
  func all() throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 9")
    let phone = try laptop.invite()
    for name in ["origin", "disk"] {
      try laptop.git("init", "-q", "--bare", laptop.larder.folder("\(name).git"))
      try laptop.prepare("git -- remote add \(name) ../\(name).git")
    }
    try phone.prepare("stock use Milk 3", "sync")
    try laptop.prepare("stock new Bread", "sync --all")
    #expect(try laptop.total("Milk") == 6)
    let head = try laptop.git("rev-parse", "HEAD")
    for name in ["origin", "disk"] {
      #expect(try laptop.git("rev-parse", "\(name)/main") == head)
    }
    let outcome = try laptop("sync --all --json")
    #expect(outcome.code == 0)
    #expect((try outcome.json()["remotes"] as? [Any])?.count == 2)
    #expect(try outcome.json()["cloud"] is [String: Any])

    // A cloud that is away is told beside what was synced, and a remote that is away as well.
    try laptop.supabase.fail(laptop.email, ["drop": "before"])
    try laptop.prepare("stock use Milk 1")
    let offline = try laptop("sync --all")
    #expect(offline.code == 0)
    #expect(offline.errors.contains("warning: the cloud can't be reached"))
    try laptop.supabase.mend(laptop.email)
    try laptop.git("remote", "set-url", "disk", "../nowhere.git")
    let half = try laptop("sync --all")
    #expect(half.code != 0)
    #expect(half.errors.contains("1 thing sent to the cloud"))
  }
}
