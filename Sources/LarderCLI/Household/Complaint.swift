import LarderJSON
import LarderKit
import LarderModel

/// A finding of `doctor` in words.
struct Complaint: Sendable, Equatable {
  /// A stable name for scripts.
  let name: String
  let message: String
  let hint: String
  /// The sentence after --fix has repaired it; nil if people have to.
  var mended: String?

  var isMendable: Bool { mended != nil }

  var json: JSON {
    .object([
      JSONMember("name", .string(name)), JSONMember("message", .string(message)),
      JSONMember("hint", .string(hint)),
    ])
  }

  static let mending = "'larder doctor --fix' mends it"

  /// Creates the words for a finding in the household of a folder.
  init(_ finding: Finding, root: String? = nil) {
    self =
      switch finding {
      case .notARepository(let root):
        Complaint(
          name: "notARepository",
          message: "\(root) can be read but not written: it is not the root of a git repository",
          hint: "'larder init' in a copy of the folder makes one of it")
      case .damagedFolder(let damage, let path): .about(damage, in: path)
      case .damage(let damage, let kept): .about(damage, kept: kept, MessageWords(root: root))
      case .setUp(let problem):
        Complaint(
          name: problem.name, message: problem.message, hint: Self.mending, mended: problem.mended)
      case .attribute(let fault):
        Complaint(
          name: fault.isFilter ? "filtered" : "attribute", message: fault.sentence,
          hint: fault.ways.joined(separator: "; "))
      case .formerHook(let path):
        Complaint(
          name: "formerHook",
          message: "git's pre-commit hook calls larder, which does nothing there any more: \(path)",
          hint: "take the call out; if there is nothing else in it: rm \(shellWord(path))")
      case .staleMergeDriver(let driver):
        Complaint(
          name: "staleMergeDriver",
          message: "git's merge driver is a program that is not there any more: \(driver)",
          hint: Self.mending, mended: "git's merge driver is this program now")
      case .unfinished:
        Complaint(
          name: "unfinished", message: "a larder that was killed left a change half written",
          hint: "the next larder command finishes it",
          mended: "what a killed larder left is finished")
      case .indexLocked(let path):
        Complaint(
          name: "indexLocked", message: "git's index is locked: \(path) exists",
          hint: MessageWords.waysAround(lock: path).joined(separator: "; "))
      case .leftLock(let path, let isRemovable):
        Complaint(
          name: "leftLock", message: "a lock was left behind: \(path)",
          hint: isRemovable
            ? Self.mending : MessageWords.waysAround(lock: path).joined(separator: "; "),
          mended: isRemovable ? "the lock \(path) is gone" : nil)
      case .operationInProgress(let operation): .about(operation, MessageWords(root: root))
      case .noGit:
        Complaint(
          name: "noGit", message: "there is no git program in PATH",
          hint: MessageWords.installingGit)
      case .shallow:
        Complaint(
          name: "shallow", message: "this is a shallow clone, whose history is cut off",
          hint: "'larder git -- fetch --unshallow' brings the rest")
      case .lostRemote(let name):
        Complaint(
          name: "lostRemote",
          message: "git's settings know no remote \(name) any more, which was synced with",
          hint:
            "'larder git -- remote add \(shellWord(name)) URL' says again where it is; .git/FETCH_HEAD "
            + "may tell")
      case .detached(let head):
        Complaint(name: "detached", message: head.sentence, hint: head.ways.joined(separator: "; "))
      case .leftCommit(let left):
        Complaint(
          name: "leftCommit", message: left.sentence,
          hint:
            "'larder git -- show \(left.commit.id.short)' shows it, 'larder doctor --fix' takes it in",
          mended: "\(left.commit.id.short) is taken in")
      case .aheadOfClock(let times, let files):
        Complaint(
          name: "aheadOfClock",
          message: "\(counted(times, "time lies", "times lie")) more than a day ahead of this "
            + "device's clock, in \(counted(files, "file"))",
          hint: "set the clock right where it is wrong; 'larder check' shows the places")
      case .keptVersion(let version):
        Complaint(name: "keptVersion", message: version.sentence, hint: KeptVersion.hint)
      case .newerFormat(let format, let place): .about(format, place)
      case .untaken(let paths): .aboutUntaken(paths.map(\.text))
      }
  }

  init(name: String, message: String, hint: String, mended: String? = nil) {
    self.name = name
    self.message = message
    self.hint = hint
    self.mended = mended
  }

  private static func about(_ operation: Operation, _ prose: MessageWords) -> Complaint {
    let error = prose.commandError(for: StoreError.operationInProgress(operation))
    return Complaint(
      name: "operationInProgress", message: error.message, hint: error.hints.first ?? "")
  }

  private static func aboutUntaken(_ paths: [String]) -> Complaint {
    let more = paths.count > 1 ? " and \(counted(paths.count - 1, "other file"))" : ""
    return Complaint(
      name: "unreadableFile",
      message:
        "\(safePath(paths.first ?? ""))\(more) \(paths.count > 1 ? "are" : "is") broken or refused",
      hint: "'larder check' shows the mistakes; everything else goes on")
  }

  private static func about(_ format: String, _ place: Finding.FormatPlace) -> Complaint {
    switch place {
    case .here:
      Complaint(
        name: "newerFormat",
        message: "the household has format \(format), which this larder reads and does not write",
        hint: "get a newer larder; or, if it was a mistake, write \"format\": \(Schema.format) "
          + "back in household.json, or in the project's table households, and sync")
    case .remote:
      Complaint(
        name: "newerRemoteFormat",
        message: "the others have the household in format \(format), so nothing is synced with "
          + "them",
        hint: MessageWords.aboutNewerFormat[0]
          + "; if it was a mistake, one of them writes \"format\": \(Schema.format) back in household.json, and "
          + "syncs")
    case .project:
      Complaint(
        name: "newerCloudFormat",
        message: "the project has the household in format \(format), so nothing is exchanged with "
          + "it",
        hint: MessageWords.aboutNewerFormat[0] + "; " + MessageWords.aboutNewerFormat[1])
    }
  }
}

extension SetUpProblem {
  /// A stable name for scripts.
  fileprivate var name: String {
    switch self {
    case .noUserID: "noUserID"
    case .noDeviceName: "noDeviceName"
    case .noMergeDriver: "noMergeDriver"
    case .noTextConversion: "noTextConversion"
    case .noAttributes: "noAttributes"
    }
  }

  /// The sentence of `doctor` and `status`.
  var message: String {
    switch self {
    case .noUserID: "this device has no user id"
    case .noDeviceName: "this device has no name"
    case .noMergeDriver: "git does not know how to merge the household's files"
    case .noTextConversion: "git does not know how to show the household's files in words"
    case .noAttributes: ".gitattributes lacks lines for the household's files"
    }
  }

  fileprivate var mended: String {
    switch self {
    case .noUserID: "this device has a user id now"
    case .noDeviceName: "this device has a name now"
    case .noMergeDriver: "git merges the household's files with larder now"
    case .noTextConversion: "git shows the household's files in words now"
    case .noAttributes: ".gitattributes has the lines for the household's files now"
    }
  }
}
