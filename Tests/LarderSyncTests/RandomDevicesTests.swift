import Foundation
import Testing

@Suite("Devices that do at random what people do")
struct RandomDevicesTests {
  /// `LARDER_SEED` repeats one run, `LARDER_RUNS` asks for more than the usual number.
  static var seeds: [UInt64] {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["LARDER_SEED"].flatMap({ UInt64($0) }) { return [seed] }
    let runs = environment["LARDER_RUNS"].flatMap { Int($0) } ?? 20
    return (0..<runs).map { _ in UInt64.random(in: 1...999_999_999) }
  }

  @Test("agree once all have synced, and nothing that anybody wrote is lost", arguments: seeds)
  func converge(seed: UInt64) throws {
    try RandomDevices(seed: seed).run(steps: 60)
  }
}
