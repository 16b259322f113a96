import LarderModel
import TestSupport

/// A device's clock, which is wrong and jumps, and its ids; both depend only on the seed.
final class DeviceClock: @unchecked Sendable {
  /// It is earlier than any real clock, so a real time is in the future and is limited.
  static let start: Int64 = 1_000_000_000_000

  var milliseconds: Int64
  var random: SeededGenerator

  init(milliseconds: Int64, seed: UInt64) {
    self.milliseconds = milliseconds
    random = SeededGenerator(seed: seed)
  }

  /// Returns the time; it is sometimes the same as before, and may advance by more than a second.
  func now() -> Instant {
    milliseconds += Int64(random.number(0...1500)) * (random.happens(20) ? 0 : 1)
    return Instant(milliseconds: milliseconds)
  }

  func newID(_ now: Instant) -> String {
    let time = String(UInt64(bitPattern: now.milliseconds), radix: 16)
    let hex = String(repeating: "0", count: 12 - time.count) + time
    let first = String(random.next() | (1 << 63), radix: 16)
    let second = String(random.next() | (1 << 63), radix: 16)
    return "\(hex.prefix(8))-\(hex.suffix(4))-7\(first.prefix(3))-8\(first.suffix(3))-"
      + second.prefix(12)
  }
}
