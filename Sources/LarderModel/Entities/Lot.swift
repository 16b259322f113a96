/// The properties by which people treat two batches as the same: the product, the location, the lot
/// code, everything that they said of the dates and in the notes, and whether the day counts.
public struct MergeKey: Hashable, Sendable {
  /// The product, compared by bytes as all product ids.
  let product: EntityKey
  let expiry: ExpiryInfo?
  let opened: OpenedInfo?
  let locationID: String?
  let lotCode: String?
  let notes: String?
  let isKeptFrozen: Bool

  public init(of batch: Entity) {
    product = EntityKey(.product, batch.productID)
    expiry = batch.expiry
    opened = batch.opened
    locationID = batch.locationID
    lotCode = batch.lotCode
    notes = batch.text(.notes)
    isKeptFrozen = batch.isKeptFrozen
  }

  init(_ details: BatchDetails) {
    product = EntityKey(.product, details.productID)
    expiry = details.expiry
    opened = details.opened
    locationID = details.locationID
    lotCode = details.lotCode
    notes = details.notes
    isKeptFrozen = false
  }
}

/// Batches that are one to people: with the same merge key, in units that convert; or the item itself,
/// for what lies loose.
///
/// Two devices that add the same lot separately create two batches of it.
public struct Lot: Sendable {
  /// The batches, the oldest first; additions go to the oldest.
  public private(set) var batches: [Entity]

  /// Creates a lot of a single batch.
  public init(_ batch: Entity) {
    batches = [batch]
  }

  /// The oldest batch, which represents the lot.
  public var first: Entity { batches[0] }

  /// The quantity of the lot, in the first batch's unit.
  public var quantity: Quantity {
    let sum = batches.reduce(Number.zero) { sum, batch in
      sum + (batch.quantity.converted(to: first.unit) ?? .zero)
    }
    return Quantity(sum.rounded, first.unit)
  }

  /// Groups batches into lots, in the order of their first batches.
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

/// The details of a new batch, which make up its merge key.
public struct BatchDetails: Hashable, Sendable {
  /// The product's id, or the item's own id.
  public var productID: String
  public var expiry: ExpiryInfo?
  public var opened: OpenedInfo?
  /// The id of the location; nil if unknown.
  public var locationID: String?
  /// The code printed on the package.
  public var lotCode: String?
  public var notes: String?
  /// The product data of the catalogue; if nil, they are looked up in the catalogue.
  public var snapshot: ProductSnapshot?

  public init(productID: String) {
    self.productID = productID
  }

  /// Creates the details of more of a batch.
  public init(of batch: Entity) {
    self.init(productID: batch.productID)
    expiry = batch.expiry
    opened = batch.opened
    locationID = batch.locationID
    lotCode = batch.lotCode
    notes = batch.text(.notes)
  }
}

/// The product data stored in a batch, for display without the catalogue.
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
