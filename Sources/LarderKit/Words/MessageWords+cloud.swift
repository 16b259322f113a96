import LarderCloud
import LarderModel
import Libc

extension MessageWords {
  /// Returns the words for an error of the cloud.
  func errorWords(for error: CloudError) -> ErrorWords {
    switch error {
    case .offline(let error): errorWords(for: error)
    case .notSignedIn:
      ErrorWords(
        .notAllowed, "nobody is signed in to the project", "'larder cloud login EMAIL' signs you in"
      )
    case .signInAgain(let code):
      ErrorWords(
        .notAllowed, "the session with the project is over (\(code))",
        "'larder cloud login EMAIL' signs you in again; nothing is lost")
    case .forbidden(let code, let message):
      ErrorWords(
        .notAllowed, "the project does not allow it: \(message) (\(code))",
        "only members may read and write a household: ask one for 'larder cloud invite', and accept it with 'larder cloud join --invite CODE'",
        "everything stays on this device")
    case .schemaMismatch("larder_missing", let message):
      ErrorWords(
        .failed, "the project's database lacks what this larder needs: \(message)",
        "have its owner put back what is named, as supabase/migrations of Larder's sources has it",
        "then run the same command again; your changes here are kept")
    case .schemaMismatch(let code, let message):
      ErrorWords(
        .failed, "the project's tables are older than this larder needs: \(message) (\(code))",
        "run the files in supabase/migrations of Larder's sources, in the order of their names, with 'supabase db push' or in the project's SQL editor; one that ran already is refused, and changes nothing",
        "then run the same command again; your changes here are kept")
    case .conflict(let code, let message):
      ErrorWords(.failed, "the project refused it: \(message) (\(code))")
    case .rejected(let refusal): aboutRefusal(refusal)
    case .rateLimited(let pause):
      ErrorWords(
        .unreachable,
        "the project asks for a pause" + (pause.map { " of \($0.components.seconds) s" } ?? "")
          + ": it had too many requests",
        "your changes here are kept; after the pause the same command tries again")
    case .server(540, _, _):
      ErrorWords(
        .unreachable, "the project is paused",
        "its owner starts it again in the project's dashboard", stays)
    case .server(let status, let code, _):
      ErrorWords(
        .unreachable,
        "the project has trouble of its own: it answered \(status)"
          + (code.map { " (\($0))" } ?? ""),
        stays)
    case .malformedAnswer(let flaw):
      ErrorWords(
        .unreachable, "the project's answer can't be read: \(words(for: flaw))",
        "something between here and the project may have answered in its place, such as the sign-in page of a network",
        stays)
    case .cancelled: ErrorWords(.failed, "stopped", stays)
    case .credentials(let error): errorWords(for: error)
    }
  }

  private var stays: String { "your changes here are kept; the same command tries again" }

  private func aboutRefusal(_ refusal: Refusal) -> ErrorWords {
    let message = refusal.message ?? "no reason given"
    switch refusal.code {
    case "invalid_credentials":
      return ErrorWords(
        .notAllowed, "the e-mail address or the password is wrong",
        "'larder cloud login EMAIL --sign-up' makes a new user, if the project allows it")
    case "user_already_exists", "email_exists":
      return ErrorWords(
        .notAllowed, "the project has a user of this e-mail address already",
        "'larder cloud login EMAIL', without --sign-up, signs in")
    case "weak_password":
      return ErrorWords(
        .notAllowed, "the project wants a stronger password: \(message)",
        "run the same command with another one")
    case "otp_expired":
      return ErrorWords(
        .notAllowed, "the code is wrong or has expired",
        "'larder cloud reset EMAIL' lets the project send another one")
    case "same_password":
      return ErrorWords(
        .usage, "the new password is the old one", "run the same command with another one")
    case "email_not_confirmed":
      return ErrorWords(
        .notAllowed, "the mail that the project sent to this address has not been answered yet",
        "open the link in it; then the same command signs you in")
    // The errors of the functions in supabase/migrations.
    case "P0001":
      return ErrorWords(
        .failed, message,
        "ask a member for a new code: 'larder cloud invite' makes one that is good once")
    case nil where refusal.status == 401:
      return ErrorWords(
        .notAllowed, "the project does not take the key that this device has: \(message)",
        "'larder cloud connect URL' asks for it again: the anon key on the project's API settings page"
      )
    case nil where refusal.status == 404:
      return ErrorWords(
        .failed, "no project answers at this address (404)",
        "'larder cloud status' shows the address; 'larder cloud connect URL' takes another one")
    default:
      return ErrorWords(
        .failed, "the project refused it: \(message)\(code(of: refusal))",
        hints: [refusal.hint, "your changes here are kept"].compactMap(\.self))
    }
  }

  /// Returns the code after a message; codes of Larder's own tables are omitted, because they mean
  /// nothing to people.
  private func code(of refusal: Refusal) -> String {
    let code = refusal.code ?? String(refusal.status)
    return code.wholeMatch(of: /LA\d{3}/) == nil ? " (\(code))" : ""
  }

  private func words(for flaw: AnswerFlaw) -> String {
    switch flaw {
    case .tooLong: "it is over 16 MiB"
    case .notJSON: "it is not JSON"
    case .expected(let what): "\(what) was expected"
    case .missing(let key): "it lacks \(key)"
    }
  }

  func errorWords(for error: TransportError) -> ErrorWords {
    let message: String
    var kind = ErrorKind.unreachable
    var hints = [stays]
    switch error {
    case .unresolved(let host):
      message = "can't find \(host)"
      hints = [isOnline, stays]
    case .unreachable(let host):
      message = "can't reach \(host)"
      hints = [isOnline, stays]
    case .timedOut(let host): message = "\(host) says nothing"
    case .insecure(let host, let detail):
      message = "the connection to \(host) is not safe: \(detail)"
    case .connectionLost(let host): message = "the connection to \(host) broke"
    case .cancelled: message = "stopped"
    case .redirected(let host):
      kind = .failed
      message =
        "the project redirects requests" + (host.map { " to \($0)" } ?? "")
        + ", which larder does not follow: they hold your tokens"
      hints = [
        "'larder cloud connect URL' takes the project's own address, if this is not it any more",
        "your changes here are kept",
      ]
    case .other(let host, let detail): message = "can't talk to \(host): \(detail)"
    }
    return ErrorWords(kind, message, hints: hints)
  }

  private var isOnline: String {
    "is this device online? 'larder cloud status' shows the project's address"
  }

  func errorWords(for error: CloudSyncError) -> ErrorWords {
    switch error {
    case .notAMember:
      ErrorWords(
        .notAllowed, "you do not belong to this household in the project",
        MessageWords.aboutInvitations)
    case .taken(let household):
      ErrorWords(
        .notAllowed,
        "the project has a household of this id already, or keeps it for those who left it, and you are none of them",
        "if you share it with somebody who created it there, or left it, they sync and run 'larder cloud invite'; you accept with 'larder cloud join --invite CODE'",
        "if a stranger created it, or none of them is there any more, " + erasing(household),
        "'larder cloud connect URL' takes another project; everything stays on this device")
    case .newerFormat(let format):
      ErrorWords(
        .invalidData,
        "the project has the household in format \(format), which this program can't write",
        hints: MessageWords.aboutNewerFormat)
    }
  }

  /// The hint for a user who is not a member of the household.
  package static let aboutInvitations =
    "ask a member for 'larder cloud invite'; everything stays on this device"

  /// Returns the hint that only the project's owner can follow.
  private func erasing(_ household: String) -> String {
    "the project's owner runs \"select larder.erase('\(household)');\" in its SQL editor, and your next 'larder sync' creates it"
  }

  /// The hints for a project that has a newer format of the household.
  package static let aboutNewerFormat = [
    "get a newer larder; 'larder version' shows what this one writes",
    "if it was a mistake, any member can write format \(Schema.format) back in the project's table households",
    "what is done here is kept and sent there afterwards; git still syncs",
  ]

  func errorWords(for error: CloudProjectError) -> ErrorWords {
    func failure(_ message: String, _ hint: String) -> ErrorWords {
      ErrorWords(.usage, message, hint)
    }
    return switch error {
    case .noAddress:
      failure(
        "that is no address of a project",
        "one is like https://abc.supabase.co, and on the project's API settings page")
    case .unknownScheme(let scheme): failure("'\(scheme)' is not https", onlyHTTPS)
    case .notSecure(let host):
      failure("plain http to \(host) would show your tokens to everybody on the way", onlyHTTPS)
    case .namesUser(let host):
      failure(
        "the address of \(host) names a user",
        "remove the part before the '@'; 'larder cloud login EMAIL' says who you are")
    case .hasQuery(let host):
      failure("the address of \(host) has more after a '?' or '#'", "leave that out")
    case .badKey:
      failure(
        "that is no key of a project",
        "the anon key, or publishable key, is on the project's API settings page")
    case .secretKey:
      failure(
        "that is the project's secret key, which no device should have",
        "take the anon key, or publishable key, from the project's API settings page")
    }
  }

  private var onlyHTTPS: String {
    "type the address with https://; plain http is for a server on this machine"
  }

  func errorWords(for error: CredentialsError) -> ErrorWords {
    switch error {
    case .noHome: ErrorWords(.failed, "there is no place for credentials: HOME is not set")
    case .unreadable(let path, let position):
      ErrorWords(
        .invalidData,
        "your credentials can't be read: they are no JSON at \(place(path, position))",
        mendCredentials(path))
    case .malformed(let path, let position, let key):
      ErrorWords(
        .invalidData,
        "your credentials can't be read: '\(key)' is not what it should be at \(place(path, position))",
        mendCredentials(path))
    case .exposed(let path, let mode):
      ErrorWords(
        .failed, "\(path) can be read or changed by others (\(String(mode, radix: 8)))",
        "'chmod go-rwx \(shellWord(path))' closes it; if somebody else may have read it, log in again"
      )
    case .foreign(let path): ErrorWords(.failed, "\(path) belongs to another user")
    case .notAFile(let path): ErrorWords(.failed, "\(path) is not a file")
    case .locked(let path, _):
      ErrorWords(
        .locked, "another process is using your credentials (\(path))", "try again in a moment")
    case .system(let action, let path, let code):
      ErrorWords(.failed, "can't \(action) \(path): \(String(cString: strerror(code)))")
    }
  }

  private func place(_ path: String, _ position: TextPosition) -> String {
    "\(path):\(position.line):\(position.column)"
  }

  private func mendCredentials(_ path: String) -> String {
    "mend \(path), or move it away and log in again"
  }

  func errorWords(for error: CloudUseError) -> ErrorWords {
    switch error {
    case .notConnected:
      ErrorWords(
        .notFound, "the household is connected to no project",
        "'larder cloud connect URL' says which; 'larder cloud connect --example' shows how")
    case .localOnly:
      ErrorWords(
        .notAllowed, "this clone leaves the cloud alone: its setting localOnly is yes",
        "'larder config localOnly no' ends that")
    case .signUpUnconfirmed(let email):
      ErrorWords(
        .notAllowed, "the project sent a mail to \(email), which has to be answered first",
        "then 'larder cloud login \(shellWord(email))' signs you in; so does '--code CODE', if the mail has a code"
      )
    case .otherHousehold(let invited, _):
      ErrorWords(
        .failed, "the code invites into another household (\(invited))",
        "'larder cloud join URL --invite CODE' brings that one into a folder of its own")
    case .whichMember(let words, let names):
      ErrorWords(
        .notFound, "'\(words)' is not the name of exactly one member",
        "'larder cloud members' shows them, with ids in --plain",
        problems: names.map { Problem($0) })
    case .whichInvite(let words, let ids):
      ErrorWords(
        .notFound, "no open invitation begins with '\(words)'",
        "'larder cloud invites' shows them; somebody who has used one is a member",
        problems: ids.map { Problem($0) })
    case .ownMembership:
      ErrorWords(
        .usage, "that is you", "'larder cloud disconnect --leave' gives up your membership")
    case .cameBefore(let name):
      ErrorWords(
        .notAllowed, "\(name) joined before you, so you can't remove them",
        "ask somebody who has belonged to the household for longer")
    case .whichHousehold(let households):
      ErrorWords(
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
  func errorWords(for error: CloudJoiningError) -> ErrorWords {
    var failure = errorWords(for: error.reason)
    let isAboutSchema = if case CloudError.schemaMismatch = error.reason { true } else { false }
    failure.hints = isAboutSchema ? Array(failure.hints.prefix(1)) : []
    failure.hints.append(
      "the household is in \(error.folder) and connected: 'larder sync' there brings the rest")
    return failure
  }
}
