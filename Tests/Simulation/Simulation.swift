import Foundation
import LarderGit
import LarderModel
import LarderStore
import TestSupport

/// A run of a script: devices around bare remotes that do what people do, with faults.
///
/// It throws ``Failure`` with a journal if a promise is broken.
package final class Simulation {
  let script: Script
  let template: Template
  let record = Record()
  var devices: [Device] = []
  var figures = Figures()
  /// The actions so far, in words.
  private(set) var journal: [String] = []
  /// The number of the step, which makes all written texts different.
  var number = 0
  /// The edits by hand that were adopted, or committed with plain git.
  var settled: [Device.HandEdit] = []
  /// The contents of other files that somebody committed.
  var notes: Set<ObjectID> = []

  /// The project in the cloud; nil if there is none.
  private(set) var cloud: CloudModel?

  var remotes: [String] { Template.remotes.prefix(script.remotes).map(\.self) }

  package init(_ script: Script, _ template: Template) {
    self.script = script
    self.template = template
  }

  /// Runs all steps, lets everybody sync until nothing changes, and checks everything.
  package func run() throws -> Figures {
    try prepare()
    for step in script.steps { try run(step) }
    try syncUntilQuiet()
    try checkEverything()
    figures.seeds = 1
    figures.steps = script.steps.count
    figures.requests = cloud?.requestCount ?? 0
    figures.merges = record.merges
    figures.commits = record.versions.count
    return figures
  }

  private func prepare() throws {
    try template.layOut(script)
    if script.hasCloud {
      let clock = DeviceClock(milliseconds: DeviceClock.start, seed: script.seed &+ 7)
      cloud = CloudModel(
        try template.cloud().tables, clock: clock, cap: script.cap, hasNews: script.hasNews)
    }
    for index in 0..<script.devices {
      let clock = DeviceClock(
        milliseconds: DeviceClock.start + script.clocks[index], seed: script.seed)
      let name = Template.devices[index]
      devices.append(
        try Device(
          name, root: template.place + "/" + name, clock: clock,
          hasGitProgram: script.hasGitProgram[index], target: script.targets[index]))
    }
    for device in devices { try observe(device) }
  }

  func note(_ device: Device, _ text: String) {
    note("\(device.name) (\(Instant(milliseconds: device.clock.milliseconds)))", text)
  }

  func note(_ who: String, _ text: String) { journal.append("\(number). \(who): \(text)") }

  private func run(_ step: Script.Step) throws {
    number = step.number
    let device = devices[step.device]
    device.clock.milliseconds += step.jump
    device.clock.random = SeededGenerator(seed: step.seed &+ 1)
    var random = SeededGenerator(seed: step.seed)
    switch step.action {
    case .pull, .push: try exchange(device, step.action, step.fault, &random)
    case .plainClient: try writePlainly(&random)
    case .sync where !device.target.hasGit: try exchange(device, .push, step.fault, &random)
    case .plainMerge, .plainPush:
      if device.target.hasGit { try plainGit(device, step.action, &random) }
    case .sync:
      try sync(device, remote: random.pick(remotes) ?? "origin", step.fault, &random)
    case .undo, .redo: try undo(device, step.action, step.fault, &random)
    case .adopt, .format, .read: try lookAfter(device, step.action, step.fault, &random)
    case .commitAll, .commitOne, .checkoutOld, .revert:
      try plainGit(device, step.action, &random)
    case .forcedBack, .branchRemoved: try force(step.action, &random)
    case _ where step.action.isProgram: try command(device, step.action, step.fault, &random)
    default: try handEdit(device, step.action, &random)
    }
  }

  private func lookAfter(
    _ device: Device, _ action: Action, _ fault: Fault?, _ random: inout SeededGenerator
  ) throws {
    note(device, "\(action)" + (fault.map { ", \($0)" } ?? ""))
    let isDone = try perform(device, fault, &random) {
      switch action {
      case .adopt: _ = try device.store.adopt()
      case .format: _ = try device.store.reformat()
      default: _ = try device.store.read()
      }
    }
    if isDone, action != .read { try observe(device) }
  }
}
