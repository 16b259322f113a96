/// Why a rule refused a change; nothing was changed.
public enum RuleError: Error, Hashable, Sendable {
  /// There is less than what was to be taken.
  case notEnough(item: String, wanted: Quantity, available: Quantity)
  /// A part is more than what it is to be taken of.
  case tooMuch(of: String, wanted: Quantity, available: Quantity)
  /// Two units met that do not convert.
  case unitsDoNotConvert(of: String, Unit, Unit)
  /// A unit that what the ledger counts does not convert to.
  case unitIsCounted(item: String, wanted: Unit, counted: Unit)
  /// A quantity has to be above zero.
  case notAboveZero(Quantity)
  case belowZero(Quantity)
  /// A count below what the batches hold already.
  case batchesExceedCount(item: String, counted: Quantity, batches: Quantity)
  case itemIsArchived(item: String)
  /// Saving a receipt takes at least one line.
  case nothingToSave
  case receiptIsVoid(id: String)
  case entryIsClosed(name: String)
  case tooManyDigits(Quantity)
  /// Neither an item nor the catalogue has the product.
  case unknownProduct(String)
  /// No place has the id.
  case unknownLocation(String)
  case locationIsArchived(String)
  /// The thing says that it belongs to another household, the one with this id.
  case otherHousehold(String, household: String)
  /// The batch is used up, discarded or archived.
  case batchIsNotActive(String, status: String)
  /// Somebody wrote to the batch after the version that the caller saw.
  case changedSince(String, version: Instant, updated: Instant)
  /// A confidence has to be from 0 to 1.
  case badConfidence(Number)
  case openedAfterExpiry(String, opened: Day, expiry: Day)
  case alreadyOpened(String, at: Instant)
  /// Two items are to become one, and are one.
  case sameItem(String)
  /// Another one of the kind has the name; `isNew` where the one that wants it is not there yet.
  case nameIsTaken(Kind, name: String, isNew: Bool)
  /// A product counts as one item alone.
  case productIsClaimed(String, item: String, isArchived: Bool)
  /// Another product has the number.
  case numberIsTaken(String, product: String, isArchived: Bool)
  /// Two lines of one receipt name one thing.
  case lineNamedTwice(String)
  /// A line of a receipt of which nothing was bought.
  case lineOfNothing(String)
  /// What is said something of is neither in the basket nor on a line.
  case notInBasket(String)
  /// A remote or the project knows the batch, so its file can't go for good.
  case knownElsewhere(String)
  /// A number whose check digit is wrong.
  case badBarcode(String)
}
