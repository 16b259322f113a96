import LarderCloud
import LarderJSON
import LarderModel

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Prose {
  /// Why the cloud did not do what it was asked.
  func commandError(for error: CloudError) -> CommandError {
    switch error {
    case .offline(let error): commandError(for: error)
    case .notSignedIn:
      CommandError(
        .notAllowed, "nobody is signed in to the project",
        hints: ["'larder cloud login EMAIL' signs you in"])
    case .signInAgain(let code):
      CommandError(
        .notAllowed, "the session with the project is over (\(code))",
        hints: ["'larder cloud login EMAIL' signs you in again; nothing is lost"])
    case .forbidden(let code, let message):
      CommandError(
        .notAllowed, "the project does not allow it: \(message) (\(code))",
        hints: [
          "only members may read and write a household: ask one for 'larder cloud invite', and accept it with 'larder cloud join --invite CODE'"
        ])
    case .schemaMismatch(let code, let message):
      CommandError(
        .failed, "the project's tables are not those that this larder needs: \(message) (\(code))",
        hints: [
          "run the files in supabase/migrations, with 'supabase db push' or in the SQL editor"
        ])
    case .conflict(let code, let message):
      CommandError(.failed, "the project refused it: \(message) (\(code))")
    case .rejected(let refusal): aboutRefusal(refusal)
    case .rateLimited(let pause):
      CommandError(
        .unreachable,
        "the project asks for a pause" + (pause.map { " of \($0.components.seconds) s" } ?? ""),
        hints: [stays])
    case .server(let status, let code, _):
      CommandError(
        .unreachable,
        "the project has trouble of its own: it answered \(status)"
          + (code.map { " (\($0))" } ?? ""),
        hints: [stays])
    case .malformedAnswer(let flaw):
      CommandError(
        .unreachable, "the project's answer can't be read: \(words(for: flaw))",
        hints: ["something between here and the project may have answered in its place", stays])
    case .cancelled: CommandError(.failed, "stopped", hints: [stays])
    case .credentials(let error): commandError(for: error)
    }
  }

  private var stays: String {
    "what was done here stays done; the same command tries again"
  }

  private func aboutRefusal(_ refusal: Refusal) -> CommandError {
    if refusal.code == "invalid_credentials" {
      return CommandError(
        .notAllowed, "the e-mail address or the password is wrong",
        hints: [
          "'larder cloud login EMAIL --sign-up' makes a new user, where the project lets people"
        ])
    }
    let code = refusal.code ?? String(refusal.status)
    return CommandError(
      .failed, "the project refused it: \(refusal.message ?? "no reason given") (\(code))",
      hints: refusal.hint.map { [$0] } ?? [])
  }

  private func words(for flaw: AnswerFlaw) -> String {
    switch flaw {
    case .tooLong: "it is over 16 MiB"
    case .notJSON: "it is not JSON"
    case .expected(let what): "\(what) was expected"
    case .missing(let key): "it lacks \(key)"
    }
  }

  func commandError(for error: TransportError) -> CommandError {
    let message: String
    var kind = ErrorKind.unreachable
    switch error {
    case .unresolved(let host): message = "can't find \(host)"
    case .unreachable(let host): message = "can't reach \(host)"
    case .timedOut(let host): message = "\(host) says nothing"
    case .insecure(let host, let detail):
      message = "the connection to \(host) is not safe: \(detail)"
    case .connectionLost(let host): message = "the connection to \(host) broke"
    case .cancelled: message = "stopped"
    case .redirected(let host):
      kind = .failed
      message =
        "the project sends requests on" + (host.map { " to \($0)" } ?? "")
        + ", which is not followed: they hold your tokens"
    case .other(let host, let detail): message = "can't talk to \(host): \(detail)"
    }
    return CommandError(kind, message, hints: [stays])
  }

  func commandError(for error: CloudSyncError) -> CommandError {
    switch error {
    case .notAMember:
      CommandError(
        .notAllowed, "you do not belong to this household in the project any more",
        hints: ["ask a member for 'larder cloud invite'; everything stays on this device"])
    }
  }

  func commandError(for error: CloudProjectError) -> CommandError {
    let message =
      switch error {
      case .noAddress: "that is no address of a project"
      case .unknownScheme(let scheme): "'\(scheme)' is not https"
      case .notSecure(let host):
        "plain http to \(host) would show your tokens to everybody on the way"
      case .namesUser(let host): "the address of \(host) names a user"
      case .hasQuery(let host): "the address of \(host) goes on behind a '?' or '#'"
      case .badKey: "that is no key of a project"
      case .secretKey: "that is the project's secret key, which no device is to have"
      }
    return CommandError(
      .usage, message,
      hints: ["the address and the anon key are on the project's API settings page"])
  }

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
        hints: ["'chmod go-rwx \(path)' closes it; if somebody else may have read it, log in again"]
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
        .notAllowed, "this household is to stay local",
        hints: ["'larder config localOnly no' lets it be synced with the cloud again"])
    case .nothingTyped(let what, let option):
      CommandError(
        .usage, "the \(what) can't be asked for: there is no terminal",
        hints: ["\(option) gives it"])
    case .emptyInput(let what): CommandError(.usage, "the \(what) is empty")
    case .signUpUnconfirmed(let email):
      CommandError(
        .notAllowed, "the project sent a mail to \(email), which has to be answered first",
        hints: ["then 'larder cloud login \(email)' signs you in"])
    case .otherHousehold(let invited, _):
      CommandError(
        .failed, "the code invites into another household (\(invited))",
        hints: ["'larder cloud join URL --invite CODE' brings that one into a folder of its own"])
    case .whichHousehold(let households):
      CommandError(
        households.isEmpty ? .notFound : .ambiguous,
        households.isEmpty
          ? "you belong to no household in the project"
          : "which household? '--household ID' says",
        problems: households.map { Problem("\($0.name)  \($0.id)") },
        hints: households.isEmpty ? ["a member's 'larder cloud invite' makes a code for you"] : [])
    }
  }
}
