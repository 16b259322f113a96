import LarderGit
import LarderModel
import LarderStore

extension Simulation {
  /// Records the device's commit after a reported success, and checks that it has all edits by
  /// hand.
  func observe(
    _ device: Device,
    judge: (Commit, Record.Version, Record.Version) throws -> Void = { _, _, _ in }
  ) throws {
    let head = try device.head
    if device.acknowledged.last != head { device.acknowledged.append(head) }
    try record.read(head, in: device.repository, judge: judge)
    if case .some(.none) = record.versions[head], try device.store.read().plainCommits == 0 {
      try record.take(head, in: device.repository)
    }
    for (path, edit) in device.handEdits {
      if edit.isMeanwhile {
        device.handEdits[path]?.isMeanwhile = false
        continue
      }
      try expect(
        record.texts.contains(edit.description),
        "what somebody wrote into \(path) of \(device.name) was not taken in: \(edit)")
      settled.append(edit)
      device.handEdits[path] = nil
    }
    try checkLooseFiles(device)
  }

  /// Checks that content of other files is still there, in a file beside it, or committed.
  func checkLooseFiles(_ device: Device) throws {
    guard !device.looseFiles.isEmpty else { return }
    let tree = try device.headTree
    for (path, bytes) in device.looseFiles where device.bytes(path) != bytes {
      let blob = Repository.blobID(of: bytes)
      let isKept = try device.allPaths().contains { device.bytes($0) == bytes }
      let isCommitted = try device.repository.entries(of: tree).contains { $0.id == blob }
      try expect(isKept || isCommitted, "\(path) of \(device.name) is lost")
      device.looseFiles[path] = nil
    }
  }

  /// Checks that a command's stamps are later than all earlier ones, and not before its time.
  func check(_ now: Instant, _ commit: Commit, _ version: Record.Version, _ parent: Record.Version)
    throws
  {
    for (key, entity) in version.entities where parent.entities[key] != entity {
      guard let old = parent.entities[key], !entity.isOwnShoppingEntry else { continue }
      let least = max(now, Instant(old.updatedAt)?.next ?? now)
      for (name, write) in entity.writes where old.writes[name] != write {
        for (field, text) in write.stamps where old.writes[name]?.stamps[field] != text {
          guard let stamp = Instant(text) else { throw Failure("\(text) is no stamp") }
          try expect(
            stamp >= least && stamp <= least.adding(milliseconds: 100),
            "\(field) of \(key) is stamped \(stamp), not \(least), in \(commit.subject)")
        }
      }
    }
  }
}
