/// How far an exchange with the cloud is.
public enum CloudProgress: Sendable, Hashable {
  /// Rows that were read so far.
  case pulled(rows: Int)
  /// Entities that were sent so far, of all that are to be.
  case pushed(entities: Int, of: Int)
}
