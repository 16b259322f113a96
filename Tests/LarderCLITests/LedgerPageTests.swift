import TestSupport
import Testing

@testable import LarderCLI

@Suite("A count that begins a new page")
struct LedgerPageTests {
  @Test("a count begins a new page of the file; the history, undo and check know what was before")
  func count() throws {
    let nest = try Nest()
    try nest.prepare("stock new Milk 9")
    for _ in 0..<50 { try nest.prepare("use milk 1", "put milk 1") }
    let path = try nest("stock list --json").array("items")[0]["path"] as? String ?? ""
    #expect(try nest("count milk 5").output.hasPrefix("counted 5 of Milk"))
    let text = try nest.read(path)
    #expect(text.contains("\"pageFrom\": \""))
    #expect(text.split(separator: "\n").count { $0.contains("why") } == 1)
    #expect(try nest("log milk --oneline --limit 200").records.count >= 100)
    #expect(try nest("use milk 2").output == "used 2 of Milk, 3 left\n")
    #expect(try nest("undo -n 2").code == 0)
    #expect(try nest("stock list milk --plain").records[0][1] == "9")
    #expect(try nest("redo").code == 0)
    #expect(try nest("check").code == 0)
  }

  @Test("what another device used before it, and told later, is a conflict that may be counted")
  func late() throws {
    let pair = try Pair("stock new Milk 9")
    for _ in 0..<51 { try pair.prepare("laptop", "use milk 1", "put milk 1") }
    try pair.settle()
    try pair.prepare("phone", "use milk 2")
    try pair.prepare("laptop", "count milk 5")
    try pair.settle()
    for device in ["laptop", "phone"] {
      #expect(try pair(device, "stock list milk --plain").records[0][1] == "5")
      let told = try pair(device, "conflicts --plain").records
      #expect(told.map { Array($0[1...4]) } == [["Milk", "quantity", "counted 5", "used 2"]])
    }
    let id = try #require(try pair.conflicts("phone").first)
    #expect(try pair("phone", "conflicts restore \(id)").code == 0)
    #expect(try pair("phone", "stock list milk --plain").records[0][1] == "3")
    try pair.settle()
    #expect(try pair("laptop", "stock list milk --plain").records[0][1] == "3")
    #expect(try pair("laptop", "conflicts --plain").records.map { $0[6] } == ["restored"])
  }
}
