public import LarderStore
public import LarderModel

/// Why an ``Inventory`` did not do what it was asked; nothing was changed, but for
/// `StoreError.filesBehind`.
public enum InventoryError: Error, Sendable {
  /// A rule refused: there is not enough, the place is unknown, units don't convert …
  case rule(RuleError)
  /// The household could not be read or written.
  case store(StoreError)
  /// The household has nothing of this kind under the id.
  case notFound(Kind, id: String)
  /// A remote or the cloud knows the batch, which can be deleted softly only.
  case notHardDeletable(id: String)
  /// Something else was done under the request's id before.
  case requestIsTaken(String)
}
