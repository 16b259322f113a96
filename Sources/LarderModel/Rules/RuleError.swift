/// The reason why a rule refused a change; nothing was changed.
public enum RuleError: Error, Hashable, Sendable {
  /// There is less than the requested quantity.
  case notEnough(item: String, wanted: Quantity, available: Quantity)
  /// A part is larger than the whole.
  case tooMuch(of: String, wanted: Quantity, available: Quantity)
  /// Two units don't convert.
  case unitsDoNotConvert(of: String, Unit, Unit)
  /// The ledger's entries don't convert to the unit.
  case unitIsCounted(item: String, wanted: Unit, counted: Unit)
  /// A quantity must be above zero.
  case notAboveZero(Quantity)
  case belowZero(Quantity)
  case itemIsArchived(item: String)
  /// A receipt needs at least one line.
  case nothingToSave
  case receiptIsVoid(id: String)
  case entryIsClosed(name: String)
  case tooManyDigits(Quantity)
  /// The call needs an amount, because no weight and no volume is meant without one.
  case amountNeeded(item: String, unit: Unit)
  /// No product of the item has a pack with a size in the item's unit; `product` is one of them, if
  /// there is any.
  case noPackSize(item: String, unit: Unit, product: String?)
  /// Products of the item have packs of different sizes.
  case severalPackSizes(item: String, [Quantity])
  /// Neither an item nor the catalogue has the product.
  case unknownProduct(String)
  /// No location has the id.
  case unknownLocation(String)
  case locationIsArchived(String)
  /// The entity belongs to another household, the one with this id.
  case otherHousehold(String, household: String)
  /// The batch is used up, discarded or archived.
  case batchIsNotActive(String, status: String)
  /// The batch was changed after the version that the caller read.
  case changedSince(String, version: Instant, updated: Instant)
  /// A confidence must be from 0 to 1.
  case badConfidence(Number)
  case openedAfterExpiry(String, opened: Day, expiry: Day)
  case alreadyOpened(String, at: Instant)
  /// The two items to merge are the same.
  case sameItem(String)
  /// Another entity of the kind has the name.
  ///
  /// `isNew` is true if the entity that needs it does not exist yet.
  case nameIsTaken(Kind, name: String, holder: String, isNew: Bool)
  /// Another item claims the product; a product counts as only one item.
  case productIsClaimed(String, item: String, isArchived: Bool)
  /// Another product has the number.
  case numberIsTaken(String, product: String, isArchived: Bool)
  /// Two lines of one receipt name the same thing.
  case lineNamedTwice(String)
  /// A line of a receipt has the quantity zero.
  case lineOfNothing(String)
  /// The amount paid can't be below zero; a discount is a line with a price below zero.
  case amountBelowZero(Number)
  /// The price is that of each gram or millilitre of the quantity, which nobody means.
  case priceOfEach(String, Quantity, price: Number)
  /// The amount of a receipt is not the sum of its lines' prices.
  case amountDiffers(amount: Number, sum: Number, currency: String?)
  case notOnReceipt(String, shop: String)
  /// Several lines of a receipt have the name; the texts have their quantities.
  case severalLines(String, [String])
  /// The receipt was changed after the version that somebody read.
  case receiptChanged(shop: String)
  /// The corrected thing is neither in the basket nor on a line.
  case notInBasket(String)
  /// A remote or the project knows the batch, so its file can't go for good.
  case knownElsewhere(String)
  /// Something else was done before under the request's id.
  case requestIsTaken(ServedRequest)
  /// A number has a wrong check digit.
  case badBarcode(String)
}
