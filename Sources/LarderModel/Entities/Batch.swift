internal import LarderJSON

/// A quantity of a product with one expiry date, in one place.
public struct Batch: EntityView {
  public static let kind = Kind.inventoryItem
  public var entity: Entity

  /// The state of a batch.
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

  public init(entity: Entity) { self.entity = entity }

  /// The product's id in the catalogue, or the id of an item of the stock.
  public var productID: String { entity.productID }

  /// The product's data when the batch was created; advisory only.
  public var snapshot: ProductSnapshot? { entity.snapshot }

  /// The rest of the batch; below zero if separate devices used more than there was.
  public var quantity: Quantity { entity.quantity }

  public var status: Status {
    switch entity[.status]?.string {
    case "discarded": .discarded
    case "archived": .archived
    default: entity.isConsumed ? .consumed : .active
    }
  }

  /// The id of the storage location; nil if it is not known.
  public var locationID: String? { entity.locationID }

  /// The code printed on the package.
  public var lotCode: String? {
    get { entity.lotCode }
    set { set(.lotOrBatchCode, newValue) }
  }

  public var expiry: ExpiryInfo? { entity.expiry }
  public var opened: OpenedInfo? { entity.opened }

  public var notes: String? {
    get { entity[.notes]?.string }
    set { set(.notes, newValue) }
  }

  /// The time when it was used up; nil while something is left.
  public var consumedAt: Instant? { entity.consumedAt }

  /// Whether something is left although it expired before a day; see ``Entity/passedDay(on:)``.
  public func isExpired(on day: Day) -> Bool {
    entity.isExpired(on: day)
  }
}
