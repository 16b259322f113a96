import Foundation
import TestSupport
import Testing

@Suite("undo on several devices")
struct UndoApartTests {
  @Test("undo passes over what others did and what merges joined, also after a sync")
  func passesOver() throws {
    let pair = try Pair("stock new Eggs --in-stock 10")
    try pair.prepare("laptop", "stock use eggs 1")
    try pair.prepare("phone", "stock use eggs 2")
    try pair.settle()
    #expect(try pair.output("laptop", "undo").hasPrefix("took back: use 1 of Eggs"))
    #expect(try pair.total("Eggs") == 8)
    try pair.settle()
    #expect(try pair.total("Eggs", on: "phone") == 8)
    #expect(try pair("phone", "redo").code == 1)
    // A partner's command can be named.
    let theirs = try #require(
      try pair("laptop", "log --json").array("commits").first {
        $0["subject"] as? String == "use 2 of Eggs"
      }?["commit"] as? String)
    try pair.prepare("laptop", "undo \(theirs)")
    #expect(try pair.total("Eggs") == 10)
    try pair.settle()
    // What somebody else took back stays so.
    #expect(try pair("phone", "undo").code == 1)
  }

  @Test("what others changed since stands: nothing is done, and all of it is told")
  func refuses() throws {
    let pair = try Pair("stock new Milk --full 6 --category Dairy", "stock new Tea")
    try pair.prepare(
      "laptop", "stock edit milk --name 'Oat milk' --category Drinks --full 8", "sync")
    try pair.prepare(
      "phone", "sync", "stock edit 'oat milk' --category Vegan", "stock edit 'oat milk' --full 9",
      "sync")
    try pair.prepare("laptop", "sync")
    let head = try pair.git("laptop", "rev-parse", "HEAD")
    let refused = try pair("laptop", "undo")
    #expect(refused.code == 1)
    #expect(refused.errors.hasPrefix("error: can't take back 'edit Oat milk': "))
    #expect(
      refused.errors.contains(
        "Oat milk: category is Vegan since Sat 2026-11-21 12:07, phone (edit Oat milk)\n"))
    #expect(
      refused.errors.contains(
        "Oat milk: full stock is 9, unit is piece since Sat 2026-11-21 12:08, phone (edit Oat milk)\n"
      ))
    #expect(try pair.git("laptop", "rev-parse", "HEAD") == head)
    #expect(try pair.git("laptop", "status", "--porcelain") == "")
    // Once the partner has taken that back, it can be done.
    try pair.prepare("phone", "undo", "undo", "sync")
    try pair.prepare("laptop", "sync", "undo")
    #expect(try pair.item("Milk")["category"] as? String == "Dairy")
    #expect(try pair.item("Milk")["quantityFullStock"] as? Int == 6)
    try pair.settle()
  }

  @Test("the same value that others wrote is theirs, and stands")
  func sameValue() throws {
    let pair = try Pair("stock new Milk --category Dairy")
    try pair.prepare("laptop", "stock edit milk --category Drinks")
    try pair.prepare("phone", "stock edit milk --category Drinks")
    try pair.settle()
    let refused = try pair("laptop", "undo")
    #expect(refused.code == 1)
    #expect(refused.errors.contains("category is Drinks since Sat 2026-11-21 12:04, phone"))
    try pair.prepare("phone", "undo")
    #expect(try pair.item("Milk", on: "phone")["category"] as? String == "Dairy")
  }

  @Test("an undo on both devices apart counts once, and so does a redo")
  func onBoth() throws {
    let pair = try Pair("stock new Eggs --in-stock 10", "stock use eggs 4")
    let revision = try pair.git("laptop", "rev-parse", "HEAD").prefix(12)
    try pair.prepare("laptop", "undo")
    try pair.prepare("phone", "undo \(revision)")
    try pair.settle()
    #expect(try pair.total("Eggs") == 10)
    #expect(try pair.total("Eggs", on: "phone") == 10)
    try pair.prepare("laptop", "redo")
    try pair.prepare("phone", "redo")
    try pair.settle()
    #expect(try pair.total("Eggs") == 6)
    try pair.prepare("laptop", "undo")
    try pair.prepare("phone", "undo \(revision)", "redo", "undo \(revision)")
    try pair.settle()
    #expect(try pair.total("Eggs", on: "phone") == 10)
    // Taken back on one device, brought back and taken back on the other: still one use.
    try pair.prepare("laptop", "redo")
    try pair.settle()
    #expect(try pair.total("Eggs") == 6)
  }

  @Test("something made and changed by others since is not deleted by an undo")
  func madeAndUsed() throws {
    let pair = try Pair()
    try pair.prepare("laptop", "stock new Milk --in-stock 4", "sync")
    try pair.prepare("phone", "sync", "stock use milk", "sync")
    try pair.prepare("laptop", "sync")
    let refused = try pair("laptop", "undo")
    #expect(refused.code == 1)
    #expect(
      refused.errors.contains("Milk: used 1 since Sat 2026-11-21 12:05, phone (use 1 of Milk)"))
    try pair.prepare("phone", "undo", "sync")
    try pair.prepare("laptop", "sync", "undo")
    #expect(try pair.item("Milk")["isArchived"] as? Bool == true)
    try pair.settle()
  }

  @Test("a receipt that both saved from one basket is the later one's to take back, once")
  func receiptOnBoth() throws {
    let pair = try Pair("stock new Milk --in-stock 1", "shop buy milk 5", "shop got milk")
    for device in ["laptop", "phone"] { try pair.prepare(device, "receipt save --shop Corner") }
    try pair.settle()
    #expect(try pair.total("Milk") == 6)
    #expect(
      try pair("laptop", "undo").errors.contains(", phone (save a receipt of Corner)\n"))
    try pair.prepare("phone", "undo")
    #expect(try pair.total("Milk", on: "phone") == 1)
    #expect(try pair.list(on: "phone") == ["+Milk"])
    try pair.settle()
    #expect(try pair.total("Milk") == 1)
    try pair.prepare("laptop", "receipt save --shop Market")
    #expect(try pair.total("Milk") == 6)
    try pair.settle()
  }

  @Test(
    "who undoes a basket that the other saved too, with a date, takes back both",
    arguments: ["laptop", "phone"])
  func datedBasket(undoing device: String) throws {
    let pair = try Pair("stock new Milk --in-stock 1", "shop buy milk 5", "shop got milk")
    try pair.prepare("laptop", "receipt save --shop Corner")
    try pair.prepare("phone", "receipt save --shop Corner --expiry milk=2026-12-01")
    try pair.prepare(device, "undo")
    try pair.settle()
    #expect(try pair.total("Milk") == 1)
    try pair.prepare(device, "redo")
    try pair.settle()
    #expect(try pair.total("Milk") == 6)
  }

  @Test("a merge, the beginning and an unknown commit can't be taken back")
  func refusals() throws {
    let pair = try Pair("stock new Milk")
    try pair.prepare("laptop", "stock new Tea")
    try pair.prepare("phone", "stock new Eggs")
    try pair.settle()
    #expect(try pair("laptop", "undo HEAD").errors.contains("it only joined what both sides did"))
    let first = try pair.git("laptop", "rev-list", "--max-parents=0", "HEAD").prefix(9)
    #expect(try pair("laptop", "undo \(first)").errors.contains("the household began with it"))
    #expect(try pair("laptop", "undo nowhere").code == 3)
  }
}
