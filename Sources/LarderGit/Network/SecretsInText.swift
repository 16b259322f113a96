extension String {
  /// The text without what addresses of remotes in it keep secret: passwords, names that may be tokens,
  /// and the values of queries.
  ///
  /// Messages of git and Larder end up in logs and on screens that others see. A password may have any
  /// character, so where one may be, rather too much is left out than too little.
  public var withoutSecrets: String {
    guard contains("@") || contains("=") || contains("://") else { return self }
    var text = replacing(/([A-Za-z][A-Za-z0-9+.\-]*):\/\/(\S+)/) { match in
      "\(match.1)://" + Self.cleaned(match.2, keepingName: match.1.lowercased().contains("ssh"))
    }
    // The short form for ssh has no password, but people write one.
    text = text.replacing(/(^|[\s'"(])([^\s'"(\/@:]+):[^\s'"]*@([^\s'"\/@:]+:)/) { match in
      "\(match.1)\(match.2)@\(match.3)"
    }
    return text.replacing(Self.namedSecret) { match in "\(match.1)=\(Self.leftOut)" }
  }

  private static let leftOut = "…"

  private nonisolated(unsafe) static let namedSecret =
    /([?&;][A-Za-z_\-]*(?:token|key|secret|pass|pw|auth|sig|cred|code|jwt)[A-Za-z_\-]*)=[^\s'"&;]+/
    .ignoresCase()

  /// Returns what follows `://` of an address without its secrets.
  private static func cleaned(_ text: Substring, keepingName: Bool) -> String {
    var rest = text
    var name = ""
    let authority = rest.prefix { !"/?#".contains($0) }
    let mayHavePassword = authority.first != "[" && authority.contains(":")
    let part = mayHavePassword ? rest : authority
    if let at = part.lastIndex(of: "@") {
      if keepingName { name = authority.prefix { $0 != ":" && $0 != "@" } + "@" }
      rest = rest[rest.index(after: at)...]
    } else if mayHavePassword, let colon = authority.lastIndex(of: ":") {
      let port = authority[colon...].dropFirst().prefix { $0 != "'" && $0 != "\"" }
      if !port.allSatisfy(\.isNumber) { rest = authority[..<colon] + leftOut }
    }
    guard let query = rest.firstIndex(of: "?"), !rest[query...].hasPrefix("?" + leftOut) else {
      return name + rest
    }
    let end = rest[query...].firstIndex { "'\"".contains($0) } ?? rest.endIndex
    return name + rest[..<query] + "?" + leftOut + rest[end...]
  }

  /// The text without the secrets of an address, wherever they are in it, and without those of others.
  func withoutSecrets(of url: String) -> String {
    let clean = url.withoutSecrets
    guard clean != url else { return withoutSecrets }
    // What the address has and its clean form lacks, as a whole and in parts.
    let start = zip(url, clean).prefix { $0 == $1 }.count
    let (rest, other) = (url.dropFirst(start), clean.dropFirst(start))
    let end = zip(rest.reversed(), other.reversed()).prefix { $0 == $1 }.count
    let lacking = rest.dropLast(end)
      .drop { ":@?".contains($0) }
    let parts = ([lacking] + lacking.split { ":@?=&/".contains($0) }).filter {
      !$0.isEmpty && !clean.contains($0)
    }
    var text = replacing(url, with: clean).withoutSecrets
    for part in parts where part.count > 3 { text = text.replacing(part, with: Self.leftOut) }
    // A short part is a secret only where it stands alone.
    return text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      let edges = ":,.;'\"()\n"
      let inner = word.drop { edges.contains($0) }.reversed().drop { edges.contains($0) }.reversed()
      let isPart = parts.contains(Substring(String(inner)))
      return isPart ? String(word).replacing(String(inner), with: Self.leftOut) : String(word)
    }.joined(separator: " ")
  }
}
