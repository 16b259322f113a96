public import LarderJSON

/// A top-level field with the time of its last write; a removed field has no value.
public struct Register: Hashable, Sendable {
  public let name: String
  public var value: JSON?
  public var stamp: Instant

  public init(_ name: String, _ value: JSON?, stamp: Instant) {
    self.name = name
    self.value = value
    self.stamp = stamp
  }

  // Two names that look the same may differ in bytes, and are two registers then.
  public static func == (left: Register, right: Register) -> Bool {
    left.stamp == right.stamp && left.name.hasSameBytes(as: right.name)
      && left.value == right.value
  }

  public func hash(into hasher: inout Hasher) {
    name.hashBytes(into: &hasher)
    hasher.combine(stamp)
    hasher.combine(value)
  }
}
