internal import LarderGit
internal import LarderModel
internal import LarderStore

/// What a watch has told already, so that a problem that stays is told once.
struct ToldProblems {
  private var failure: String?
  private var times = 0
  private var syncFailures: [Int: String] = [:]
  private var files: [String: FileState?] = [:]

  /// Whether adopting failed for another reason than the last time.
  ///
  /// Git holds its locks for moments all the time; only one that stays until the next look is news.
  mutating func isNews(_ error: any Error) -> Bool {
    times = failure == "\(error)" ? times + 1 : 1
    failure = "\(error)"
    return times == (error.isMomentary ? 2 : 1)
  }

  mutating func wentWell() {
    failure = nil
  }

  /// Whether going a road failed for another reason than the last time; who waits for another sync of
  /// this household only waits.
  mutating func isNewsOfSync(_ error: any Error, road: Int) -> Bool {
    if case .locked? = error as? StoreError { return false }
    defer { syncFailures[road] = "\(error)" }
    return syncFailures[road] != "\(error)"
  }

  /// Whether the sync before had failed.
  mutating func syncIsBack(road: Int) -> Bool {
    defer { syncFailures[road] = nil }
    return syncFailures[road] != nil
  }

  /// An adoption without the unreadable files that were told of and have not changed since; nil
  /// where nothing is left to tell.
  mutating func news(of adoption: Writing.Adoption, in store: Store) -> Writing.Adoption? {
    var unreadable: [String: FileState?] = [:]
    let notes = adoption.notes.filter { note in
      guard case .unreadable(let path) = note else { return true }
      let version = store.version(of: path)
      unreadable[path] = .some(version)
      return files[path] != .some(version)
    }
    files = unreadable
    guard !notes.isEmpty || !adoption.commits.isEmpty else { return nil }
    return adoption.telling(notes)
  }

  /// No file is unreadable any more.
  mutating func forgetFiles() {
    files = [:]
  }
}

extension Error {
  /// Whether what is in the way goes away by itself, when somebody is done.
  var isPassing: Bool {
    switch self {
    case let error as StoreError:
      switch error {
      case .operationInProgress, .indexLocked, .locked: true
      case .git(let error): error.isPassing
      default: false
      }
    case let error as GitError: error.code == .locked || error.code == .conflict
    default: false
    }
  }

  /// Whether it is usually over before a person could look.
  fileprivate var isMomentary: Bool {
    if case .operationInProgress = self as? StoreError { return false }
    return isPassing
  }
}
