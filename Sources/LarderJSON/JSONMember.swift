internal import LarderText

/// A key and its value in a JSON object; compared by bytes, like `JSON`.
public struct JSONMember: Sendable, Hashable {
  /// The key, unescaped.
  public var key: String
  /// The member's value.
  public var value: JSON

  /// Creates a member of an object.
  public init(_ key: String, _ value: JSON) {
    self.key = key
    self.value = value
  }

  public static func == (left: JSONMember, right: JSONMember) -> Bool {
    left.key.hasSameBytes(as: right.key) && left.value == right.value
  }

  public func hash(into hasher: inout Hasher) {
    key.hashBytes(into: &hasher)
    hasher.combine(value)
  }
}
