public import LarderJSON

/// A top-level field with the time of its last write; a removed field has no value.
public struct Register: Hashable, Sendable {
  public let name: FieldName
  public var value: JSON?
  public var stamp: Instant

  public init(_ name: FieldName, _ value: JSON?, stamp: Instant) {
    self.name = name
    self.value = value
    self.stamp = stamp
  }
}
