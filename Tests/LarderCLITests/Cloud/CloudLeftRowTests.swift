import Foundation
import TestSupport
import Testing

/// Rows in the cloud that no file may be.
@Suite("Rows that are left in the cloud")
struct CloudLeftRowTests {
  /// Writes as only the owner of a database can: past all triggers.
  private static let asOwner = """
    create or replace function public.spoil_as_owner(item text, count integer) returns void
    language plpgsql security definer set search_path = '' as $$
    begin
      alter table public.stock_items disable trigger user;
      if count is null then
        delete from public.stock_items where name = item;
      else
        update public.stock_items set version = nextval('larder.version'), extra = (
          select jsonb_object_agg('key' || n, n) from generate_series(1, count) as n)
        where name = item;
      end if;
      alter table public.stock_items enable trigger user;
    end
    $$;
    """

  private let host: ProjectHost
  private let laptop: CloudDevice

  init() throws {
    host = try ProjectHost()
    laptop = try CloudDevice(
      "stock new Milk --in-stock 9", "stock new Tea", on: try host.start(also: Self.asOwner))
  }

  /// Gives a row so many unknown keys; nil takes it away.
  private func spoil(_ item: String, keys count: Int? = 2000) throws {
    let answer = try laptop.request(
      "POST", "/rest/v1/rpc/spoil_as_owner",
      ["item": item, "count": count ?? NSNull()] as [String: Any])
    try #require(answer.status < 300, "\(answer.text)")
  }

  private func id(_ item: String) throws -> String {
    let row = try laptop.request("GET", "/rest/v1/stock_items?select=id&name=eq.\(item)").rows.first
    return try #require(row?["id"] as? String)
  }

  @Test("each sync counts them and the status names them, until they can be read or are gone")
  func remembered() throws {
    let (milk, tea) = (try id("Milk"), try id("Tea"))
    try spoil("Milk")
    let first = try laptop("sync")
    #expect(
      first.errors.contains("a row of stock_items in the cloud is not what the format allows"))
    for _ in 1...2 {
      let again = try laptop("sync")
      #expect(
        again.errors.contains(
          "warning: nothing new in the cloud, 1 row left there, the cloud has everything\n"))
      #expect(
        again.errors.contains("hint: 'larder cloud status' names what was left in the cloud\n"))
    }
    #expect(
      try laptop("cloud pull").errors.hasPrefix("warning: nothing new in the cloud, 1 row left"))
    try spoil("Tea")
    #expect(try laptop("sync").errors.contains("2 rows left there"))

    let status = try laptop("cloud status")
    #expect(status.output.contains("what was left in the cloud:\n"))
    for id in [milk, tea] {
      #expect(status.output.contains(try Regex("stock_items +\(id) +it is not what the format")))
      #expect(
        try laptop("cloud status --plain").output.contains("left\tstock_items\t\(id)\tnotAllowed\n")
      )
    }
    let left = try #require(
      try laptop("cloud status --json").json()["left"] as? [[String: String]])
    #expect(Set(left.map { $0["id"] }) == [milk, tea])
    #expect(try laptop("status").output.contains("the cloud has everything, 2 rows left there\n"))
    #expect(try laptop("status --plain").output.contains("cloud.left\t2\n"))

    // One is mended, the other one taken away.
    try spoil("Milk", keys: 3)
    #expect(try laptop("sync").errors.contains("1 thing new from the cloud, 1 row left there"))
    try spoil("Tea", keys: nil)
    #expect(
      try laptop("sync").errors.contains("nothing new in the cloud, the cloud has everything\n"))
    #expect(try laptop("cloud status --json").json()["left"] as? [[String: String]] == [])
    #expect(try !laptop("status").output.contains("left there"))
    #expect(try laptop.larder.folder.read(try laptop.file("Milk")).contains("key3"))
  }

  @Test("the database takes none that has too much, and as much as a file may have travels")
  func bounds() throws {
    func keys(_ count: Int) -> [String: Any] {
      Dictionary(uniqueKeysWithValues: (1...count).map { ("key\($0)", $0) })
    }
    let refused = try laptop.request(
      "POST", "/rest/v1/stock_items", ["name": "Coffee", "extra": keys(2000)])
    #expect(refused.status == 400)
    #expect(refused.object["code"] as? String == "LA005")

    var file = keys(993)
    file["title"] = "Rice"
    let text = try JSONSerialization.data(withJSONObject: file)
    try laptop.larder.folder.write(
      String(decoding: text, as: UTF8.self), to: "nest/products/rice.json")
    try [laptop, try laptop.invite()].settle()
  }
}
