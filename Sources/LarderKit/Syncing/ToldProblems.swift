import Foundation
internal import LarderCloud
internal import LarderGit
internal import LarderModel
internal import LarderStore

/// The problems that a watch has already reported, so each is reported once.
struct ToldProblems {
  private var failure: String?
  private var times = 0
  private var syncFailures: [SyncTarget: String] = [:]
  private var files: [FilePath: FileState?] = [:]

  /// Whether adopting failed for another reason than the last time.
  ///
  /// Git often holds its locks for a moment, so a lock is reported only if it is still there at the
  /// next look.
  mutating func isNews(_ error: any Error) -> Bool {
    times = failure == "\(error)" ? times + 1 : 1
    failure = "\(error)"
    return times == (error.isMomentary ? 2 : 1)
  }

  mutating func wentWell() {
    failure = nil
  }

  /// Whether a sync failed for another reason than the last time with this target.
  ///
  /// Waiting for another sync of this household is not a failure.
  mutating func isNewsOfSync(_ error: any Error, with target: SyncTarget) -> Bool {
    if case .locked? = error as? StoreError { return false }
    defer { syncFailures[target] = "\(error)" }
    return syncFailures[target] != "\(error)"
  }

  /// Whether the previous sync had failed.
  mutating func syncIsBack(with target: SyncTarget) -> Bool {
    defer { syncFailures[target] = nil }
    return syncFailures[target] != nil
  }

  /// Returns an adoption without the broken and refused files that were already reported and are unchanged;
  /// nil if nothing is left to report.
  mutating func news(of adoption: Writing.Adoption, in store: Store) -> Writing.Adoption? {
    var untaken: [FilePath: FileState?] = [:]
    let notes = adoption.notes.filter { note in
      guard case .untaken(let path) = note else { return true }
      let version = store.version(of: path)
      untaken[path] = .some(version)
      return files[path] != .some(version)
    }
    files = untaken
    guard !notes.isEmpty || !adoption.commits.isEmpty else { return nil }
    return adoption.telling(notes)
  }

  /// Records that no file is broken or refused any more.
  mutating func forgetFiles() {
    files = [:]
  }
}

extension Error {
  /// Whether the obstacle goes away by itself, when another process or person has finished.
  var isPassing: Bool {
    switch self {
    case let error as StoreError:
      switch error {
      case .operationInProgress, .looseHead, .indexLocked, .locked: true
      case .git(let error): error.isPassing
      default: false
      }
    case let error as GitError: error.code == .locked || error.code == .conflict
    default: false
    }
  }

  /// Whether the obstacle usually goes away before a person could look.
  fileprivate var isMomentary: Bool {
    switch self as? StoreError {
    case .operationInProgress, .looseHead: false
    default: isPassing
    }
  }
}
