/// What makes two batches the same to people: product, expiry day, opening, place and code (the
/// inventory plan's strict merge key).
public struct MergeKey: Hashable, Sendable {
  /// Compared by bytes, as all products' ids are.
  let product: EntityKey
  public let expiryDay: Day?
  public let openedAt: Instant?
  public let locationID: String?
  public let lotCode: String?

  public init(of batch: Entity) {
    product = EntityKey(.product, batch.productID)
    expiryDay = batch.expiryDay
    openedAt = batch.openedAt
    locationID = batch.locationID
    lotCode = batch.lotCode
  }

  init(_ details: BatchDetails) {
    product = EntityKey(.product, details.productID)
    expiryDay = details.expiry?.date
    openedAt = details.opened?.date
    locationID = details.locationID
    lotCode = details.lotCode
  }
}

/// Batches that are one to people: of one merge key, in units that convert.
///
/// Two devices that buy the same lot apart from each other make two batches of it.
public struct Lot: Sendable {
  /// The oldest first, which is the one to add to.
  public private(set) var batches: [Entity]

  /// A single batch.
  public init(_ batch: Entity) {
    batches = [batch]
  }

  /// The batch that stands for all of them.
  public var first: Entity { batches[0] }

  /// What there is of it, in the first batch's unit.
  public var quantity: Quantity {
    let sum = batches.reduce(Number.zero) { sum, batch in
      sum + (batch.quantity.converted(to: first.unit) ?? .zero)
    }
    return Quantity(sum.rounded, first.unit)
  }

  /// Batches by lot, in the order in which the first of each comes.
  public static func grouped(_ batches: [Entity]) -> [Lot] {
    var lots: [Lot] = []
    var indices: [MergeKey: [Int]] = [:]
    for batch in batches {
      let key = MergeKey(of: batch)
      let index = indices[key]?.first { lots[$0].first.unit.converts(to: batch.unit) }
      if let index {
        lots[index].batches.append(batch)
        lots[index].batches.sort(by: Stock.isOlder)
      } else {
        indices[key, default: []].append(lots.count)
        lots.append(Lot(batch))
      }
    }
    return lots
  }
}

/// What is said of a batch when it comes; its merge key is made of it.
public struct BatchDetails: Hashable, Sendable {
  /// The product's id, or that of the item itself.
  public var productID: String
  public var expiry: ExpiryInfo?
  public var opened: OpenedInfo?
  /// The id of the place; nil where nobody said.
  public var locationID: String?
  /// The code printed on the package.
  public var lotCode: String?
  public var notes: String?
  /// What the catalogue says of the product; looked up where it is nil and the catalogue has it.
  public var snapshot: ProductSnapshot?

  public init(productID: String) {
    self.productID = productID
  }
}

/// What a batch remembers of its product, for showing it where the catalogue is not at hand.
public struct ProductSnapshot: Hashable, Sendable {
  public var title: String?
  public var brand: String?
  public var imageURL: String?

  public init(title: String? = nil, brand: String? = nil, imageURL: String? = nil) {
    self.title = title
    self.brand = brand
    self.imageURL = imageURL
  }
}
