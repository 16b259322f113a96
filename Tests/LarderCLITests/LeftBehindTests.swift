import TestSupport
import Testing

@testable import LarderCLI

@Suite("What others put into something that was archived")
struct LeftBehindTests {
  /// How the status names such items; the tests look for nothing else.
  private let named = "archived, but changed later on another device"

  @Test("stock that came to a merged or archived item is named, and can be taken along")
  func told() throws {
    let pair = try Pair(
      "stock new Milk 12l", "stock new 'Soy milk' 3l", "stock new Curd 1", "stock new Toast 3")
    try pair.prepare("laptop", "stock merge Milk 'Soy milk'", "stock archive curd toast")
    try pair.prepare("phone", "use 'soy milk' 1l", "put 'soy milk' 6l", "put curd 2")
    try pair.settle(finding: 2)
    #expect(try pair.output("laptop", "status").contains("\(named): Curd, Soy milk"))
    #expect(
      try pair("laptop", "check").output.contains("5 l is archived here and does not count"))
    try pair.prepare("laptop", "stock merge milk 'soy milk'", "stock restore curd")
    #expect(try pair("laptop", "stock list milk --plain").records.first?[1] == "20")
    try pair.settle()
  }

  @Test("what is archived with its stock is meant so, and so is what was used before")
  func meant() throws {
    let pair = try Pair("stock new Milk 12l", "stock new Curd 2")
    try pair.prepare("laptop", "use milk 1", "stock archive milk", "stock archive curd")
    try pair.settle()
    try pair.prepare("phone", "stock restore curd", "use curd", "stock archive curd")
    try pair.settle()
    #expect(!(try pair.output("laptop", "status").contains(named)))
  }
}
