import Foundation
import TestSupport
import Testing

@Suite("What other programs put on the list in a unit of its own")
struct CloudUnitTests {
  @Test("a pack of what is counted in grams comes as it was written, and goes back so")
  func pack() throws {
    let device = try CloudDevice("stock new Yeast 42g --minimum 10g")
    let yeast = try #require(try device.request("GET", "/rest/v1/stock_items").rows.first)
    let wish: [String: Any] = ["item_id": yeast["id"] ?? "", "desired_quantity": 1, "unit": "pack"]
    #expect(try device.request("POST", "/rest/v1/shopping_list_entries", [wish]).status == 201)
    try device.prepare("sync")
    #expect(try list(device) == ["Yeast", "1", "pack"])
    // It runs out, and nobody compares grams with a pack.
    for line in ["use yeast all", "sync"] { try device.prepare(line) }
    #expect(try list(device) == ["Yeast", "1", "pack"])
    for line in ["buy yeast '3 sachets'", "sync"] { try device.prepare(line) }
    let entries = try device.request("GET", "/rest/v1/shopping_list_entries").rows
    #expect(entries.map { $0["unit"] as? String } == ["sachet"])
    for line in ["got yeast 126g", "receipt save --shop Aldi", "sync"] { try device.prepare(line) }
    let items = try device.request("GET", "/rest/v1/stock_items").rows
    #expect(items.map { $0["quantity_in_stock"] as? Int } == [126])
  }

  private func list(_ device: CloudDevice) throws -> [String] {
    try device("shop --plain").records.first.map { Array($0[1...3]) } ?? []
  }
}
