public import LarderModel

/// Random numbers that are the same for a seed on every platform (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) {
    state = seed
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  public mutating func happens(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &self) < percent
  }

  public mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &self)
  }

  public mutating func pick<Element>(_ all: [Element]) -> Element? {
    all.randomElement(using: &self)
  }
}

extension SeededGenerator {
  /// Returns a version 7 UUID of a moment.
  public mutating func id(at moment: Instant) -> String {
    let time = Self.hex(UInt64(moment.milliseconds), 12)
    let rest = next()
    return "\(time.prefix(8))-\(time.suffix(4))-7\(Self.hex(rest & 0xfff, 3))-"
      + "\(Self.hex(0x8000 | (rest >> 12) & 0x3fff, 4))-\(Self.hex(next() & 0xffff_ffff_ffff, 12))"
  }

  private static func hex(_ number: UInt64, _ digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: digits - text.utf8.count) + text
  }
}

extension SeededGenerator {
  /// Returns a source of so many ids of a moment; after them, it returns empty texts.
  public mutating func ids(_ count: Int, at moment: Instant) -> @Sendable () -> String {
    let supply = Supply((0..<count).map { _ in id(at: moment) })
    return { supply.next() }
  }
}

/// Ids that are made already, for one thread.
private final class Supply: @unchecked Sendable {
  private var ids: [String]

  init(_ ids: [String]) { self.ids = ids }

  func next() -> String { ids.isEmpty ? "" : ids.removeLast() }
}
