import Foundation
import LarderGit
import LarderModel
import LarderStore
import LarderText
import SystemSteps
import TestSupport

/// An event during an operation, which may kill it.
private final class Incident {
  let happens: () -> Int32

  init(_ happens: @escaping () -> Int32) { self.happens = happens }
}

extension Simulation {
  /// Runs an operation with a fault; true if it succeeded and its effect can no longer be lost.
  func perform(
    _ device: Device, _ fault: Fault?, _ random: inout SeededGenerator,
    _ operation: () throws -> Void
  ) throws -> Bool {
    let place = random.number(1...(random.happens(50) ? 30 : 100))
    let isLethal = fault == .kill || fault == .tear
    let edited = isLethal ? Set(try device.changedPaths(since: try device.headTree)) : []
    var failure: (any Error)?
    let incident = Incident { [random] in
      var random = random
      do {
        return try self.happen(fault, device, &random)
      } catch {
        failure = error
        return 0
      }
    }
    do {
      try withExtendedLifetime(incident) {
        steps_begin(
          isInSystemCall(fault) ? Int32(place) : 0,
          { context in
            context.map { Unmanaged<Incident>.fromOpaque($0).takeUnretainedValue().happens() } ?? 0
          },
          Unmanaged.passUnretained(incident).toOpaque())
        defer { steps_end() }
        try operation()
      }
    } catch {
      if let failure { throw failure }
      if steps_were_killed() != 0 { return try bury(device, at: place, edited) }
      return try judge(error, device, fault, &random, operation)
    }
    if let failure { throw failure }
    if steps_were_killed() != 0 { return try bury(device, at: place, edited) }
    return true
  }

  private func isInSystemCall(_ fault: Fault?) -> Bool {
    switch fault {
    case nil, .forestalled, .noRemote, .noRemoteForPush: false
    default: true
    }
  }

  private func happen(
    _ fault: Fault?, _ device: Device, _ random: inout SeededGenerator
  ) throws -> Int32 {
    figures.interruptions += 1
    switch fault {
    case .kill: return Int32(STEPS_KILL.rawValue)
    case .tear: return Int32(STEPS_TEAR.rawValue)
    case .editMeanwhile:
      try handEdit(device, random.happens(70) ? .handField : .handNotes, &random)
    case .commitMeanwhile: try commitMeanwhile(device)
    case .commandMeanwhile: try commandMeanwhile(device, &random)
    case .syncMeanwhile:
      if let other = random.pick(devices.filter({ $0 !== device })) {
        if other.target.hasGit {
          try syncMeanwhile(other, random.pick(remotes) ?? "origin")
        } else {
          try exchangeMeanwhile(other)
        }
      }
    default: break
    }
    for path in device.handEdits.keys { device.handEdits[path]?.isMeanwhile = true }
    return 0
  }

  /// Ends the killed process; the next one must not take the remains for edits.
  private func bury(_ device: Device, at place: Int, _ edited: Set<FilePath>) throws -> Bool {
    figures.kills += 1
    note(device, "  killed at system call \(place)")
    try device.restart()
    guard place.isMultiple(of: 2) else { return false }
    let found = Set(try readAfterKill(device)).subtracting(edited)
    try expect(found.isEmpty, "a killed process left \(found.sorted()) on \(device.name)")
    return false
  }

  /// Returns the edited files, after the next process has finished the killed one's work.
  private func readAfterKill(_ device: Device) throws -> [FilePath] {
    do {
      return try device.store.read().edited
    } catch {
      guard Simulation.isLock(error), removeLocks() else { throw error }
      return try device.store.read().edited
    }
  }

  /// Whether the fault explains an error; after a kill, people remove the locks.
  private func judge(
    _ error: any Error, _ device: Device, _ fault: Fault?, _ random: inout SeededGenerator,
    _ operation: () throws -> Void
  ) throws -> Bool {
    if Simulation.isRefusal(error) {
      note(device, "  refused: \(error)")
      // Earlier edits of people are adopted nevertheless.
      try observe(device)
      return false
    }
    if case .inTheWay(let files, _)? = error as? SyncError {
      note(device, "  refused: \(files.map(\.path.text).joined(separator: " ")) in the way")
      guard try device.commit(files.map(\.path), "by hand \(number)") else { throw error }
      try noteNotes(device)
      return try perform(device, nil, &random, operation)
    }
    let isTakenAway = fault == .noRemote || fault == .noRemoteForPush
    if isTakenAway, Simulation.code(of: error) == .noRepository {
      note(device, "  which failed: \(error)")
      return false
    }
    if figures.kills > 0, Simulation.isLock(error), removeLocks() {
      note(device, "  after taking away what was locked")
      return try perform(device, nil, &random, operation)
    }
    guard isInSystemCall(fault), Simulation.isPassing(error) else { throw error }
    note(device, "  which failed: \(error)")
    return false
  }

  /// Whether a command refuses because the request is impossible, or needs a file to be corrected
  /// first.
  static func isRefusal(_ error: any Error) -> Bool {
    if case .untaken? = error as? StoreError { return true }
    if case .unknownRevision? = error as? UndoError { return false }
    return error is RuleError || error is UndoError
  }

  static func code(of error: any Error) -> GitError.Code? {
    if let error = error as? GitError { return error.code }
    if case .git(let error)? = error as? StoreError { return error.code }
    return nil
  }

  private static func isLock(_ error: any Error) -> Bool {
    if case .indexLocked? = error as? StoreError { return true }
    return code(of: error) == .locked
  }

  /// Whether an error only says that somebody else was working at the same time.
  static func isPassing(_ error: any Error) -> Bool {
    if case .locked? = error as? StoreError { return true }
    if case .busy? = error as? SyncError { return true }
    return isLock(error) || code(of: error) == .conflict
  }

  /// Removes the lock files of a killed process, as people do when they are told about one.
  @discardableResult
  func removeLocks() -> Bool {
    var found = false
    let hubs = remotes.map { "\(template.place)/\($0).git" }
    for folder in devices.map({ $0.root + "/.git" }) + hubs {
      let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
      for name in names where name.hasSuffix(".lock") {
        try? FileManager.default.removeItem(atPath: folder + "/" + name)
        found = true
      }
    }
    return found
  }
}
