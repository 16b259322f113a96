internal import LarderText

// Secrets are looked for by bytes. A mark that combines with the character before it makes of a colon or a
// slash another character, though git and the servers still see the colon.
extension String {
  /// The text without what addresses of remotes in it keep secret: passwords, names that may be tokens,
  /// and the values of queries.
  ///
  /// Messages of git and Larder end up in logs and on screens that others see. A password may have any
  /// character, so where one may be, rather too much is left out than too little.
  public var withoutSecrets: String {
    let bytes = Array(utf8)
    let clean = bytes.withoutSecrets
    return clean == bytes ? self : String(decoding: clean, as: UTF8.self)
  }

  /// The text without the secrets of an address, wherever they are in it, and without those of others.
  func withoutSecrets(of url: String) -> String {
    String(decoding: Array(utf8).withoutSecrets(of: Array(url.utf8)), as: UTF8.self)
  }
}

extension Array<UInt8> {
  private static let leftOut = Array("…".utf8)
  private static let secretWords = [
    "token", "key", "secret", "pass", "pw", "auth", "sig", "cred", "code", "jwt",
  ]

  fileprivate var withoutSecrets: [UInt8] {
    guard contains(where: { $0.isOne(of: "@=") }) || firstRange(of: Array("://".utf8)) != nil else {
      return self
    }
    return withCleanAddresses.withoutShortPasswords.withoutNamedSecrets
  }

  /// Cleans each `scheme://…`, up to the next blank.
  private var withCleanAddresses: [UInt8] {
    let mark = Array("://".utf8)
    var result: [UInt8] = []
    var rest = self[...]
    while let found = rest.firstRange(of: mark) {
      let before = rest[..<found.lowerBound]
      let scheme = before.suffix(while: { $0.isLetter || $0.isDigit || $0.isOne(of: "+.-") })
        .drop { !$0.isLetter }
      let body = rest[found.upperBound...].prefix { !$0.isBlank }
      result += before + mark
      rest = rest[found.upperBound...]
      guard !scheme.isEmpty, !body.isEmpty else { continue }
      let isForSSH = scheme.map(\.lowercased).firstRange(of: Array("ssh".utf8)) != nil
      result += Self.cleaned(body, keepingName: isForSSH)
      rest = rest[body.endIndex...]
    }
    return result + rest
  }

  /// Returns what follows `://` of an address without its secrets.
  private static func cleaned(_ text: ArraySlice<UInt8>, keepingName: Bool) -> [UInt8] {
    var rest = Array(text)
    var name: [UInt8] = []
    let authority = rest.prefix { !$0.isOne(of: "/?#") }
    let mayHavePassword = authority.first != UInt8(ascii: "[") && authority.contains(.colon)
    let part = mayHavePassword ? rest[...] : authority
    if let at = part.lastIndex(of: .at) {
      if keepingName { name = authority.prefix { !$0.isOne(of: ":@") } + [.at] }
      rest = Array(rest[(at + 1)...])
    } else if mayHavePassword, let colon = authority.lastIndex(of: .colon) {
      let port = authority[colon...].dropFirst().prefix { !$0.isOne(of: "'\"") }
      if !port.allSatisfy(\.isDigit) { rest = authority[..<colon] + leftOut }
    }
    guard let query = rest.firstIndex(of: UInt8(ascii: "?")),
      !rest[(query + 1)...].starts(with: leftOut)
    else { return name + rest }
    let end = rest[query...].firstIndex { $0.isOne(of: "'\"") } ?? rest.endIndex
    return name + rest[...query] + leftOut + rest[end...]
  }

  /// Leaves out passwords in the short form for ssh, `name:password@host:folder`, which has none, but people
  /// write one.
  private var withoutShortPasswords: [UInt8] {
    var result: [UInt8] = []
    var place = startIndex
    while place < endIndex {
      let isStart =
        place == startIndex || self[place - 1].isBlank || self[place - 1].isOne(of: "'\"(")
      if isStart, let (name, at) = shortPassword(at: place) {
        result += self[name] + [.at]
        place = at + 1
      } else {
        result.append(self[place])
        place += 1
      }
    }
    return result
  }

  /// Returns the name and the last `@` of a short address with a password that begins at a place.
  private func shortPassword(at start: Int) -> (name: Range<Int>, at: Int)? {
    let word = self[start...].prefix { !$0.isBlank && !$0.isOne(of: "'\"") }
    guard let colon = word.firstIndex(where: { $0.isOne(of: "/@:") }), colon > start,
      word[colon] == .colon
    else { return nil }
    let at = word.indices.last { place in
      guard place > colon, word[place] == .at else { return false }
      let host = word[(place + 1)...].prefix { !$0.isOne(of: "/@:") }
      return !host.isEmpty && host.endIndex < word.endIndex && word[host.endIndex] == .colon
    }
    return at.map { (start..<colon, $0) }
  }

  /// Leaves out the value of each part of a query whose name says that it is secret.
  private var withoutNamedSecrets: [UInt8] {
    var result: [UInt8] = []
    var rest = self[...]
    while let sign = rest.firstIndex(where: { $0.isOne(of: "?&;") }) {
      result += rest[...sign]
      rest = rest[(sign + 1)...]
      let name = rest.prefix { $0.isLetter || $0.isOne(of: "_-") }
      let value = rest[name.endIndex...].dropFirst().prefix {
        !$0.isBlank && !$0.isOne(of: "'\"&;")
      }
      guard name.endIndex < endIndex, self[name.endIndex] == UInt8(ascii: "="), !value.isEmpty,
        Self.secretWords.contains(where: {
          name.map(\.lowercased).firstRange(of: Array($0.utf8)) != nil
        })
      else { continue }
      result += name + [UInt8(ascii: "=")] + Self.leftOut
      rest = rest[value.endIndex...]
    }
    return result + rest
  }

  fileprivate func withoutSecrets(of url: [UInt8]) -> [UInt8] {
    let clean = url.withoutSecrets
    guard clean != url else { return withoutSecrets }
    // What the address has and its clean form lacks, as a whole and in parts.
    let start = zip(url, clean).prefix { $0 == $1 }.count
    let (rest, other) = (url.dropFirst(start), clean.dropFirst(start))
    let end = zip(rest.reversed(), other.reversed()).prefix { $0 == $1 }.count
    let lacking = rest.dropLast(end).drop { $0.isOne(of: ":@?") }
    let parts = ([lacking] + lacking.split { $0.isOne(of: ":@?=&/") }).map { Array($0) }
      .filter { !$0.isEmpty && clean.firstRange(of: $0) == nil }
    var text = replacing(url, with: clean).withoutSecrets
    for part in parts where part.count > 3 { text = text.replacing(part, with: Self.leftOut) }
    // A short part is a secret only where it stands alone.
    let words = text.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false).map {
      word in
      let isEdge = { (byte: UInt8) in byte.isOne(of: ":,.;'\"()\n") }
      let inner = Array(word.drop(while: isEdge).reversed().drop(while: isEdge).reversed())
      return parts.contains(inner) ? Array(word).replacing(inner, with: Self.leftOut) : Array(word)
    }
    return Array(words.joined(separator: [UInt8(ascii: " ")]))
  }

  private func replacing(_ part: [UInt8], with other: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = self[...]
    while let found = rest.firstRange(of: part) {
      result += rest[..<found.lowerBound] + other
      rest = rest[found.upperBound...]
    }
    return result + rest
  }
}

extension ArraySlice<UInt8> {
  fileprivate func suffix(while isWanted: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let end = lastIndex { !isWanted($0) }
    return self[(end.map { $0 + 1 } ?? startIndex)...]
  }
}

extension UInt8 {
  fileprivate static let at = UInt8(ascii: "@")
  fileprivate static let colon = UInt8(ascii: ":")

  fileprivate func isOne(of signs: StaticString) -> Bool {
    signs.withUTF8Buffer { $0.contains(self) }
  }

  /// Whether it is a blank or a control character, which no address has.
  fileprivate var isBlank: Bool { self <= 0x20 }
  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
  fileprivate var isLetter: Bool { (0x61...0x7A).contains(lowercased) }
  fileprivate var lowercased: UInt8 { (0x41...0x5A).contains(self) ? self + 0x20 : self }
}
