import LarderGit
import LarderModel
import LarderText
import TestSupport

/// Actions with plain git.
extension Simulation {
  /// Works with plain git; stops if a lock is in the way.
  func plainGit(_ device: Device, _ action: Action, _ random: inout SeededGenerator) throws {
    do {
      try workWithGit(device, action, &random)
    } catch let error as GitError where error.code == .locked && figures.kills > 0 {
      note(device, "  which failed: \(error)")
      removeLocks()
    }
  }

  private func workWithGit(
    _ device: Device, _ action: Action, _ random: inout SeededGenerator
  ) throws {
    switch action {
    case .commitAll, .commitOne: try commit(device, action, &random)
    case .checkoutOld:
      let depth = random.number(1...4)
      guard let commit = try device.ancestor(depth) else { return }
      let tree = try device.repository.commit(commit).tree
      let paths = try device.repository.entries(of: tree).map(\.path)
      guard let path = random.pick(paths.filter { Kind(path: $0) != nil }) else { return }
      note(device, "git checkout HEAD~\(depth) -- \(path)")
      try device.checkOut([path], of: tree)
    case .revert: try revert(device)
    case .plainMerge:
      let remote = random.pick(remotes) ?? "origin"
      note(device, "git pull from \(remote)")
      try device.reachingRemotes(from: device.repository) {
        try device.repository.fetch(remote: remote)
      }
      guard let other = try device.repository.reference("refs/remotes/\(remote)/main") else {
        return
      }
      if try !device.merge(other, hasDriver: random.happens(60)) {
        return note(device, "  which git would not do")
      }
      settle(device)
    default: try push(device, random.pick(remotes) ?? "origin")
    }
  }

  private func commit(
    _ device: Device, _ action: Action, _ random: inout SeededGenerator
  ) throws {
    var paths = try device.changedPaths(since: try device.headTree)
    if action == .commitOne { paths = random.pick(paths).map { [$0] } ?? [] }
    guard try device.commit(paths, "by hand \(number)") else { return }
    note(device, "git commit of \(paths.map(\.text).joined(separator: " "))")
    try noteNotes(device)
  }

  private func revert(_ device: Device) throws {
    guard try device.changedPaths(since: try device.headTree).isEmpty,
      let parent = try device.ancestor(1)
    else { return }
    note(device, "git revert HEAD")
    let paths = try device.changedPaths(since: try device.repository.commit(parent).tree)
    try device.checkOut(paths, of: try device.repository.commit(parent).tree)
    _ = try device.commit(paths, "Revert")
  }

  /// Pushes without larder, including plain commits that nobody has adopted.
  private func push(_ device: Device, _ remote: String) throws {
    note(device, "git push to \(remote)")
    let repository = device.repository
    do {
      try device.reachingRemotes(from: repository) {
        try repository.fetch(remote: remote)
        try repository.push(
          try device.head, to: "refs/heads/main", remote: remote,
          expecting: try repository.reference("refs/remotes/\(remote)/main"))
      }
    } catch let error as GitError where [.notFastForward, .locked].contains(error.code) {
      note(device, "  which failed")
    }
  }

  /// Accepts that a merge may choose the other side; the text written here is then in the history.
  private func settle(_ device: Device) {
    settled += device.handEdits.values
    device.handEdits = [:]
  }

  /// Records other files that are committed now and must stay in the history.
  func noteNotes(_ device: Device) throws {
    for entry in try device.repository.entries(of: try device.headTree)
    where Kind(path: entry.path) == nil {
      notes.insert(entry.id)
    }
  }
}
