import LarderKit
import LarderModel
internal import LarderText
import Libc

extension MessageWords {
  /// Returns the words for a household that could not be opened, read or written.
  func commandError(for error: StoreError) -> CommandError {
    switch error {
    case .git(let error): commandError(for: error)
    case .untaken(let path, let mistakes): commandError(for: mistakes, path: path.text)
    case .badValues(let path, let mistakes):
      CommandError(
        .invalidData, "can't write \(path): the format does not allow what would be in it",
        problems: problems(mistakes, path: nil, severity: .error))
    case .filtered(let fault): CommandError(.failed, fault.refusal, hints: fault.ways)
    case .notAHousehold, .notARepository, .exists, .newerFormat, .noUserID:
      aboutHousehold(error)
    case .operationInProgress, .looseHead, .indexLocked, .locked, .watched, .manyRemovals,
      .uncommitted:
      inTheWay(error)
    case .badPath(let path, let fault):
      CommandError(
        .invalidData, "nothing is written at \(path): \(message(fault))",
        hints: ["give its file another name"])
    case .noFolder(let path, let isLink): noFolder(path, isLink)
    case .system(let action, let path, let code): system(action, path, code)
    case .filesBehind(let commit, let cause): filesBehind(commit, commandError(for: cause))
    case .damagedFolder, .lostBranch, .indexDamaged: damaged(error)
    case .endOfTime(let title, let at, let commit): endOfTime(title, at, commit)
    case .badTimeZone(let name):
      CommandError(
        .usage, "there is no time zone called '\(name)'",
        hints: ["names are those of the time zone database, such as Europe/London or UTC"])
    case .badCurrency(let code):
      CommandError(
        .usage, "'\(code)' is no currency code",
        hints: ["currencies are written as ISO 4217 does, such as EUR or SGD"])
    }
  }

  private func aboutHousehold(_ error: StoreError) -> CommandError {
    switch error {
    case .notAHousehold(let directory):
      CommandError(
        .notFound,
        "there is no household in \(directory == "." ? "this folder" : directory) or above it",
        hints: [
          "'larder -C DIR …' works in the household at DIR, and 'larder config --global household DIR' "
            + "makes it yours from anywhere",
          "'larder init' makes a new one, 'larder join URL' brings yours",
        ])
    case .notARepository(let root):
      CommandError(
        .failed, "\(root) can be read but not written: it is not the root of a git repository",
        hints: ["'larder init' in a copy of the folder makes one of it"]
      )
    case .exists(let path):
      CommandError(
        .failed, "\(path) is there already",
        hints: ["'larder doctor --fix' sets this device up for a household that exists"])
    case .newerFormat(let format):
      CommandError(
        .invalidData, "this household has format \(format), which this program can read, not write",
        hints: ["get a newer larder; 'larder version' shows what this one writes"])
    default:
      CommandError(
        .failed, "this device has no user id yet",
        hints: ["'larder doctor --fix' sets this device up"])
    }
  }

  private func inTheWay(_ error: StoreError) -> CommandError {
    switch error {
    case .operationInProgress(let operation):
      CommandError(
        .failed, "nothing is written while \(name(of: operation)) is under way",
        hints: [way(out: operation)])
    case .looseHead(let head):
      CommandError(.failed, head.sentence, hints: head.ways)
    case .indexLocked(let path):
      CommandError(
        .locked, "git's index is locked: \(path) exists",
        hints: MessageWords.waysAround(lock: path))
    case .locked(let milliseconds):
      CommandError(
        .locked, "another larder is at work here and did not finish in \(milliseconds / 1000) s",
        hints: ["try again when it is done"])
    case .watched:
      CommandError(
        .locked, "another 'larder watch' is at work in this household",
        hints: ["one is enough; end that one first to start another"])
    case .manyRemovals(let gone, let all):
      CommandError(
        .failed, "\(gone) of \(all) files are gone, which may be an accident; nothing was done",
        hints: [
          "'larder git -- checkout -- FILE' brings one back; 'git ls-files -dz | git checkout "
            + "--pathspec-from-file=- --pathspec-file-nul' in the household brings back all, and "
            + "changes no other file",
          "'--yes' marks what they held as deleted",
        ])
    case .uncommitted(let path):
      CommandError(
        .failed, "\(path) has changes that are not committed, and would be gone",
        hints: ["commit them with git first, or take them back"])
    default: CommandError(.failed, "something is in the way")
    }
  }

  /// Returns the hints for a lock of git; larder never removes it, because it can't know the owner.
  static func waysAround(lock path: String) -> [String] {
    [
      "wait for the git that is running: 'ps -e | grep git' shows it, an editor may have one too",
      "if there is none, it died: remove \(path)",
    ]
  }

  private func damaged(_ error: StoreError) -> CommandError {
    let message =
      switch error {
      case .damagedFolder(let path, let damage): self.message(damage, in: path)
      case .lostBranch(let name): "the branch \(name) has lost its last commit"
      case .indexDamaged(let path): "git's index can't be read (\(path)), so nothing is written"
      default: "something is damaged"
      }
    return CommandError(.failed, message, hints: [MessageWords.mendingDamage])
  }

  /// The hint for any damage.
  static let mendingDamage =
    "'larder doctor' says what is damaged, 'larder doctor --fix' mends what can be"

  /// Returns the words for a damaged `.git` folder.
  func message(_ damage: GitFolder.Damage, in path: String) -> String {
    switch damage {
    case .missingFolder(let name): "\(path) is damaged: its folder \(name) is gone"
    case .head: "\(path)/HEAD is gone or damaged: it names no branch that is there"
    case .settings(let line): "git's settings can't be read: \(path)/config, line \(line)"
    case .packedReferences: "\(path)/packed-refs has lines that can't be read"
    }
  }

  private func name(of operation: Operation) -> String {
    switch operation {
    case .merge: "a git merge"
    case .rebase: "a git rebase"
    case .cherryPick: "a git cherry-pick"
    case .revert: "a git revert"
    case .bisect: "a git bisect"
    case .applyMailbox: "a git am"
    }
  }

  private func way(out operation: Operation) -> String {
    switch operation {
    case .merge:
      "'larder doctor --fix' joins files that have conflict marks; then finish it with 'git commit', "
        + "or leave it with 'git merge --abort'"
    case .bisect: "finish it with 'git bisect reset'"
    case .rebase: continuing("rebase")
    case .cherryPick: continuing("cherry-pick")
    case .revert: continuing("revert")
    case .applyMailbox: continuing("am")
    }
  }

  private func continuing(_ command: String) -> String {
    "finish it with 'git \(command) --continue', or leave it with 'git \(command) --abort'"
  }

  private func endOfTime(_ title: String, _ at: Instant, _ commit: Commit?) -> CommandError {
    let writer = commit.map { ", written by \($0.who) in \($0.id.short)" } ?? ""
    return CommandError(
      .failed,
      "this change of \(title) would have no effect: its value carries the time \(at)\(writer), and "
        + "no later one can be written",
      hints: [
        "no clock shows that time: find the device or the file that wrote it, and correct it",
        "make another one and archive this one, which is still possible",
      ])
  }

  private func filesBehind(_ commit: ObjectID, _ cause: CommandError) -> CommandError {
    CommandError(
      cause.kind,
      "it is done and committed as \(commit.short), but not all files have it yet: "
        + cause.message,
      hints: ["don't repeat it: the next larder command updates the files"] + cause.hints)
  }

  private func noFolder(_ path: String, _ isLink: Bool) -> CommandError {
    CommandError(
      .invalidData,
      "\(path) is a \(isLink ? "link" : "file"), where a folder of the household belongs; "
        + "nothing in it counts as removed",
      hints: isLink
        ? [
          "remove the link and move its folder back here",
          "to keep a household on another disk, move all of it there, or mount that folder here",
          "'larder doctor --fix' sets a link aside that came with a commit",
        ]
        : [
          "move it away; 'git checkout' brings back what the folder held",
          "'larder doctor --fix' sets a file aside that came with a commit",
        ])
  }

  private func system(_ action: String, _ path: String, _ code: Int32) -> CommandError {
    var hints: [String] = []
    if code == ENOSPC || code == EDQUOT { hints.append("make room on the disk and try again") }
    if code == EACCES || code == EPERM || code == EROFS {
      hints.append("the folder must belong to you and be writable")
    }
    let kind: ErrorKind =
      switch code {
      case ENOENT: .notFound
      case EACCES, EPERM: .notAllowed
      default: .failed
      }
    return CommandError(
      kind, "could not \(action) \(path): \(String(cString: strerror(code)))", hints: hints)
  }
}
