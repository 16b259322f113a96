import TestSupport
import Testing

@testable import LarderCLI

@Suite("Commands whose cache is gone, damaged or of another version")
struct CacheCommandTests {
  /// The sessions of whole suites, and the household that each begins with.
  private static let sessions: [(make: @Sendable () throws -> Nest, parts: [SessionPart])] = [
    ({ try BatchCommandTests.shelf() }, BatchCommandTests.parts),
    ({ try ReceiptCommandTests.shopped() }, ReceiptCommandTests.parts),
    ({ try ShopCommandTests.stocked() }, ShopCommandTests.parts),
    ({ try ProductCommandTests.stockedWithItems() }, ProductCommandTests.parts),
    ({ try LocationCommandTests.stocked() }, LocationCommandTests.parts),
  ]

  @Test(
    "they print the same as with it", arguments: sessions.indices,
    CacheFault.allCases.filter { $0 != .none })
  func same(session: Int, fault: CacheFault) throws {
    let (make, parts) = Self.sessions[session]
    var nest = try make()
    nest.fault = fault
    // What is not there can't be damaged.
    #expect(try nest.larder.folder.read("nest/.git/larder/cache").utf8.count > 32)
    // The golden files are of commands that read what the last one kept.
    for part in parts {
      let text = try nest.session(part.lines)
      #expect(try Golden.kept(part.golden, now: text) == text, "\(fault): \(part.promise)")
      nest.larder.now = try nest.after(part.lines.count)
    }
  }
}
