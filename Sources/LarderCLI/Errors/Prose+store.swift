import LarderGit
import LarderModel
import LarderStore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Prose {
  /// Why the household could not be opened, read or written.
  func commandError(for error: StoreError) -> CommandError {
    switch error {
    case .git(let error): commandError(for: error)
    case .unreadable(let path, let mistakes): commandError(for: mistakes, path: path)
    case .notAHousehold, .notARepository, .exists, .newerFormat, .noUserID:
      aboutHousehold(error)
    case .operationInProgress, .indexLocked, .locked, .manyRemovals: inTheWay(error)
    case .system(let action, let path, let code): system(action, path, code)
    case .filesBehind(let commit, let cause): filesBehind(commit, commandError(for: cause))
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
          "'larder -C DIR …' works in the household at DIR",
          "'larder init --name NAME --time-zone ZONE' makes a new one, 'larder join URL' brings yours",
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
    case .indexLocked(let path):
      CommandError(
        .locked, "git's index is locked: \(path) exists",
        hints: ["wait for the git that is running; if there is none, remove \(path)"])
    case .locked(let milliseconds):
      CommandError(
        .locked, "another larder is at work here and did not finish in \(milliseconds / 1000) s",
        hints: ["try again when it is done"])
    case .manyRemovals(let gone, let all):
      CommandError(
        .failed, "\(gone) of \(all) files are gone, which may be an accident; nothing was done",
        hints: [
          "'git checkout -- .' in the household brings them back",
          "'--yes' marks what they held as deleted",
        ])
    default: CommandError(.failed, "something is in the way")
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
    case .merge: "finish it with 'git commit', or leave it with 'git merge --abort'"
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

  private func filesBehind(_ commit: ObjectID, _ cause: CommandError) -> CommandError {
    CommandError(
      cause.kind,
      "it is done and committed as \(commit.short), but not all files have it yet: "
        + cause.message,
      hints: ["don't repeat it: the next larder command brings the files after it"] + cause.hints)
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
