public import LarderModel

/// What a store takes from its surroundings: the clock, new ids, and the device's name.
public struct StoreContext: Sendable {
  public var now: @Sendable () -> Instant
  public var newID: @Sendable (Instant) -> String
  /// The device's name where it is not the one in the repository's settings.
  public var device: String?
  /// Whether the user has agreed that many files at once were meant to be removed.
  public var acceptsManyRemovals = false
  /// How long to wait for another process that is writing, in milliseconds.
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
