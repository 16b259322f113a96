import Foundation
import TestSupport
import Testing

/// One household on four devices: the laptop and the desk sync by git and with the cloud, the van by
/// git alone, the tablet with the cloud alone.
struct FourDevices {
  let laptop: CloudDevice
  let desk: CloudDevice
  let van: CloudDevice
  let tablet: CloudDevice

  var all: [CloudDevice] { [laptop, desk, van, tablet] }

  init(_ lines: String...) throws { try self.init(lines) }

  init(_ lines: [String]) throws {
    laptop = try CloudDevice()
    for line in lines { try laptop.prepare(line) }
    let hub = laptop.larder.folder("hub.git")
    try Git.run(["init", "--quiet", "--bare", "-b", "main", hub], in: laptop.larder.folder.path)
    try laptop.git("remote", "add", "origin", hub)
    try laptop.prepare("sync")
    tablet = try laptop.invite(name: "tablet")
    desk = try Self.clone(hub, "desk", laptop.supabase)
    try desk.prepare("cloud connect \(desk.supabase.url) --anon-key-file ../key")
    try desk.signIn("--sign-up")
    try desk.prepare("cloud join --yes --invite \(try laptop.invitation())")
    van = try Self.clone(hub, "van", laptop.supabase)
  }

  private static func clone(_ hub: String, _ name: String, _ supabase: LocalSupabase) throws
    -> CloudDevice
  {
    var device = try CloudDevice(aloneOn: supabase)
    device.larder.device = name
    let joined = try device.larder("join", hub, "nest")
    try #require(joined.code == 0, "\(joined.errors)")
    return device
  }

  /// Writes to a table as a program does that knows neither ledgers nor stamps.
  func write(_ table: String, _ name: String, _ row: [String: Any]) throws {
    let household = try laptop.household()
    let answer = try laptop.request(
      "PATCH", "/rest/v1/\(table)?household_id=eq.\(household)&name=eq.\(name)", row)
    try #require(answer.status < 300, "\(answer.text)")
  }

  /// Syncs until all are alike, and checks that they are, the cloud among them.
  func settle() throws {
    for _ in 0..<3 { for device in all { try device.prepare("sync") } }
    // What came from the cloud alone in a folder of its own is what the cloud has.
    let devices = all + [try laptop.invite(name: "new")]
    let trees = try devices.map { try $0.git("rev-parse", "HEAD^{tree}") }
    #expect(Set(trees).count == 1)
    for device in devices {
      #expect(try device.git("status", "--porcelain") == "")
      #expect(try device("check").code == 0)
    }
    for device in [laptop, desk, tablet] { #expect(try device.count("pending") == 0) }
    let heads = try devices.map { try $0.git("rev-parse", "HEAD") }
    for device in all { try device.prepare("sync") }
    #expect(try devices.map { try $0.git("rev-parse", "HEAD") } == heads, "a sync echoes")
  }
}

/// The same by git and by the cloud.
@Suite("Git and the cloud, end to end")
struct GitAndCloudTests {
  @Test(
    "whoever writes what and syncs when, by git, with the cloud or as a plain client: all agree",
    arguments: 0..<3)
  func agree(_ number: UInt64) throws {
    let seed = Seed.ofRun &+ number
    var random = SeededGenerator(seed: seed)
    let household = try FourDevices(
      "stock new Milk --in-stock 100", "stock new Bread --in-stock 50", "shop buy Salt 1")
    var milk = 100
    var journal = "LARDER_SEED=\(seed)"
    for step in 1...14 {
      let device = try #require(household.all.randomElement(using: &random))
      let count = random.number(1...3)
      let line: String
      switch random.number(0...6) {
      case 0, 1:
        line = "stock use Milk \(count)"
        milk -= count
      case 2:
        line = "stock put Milk \(count) --expiry +\(count)d"
        milk += count
      case 3: line = "stock edit Bread --category 'Shelf \(step)'"
      case 4: line = "shop buy 'Thing \(step)' \(count)"
      case 5:
        let word = "Plain \(step)"
        try household.write("stock_items", "Bread", ["quantity_in_stock": step, "category": word])
        journal += "\nplain: \(word)"
        continue
      default: line = "sync"
      }
      journal += "\n\(device.larder.device): \(line)"
      try device.prepare(line)
    }
    try household.settle()
    for device in household.all { #expect(try device.total("Milk") == milk, "\(journal)") }
  }

  @Test(
    "every total is what people really did, in the database too, however late it arrives",
    arguments: 0..<2)
  func world(_ number: UInt64) throws {
    let household = try FourDevices(RealWorld.beginning)
    for device in household.all { try device.prepare("sync") }
    var world = RealWorld(seed: Seed.ofRun &+ number, devices: 4) { device, line, input in
      try household.all[device](line, input: input)
    }
    for _ in 1...16 { try world.act() }
    try world.putRight()
    try household.settle()
    try world.compare()
    for item in world.items {
      let rows = try household.laptop.request(
        "GET", "/rest/v1/stock_items?select=quantity_in_stock&name=eq.\(item.name)"
      ).rows
      let number = rows.first?["quantity_in_stock"] as? Int
      #expect(number == item.real, "\(world.journal.joined(separator: "\n"))")
    }
  }

  @Test("what was used up over one of them and comes over both counts once")
  func once() throws {
    let household = try FourDevices("stock new Milk --in-stock 10")
    try household.van.prepare("stock use Milk 2", "sync")
    try household.laptop.prepare("stock use Milk 1", "sync")
    try household.desk.prepare("cloud pull", "stock use Milk 3", "sync")
    try household.tablet.prepare("stock put Milk 1", "sync")
    try household.settle()
    for device in household.all { #expect(try device.total("Milk") == 5) }
    let rows = try household.laptop.request(
      "GET", "/rest/v1/stock_items?select=quantity_in_stock&name=eq.Milk"
    ).rows
    #expect(rows.compactMap { $0["quantity_in_stock"] as? Int } == [5])
  }

  @Test("what came while a file was broken is there once it is mended, and after a step back")
  func missed() throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 3")
    let phone = try laptop.invite()
    let milk = try #require(try phone("stock --json").array("items").first?["path"] as? String)
    let text = try phone.larder.folder.read("nest/\(milk)")
    try phone.larder.folder.write("{", to: "nest/\(milk)")
    try phone.git("commit", "-qam", "oops")
    try laptop.prepare("stock edit Milk --category New", "stock use Milk 1", "sync")
    _ = try phone("sync")
    try phone.larder.folder.write(text, to: "nest/\(milk)")
    try phone.prepare("sync")
    try [laptop, phone].settle()
    #expect(try phone.larder.folder.read("nest/\(milk)").contains(#""category": "New""#))
    #expect(try phone.total("Milk") == 2)

    try laptop.prepare("stock use Milk 1", "sync")
    try phone.prepare("sync")
    try phone.git("reset", "-q", "--hard", "HEAD~1")
    #expect(try phone.total("Milk") == 2)
    try phone.prepare("sync")
    try [laptop, phone].settle()
    #expect(try phone.total("Milk") == 1)
  }

  @Test("undo takes back what was done here, never what the cloud brought")
  func undo() throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 9")
    let phone = try laptop.invite()
    try laptop.prepare("stock use Milk 1", "sync")
    try phone.prepare("stock use Milk 2", "sync")
    #expect(try phone.total("Milk") == 6)
    #expect(try phone("undo HEAD").errors.contains("it only joined what both sides did"))
    #expect(try phone("undo").output.hasPrefix("took back: use 2 of Milk"))
    #expect(try phone.total("Milk") == 8)
    #expect(try phone("undo").code == 1)
    try [laptop, phone].settle()
    #expect(try laptop.total("Milk") == 8)
  }

  @Test("an old write that arrives late over one gives way to the newer one over the other")
  func late() throws {
    let household = try FourDevices("stock new Milk --in-stock 10 --category Dairy")
    try household.van.prepare("stock edit Milk --category Old")
    try household.tablet.prepare("stock edit Milk --category New", "sync")
    try household.laptop.prepare("sync")
    try household.van.prepare("sync")
    try household.settle()
    for device in household.all {
      #expect(try device("stock show Milk --json").output.contains(#""category": "New""#))
    }
    try household.tablet.prepare("stock edit Milk --category Older")
    try household.van.prepare("stock edit Milk --category Newest", "sync")
    try household.laptop.prepare("sync")
    try household.settle()
    let rows = try household.laptop.request(
      "GET", "/rest/v1/stock_items?select=category&name=eq.Milk"
    ).rows
    #expect(rows.compactMap { $0["category"] as? String } == ["Newest"])
  }

  @Test("clones that joined by the cloud and then get the remote of the household sync with it")
  func remoteAfterCloud() throws {
    let household = try FourDevices("stock new Milk --in-stock 9")
    let (laptop, tablet) = (household.laptop, household.tablet)
    let phone = try laptop.invite(name: "phone")
    let hub = laptop.larder.folder("hub.git")
    for device in [laptop, tablet, phone] { try device.prepare("stock use Milk 1") }
    for device in [tablet, phone] {
      try device.git("remote", "add", "origin", hub)
      try device.prepare("sync")
    }
    let all = household.all + [phone]
    for _ in 0..<2 { for device in all { try device.prepare("sync") } }
    #expect(Set(try all.map { try $0.git("rev-parse", "HEAD") }).count == 1)
    #expect(try all.map { try $0.total("Milk") } == all.map { _ in 6 })
  }
}
