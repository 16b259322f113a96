public import LarderJSON

/// One top-level field with the time it was last written; a removed field has no value.
public struct Register: Hashable, Sendable {
  public let name: String
  public var value: JSON?
  public var stamp: Instant

  public init(_ name: String, _ value: JSON?, stamp: Instant) {
    self.name = name
    self.value = value
    self.stamp = stamp
  }
}
