internal import LarderGit
internal import LarderModel
internal import LarderStore
public import LarderText

/// Something that prevents a copy of a household from working well on this device.
public enum Finding: Sendable, Hashable {
  /// The household is read-only, because its folder is not the root of a git repository.
  case notARepository(root: String)
  /// Git can't open the folder.
  case damagedFolder(GitFolder.Damage, path: String)
  /// Something in the repository or the files is damaged.
  case damage(Damage, kept: String?)
  case setUp(SetUpProblem)
  /// Git does something else with files of the household than larder.
  case attribute(AttributeFault)
  /// A pre-commit hook calls larder, as in earlier versions; larder needs none.
  case formerHook(path: String)
  /// The program of git's merge driver is missing.
  case staleMergeDriver(String)
  /// A killed larder left an unfinished change.
  case unfinished
  case indexLocked(path: String)
  case leftLock(path: String, isRemovable: Bool)
  case operationInProgress(Operation)
  /// There is no git program in `PATH`.
  case noGit
  case shallow
  /// A remote that was synced with is no longer in git's configuration.
  case lostRemote(String)
  /// HEAD is on no branch.
  case detached(LooseHead)
  /// No branch has a commit that was made on none.
  case leftCommit(LeftCommit)
  /// This number of times is more than a day ahead of the clock, in this number of files.
  case aheadOfClock(times: Int, files: Int)
  /// There is a second version of a file beside it.
  case keptVersion(KeptVersion)
  case newerFormat(String, FormatPlace)
  /// Broken and refused files without a known good version; never empty.
  case untaken([FilePath])

  /// The place of a newer format.
  public enum FormatPlace: Sendable, Hashable {
    case here, remote, project
  }

  /// Whether ``Larder/mend()`` repairs it; people have to repair the others.
  public var isMendable: Bool {
    switch self {
    case .setUp, .staleMergeDriver, .unfinished, .leftCommit: true
    case .damage(let damage, _): damage.isMendable
    case .leftLock(_, let isRemovable): isRemovable
    case .notARepository, .damagedFolder, .attribute, .formerHook, .indexLocked,
      .operationInProgress, .noGit, .shallow, .lostRemote, .detached, .aheadOfClock, .keptVersion,
      .newerFormat, .untaken:
      false
    }
  }
}

extension Damage {
  /// The path of the damaged file; nil for any other damage.
  var path: FilePath? {
    switch self {
    case .file(let path), .conflict(let path), .plainConflict(let path): path
    case .object, .reference, .index, .hiddenFolder, .wouldBeRefused, .refused: nil
    }
  }

  /// Whether only single files are damaged, so everything else can be checked.
  var isOfFiles: Bool {
    switch self {
    case .file, .conflict, .plainConflict, .wouldBeRefused, .refused: true
    case .object, .reference, .index, .hiddenFolder: false
    }
  }

  fileprivate var isMendable: Bool {
    switch self {
    case .plainConflict: false
    case .reference(let name): name != "HEAD" && !name.hasPrefix("refs/tags/")
    case .object, .index, .hiddenFolder, .file, .conflict, .wouldBeRefused, .refused: true
    }
  }
}
