import LarderModel

/// Numbers that look random and are the same each time (SplitMix64).
struct SteadyGenerator: RandomNumberGenerator {
  private var state: UInt64 = 2026

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A version 7 UUID of a moment.
  mutating func id(at moment: Instant) -> String {
    let time = hex(UInt64(moment.milliseconds), 12)
    let rest = next()
    return "\(time.prefix(8))-\(time.suffix(4))-7\(hex(rest & 0xfff, 3))-"
      + "\(hex(0x8000 | (rest >> 12) & 0x3fff, 4))-\(hex(next() & 0xffff_ffff_ffff, 12))"
  }

  private func hex(_ number: UInt64, _ digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: digits - text.utf8.count) + text
  }
}
