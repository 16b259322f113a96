internal import LarderStore
internal import LarderJSON
public import LarderModel

/// A quantity of a product that came together: of one expiry, in one place (the inventory plan's
/// `InventoryItem`).
///
/// A copy of how things were when it was read.
public struct Batch: Hashable, Sendable, Identifiable {
  /// Where a batch is in its life.
  public enum Status: String, Hashable, Sendable, CaseIterable {
    /// Something is left of it.
    case active
    /// It is at or below zero, until something is added or counted.
    case consumed
    /// It was taken out as if it had never been kept.
    case discarded
    /// It was used up and put away.
    case archived
  }

  /// A UUID.
  public let id: String
  /// The product's id in the catalogue, or the id of an item of the stock.
  public let productID: String
  /// What was known of the product when the batch was made; advisory only.
  public let snapshot: ProductSnapshot?
  /// What is left; below zero where devices apart from each other used more than there was.
  public let quantity: Quantity
  public let status: Status
  /// The place's id; nil where nobody said.
  public let locationID: String?
  /// The code printed on the package.
  public let lotCode: String?
  public let expiry: ExpiryInfo?
  public let opened: OpenedInfo?
  public let notes: String?
  public let createdAt: Instant
  /// When the batch was last changed; every change makes it later, so that it names the version for
  /// `unchangedSince`.
  public let updatedAt: Instant
  /// When it was used up; nil while something is left.
  public let consumedAt: Instant?
  /// Whether something is left although its day, in the household's time zone, is over.
  public let isExpired: Bool

  init(_ entity: Entity, today: Day) {
    id = entity.id
    productID = entity.productID
    snapshot = entity.snapshot
    quantity = entity.quantity
    status = Status(of: entity)
    locationID = entity.locationID
    lotCode = entity.lotCode
    expiry = entity.expiry
    opened = entity.opened
    notes = entity["notes"]?.string
    createdAt = entity.createdAt
    updatedAt = entity.updatedAt
    consumedAt = entity.consumedAt
    isExpired = entity.hasSomethingLeft && entity.expiryDay.map { $0 < today } ?? false
  }
}

extension Batch.Status {
  fileprivate init(of entity: Entity) {
    switch entity["status"]?.string {
    case "discarded": self = .discarded
    case "archived": self = .archived
    default: self = entity.isConsumed ? .consumed : .active
    }
  }
}
