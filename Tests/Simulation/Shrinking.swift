/// The search for the shortest script that still fails.
struct Shrinking {
  /// Returns a script's failure, or nil if it runs.
  let failure: (Script) -> String?
  private(set) var script: Script
  private(set) var message: String

  init(_ script: Script, _ message: String, failure: @escaping (Script) -> String?) {
    self.script = script
    self.message = message
    self.failure = failure
  }

  /// Removes steps, faults, properties of devices and clock jumps until all remaining ones are
  /// needed.
  mutating func shrink() {
    var hasShrunk = true
    while hasShrunk {
      hasShrunk = leaveOutSteps()
      for index in script.steps.indices {
        hasShrunk = simplify { $0.steps[index].fault = nil } || hasShrunk
        hasShrunk = simplify { $0.steps[index].jump = 0 } || hasShrunk
      }
      for device in script.clocks.indices {
        hasShrunk = simplify { $0.clocks[device] = 0 } || hasShrunk
        hasShrunk = simplify { $0.hasGitProgram[device] = false } || hasShrunk
      }
      let used = (script.steps.map(\.device).max() ?? 0) + 1
      hasShrunk = simplify { $0.devices = max(2, used) } || hasShrunk
    }
  }

  private mutating func leaveOutSteps() -> Bool {
    var hasShrunk = false
    var size = max(1, script.steps.count / 2)
    while true {
      var start = 0
      while start < script.steps.count {
        let range = start..<min(start + size, script.steps.count)
        if simplify({ $0.steps.removeSubrange(range) }) {
          hasShrunk = true
        } else {
          start += size
        }
      }
      if size == 1 { return hasShrunk }
      size /= 2
    }
  }

  /// Keeps a change if it has an effect and the script still fails.
  private mutating func simplify(_ change: (inout Script) -> Void) -> Bool {
    var simpler = script
    change(&simpler)
    guard simpler != script, let message = failure(simpler) else { return false }
    script = simpler
    self.message = message
    return true
  }
}
