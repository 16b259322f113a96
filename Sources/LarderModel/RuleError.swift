/// Why a rule refused a change; nothing was changed.
public enum RuleError: Error, Hashable, Sendable {
  /// There is less than what was to be taken.
  case notEnough(item: String, wanted: Quantity, available: Quantity)
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
}
