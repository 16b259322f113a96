import Foundation
import HomeSupport
import LarderKit
import LarderStore
import TestSupport
import Testing

/// A household with two places and no batch yet, as an app has it.
struct Pantry {
  let home: Home
  let larder: Larder
  let fridge: String
  let cellar: String

  var store: Store { home.laptop }

  init(alone: Bool = true) throws {
    var places: [String] = []
    home = try Home(alone: alone) { store in
      places = try ["Fridge", "Cellar"].map { try store.newLocation($0).id }
    }
    (fridge, cellar) = (places[0], places[1])
    larder = Larder(try Store.open(from: home.laptop.root, context: home.context("laptop")))
  }

  /// Another larder of the same folder, as a second window of an app has it.
  func another(_ change: (inout StoreContext) -> Void = { _ in }) throws -> Larder {
    var context = home.context("laptop")
    change(&context)
    return Larder(try Store.open(from: home.laptop.root, context: context))
  }

  func details(
    _ product: String = "ean_1", expiry: String? = nil, at place: String? = nil, lot: String? = nil
  ) -> BatchDetails {
    var details = BatchDetails(productID: product)
    details.expiry = expiry.map { ExpiryInfo(.expiry, Day($0)) }
    details.locationID = place
    details.lotCode = lot
    return details
  }

  /// A batch as the other household on the same shelf would have it.
  func foreignBatch(of product: String = "ean_1") throws -> String {
    try store.commit(as: "test") { edit, writer in
      var batch = edit.new(
        .inventoryItem,
        [
          ("householdId", .string(foreign)),
          ("productRef", .object([JSONMember("productId", .string(product))])),
          ("expiryInfo", ExpiryInfo(.expiry, Day("2020-01-01")).json),
        ], by: writer)
      batch.record(
        LedgerEntry(
          id: writer.newID(), at: batch.createdAt, .delta(Number(9)), unit: .piece, why: .add,
          by: "phone", request: "theirs"))
      edit.put(batch)
      return ("a batch of the neighbours'", batch.id)
    }.get().value
  }

  func foreignPlace() throws -> String {
    try store.commit(as: "test") { edit, writer in
      let place = edit.new(
        .storageLocation,
        [("householdId", .string(foreign)), ("name", .string("Their fridge"))], by: writer)
      edit.put(place)
      return ("a place of the neighbours'", place.id)
    }.get().value
  }

  let foreign = "01900000-0000-7000-8000-000000000000"

  /// The subject and the trailers of the newest commit.
  func lastCommit() throws -> String {
    try Git.run("log", "-1", "--format=%B", in: store.root)
  }
}

func pieces(_ number: Int) -> Quantity { Quantity(Number(number), .piece) }

/// The rule by which something is refused.
func refusal<Value>(
  _ location: SourceLocation = #_sourceLocation, _ body: () async throws -> Value
) async -> RuleError? {
  await #expect(throws: RuleError.self, sourceLocation: location) { _ = try await body() }
}
