import TestSupport

/// Everything that happens in one simulation, derived only from a seed.
///
/// Every step has its own seed, so it does not change if other steps are removed.
package struct Script: Equatable {
  /// The way in which a device syncs.
  enum SyncsWith: CaseIterable {
    case git, cloud, both

    var hasGit: Bool { self != .cloud }
    var hasCloud: Bool { self != .git }
  }

  struct Step: Equatable {
    let number: Int
    let device: Int
    let action: Action
    var fault: Fault?
    /// The jump of the device's clock before the step, in milliseconds.
    var jump: Int64
    let seed: UInt64
  }

  package let seed: UInt64
  var devices: Int
  let remotes: Int
  /// The error of each device's clock at the beginning, in milliseconds.
  var clocks: [Int64]
  /// Whether a device uses the git program for its index too, and not only for remotes, which is slower.
  var hasGitProgram: [Bool]
  /// The way in which each device syncs.
  var targets: [SyncsWith]
  /// The largest number of rows in an answer of the cloud; nil for no limit.
  let cap: Int?
  /// Whether the cloud has the function that answers all news at once.
  let hasNews: Bool
  var steps: [Step]

  var hasCloud: Bool { targets.contains { $0.hasCloud } }

  /// Whether the changes of every device reach all others.
  var isConnected: Bool {
    let used = targets.prefix(devices)
    return used.contains(.both) || Set(used).count == 1
  }

  package init(seed: UInt64, hasCloud: Bool = false) {
    var random = SeededGenerator(seed: seed)
    self.seed = seed
    let size = random.number(0...99)
    // Short scripts find most failures quickly; some failures need many steps or devices.
    let length = size < 95 ? 3...8 : size < 99 ? 12...25 : 40...80
    devices = size < 95 ? (random.happens(75) ? 2 : 3) : size < 99 ? random.number(2...4) : 6
    remotes = random.happens(80) ? 1 : random.number(2...3)
    let usesGit = random.happens(3)
    let count = devices
    clocks = (0..<count).map { _ in Int64(random.number(-6...6)) * 3_600_000 }
    hasGitProgram = (0..<count).map { _ in usesGit && random.happens(60) }
    targets = Array(repeating: .git, count: count)
    var rows: Int?
    if hasCloud {
      targets = (0..<count).map { _ in random.pick(SyncsWith.allCases) ?? .both }
      if random.happens(90) { targets[random.number(0...count - 1)] = .both }
      if random.happens(30) { rows = random.number(1...5) }
    }
    cap = rows
    // Chosen by the seed alone, so that the rest of a script is as it was before there was a choice.
    hasNews = seed % 2 == 0
    var device = 0
    var last = Action.read
    steps = (0..<random.number(length)).map { number in
      // Two people who shopped together may both save the same receipt.
      let isBoth = last == .receiptSave && random.happens(70)
      let action = isBoth ? .receiptSave : Action.random(&random, hasCloud: hasCloud)
      last = action
      // An undo or redo is usually on the device of the step before.
      let isSame = [.undo, .redo].contains(action) && random.happens(75)
      if isBoth {
        device = (device + random.number(1...count - 1)) % count
      } else if !isSame {
        device = random.number(0...count - 1)
      }
      return Step(
        number: number + 1, device: device, action: action,
        fault: Fault.random(for: action, &random),
        jump: random.happens(8) ? Int64(random.number(-9_000_000...9_000_000)) : 0,
        seed: random.next())
    }
  }
}
