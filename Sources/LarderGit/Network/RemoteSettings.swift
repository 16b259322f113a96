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
