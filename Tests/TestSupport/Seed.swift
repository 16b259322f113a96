import Foundation
@_exported public import Seeded

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
