import LarderKit
import Foundation
import TestSupport
import Testing

/// What a cloud does that no device is to suffer from for ever.
@Suite("A project that changes under a household")
struct CloudRecoveryTests {
  /// A project of the future, which knows another format.
  private static let nextFormat = """
    create or replace function larder.known_format() returns integer
    language sql immutable parallel safe set search_path = '' as $$ select 2 $$;
    """

  private static func set(format: Int, _ device: CloudDevice) throws {
    let answer = try device.request(
      "PATCH", "/rest/v1/households?id=eq.\(try device.household())", ["format": format])
    try #require(answer.status < 300, "\(answer.text)")
  }

  @Test("a newer format in the cloud stops the exchange alone, and the exchange recovers by itself")
  func newerFormat() throws {
    let host = try ProjectHost()
    defer { withExtendedLifetime(host) {} }
    let supabase = try host.start(also: Self.nextFormat)
    let laptop = try CloudDevice("stock new Milk --in-stock 9", on: supabase)
    let phone = try laptop.invite()
    try Self.set(format: 2, laptop)
    try laptop.request("PATCH", "/rest/v1/stock_items?name=eq.Milk", ["category": "Dairy"])
    try laptop.request("POST", "/rest/v1/stock_items", ["id": UUID().uuidString, "name": "Tea"])
    for device in [laptop, phone] {
      try device.prepare("stock use Milk 1", "stock", "status")
      let before = try device.git("rev-parse", "HEAD")
      for line in ["sync", "cloud push", "cloud pull", "sync"] {
        let outcome = try device(line)
        #expect(outcome.code == 5, "\(line): \(outcome.errors)")
        #expect(outcome.errors.contains("error: the project has the household in format 2, which"))
      }
      #expect(try device.git("rev-parse", "HEAD") == before)
      try device.prepare("stock use Milk 1")
      let doctor = try device("doctor")
      #expect(doctor.code == 1)
      #expect(doctor.output.contains("the project has the household in format 2, so nothing is"))
      #expect(doctor.errors.contains("write format 1 back in the project's table households"))
    }
    let sent = try laptop.request("GET", "/rest/v1/quantity_changes?select=why").rows
    #expect(!sent.isEmpty && sent.allSatisfy { $0["why"] as? String != "consume" })

    try Self.set(format: 1, laptop)
    try [laptop, phone].settle()
    #expect(try laptop.total("Milk") == 5)
    #expect(try laptop("stock show Milk --json").output.contains("Dairy"))
    // What was kept meanwhile has a name for people.
    #expect(try laptop.file("Tea").hasPrefix("nest/stock/tea"))
    #expect(try laptop("doctor").code == 0)
  }

  @Test("a device that took a newer format once can be written again when the number goes back")
  func takenFormat() throws {
    let host = try ProjectHost()
    defer { withExtendedLifetime(host) {} }
    let supabase = try host.start(also: Self.nextFormat)
    let laptop = try CloudDevice("stock new Milk --in-stock 9", on: supabase)
    try Self.set(format: 2, laptop)
    let row = try #require(
      try laptop.request("GET", "/rest/v1/households?select=edited").rows.first)
    let stamp = try #require((row["edited"] as? [String: String])?["format"])
    // As a larder did that took the number over.
    var own = try #require(
      try JSONSerialization.jsonObject(
        with: Data(try laptop.larder.folder.read("nest/household.json").utf8)) as? [String: Any])
    own["format"] = 2
    own["edited"] = ((own["edited"] as? [String: String]) ?? [:]).merging(["format": stamp]) { $1 }
    let file = try JSONSerialization.data(withJSONObject: own)
    try laptop.larder.folder.write(
      String(decoding: file, as: UTF8.self), to: "nest/household.json")
    try laptop.git("commit", "-qam", "sync with the cloud\n\nLarder-Command: sync")
    #expect(try laptop("stock use Milk 1").code == 5)
    #expect(try laptop("stock").code == 0)
    #expect(try laptop("sync").code == 5)
    #expect(try laptop("doctor").output.contains("the household has format 2"))
    try Self.set(format: 1, laptop)
    try laptop.prepare("sync", "stock use Milk 1", "sync")
    try [laptop, try laptop.invite()].settle()
    #expect(try laptop.total("Milk") == 8)
  }

  /// Lets a test write a number as the restoring of a dump does: past all triggers.
  private static let asOwner = """
    create or replace function public.set_as_owner(household uuid, number integer) returns void
    language plpgsql security definer set search_path = '' as $$
    begin
      alter table public.households disable trigger user;
      update public.households set format = number,
        version = case number when 1 then version else nextval('larder.version') end
      where id = household;
      alter table public.households enable trigger user;
    end
    $$;
    """

  @Test("what the database says of the format now counts, with a newer stamp or without one")
  func formatWithoutStamp() throws {
    let host = try ProjectHost()
    defer { withExtendedLifetime(host) {} }
    let supabase = try host.start(also: Self.asOwner)
    let laptop = try CloudDevice("stock new Milk --in-stock 9", on: supabase)
    func set(_ format: Int) throws {
      let answer = try laptop.request(
        "POST", "/rest/v1/rpc/set_as_owner",
        ["household": try laptop.household(), "number": format])
      try #require(answer.status < 300, "\(answer.text)")
    }
    let phone = try laptop.invite()
    for line in ["sync", "cloud push", "cloud pull --expiring 9 --again"] {
      try set(2)
      try laptop.request("PATCH", "/rest/v1/stock_items?name=eq.Milk", ["category": line])
      for device in [laptop, phone] { #expect(try device("sync").code == 5) }
      try laptop.prepare("stock use Milk 1")
      try set(1)
      try laptop.prepare(line)
      try [laptop, phone].settle()
      #expect(try phone("stock show Milk --json").output.contains(line))
    }
    #expect(try phone.total("Milk") == 6)
    #expect(try laptop("doctor").code == 0)
  }

  @Test("what a database forgot that was restored from a backup, the devices bring back")
  func restored() throws {
    let host = try ProjectHost()
    var laptop = try CloudDevice("stock new Milk --in-stock 9", on: try host.start())
    var phone = try laptop.invite()
    let port = laptop.supabase.port
    func restart(_ change: () throws -> Void) throws {
      try laptop.supabase.stop()
      try change()
      let supabase = try host.start(at: port)
      laptop.supabase = supabase
      phone.supabase = supabase
    }
    try restart { try host.backUp() }
    try laptop.prepare(
      "stock use Milk 2", "stock new Tea --in-stock 3", "stock edit Milk --category Dairy",
      "sync")
    try phone.prepare("sync", "stock use Milk 1", "sync")
    try restart { try host.restore() }
    #expect(try laptop.count("pending") == 0, "nobody has heard of it yet")
    let push = try laptop("cloud push")
    #expect(push.code == 0, "\(push.errors)")
    #expect(push.errors.contains("sent to the cloud"))
    try [phone, laptop].settle()
    #expect(try laptop.total("Milk") == 6)
    // What the database had once and has no more is nobody's write, and has lost to nobody.
    for device in [laptop, phone] {
      #expect(try device("conflicts --json").array("conflicts").isEmpty)
      #expect(
        try device("stock --json").array("items").contains { $0["category"] as? String == "Dairy" })
    }
    let rows = try laptop.request(
      "GET", "/rest/v1/stock_items?select=name,quantity_in_stock&order=name"
    ).rows
    #expect(rows.compactMap { $0["quantity_in_stock"] as? Int } == [6, 3])
    try laptop.supabase.stop()
  }

  @Test("a stamp far ahead of the project's clock is refused with the reason, and kept here")
  func farAhead() throws {
    let laptop = try CloudDevice("stock new Milk --in-stock 9")
    try laptop.larder.folder.write(
      """
      {"name": "Tea", "category": "Hot", "edited": {"category": "2097-01-01T00:00:00.000Z"}}
      """, to: "nest/stock/tea.json")
    for _ in 0..<Outbox.mostRefusals { #expect(try laptop("cloud push").code == 1) }
    let status = try laptop("cloud status")
    #expect(
      status.output.contains(
        /Tea +parked +\d+ .* a time is more than a day ahead of the database's clock: 2097-01-01/
      ))
    // The code is for programs.
    #expect(
      try laptop("cloud status --json").output.contains(#""errorMessage": "LA020: a time is"#))
    #expect(try !laptop("cloud push").errors.contains("LA020"))
    #expect(try laptop("stock show Tea").code == 0)
  }
}
