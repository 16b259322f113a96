import Foundation
import TestSupport
import Testing

@Suite("What other programs put on the list in a unit of its own")
struct CloudUnitTests {
  private func list(_ device: CloudDevice) throws -> [[String]] {
    try device("shop --plain").records.map { Array($0[1...3]) }
  }

  @Test("a pack of what is counted in grams comes as it was written, and goes back so")
  func pack() throws {
    let device = try CloudDevice("stock new Yeast 42g")
    let yeast = try #require(try device.request("GET", "/rest/v1/stock_items").rows.first)
    let wish: [String: Any] = ["item_id": yeast["id"] ?? "", "desired_quantity": 1, "unit": "pack"]
    #expect(try device.request("POST", "/rest/v1/shopping_list_entries", [wish]).status == 201)
    try device.prepare("sync")
    #expect(try list(device) == [["Yeast", "1", "pack"]])
    try device.prepare("buy yeast '3 sachets'", "sync")
    let entries = try device.request("GET", "/rest/v1/shopping_list_entries").rows
    #expect(entries.map { $0["unit"] as? String } == ["sachet"])
    try device.prepare("got yeast 126g", "receipt save --shop Aldi", "sync")
    let items = try device.request("GET", "/rest/v1/stock_items").rows
    #expect(items.map { $0["quantity_in_stock"] as? Int } == [168])
  }

  @Test("what runs out while a pack of it is wanted stays so, here and in the project")
  func runsOut() throws {
    let device = try CloudDevice("stock new Yeast 42g --minimum 10g", "buy yeast 10g")
    let changed = try device.request(
      "PATCH", "/rest/v1/shopping_list_entries?unit=eq.gram",
      ["desired_quantity": 1, "unit": "pack"])
    #expect(changed.status == 204)
    try device.prepare("sync", "use yeast all", "sync")
    #expect(try list(device) == [["Yeast", "1", "pack"]])
    let entries = try device.request("GET", "/rest/v1/shopping_list_entries").rows
    #expect(entries.map { $0["unit"] as? String } == ["pack"])
  }
}
