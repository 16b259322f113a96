internal import LarderStore
internal import LarderJSON
public import LarderModel

/// A quantity of a product with one expiry in one location.
///
/// It is a copy of the batch at the time of reading.
public struct Batch: Hashable, Sendable, Identifiable {
  /// The state of a batch.
  public enum Status: String, Hashable, Sendable, CaseIterable {
    /// Something is left.
    case active
    /// The quantity is zero or below, until something is added or counted.
    case consumed
    /// The batch was removed as if it had never been kept.
    case discarded
    /// The batch was used up and archived.
    case archived
  }

  /// A UUID.
  public let id: String
  /// The product's id in the catalogue, or the id of an item of the stock.
  public let productID: String
  /// The known facts of the product when the batch was created; for information only.
  public let snapshot: ProductSnapshot?
  /// The quantity left; below zero if separate devices used more than there was.
  public let quantity: Quantity
  public let status: Status
  /// The location's id; nil if unknown.
  public let locationID: String?
  /// The code printed on the package.
  public let lotCode: String?
  public let expiry: ExpiryInfo?
  public let opened: OpenedInfo?
  public let notes: String?
  public let createdAt: Instant
  /// The time of the last change.
  ///
  /// Every change makes it later, so it identifies the version for `unchangedSince`.
  public let updatedAt: Instant
  /// The time when it was used up; nil while something is left.
  public let consumedAt: Instant?
  /// Whether something is left and the expiry day is over in the household's time zone.
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
