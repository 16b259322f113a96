/// One step down into a JSON value.
public enum JSONStep: Sendable, Hashable {
  /// To the member of an object with this key.
  case key(String)
  /// To the element of an array with this index, from 0.
  case index(Int)
}
