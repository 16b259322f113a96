import LarderJSON
import LarderKit
import LarderModel
import Libc

/// The words for errors on this device that prevent the use of the cloud.
extension MessageWords {
  func commandError(for error: CredentialsError) -> CommandError {
    switch error {
    case .noHome: CommandError(.failed, "there is no place for credentials: HOME is not set")
    case .unreadable(let path, let position):
      CommandError(
        .invalidData,
        "your credentials can't be read: they are no JSON at \(place(path, position))",
        hints: [mendCredentials(path)])
    case .malformed(let path, let position, let key):
      CommandError(
        .invalidData,
        "your credentials can't be read: '\(key)' is not what it should be at \(place(path, position))",
        hints: [mendCredentials(path)])
    case .exposed(let path, let mode):
      CommandError(
        .failed, "\(path) can be read or changed by others (\(String(mode, radix: 8)))",
        hints: [
          "'chmod go-rwx \(shellWord(path))' closes it; if somebody else may have read it, log in again"
        ]
      )
    case .foreign(let path): CommandError(.failed, "\(path) belongs to another user")
    case .notAFile(let path): CommandError(.failed, "\(path) is not a file")
    case .locked(let path, _):
      CommandError(
        .locked, "another process is using your credentials (\(path))",
        hints: ["try again in a moment"])
    case .system(let action, let path, let code):
      CommandError(.failed, "can't \(action) \(path): \(String(cString: strerror(code)))")
    }
  }

  private func place(_ path: String, _ position: TextPosition) -> String {
    "\(path):\(position.line):\(position.column)"
  }

  private func mendCredentials(_ path: String) -> String {
    "mend \(path), or move it away and log in again"
  }

  func commandError(for error: CloudUseError) -> CommandError {
    switch error {
    case .notConnected:
      CommandError(
        .notFound, "the household is connected to no project",
        hints: ["'larder cloud connect URL' says which; 'larder cloud connect --example' shows how"]
      )
    case .localOnly:
      CommandError(
        .notAllowed, "this clone leaves the cloud alone: its setting localOnly is yes",
        hints: ["'larder config localOnly no' ends that"])
    case .signUpUnconfirmed(let email):
      CommandError(
        .notAllowed, "the project sent a mail to \(email), which has to be answered first",
        hints: [
          "then 'larder cloud login \(shellWord(email))' signs you in; so does '--code CODE', if the mail has a code"
        ])
    case .otherHousehold(let invited, _):
      CommandError(
        .failed, "the code invites into another household (\(invited))",
        hints: ["'larder cloud join URL --invite CODE' brings that one into a folder of its own"])
    case .whichMember(let words, let names):
      CommandError(
        .notFound, "'\(words)' is not the name of exactly one member",
        problems: names.map { Problem($0) },
        hints: ["'larder cloud members' shows them, with ids in --plain"])
    case .whichInvite(let words, let ids):
      CommandError(
        .notFound, "no open invitation begins with '\(words)'",
        problems: ids.map { Problem($0) },
        hints: ["'larder cloud invites' shows them; somebody who has used one is a member"])
    case .ownMembership:
      CommandError(
        .usage, "that is you", hints: ["'larder cloud disconnect --leave' gives up your membership"]
      )
    case .cameBefore(let name):
      CommandError(
        .notAllowed, "\(name) joined before you, so you can't remove them",
        hints: ["ask somebody who has belonged to the household for longer"])
    case .whichHousehold(let households):
      CommandError(
        households.isEmpty ? .notFound : .ambiguous,
        households.isEmpty
          ? "you belong to no household in the project"
          : "which household? '--household ID' names it",
        problems: households.map { Problem("\($0.name)  \($0.id)") },
        hints: households.isEmpty ? ["a member's 'larder cloud invite' makes a code for you"] : [])
    }
  }

  /// Returns the words for a household that was joined but not fetched.
  ///
  /// The invitation is used up and the folder exists, so the same command would fail.
  func commandError(for error: CloudJoiningError) -> CommandError {
    var failure = commandError(for: error.reason)
    let isAboutSchema = if case CloudError.schemaMismatch = error.reason { true } else { false }
    failure.hints = isAboutSchema ? Array(failure.hints.prefix(1)) : []
    failure.hints.append(
      "the household is in \(error.folder) and connected: 'larder sync' there brings the rest")
    return failure
  }

  func commandError(for error: InputError) -> CommandError {
    switch error {
    case .nothingTyped(let what):
      CommandError(
        .usage, "nothing was typed for the \(what)", hints: ["the same command asks again"])
    case .nobodyToAsk(let what, let option):
      CommandError(
        .usage, "the \(what) can't be asked for: there is no terminal",
        hints: ["\(option) gives it"])
    case .emptyInput(let what): CommandError(.usage, "the \(what) is empty")
    }
  }
}

/// An error while asking the user for a value.
enum InputError: Error {
  /// There is no terminal to ask at, and no option has the value.
  case nobodyToAsk(what: String, option: String)
  /// The terminal's input ended.
  case nothingTyped(what: String)
  case emptyInput(what: String)
}
