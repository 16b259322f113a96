/// The progress of an exchange with the cloud.
public enum CloudProgress: Sendable, Hashable {
  /// The number of rows read so far.
  case pulled(rows: Int)
  /// The number of entities sent so far, and of all entities to send.
  case pushed(entities: Int, of: Int)
}
