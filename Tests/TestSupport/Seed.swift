import Foundation

/// The seed of a test run.
public enum Seed {
  /// The seed from `LARDER_SEED`; a new one if that is `random`.
  ///
  /// Without the variable, it is the same in every run, so a passed test passes again.
  public static let ofRun: UInt64 = {
    let wish = ProcessInfo.processInfo.environment["LARDER_SEED"]
    if wish == "random" { return UInt64.random(in: 1...999_999_999) }
    return wish.flatMap { UInt64($0) } ?? 20_261_121
  }()

  /// The single seed to run again; nil for a run of the usual seeds.
  public static let single: UInt64? =
    ProcessInfo.processInfo.environment["LARDER_SEED"].flatMap { UInt64($0) }
}

/// Random numbers that are the same for a seed on every platform (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator {
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
