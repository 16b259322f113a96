import LarderGit
import LarderModel
package import LarderStore
import Libc

extension MessageWords {
  /// Returns the words for a household that could not be opened, read or written.
  func errorWords(for error: StoreError) -> ErrorWords {
    switch error {
    case .git(let error): errorWords(for: error)
    case .untaken(let path, let mistakes): errorWords(for: mistakes, path: path.text)
    case .badValues(let path, let mistakes):
      ErrorWords(
        .invalidData, "can't write \(path): the format does not allow what would be in it",
        problems: problems(mistakes, path: nil, severity: .error))
    case .filtered(let fault): ErrorWords(.failed, fault.refusal, hints: fault.ways)
    case .notAHousehold(let directory):
      ErrorWords(
        .notFound,
        "there is no household in \(directory == "." ? "this folder" : directory) or above it",
        "'larder -C DIR …' works in the household at DIR, and 'larder config --global household DIR' "
          + "makes it yours from anywhere",
        "'larder init' makes a new one, 'larder join URL' brings yours")
    case .notARepository(let root):
      ErrorWords(
        .failed, "\(root) can be read but not written: it is not the root of a git repository",
        "'larder init' in a copy of the folder makes one of it")
    case .exists(let path):
      ErrorWords(
        .failed, "\(path) is there already",
        "'larder doctor --fix' sets this device up for a household that exists")
    case .newerFormat(let format):
      ErrorWords(
        .invalidData, "this household has format \(format), which this program can read, not write",
        "get a newer larder; 'larder version' shows what this one writes")
    case .noUserID:
      ErrorWords(
        .failed, "this device has no user id yet", "'larder doctor --fix' sets this device up")
    case .operationInProgress(let operation):
      ErrorWords(
        .failed, "nothing is written while \(name(of: operation)) is under way", way(out: operation)
      )
    case .looseHead(let head):
      ErrorWords(.failed, head.sentence, hints: head.ways)
    case .indexLocked(let path):
      ErrorWords(
        .locked, "git's index is locked: \(path) exists", hints: MessageWords.waysAround(lock: path)
      )
    case .locked(let milliseconds):
      ErrorWords(
        .locked, "another larder is at work here and did not finish in \(milliseconds / 1000) s",
        "try again when it is done")
    case .watched:
      ErrorWords(
        .locked, "another 'larder watch' or 'larder serve' is at work in this household",
        "one is enough; end that one first to start another")
    case .manyRemovals(let gone, let all):
      ErrorWords(
        .failed, "\(gone) of \(all) files are gone, which may be an accident; nothing was done",
        "'larder git -- checkout -- FILE' brings one back; 'git ls-files -dz | git checkout "
          + "--pathspec-from-file=- --pathspec-file-nul' in the household brings back all, and "
          + "changes no other file", "'--yes' marks what they held as deleted")
    case .uncommitted(let path):
      ErrorWords(
        .failed, "\(path) has changes that are not committed, and would be gone",
        "commit them with git first, or take them back")
    case .inTheWay(let files): errorWords(for: files, from: nil)
    case .badPath(let path, let fault):
      ErrorWords(
        .invalidData, "nothing is written at \(path): \(message(fault))",
        "give its file another name")
    case .noFolder(let path, let isLink): noFolder(path, isLink)
    case .system(let action, let path, let code): system(action, path, code)
    case .filesBehind(let commit, let cause): filesBehind(commit, errorWords(for: cause))
    case .damagedFolder(let path, let damage): damaged(message(damage, in: path))
    case .lostBranch(let name): damaged("the branch \(name) has lost its last commit")
    case .indexDamaged(let path):
      damaged("git's index can't be read (\(path)), so nothing is written")
    case .indexUnchecked(let path):
      ErrorWords(
        .failed,
        "git's index has no checksum (\(path)), and git's settings here don't say that it is to be left "
          + "out, so nothing is written; a git with index.skipHash or feature.manyFiles writes it so",
        "'larder doctor --fix' gives it its checksum, and changes nothing else in it",
        "if it is wanted, 'larder git -- config index.skipHash true' says so")
    case .endOfTime(let title, let at, let commit): endOfTime(title, at, commit)
    case .badTimeZone(let name):
      ErrorWords(
        .usage, "there is no time zone called '\(name)'",
        hints: [didYouMean(Day.timeZones(like: name))].compactMap(\.self) + [
          "names are those of the time zone database, such as Europe/London or UTC"
        ])
    case .badCurrency(let code):
      ErrorWords(
        .usage, "'\(code)' is no currency code",
        "currencies are written as ISO 4217 does, such as EUR or SGD")
    }
  }

  /// Returns the hints for a lock of git; larder never removes it, because it can't know the owner.
  package static func waysAround(lock path: String) -> [String] {
    [
      "wait for the git that is running: 'ps -e | grep git' shows it, an editor may have one too",
      "if there is none, it died: remove \(path)",
    ]
  }

  private func damaged(_ message: String) -> ErrorWords {
    ErrorWords(.failed, message, MessageWords.mendingDamage)
  }

  /// The hint for any damage.
  static let mendingDamage =
    "'larder doctor' says what is damaged, 'larder doctor --fix' mends what can be"

  /// Returns the words for a damaged `.git` folder.
  package func message(_ damage: GitFolder.Damage, in path: String) -> String {
    switch damage {
    case .missingFolder(let name): "\(path) is damaged: its folder \(name) is gone"
    case .head: "\(path)/HEAD is gone or damaged: it names no branch that is there"
    case .settings(let line): "git's settings can't be read: \(path)/config, line \(line)"
    case .packedReferences: "\(path)/packed-refs has lines that can't be read"
    }
  }

  private func name(of operation: Operation) -> String { "a git \(command(of: operation))" }

  private func way(out operation: Operation) -> String {
    let command = command(of: operation)
    return switch operation {
    case .merge:
      "'larder doctor --fix' joins files that have conflict marks; then finish it with 'git commit', "
        + "or leave it with 'git merge --abort'"
    case .bisect: "finish it with 'git bisect reset'"
    case .rebase, .cherryPick, .revert, .applyMailbox:
      "finish it with 'git \(command) --continue', or leave it with 'git \(command) --abort'"
    }
  }

  private func command(of operation: Operation) -> String {
    switch operation {
    case .merge: "merge"
    case .rebase: "rebase"
    case .cherryPick: "cherry-pick"
    case .revert: "revert"
    case .bisect: "bisect"
    case .applyMailbox: "am"
    }
  }

  private func endOfTime(_ title: String, _ at: Instant, _ commit: Commit?) -> ErrorWords {
    let writer = commit.map { ", written by \($0.who) in \($0.id.short)" } ?? ""
    return ErrorWords(
      .failed,
      "this change of \(title) would have no effect: its value carries the time \(at)\(writer), and "
        + "no later one can be written",
      "no clock shows that time: find the device or the file that wrote it, and correct it",
      "make another one and archive this one, which is still possible")
  }

  private func filesBehind(_ commit: ObjectID, _ cause: ErrorWords) -> ErrorWords {
    ErrorWords(
      cause.kind,
      "it is done and committed as \(commit.short), but not all files have it yet: "
        + cause.message,
      hints: ["don't repeat it: the next larder command updates the files"] + cause.hints)
  }

  private func noFolder(_ path: String, _ isLink: Bool) -> ErrorWords {
    ErrorWords(
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

  private func system(_ action: String, _ path: String, _ code: Int32) -> ErrorWords {
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
    return ErrorWords(
      kind, "could not \(action) \(path): \(String(cString: strerror(code)))", hints: hints)
  }

  /// Returns the words for a failed sync.
  func errorWords(for error: SyncError) -> ErrorWords {
    switch error {
    case .noRemote:
      ErrorWords(
        .failed, "can't sync: there is no remote yet",
        "'larder git -- remote add origin URL' says where to",
        "'larder cloud connect URL' syncs with a Supabase project instead")
    case .unknownRemote(let name, let known):
      ErrorWords(
        .notFound, "there is no remote called '\(name)'",
        suggestions(for: name, among: known).first.map { "did you mean '\($0)'?" }
          ?? "there is \(known.joined(separator: ", ")); 'larder git -- remote add' adds another")
    case .whichRemote(let names):
      ErrorWords(
        .ambiguous, "there are \(names.count) remotes and the branch follows none of them",
        "'larder sync --remote R' names the one, 'larder sync --all' means all of them",
        problems: names.map { Problem($0) })
    case .noCommit:
      ErrorWords(
        .failed, "can't sync: nothing is committed yet", "'larder adopt' commits what is there")
    case .unrelatedHistories(let remote):
      ErrorWords(
        .failed, "can't sync with \(remote): its history shares no commit with this household's",
        "if it is another household that was meant to be this one, 'larder sync --join-histories' joins them"
      )
    case .newerFormat(let format):
      ErrorWords(
        .invalidData,
        "can't sync: the others write format \(format), which this program can read, not write",
        "get a newer larder; 'larder version' shows what this one writes")
    case .refused(let commit, let remote): errorWords(refusing: commit, from: remote)
    case .refusedClone(let commit, let url): errorWords(refusingClone: commit, from: url)
    case .wouldBeRefused(let commit): errorWords(keeping: commit)
    case .inTheWay(let files, let remote): errorWords(for: files, from: remote)
    case .busy(let attempts):
      ErrorWords(
        .unreachable, "could not send: somebody else was quicker, \(attempts) times",
        "your changes here are kept; the same command tries again")
    case .noHousehold(let url):
      ErrorWords(
        .notFound, "\(url) holds no household",
        "'larder init' starts one; 'larder git -- remote add origin \(shellWord(url))' and 'larder sync' send it"
      )
    case .joining(let folder):
      ErrorWords(.locked, "another larder is joining into \(folder)", "try again when it is done")
    case .folderInUse(let folder):
      ErrorWords(
        .failed, "can't join into \(folder): the folder is there and not empty",
        "'larder join URL DIR' makes another folder")
    }
  }

  /// Returns the words for a refused commit of somebody else.
  func errorWords(refusing refused: RefusedCommit, from remote: String) -> ErrorWords {
    ErrorWords(
      .refused,
      "\(remote) has a commit that is not followed: \(words(for: refused)); nothing of it was written",
      "'larder doctor --fix' takes it without \(refused.faults.isEmpty ? "its fault" : "these"), and "
        + "'larder sync' sends that to everybody",
      "or ask its author to correct it and push again: then it is followed",
      "everything on this device goes on meanwhile",
      problems: refused.faults.map { problem(for: $0) })
  }

  /// Returns the words for a refused commit, wherever it came from.
  func errorWords(about refused: RefusedCommit) -> ErrorWords {
    ErrorWords(
      .refused, "\(words(for: refused)) has something that no household may have",
      problems: refused.faults.map { problem(for: $0) })
  }

  /// Returns the words for a household that is not cloned.
  func errorWords(refusingClone refused: RefusedCommit, from url: String) -> ErrorWords {
    ErrorWords(
      .refused,
      "\(url) is not joined: its last commit, \(words(for: refused)), has something that no household may have",
      "on a device that is in the household, 'larder doctor --fix' and 'larder sync' take them out",
      problems: refused.faults.map { problem(for: $0) })
  }

  /// Returns the words for a commit of this device that is not sent.
  func errorWords(keeping refused: RefusedCommit) -> ErrorWords {
    ErrorWords(
      .refused,
      "can't send: the others would not follow \(words(for: refused)), which is checked out here",
      "'larder doctor --fix' takes these out of the next commit, and keeps them",
      problems: refused.faults.map { problem(for: $0) })
  }

  /// Returns the words for a commit: its id, author and time, or that its author line is damaged.
  package func words(for refused: RefusedCommit) -> String {
    let commit = refused.commit
    guard commit.isSound else {
      return "\(commit.id.short) by somebody whose name or time can't be read"
    }
    let author = commit.author
    let email = author.email.isEmpty ? "" : " <\(author.email)>"
    return "\(commit.id.short) by \(author.name)\(email) of \(commit.at)"
  }

  package func problem(for fault: TreeFault) -> Problem {
    Problem(message(fault.reason), path: fault.path.isEmpty ? nil : fault.path.text)
  }

  private func message(_ reason: TreeFault.Reason) -> String {
    switch reason {
    case .path(let fault): message(fault)
    case .link: "a link, where the household has its own files"
    case .submodule: "another repository, where the household has its own files"
    case .executable: "a program, where the household has its own files; 'chmod -x' makes it a file"
    case .notAFolder: "a file, where a folder of the household belongs"
    case .notAFile: "a folder, where the household's own file belongs"
    case .tooLarge(let bytes): "a file of \(bytes) bytes, more than is taken from others"
    case .tooMany: "a folder with more files than are taken from others"
    case .disorder: "a list of files that names one twice, or is out of order"
    }
  }

  /// Returns the reason why a path is not allowed.
  func message(_ fault: PathFault) -> String {
    switch fault {
    case .emptyName: "a part of this path is empty"
    case .dots: "this path leads out of its folder"
    case .separator: "a name has a slash or a backslash in it"
    case .gitFolder: "this is git's own folder, on some disk at least"
    case .controlCharacter: "a name has a control character in it"
    case .longName(let bytes): "a name has \(bytes) bytes; \(PathRule.longestName) are the most"
    case .longPath(let bytes): "the path has \(bytes) bytes; \(PathRule.longestPath) are the most"
    case .tooDeep: "more than \(PathRule.deepest) folders lie inside each other"
    case .folderNamedAsFile: "a folder is named like a file"
    }
  }
}
