import Foundation
import LarderCloud
import LarderGit
import LarderModel
package import LarderStore

/// The words for all errors, in one place for commands and apps.
///
/// The message says what failed and why. Every mistake in a file is a problem with its position.
/// Hints say what to do next.
package struct MessageWords: Sendable {
  /// The household's folder, for showing the lines of mistakes; nil if there is none.
  package let root: String?
  /// Whether the clone is shallow, so something missing may only be missing here.
  let isShallow: Bool
  /// Whether the clone is partial, so some objects may be missing.
  let isPartial: Bool

  package init(root: String? = nil, isShallow: Bool = false, isPartial: Bool = false) {
    self.root = root
    self.isShallow = isShallow
    self.isPartial = isPartial
  }

  /// Returns the words for any error of the libraries.
  package func errorWords(for error: any Error) -> ErrorWords {
    (error as? any HasErrorWords)?.errorWords ?? aboutHousehold(error) ?? aboutCloud(error)
      ?? aboutTyped(error) ?? aboutFile(error)
      ?? systemError(error as NSError)
      ?? ErrorWords(.failed, "something went wrong that has no words yet: \(error)")
  }

  private func aboutHousehold(_ error: any Error) -> ErrorWords? {
    switch error {
    case let error as NamingError: errorWords(for: error)
    case let error as StoreError: errorWords(for: error)
    case let error as UndoError: errorWords(for: error)
    case let error as SyncError: errorWords(for: error)
    case let error as GitError: errorWords(for: error)
    case let error as RefusedCommit: errorWords(about: error)
    case let error as ThingMistakes: errorWords(for: error)
    default: nil
    }
  }

  private func aboutCloud(_ error: any Error) -> ErrorWords? {
    switch error {
    case let error as CloudError: errorWords(for: error)
    case let error as CloudSyncError: errorWords(for: error)
    case let error as CloudProjectError: errorWords(for: error)
    case let error as CredentialsError: errorWords(for: error)
    case let error as CloudUseError: errorWords(for: error)
    case let error as CloudJoiningError: errorWords(for: error)
    case let error as TransportError: errorWords(for: error)
    default: nil
    }
  }

  private func aboutTyped(_ error: any Error) -> ErrorWords? {
    switch error {
    case let error as ReceiptForm.Mistake: ErrorWords(.usage, error.reason.words)
    case let error as ReceiptForm.Reason: ErrorWords(.usage, error.words)
    case let error as TypedThing.Mistake: ErrorWords(.usage, error.words)
    case let error as TypedQuantity.Mistake: ErrorWords(.usage, error.reason)
    case let error as TypedMoney.Mistake: ErrorWords(.usage, error.reason)
    case let error as TypedLine.Mistake: ErrorWords(.usage, error.reason)
    case let error as DayMistake: ErrorWords(.usage, HouseholdCalendar.reason(error))
    default: nil
    }
  }

  private func aboutFile(_ error: any Error) -> ErrorWords? {
    switch error {
    case let error as FileMistakes: errorWords(for: error, path: nil)
    case let error as SheetMistakes: errorWords(for: error)
    case let error as SheetMistake: ErrorWords(.invalidData, message(error.reason))
    case let error as SheetMistake.Reason: ErrorWords(.invalidData, message(error))
    case let error as ImportMistakes: errorWords(for: error)
    case let error as ImportMistake: ErrorWords(.invalidData, message(error.reason))
    case let error as TodoMistake: ErrorWords(.invalidData, message(error))
    case let error as DecodingMistake: ErrorWords(.invalidData, message(error))
    case let error as ReceiptFileError: error.errorWords(named: "the file", word: "FILE")
    case let error as ReceiptBytes.Mistake: error.errorWords("the file", "FILE")
    case let error as JSONMistake: ErrorWords(.invalidData, message(error.kind))
    case let error as EntityProblem: ErrorWords(.invalidData, message(error))
    case let error as PathFault: ErrorWords(.invalidData, message(error))
    default: nil
    }
  }

  /// Returns the words for a system error from Foundation; nil for other errors.
  private func systemError(_ error: NSError) -> ErrorWords? {
    var error: NSError? = error
    var path: String?
    while let found = error {
      path =
        path ?? found.userInfo[NSFilePathErrorKey] as? String
        ?? (found.userInfo[NSURLErrorKey] as? URL)?.path(percentEncoded: false)
      if found.domain == NSPOSIXErrorDomain {
        return errorWords(
          for: StoreError.system(action: "use", path: path ?? "a file", code: Int32(found.code)))
      }
      error = (found.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError }
    }
    return nil
  }
}

extension MessageWords {
  /// Creates the words for errors of a household.
  package init(about larder: isolated Larder) {
    self.init(root: larder.root, isShallow: larder.isShallow, isPartial: larder.isPartial)
  }

  /// Returns the words for an error of git, libgit2 or the system.
  func errorWords(for error: GitError) -> ErrorWords {
    var error = error
    if isShallow, error.code == .notFound { error.code = .shallow }
    return words(about: error)
  }

  /// Returns the messages of the remote's own programs, such as a hook that refuses a push.
  private func remarks(of error: GitError) -> [Problem] {
    let label = "remote: "
    // The first line is already the reason.
    let said = error.detail.split(separator: "\n").dropFirst().filter { $0.hasPrefix(label) }
      .map { String($0.dropFirst(label.count)).trimmingEnd }
    // A hook and the git that runs it write side by side; the hook's words say why.
    let ofGit = said.filter { $0.hasPrefix("error: ") }
    return (said.filter { !$0.hasPrefix("error: ") } + ofGit).map { Problem("it says: " + $0) }
  }

  private func words(about error: GitError) -> ErrorWords {
    func failure(_ kind: ErrorKind, _ reason: String, _ hints: String...) -> ErrorWords {
      let place = error.path.map { " (\($0))" } ?? ""
      return ErrorWords(
        kind, "could not \(error.action)\(place): \(reason)", problems: remarks(of: error),
        hints: hints)
    }
    // The first line is the reason; git's further lines are advice for people who ran git
    // themselves.
    let line = error.detail.split(separator: "\n").first.map { withoutLabel(String($0)) }
    let said = line ?? "git gave no reason"
    let isPush = error.action == "push"
    switch error.code {
    case .locked:
      let file = error.path ?? "the lock file"
      return failure(
        .locked, "another program holds its lock file",
        isPush
          ? "if nobody is sending to the remote, remove \(file) there"
          : "if no git or larder is running, remove \(file)")
    case .ownership:
      let folder = error.path.map { $0.hasSuffix("/.git") ? String($0.dropLast(5)) : $0 } ?? "DIR"
      return failure(
        .notAllowed, said,
        "if you trust it: git config --global --add safe.directory \(shellWord(folder))")
    case .conflict:
      return failure(
        .locked, line ?? "somebody else changed it meanwhile",
        "somebody else was quicker: try again")
    case .otherHash:
      return failure(
        .failed, "its objects have SHA-256 ids, and larder reads SHA-1 only",
        "nothing is damaged; 'git log' works as before",
        "a copy of its files without .git becomes a household that larder reads: "
          + "'larder init' in the copy, and a new remote for it")
    case .otherFormat:
      let isReftable = said.contains("refstorage")
      return failure(
        .failed, said, "nothing is damaged; plain git works as before",
        isReftable
          ? "'git refs migrate --ref-format=files' there makes it one that larder reads"
          : "'git clone' of it makes a copy without the extension")
    case .notFound where isPartial:
      return failure(
        .failed, "git left it out when this was cloned",
        "'larder doctor --fix' fetches what is missing; larder needs all of it")
    case .notFound: return failure(.failed, said, MessageWords.mendingDamage)
    case .other where isReading(error), .invalid where isReading(error):
      return failure(.failed, said, MessageWords.mendingDamage)
    case .exists, .invalid, .tooLarge, .other: return failure(.failed, said)
    case .shallow:
      return failure(
        .failed, "the clone is shallow and its history ends here",
        "'git fetch --unshallow' brings the whole history")
    case .authentication:
      return failure(
        .notAllowed, said,
        (error.action == "clone" ? "'git ls-remote' of it" : "'git fetch' in the household")
          + " must work without a question; set up a credential helper or an SSH key for it")
    case .unknownHostKey:
      return failure(
        .notAllowed, "the server's host key is not known on this device",
        "connect to the server once with 'ssh', compare its key, and accept it")
    case .changedHostKey:
      return failure(
        .notAllowed, "the server's host key is not the one that this device knows",
        "somebody may intercept the connection; if the server was set up again, this forgets its old key: "
          + forgetting(error))
    case .untrustedCertificate:
      return failure(
        .notAllowed, "this device does not trust the server's certificate",
        "somebody may intercept the connection; if the certificate is your own, "
          + "'git config --global http.sslCAInfo FILE' makes git trust it")
    case .noRoom where isPush:
      return failure(
        .unreachable, "the remote's disk is full",
        "make room over there; your changes here are kept, and 'larder sync' sends it")
    case .noRoom: return failure(.failed, said, "make room on the disk and try again")
    case .unsigned:
      return failure(
        .failed, said,
        "nothing is written; 'git commit --allow-empty -m test' must sign without a mistake",
        "'larder git -- config commit.gpgSign false' goes on without signatures in this household")
    case .noProgram: return failure(.unreachable, said, Self.installingGit)
    case .unreachable where error.action == "clone", .noRepository where error.action == "clone":
      return failure(
        .unreachable, said, "look at the address, and whether 'git ls-remote' reaches it")
    case .unreachable:
      return failure(.unreachable, said, "your changes here are kept; the same command tries again")
    case .noRepository:
      return failure(
        .unreachable, said,
        "your changes here are kept; 'larder git -- remote -v' shows the address")
    case .notFastForward:
      return failure(
        .unreachable, "somebody else sent commits meanwhile",
        "'larder sync' fetches them and sends yours")
    case .refused where error.detail.contains("unpacker error"):
      return failure(
        .notAllowed, said,
        "it could not store what was sent; 'larder doctor' tells whether that is damaged here")
    case .refused:
      return failure(
        .notAllowed, said, "your changes here are kept; the remote's owner knows its rules")
    }
  }

  private func withoutLabel(_ line: String) -> String {
    var line = line
    for label in ["remote: ", "fatal: ", "error: "] where line.hasPrefix(label) {
      line = String(line.dropFirst(label.count))
    }
    // The message already has the address.
    if line.hasPrefix("unable to access '"), let address = line.firstRange(of: "': ") {
      line = String(line[address.upperBound...])
    }
    return line.trimmingEnd
  }

  /// Returns the command that ssh suggests, as it was before version 9.9 and is since, in our own quotes.
  private func forgetting(_ error: GitError) -> String {
    let suggestion = /ssh-keygen -f (["'])(.+?)\1 -R (["'])(.+?)\3/
    guard let words = error.detail.firstMatch(of: suggestion)?.output else {
      return "ssh-keygen -R HOST"
    }
    return "ssh-keygen -f \(shellWord(String(words.2))) -R \(shellWord(String(words.4)))"
  }

  /// Whether the error is about reading something that should be in the repository.
  private func isReading(_ error: GitError) -> Bool {
    let actions = ["read ", "walk ", "compare ", "find the common", "look ", "refresh the index"]
    return actions.contains { error.action.hasPrefix($0) } || error.action == "open the repository"
  }

  /// The hint for a device without git.
  package static let installingGit =
    "install git, by 'apt-get install git' or 'brew install git' for example: syncing with remotes "
    + "needs it; all else goes on without"

}

extension String {
  /// The text without spaces at its end; git pads a remote's lines with them.
  fileprivate var trimmingEnd: String {
    var text = self[...]
    while text.last?.isWhitespace ?? false { text.removeLast() }
    return String(text)
  }
}

extension LooseHead {
  /// The sentence of commands that refuse, of `status` and of `doctor`.
  package var sentence: String {
    "nothing is written while no branch is checked out: the commit would belong to none"
  }

  /// The ways to a branch; none of them leaves a commit behind.
  package var ways: [String] {
    isJujutsu ? [jujutsuWay] : unkept > 0 ? waysWithCommits : [way(to: branch)]
  }

  private func way(to branch: String?) -> String {
    branch.map { "'larder git -- switch \($0)' goes to the branch \($0)" }
      ?? "'larder git -- switch -c NAME' makes a branch of what is checked out"
  }

  private var waysWithCommits: [String] {
    guard let branch else { return [way(to: nil)] }
    let name = "kept-\(commit.short)"
    return [
      "\(counted(unkept, "commit")) here \(unkept == 1 ? "is" : "are") in no branch: "
        + "'larder git -- branch \(name)' keeps \(unkept == 1 ? "it" : "them")",
      "then \(way(to: branch)), and 'larder git -- merge \(name)' takes "
        + "\(unkept == 1 ? "it" : "them") in",
    ]
  }

  /// In a jj workspace, larder goes on by itself once exactly one bookmark is at HEAD.
  private var jujutsuWay: String {
    let how = branch.map { "'jj bookmark move \($0) --to @-'" } ?? "'jj bookmark create main -r @-'"
    return
      "jj has taken HEAD from its branch, and larder commits to the one bookmark at @-: \(how) "
      + "puts it there"
  }
}

extension LeftCommit {
  package var sentence: String {
    let more = count > 1 ? " and \(counted(count - 1, "commit")) before it" : ""
    return
      "\(commit.id.short) (\(commit.subject))\(more) was made while no branch was checked out, "
      + "and no branch has it"
  }
}

extension AttributeFault {
  private var files: String {
    safePath(path.text) + (others > 0 ? " and \(counted(others, "other file"))" : "")
  }

  private var setting: String { "\(name)=\(value)" }

  /// What git does with the files.
  package var sentence: String {
    switch name {
    case "filter":
      "git passes \(files) through the filter '\(value)', which larder does not do, so larder writes "
        + "nothing here and syncs nothing"
    case "working-tree-encoding":
      "git keeps \(files) in the encoding \(value), and larder in UTF-8, so larder writes nothing here "
        + "and syncs nothing"
    case "merge": "git merges \(files) with \(setting), not with larder's merge driver"
    case "diff": "git shows changes of \(files) with \(setting), not in larder's words"
    case "ident": "git replaces $Id$ in \(files) when it checks them out"
    default: "git checks \(files) out with \(setting), and larder writes LF"
    }
  }

  /// The sentence of a command that refuses.
  package var refusal: String {
    let what = commit.map { "nothing of \($0.short) is taken: there " } ?? "nothing is written: "
    return name == "filter"
      ? what
        + "git passes \(files) through the filter '\(value)', and larder would store plain text"
      : what + "git keeps \(files) in the encoding \(value), and larder would store UTF-8"
  }

  package var ways: [String] {
    let look = "'larder git -- check-attr -a \(safePath(path.text))' shows the attributes"
    if commit != nil {
      return [
        "whoever set the attribute in .gitattributes can take it out again; all that is here goes on"
      ]
    }
    if isFilter {
      return [
        look
          + "; without this one in .gitattributes or .git/info/attributes, larder writes again, as "
          + "plain text", "with it, larder only reads the files as they are in this folder",
      ]
    }
    return [
      look
        + "; the last line that matches wins: put larder's lines at the end of .gitattributes, and "
        + "take others out of folders below and of .git/info/attributes"
    ]
  }
}
