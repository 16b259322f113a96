/// All that happens in one simulation, made from a seed and nothing else.
///
/// Every step draws from a seed of its own, so that it stays what it is where others are left out.
package struct Script: Equatable {
  struct Step: Equatable {
    let number: Int
    let device: Int
    let action: Action
    var fault: Fault?
    /// How far the device's clock jumps before, in milliseconds.
    var jump: Int64
    let seed: UInt64
  }

  package let seed: UInt64
  var devices: Int
  let remotes: Int
  /// How far each device's clock is off at the beginning, in milliseconds.
  var clocks: [Int64]
  /// Whether a device has a git program to talk to remotes with, which takes its time.
  var hasGitProgram: [Bool]
  var steps: [Step]

  package init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    self.seed = seed
    let size = random.number(0...99)
    // Short ones find most, and find it soon; some need many steps or devices.
    let length = size < 95 ? 3...8 : size < 99 ? 12...25 : 40...80
    devices = size < 95 ? (random.happens(75) ? 2 : 3) : size < 99 ? random.number(2...4) : 6
    remotes = random.happens(80) ? 1 : random.number(2...3)
    let usesGit = random.happens(3)
    let count = devices
    clocks = (0..<count).map { _ in Int64(random.number(-6...6)) * 3_600_000 }
    hasGitProgram = (0..<count).map { _ in usesGit && random.happens(60) }
    steps = (0..<random.number(length)).map { number in
      let action = Action.random(&random)
      return Step(
        number: number + 1, device: random.number(0...count - 1), action: action,
        fault: Fault.random(for: action, &random),
        jump: random.happens(8) ? Int64(random.number(-9_000_000...9_000_000)) : 0,
        seed: random.next())
    }
  }
}
