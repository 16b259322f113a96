#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// How git is to behave towards another machine where nobody has said so: by itself it waits for
/// ever for one that says nothing, and `ssh` asks questions whenever it finds a terminal.
struct NetworkManners {
  /// Seconds until a silent HTTP server, which git keeps alive while it works, is given up.
  private static let silence = 60
  /// Seconds for an SSH server to answer, and between the questions whether it is still there.
  private static let connecting = 30
  private static let checking = 20

  /// Settings of git's by their names in small letters; the last value counts.
  private var configured: [String: String] = [:]

  /// Reads `git config --null --list`'s form of what people configured.
  init(configuration: String) {
    for record in configuration.split(separator: "\0") {
      let parts = record.split(separator: "\n", maxSplits: 1)
      if let name = parts.first { configured[name.lowercased()] = parts.dropFirst().joined() }
    }
  }

  /// The words that make git tell what people configured.
  static let question = [
    "config", "--null", "--get-regexp", "^(core\\.sshcommand|http\\..*lowspeed(limit|time))$",
  ]

  /// The variables for git's surroundings, beside those that are there.
  func settings(mayAsk: Bool) -> [String] {
    transferLimit + shell(mayAsk)
  }

  private var transferLimit: [String] {
    let isConfigured =
      configured.keys.contains { $0.hasPrefix("http.") }
      || ["GIT_HTTP_LOW_SPEED_LIMIT", "GIT_HTTP_LOW_SPEED_TIME"].contains { variable($0) != nil }
    return isConfigured
      ? [] : ["GIT_HTTP_LOW_SPEED_LIMIT=1", "GIT_HTTP_LOW_SPEED_TIME=\(Self.silence)"]
  }

  private func shell(_ mayAsk: Bool) -> [String] {
    let silent = mayAsk ? "" : " -o BatchMode=yes"
    if let command = variable("GIT_SSH_COMMAND") ?? configured["core.sshcommand"] {
      // Only of OpenSSH's own program it is known how to keep it from asking.
      let program = command.prefix { $0 != " " }
      let isKnown = program == "ssh" || program.hasSuffix("/ssh")
      return isKnown && !mayAsk ? ["GIT_SSH_COMMAND=" + command + silent] : []
    }
    if variable("GIT_SSH") != nil { return [] }
    // An option on the command line would override ~/.ssh/config, so ssh tells what it says there.
    let limits =
      "s/^connecttimeout none$/-oConnectTimeout=\(Self.connecting)/p;"
      + "s/^serveraliveinterval 0$/-oServerAliveInterval=\(Self.checking)/p"
    let ask = "ssh -G \"$@\" 2>/dev/null | sed -n '\(limits)'"
    return ["GIT_SSH_COMMAND=ssh\(silent) $(\(ask))", "GIT_SSH_VARIANT=ssh"]
  }

  private func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

extension GitProgram {
  /// The manners for a remote: none on this machine, else what people left open.
  ///
  /// `ask` runs the program where the configuration counts.
  func manners(
    _ location: RemoteLocation, action: String,
    asking ask: ([String]) throws(GitError) -> Outcome
  ) throws(GitError) -> [String] {
    guard location == .network else { return [] }
    // Status 1 is that nothing of it is configured.
    let configuration = try ask(NetworkManners.question).output
    return NetworkManners(configuration: configuration).settings(mayAsk: Self.mayAsk)
  }
}
