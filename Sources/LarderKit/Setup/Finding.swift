internal import LarderGit
internal import LarderModel
internal import LarderStore

/// Something that keeps a copy of a household from working well on this device.
public enum Finding: Sendable, Hashable {
  /// The household can be read only: its folder is not the root of a git repository.
  case notARepository(root: String)
  /// Git can't open the folder. `kept` is the place where the damaged part is kept when it is mended.
  case damagedFolder(GitFolder.Damage, path: String, kept: String?)
  /// Something within the repository or the files is damaged.
  case damage(Damage, kept: String?)
  case setUp(SetUpProblem)
  /// The hook is wanted and does not do its work.
  case hook(CommitHook)
  /// Git's merge driver is a program that is not there.
  case staleMergeDriver(String)
  /// A larder that was killed left a change half written.
  case unfinished
  case indexLocked(path: String)
  case leftLock(path: String, isRemovable: Bool)
  case operationInProgress(Operation)
  /// There is no git program in `PATH`.
  case noGit
  case shallow
  /// Git's settings know no such remote any more, which was synced with.
  case lostRemote(String)
  /// No branch is checked out.
  case detached
  /// So many times lie more than a day ahead of the clock, in so many files.
  case aheadOfClock(times: Int, files: Int)
  /// A second version of a file lies beside it.
  case keptVersion(KeptVersion)
  case newerFormat(String, FormatPlace)
  /// Files that can't be read and of which no good version is known; never empty.
  case unreadable([String])

  /// Where a newer format was seen.
  public enum FormatPlace: Sendable, Hashable {
    case here, remote, project
  }

  /// Whether ``Larder/mend()`` mends it; people have to mend the others.
  public var isMendable: Bool {
    switch self {
    case .damagedFolder, .setUp, .staleMergeDriver, .unfinished: true
    case .damage(let damage, _): damage.isMendable
    case .hook(let hook): hook == .missing || hook == .stale
    case .leftLock(_, let isRemovable): isRemovable
    case .notARepository, .indexLocked, .operationInProgress, .noGit, .shallow, .lostRemote,
      .detached, .aheadOfClock, .keptVersion, .newerFormat, .unreadable:
      false
    }
  }
}

extension Damage {
  /// The path of the file that is damaged; nil for all else.
  var path: String? {
    switch self {
    case .file(let path), .conflict(let path), .plainConflict(let path): path
    case .object, .reference, .index, .hiddenFolder, .wouldBeRefused, .refused: nil
    }
  }

  /// Whether only single files are damaged, so that everything else can be looked at.
  var isOfFiles: Bool {
    switch self {
    case .file, .conflict, .plainConflict, .wouldBeRefused, .refused: true
    case .object, .reference, .index, .hiddenFolder: false
    }
  }

  fileprivate var isMendable: Bool {
    switch self {
    case .plainConflict: false
    case .reference(let name): !name.hasPrefix("refs/tags/")
    case .object, .index, .hiddenFolder, .file, .conflict, .wouldBeRefused, .refused: true
    }
  }
}
