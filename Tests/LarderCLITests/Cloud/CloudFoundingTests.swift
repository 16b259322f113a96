import Foundation
import TestSupport
import Testing

/// Who has a household's id in a project.
@Suite("Founding a household in the cloud")
struct CloudFoundingTests {
  /// Lets a test do what the project's owner does in the SQL editor.
  private static let asOwner = """
    create or replace function public.erase_as_owner(household uuid) returns void
    language plpgsql security definer set search_path = '' as $$
    begin perform larder.erase(household); end $$;
    """

  private static func found(_ household: String, as device: CloudDevice) throws
    -> LocalSupabase.Answer
  {
    try device.request("POST", "/rest/v1/households", ["id": household, "name": "Taken"])
  }

  @Test("one that its last member left is kept for who left it, and no stranger can tell")
  func reserved() throws {
    let mira = try CloudDevice("stock new Milk --in-stock 9")
    let eve = try CloudDevice()
    let id = try mira.household()
    try mira.prepare("cloud disconnect --leave --yes")
    let answer = try Self.found(id, as: eve)
    let other = try Self.found(try CloudDevice().household(), as: eve)
    #expect(answer.status == 403 && answer.text == other.text)
    try mira.connect()
    try [mira].settle()
    #expect(try mira.request("GET", "/rest/v1/stock_items?select=name").rows.count == 1)
  }

  @Test("where a stranger was first, the error has the way out, and its end is the right household")
  func taken() throws {
    let host = try ProjectHost()
    defer { withExtendedLifetime(host) {} }
    let eve = try CloudDevice(on: try host.start(also: Self.asOwner))
    let mira = try CloudDevice(aloneOn: eve.supabase)
    try mira.start()
    try mira.prepare("stock new Milk --in-stock 9")
    let id = try mira.household()
    #expect(try Self.found(id, as: eve).status == 201)
    try mira.connect()
    try mira.signInQuietly()
    for line in ["sync", "cloud push", "sync"] {
      let outcome = try mira(line)
      #expect(outcome.code == 4)
      #expect(
        outcome.errors.contains(
          "error: the project has a household of this id already, or keeps it for those who left it,"
        ))
      #expect(outcome.errors.contains("\"select larder.erase('\(id)');\""))
      #expect(outcome.errors.contains("'larder cloud connect URL' takes another project"))
    }
    let status = try mira("cloud status")
    #expect(status.output.contains("you do not belong to this household there\n"))
    #expect(try mira("cloud status --json").json()["isMember"] as? Bool == false)
    #expect(
      try mira("status").output.contains(
        "never synced with the project: the project has a household of this id already"))
    #expect(try eve.request("GET", "/rest/v1/stock_items?household_id=eq.\(id)").rows.isEmpty)

    try eve.request("POST", "/rest/v1/rpc/erase_as_owner", ["household": id])
    try mira.prepare("sync")
    #expect(try mira("cloud status --json").json()["isMember"] as? Bool == true)
    try [mira, try mira.invite()].settle()
  }

  @Test("who was removed reads so in the status, until they are let in again")
  func removed() throws {
    let mira = try CloudDevice("stock new Milk --in-stock 9")
    let jonas = try mira.invite()
    try mira.prepare("cloud remove \(jonas.email)")
    #expect(try !jonas("cloud status").output.contains("you do not belong"))
    #expect(try jonas("sync").code == 4)
    let status = try jonas("cloud status")
    #expect(status.output.contains("you do not belong to this household there\n"))
    #expect(status.errors.contains("hint: ask a member for 'larder cloud invite'"))
    try jonas.prepare("cloud join --yes --invite \(try mira.invitation())")
    #expect(try !jonas("cloud status").output.contains("you do not belong"))
    try [mira, jonas].settle()
  }

  @Test("a household that names no id gets one")
  func withoutID() throws {
    let device = try CloudDevice()
    let answer = try device.request(
      "POST", "/rest/v1/households", ["name": "E"], headers: ["Prefer": "return=representation"])
    #expect(answer.status == 201)
    let row = try #require(answer.rows.first)
    #expect(row["id"] as? String == row["household_id"] as? String)
  }
}
