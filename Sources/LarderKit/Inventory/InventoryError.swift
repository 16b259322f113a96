public import LarderStore
public import LarderModel

/// An error of an ``Inventory``; nothing was changed, except with `StoreError.filesBehind`.
public enum InventoryError: Error, Sendable {
  /// A rule refused: for example, there is not enough, the location is unknown, or units don't
  /// convert.
  case rule(RuleError)
  /// The household could not be read or written.
  case store(StoreError)
  /// The household has no entity of this kind with the id.
  case notFound(Kind, id: String)
  /// A remote or the cloud knows the batch, so it can only be discarded.
  case notHardDeletable(id: String)
  /// Something else was done before under the request's id.
  case requestIsTaken(String)
}
