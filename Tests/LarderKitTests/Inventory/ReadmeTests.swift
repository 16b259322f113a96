import Foundation
import HomeSupport
import LarderModel
import LarderKit
import LarderStore
import TestSupport
import Testing

func stockUp(at folder: String) async throws {
  let context = StoreContext(now: {
    Instant(milliseconds: Int64(Date.now.timeIntervalSince1970 * 1000))
  })
  let inventory = try Inventory(at: folder, context: context)
  var milk = BatchDetails(productID: "ean_5411188110835")
  milk.expiry = ExpiryInfo(.useBy, Day("2026-11-28"))
  // Repeating the request, after a crash or from another device, adds nothing more.
  try await inventory.add(Quantity(Number(2), .liter), milk, requestID: "delivery-0815")
  do throws(InventoryError) {
    let used = try await inventory.consume(
      Quantity(Number(500), .milliliter), ofProduct: milk.productID)
    print("\(used.total) left")
  } catch {
    guard case .rule(.notEnough(_, _, let available)) = error else { throw error }
    print("only \(available) left")
  }
  for batch in try await inventory.expiring(withinDays: 7) {
    print("\(batch.quantity) until \(batch.expiry?.date?.description ?? "some day")")
  }
}

@Suite("The README's example")
struct ReadmeTests {
  @Test("is the function above, word for word, and does what it says")
  func example() async throws {
    let readme = try text(Checkout.root.appending(path: "README.md"))
    let example = try #require(
      readme.split(separator: "```swift\n").last?.split(separator: "```").first)
    let function = try #require(example.firstRange(of: "func stockUp"))
    let source = try text(URL(filePath: #filePath))
    #expect(source.contains(example[function.lowerBound...]))
    let pantry = try Pantry()
    for _ in 0..<5 { try await stockUp(at: pantry.store.root) }
    let summary = try await pantry.inventory.summary(of: "ean_5411188110835")
    #expect(summary?.total == Quantity(.zero, .liter))
    #expect(summary?.batchCount == 1)
  }

  private func text(_ file: URL) throws -> String {
    String(decoding: try Data(contentsOf: file), as: UTF8.self)
  }
}
