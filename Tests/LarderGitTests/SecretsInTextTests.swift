import TestSupport
import Testing

@testable import LarderGit

@Suite("Secrets in addresses of remotes")
struct SecretsInTextTests {
  private static let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ")
  private static let signs = Array("@:/?#%!$+~*;,.-_")

  /// A secret in capital letters, which no other part of an address has, with other characters among them.
  private static func secret(_ random: inout some RandomNumberGenerator, _ signs: [Character])
    -> String
  {
    var text = ""
    for index in 0..<Int.random(in: 8...24, using: &random) {
      let isSign = index % 4 == 3 && Bool.random(using: &random)
      let next =
        isSign ? signs.randomElement(using: &random) : letters.randomElement(using: &random)
      if let next { text.append(next) }
    }
    return text
  }

  /// An address with a secret somewhere.
  private static func address(_ random: inout some RandomNumberGenerator) -> String {
    let any = secret(&random, signs)
    let token = secret(&random, Array("%!$+~*.-_"))
    return [
      "https://anna:\(any)@example.org/home.git", "https://anna:\(any)@example.org:8443/home.git",
      "http://:\(any)@[::1]:80/home", "https://\(token)@example.org/home.git",
      "https://x-access-token:\(any)@example.org/home.git",
      "ssh://git:\(any)@example.org:22/~/home",
      "git+ssh://git:\(any)@example.org/home", "gcrypt::https://anna:\(any)@example.org/home",
      "HTTPS://anna:\(any)@example.org", "git:\(any)@example.org:home.git",
      "https://example.org/home.git?token=\(token)", "https://example.org/home?a=b&key=\(token)#x",
      "example.org:home.git?access_token=\(token)", "/mnt/home.git?password=\(token)",
      "https://anna:\(any)@example.org/home.git?private_token=\(token)",
    ].randomElement(using: &random) ?? ""
  }

  @Test("no message has a secret of any form of address")
  func property() {
    let first = Seed.single ?? Seed.ofRun
    for seed in first..<first + (Seed.single == nil ? 150 : 1) {
      var random = SeededGenerator(seed: seed)
      let url = Self.address(&random)
      let texts = [
        url, "'larder sync' sends it to \(url)", "fatal: unable to access '\(url)': The end",
        "could not fetch (\(url)): \"\(url)\" is not there", "a\n\(url)\nb",
      ]
      for text in texts {
        for clean in [text.withoutSecrets, text.withoutSecrets(of: url)] {
          let capitals = clean.replacing("HTTPS", with: "").filter { Self.letters.contains($0) }
          #expect(
            capitals.count <= (text.hasPrefix("fatal") ? 1 : 0),
            "seed \(seed): \(text) became \(clean)")
        }
      }
    }
  }

  /// Marks and other scalars that Swift joins with the character before them.
  private static let marks = [
    "\u{301}", "\u{30A}", "\u{20DD}", "\u{200D}", "\u{FE0F}", "\u{E0100}", "\u{1F3FD}", "\u{903}",
    "\u{93F}", "\u{302E}",
  ]

  @Test("a mark after any sign of an address hides no sign, and so shows no secret")
  func marked() {
    let secret = "GEHEIMNIS"
    for url in [
      "https://anna:\(secret)@example.org/home.git", "https://\(secret)@example.org/home.git",
      "ssh://git:\(secret)@example.org:22/~/home", "anna:\(secret)@example.org:home.git",
      "https://example.org/home.git?token=\(secret)",
      "https://anna:\(secret)/x@example.org:8443/home.git", "http://:\(secret)@[::1]:80/home",
    ] {
      for place in url.indices.dropFirst() {
        for mark in Self.marks {
          // Within the name of a query's part, a mark makes it another name.
          guard !url[..<place].contains("?") || url[..<place].hasSuffix("=") else { continue }
          // Within the scheme, or before its slashes, there is no address for git either.
          if let slashes = url.firstRange(of: "://"), place <= slashes.upperBound,
            place < slashes.upperBound
          {
            continue
          }
          let marked = url[..<place] + mark + url[place...]
          for text in ["\(marked)", "could not fetch (\(marked)): it said '\(marked)'"] {
            for clean in [text.withoutSecrets, text.withoutSecrets(of: "\(marked)")] {
              let letters = String(
                String.UnicodeScalarView(
                  clean.unicodeScalars.filter { (65...90).contains($0.value) }))
              #expect(letters == "", "\(text.debugDescription) became \(clean.debugDescription)")
            }
          }
        }
      }
    }
  }

  @Test(
    "what is no secret stays",
    arguments: [
      "https://example.org:8443/home.git", "git@example.org:home.git", "ssh://git@example.org/home",
      "file:///home/anna/a:b@c/home.git", "/home/anna/home.git", "../home.git",
      "'larder git -- remote add origin URL'", "12:30 at anna@example.org: 3 left", "a=b, c=d",
      "http://[::1]:8080/home", "https://example.org/\u{301}home.git", "a\u{301}: b@\u{301}c",
    ])
  func kept(text: String) { #expect(text.withoutSecrets == text) }

  @Test("the parts of an address that git repeats by themselves are left out")
  func parts() {
    let url = "anna:pw@home@example.org:home.git"
    #expect(!"ssh: no host 'pw@home@example.org'".withoutSecrets(of: url).contains("pw@home"))
    let other = "https://example.org/home.git?token=s3cretword"
    let short = "https://anna:p@ss/w:rd@example.org/home.git"
    #expect("Could not resolve host: ss".withoutSecrets(of: short) == "Could not resolve host: …")
    let twice = "not there (https://example.org/home.git?token=a): why".withoutSecrets
    #expect(twice.withoutSecrets == twice)
    #expect("curl: bad s3cretword".withoutSecrets(of: other) == "curl: bad …")
  }
}
