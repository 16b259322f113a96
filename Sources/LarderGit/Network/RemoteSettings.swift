internal import LarderText
internal import Libc

/// The git configuration of one remote.
///
/// libgit2 1.5 finds a remote by patterns that it tries on every entry, and leaks 20 KB of memory
/// for each pattern that does not match. Reading the entries here keeps the memory of a program
/// that syncs for weeks constant.
struct RemoteSettings {
  let name: String
  /// The URL to fetch from, with `insteadOf` applied; empty if only a push URL is set.
  let url: String
  /// The URL to push to; nil if it is the URL to fetch from.
  let pushURL: String?
  let fetchRules: [String]

  /// Nil if the configuration has no such remote.
  init?(_ name: String, in entries: [ConfigurationEntry]) {
    let own = entries.filter { $0.isOf("remote", name) }
    func last(_ variable: String) -> String? { own.last { $0.variable == variable }?.value }
    let url = last("url")
    let pushURL = last("pushurl")
    fetchRules = own.filter { $0.variable == "fetch" }.map(\.value)
    guard url != nil || pushURL != nil || !fetchRules.isEmpty else { return nil }
    let fetched = Substitutions("insteadof", in: entries)
    self.name = name
    self.url = url.map { fetched.applied(to: $0) ?? $0 } ?? ""
    self.pushURL =
      pushURL.map { fetched.applied(to: $0) ?? $0 }
      ?? url.flatMap { Substitutions("pushinsteadof", in: entries).applied(to: $0) }
  }

  /// The names of all remotes, sorted.
  static func names(in entries: [ConfigurationEntry]) -> [String] {
    let named = entries.filter {
      $0.section == "remote" && ["url", "pushurl"].contains($0.variable)
    }
    return Set(named.compactMap(\.subsection)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}

/// The rules of `insteadOf` or `pushInsteadOf`, which replace the beginnings of URLs.
private struct Substitutions {
  private let entries: [ConfigurationEntry]

  init(_ variable: String, in entries: [ConfigurationEntry]) {
    self.entries = entries.filter { $0.section == "url" && $0.variable == variable }
  }

  /// Returns a URL with its longest matching beginning replaced, or nil if none matches.
  func applied(to url: String) -> String? {
    var best: ConfigurationEntry?
    for entry in entries where url.utf8.starts(with: entry.value.utf8) {
      if entry.value.utf8.count > best?.value.utf8.count ?? 0 { best = entry }
    }
    return best.map { entry in
      (entry.subsection ?? "")
        + String(decoding: url.utf8.dropFirst(entry.value.utf8.count), as: UTF8.self)
    }
  }
}

/// Defaults for git's network access, for settings that the user has not made.
///
/// By default, git waits forever for a silent server, and `ssh` asks questions whenever there is a
/// terminal.
struct NetworkDefaults {
  /// Seconds until a silent HTTP server is given up; git keeps the connection alive while it works.
  private static let silence = 60
  /// Seconds to wait for an SSH server, and between the checks whether it still answers.
  private static let connecting = 30
  private static let checking = 20

  /// Git's settings by their names in lower case; the last value counts.
  private var configured: [String: String] = [:]

  /// Reads the output of `git config --null --list`.
  init(configuration: String) {
    for record in configuration.split(separator: "\0") {
      let parts = record.split(separator: "\n", maxSplits: 1)
      if let name = parts.first { configured[name.lowercased()] = parts.dropFirst().joined() }
    }
  }

  /// The arguments that make git print the user's settings.
  static let question = [
    "config", "--null", "--get-regexp", "^(core\\.sshcommand|http\\..*lowspeed(limit|time))$",
  ]

  /// Returns the environment variables to add for git.
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
      // Only OpenSSH's own program is known to have an option that turns questions off.
      let program = command.prefix { $0 != " " }
      let isKnown = program == "ssh" || program.hasSuffix("/ssh")
      return isKnown && !mayAsk ? ["GIT_SSH_COMMAND=" + command + silent] : []
    }
    if variable("GIT_SSH") != nil { return [] }
    // An option on the command line would override ~/.ssh/config, so `ssh -G` tells what is set
    // there.
    let limits =
      "s/^connecttimeout none$/-oConnectTimeout=\(Self.connecting)/p;"
      + "s/^serveraliveinterval 0$/-oServerAliveInterval=\(Self.checking)/p"
    let ask = "ssh -G \"$@\" 2>/dev/null | sed -n '\(limits)'"
    return ["GIT_SSH_COMMAND=ssh\(silent) $(\(ask))", "GIT_SSH_VARIANT=ssh"]
  }

  private func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

extension GitProgram {
  /// Returns the environment variables for a remote.
  ///
  /// For a remote on this machine there are none.
  ///
  /// `ask` runs the program where the configuration applies.
  func networkDefaults(
    for url: String, action: String, asking ask: ([String]) throws(GitError) -> Outcome
  ) throws(GitError) -> [String] {
    guard Self.isElsewhere(url) else { return [] }
    // Status 1 means that none of these settings is made.
    let configuration = try ask(NetworkDefaults.question).output
    return NetworkDefaults(configuration: configuration).settings(mayAsk: Self.mayAsk)
  }

  /// Whether a URL is of another machine, as git sees it: it has a scheme other than `file`, or is the
  /// short form for SSH, `host:folder`, with a colon before any slash.
  static func isElsewhere(_ url: String) -> Bool {
    let (colon, slash) = (UInt8(ascii: ":"), UInt8(ascii: "/"))
    let first = url.utf8.firstIndex { $0 == colon || $0 == slash }
    guard let first, url.utf8[first] == colon else { return false }
    return !url.begins(withBytesOf: "file://")
  }
}
