import Foundation
import LarderGit
import LarderModel
import LarderStore
import LarderText
import TestSupport

extension Simulation {
  func sync(
    _ device: Device, remote: String, _ fault: Fault?, _ random: inout SeededGenerator
  ) throws {
    if number > 0 { note(device, "sync with \(remote)" + (fault.map { ", \($0)" } ?? "")) }
    figures.syncs += 1
    let other = random.pick(devices.filter { $0 !== device && $0.target.hasGit })
    var incident: (() throws -> Void)?
    switch fault {
    case .forestalled: incident = { if let other { try self.syncMeanwhile(other, remote) } }
    case .noRemoteForPush: incident = { try self.takeAway(remote) }
    default: break
    }
    if fault == .noRemote { try takeAway(remote) }
    defer { bringBack(remote) }
    var failure: (any Error)?
    let isDone = try perform(device, fault, &random) {
      let synchronizer = Synchronizer(store: device.store) { event in
        guard case .pushing = event, let happens = incident else { return }
        incident = nil
        do { try happens() } catch { failure = error }
      }
      let outcome = try device.reachingRemotes(from: device.store.repository) {
        try synchronizer.sync(remote: remote)
      }
      self.figures.conflicts += outcome.conflicts.count
    }
    if let failure { throw failure }
    if isDone { try observe(device) }
  }

  /// Syncs without faults during another action, which may hold a lock.
  func syncMeanwhile(_ device: Device, _ remote: String) throws {
    note(device, "  meanwhile sync with \(remote)")
    do {
      let store = try device.another()
      _ = try device.reachingRemotes(from: store.repository) {
        try Synchronizer(store: store).sync(remote: remote)
      }
    } catch  where Simulation.isPassing(error) {
      return note(device, "  which failed: \(error)")
    } catch SyncError.inTheWay(let files, _) {
      // Its own next sync commits them.
      note(device, "  refused: \(files.map(\.path.text).joined(separator: " ")) in the way")
    }
    try observe(device)
  }

  private func path(of remote: String) -> String { template.place + "/" + remote + ".git" }

  private func takeAway(_ remote: String) throws {
    try FileManager.default.moveItem(atPath: path(of: remote), toPath: path(of: remote) + "-gone")
  }

  private func bringBack(_ remote: String) {
    guard FileManager.default.fileExists(atPath: path(of: remote) + "-gone") else { return }
    try? FileManager.default.moveItem(
      atPath: path(of: remote) + "-gone", toPath: path(of: remote))
  }

  /// Forces a remote's branch back or removes it; the devices still have everything.
  func force(_ action: Action, _ random: inout SeededGenerator) throws {
    let remote = random.pick(remotes) ?? "origin"
    if figures.kills > 0 { removeLocks() }
    let hub = try Repository.open(path(of: remote))
    guard var commit = try hub.reference("refs/heads/main") else { return }
    note("\(remote)", "\(action)")
    if action == .branchRemoved { return try hub.deleteReference("refs/heads/main") }
    let old = commit
    for _ in 0..<random.number(1...5) {
      commit = try hub.commit(commit).parents.first ?? commit
    }
    try hub.updateReference(
      "refs/heads/main", to: commit, expecting: old, reason: "force",
      by: try hub.commit(old).author)
  }

  /// Commits all notes and syncs with every remote until nothing changes, after the last fault.
  func syncUntilQuiet() throws {
    var random = SeededGenerator(seed: script.seed)
    number = 0
    if figures.kills > 0 { removeLocks() }
    for device in devices {
      let loose = try device.allPaths().filter { Kind(path: $0) == nil }
      if try device.commit(loose, "notes") { note(device, "commits notes") }
    }
    for round in 0..<12 {
      // In the same order each time, devices with several remotes could merge each other's merges
      // forever.
      let meetings = devices.flatMap { device in places(of: device).map { (device, $0) } }
      for (device, remote) in round < 2 ? meetings : meetings.shuffled(using: &random) {
        if let remote {
          try sync(device, remote: remote, nil, &random)
        } else {
          try exchangeAll(device)
        }
        if round > 0, try areQuiet() { return }
      }
      if round == 0 { try mendBrokenFiles() }
      if try areQuiet() { return }
      let trees = try Set(devicesWithGit.map { try $0.headTree })
      // With two ways to sync, changes may take the longer one.
      try expect(
        round < (cloud == nil ? 2 : 4) || trees.count <= 1, "the trees differ after \(round) rounds"
      )
    }
    let difference = try cloudDifference().map { ": \($0)" } ?? ""
    throw Failure("the devices are not quiet after twelve rounds\(difference)")
  }

  var devicesWithGit: [Device] { devices.filter(\.target.hasGit) }

  /// Returns the places where a device syncs: each remote, and nil for the cloud.
  private func places(of device: Device) -> [String?] {
    (device.target.hasGit ? remotes : []) + (device.target.hasCloud ? [nil] : [])
  }

  /// Whether all devices and remotes have one commit, the cloud has the same content, and no device
  /// has anything more.
  private func areQuiet() throws -> Bool {
    guard try haveOneCommit(),
      try devices.allSatisfy({ try $0.changedPaths(since: try $0.headTree).isEmpty })
    else { return false }
    return try cloudDifference() == nil
  }

  private func haveOneCommit() throws -> Bool {
    var heads = try Set(devicesWithGit.map { try $0.head })
    if heads.isEmpty { return true }
    for remote in remotes {
      guard let head = try Repository.open(path(of: remote)).reference("refs/heads/main") else {
        return false
      }
      heads.insert(head)
    }
    return heads.count == 1
  }
}
