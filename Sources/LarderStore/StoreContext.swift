public import LarderModel

/// A store's environment: the clock, new ids and the device's name.
public struct StoreContext: Sendable {
  public var now: @Sendable () -> Instant
  public var newID: @Sendable (Instant) -> String
  /// The device's name, if it is not the one in the repository's settings.
  public var device: String?
  /// Whether the user confirmed that many files were removed on purpose.
  public var acceptsManyRemovals = false
  /// The time to wait for another writing process, in milliseconds.
  public var patience: Int64 = 10_000

  public init(
    now: @escaping @Sendable () -> Instant,
    newID: @escaping @Sendable (Instant) -> String = { Identifier.random(at: $0) },
    device: String? = nil
  ) {
    self.now = now
    self.newID = newID
    self.device = device
  }
}
