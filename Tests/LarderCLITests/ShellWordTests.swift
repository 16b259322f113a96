import Foundation
import LarderKit
import LarderText
import Seeded
import TestSupport
import Testing

@testable import LarderCLI

@Suite("Names in a line of a shell")
struct ShellWordTests {
  /// What shells act on, what may follow it unseen, and what a terminal acts on.
  private static let signs: [Unicode.Scalar] = [
    "$", "`", "(", ")", "'", "\"", "\\", "!", "#", ";", "&", "|", "<", ">", "*", "?", "[", "]", "{",
    "}", "~", "=", "^", "%", ":", ",", "-", "\n", "\t", "\u{1B}", "\u{9B}", "\u{7}", "\u{FE0F}",
    "\u{301}", "\u{20E3}", "\u{200D}", "\u{A0}", "é", "牛", "a", "t", "x", " ", " ", "1",
  ]

  private static func names(_ count: Int, seed: UInt64) -> [String] {
    var random = SeededGenerator(seed: seed)
    let fixed = [
      "$(touch X)", "$\u{FE0F}(touch X)", "`\u{301}touch X`", "a\u{1B}[", "'; touch X #", "",
    ]
    return fixed
      + (0..<count).map { _ in
        var name = String.UnicodeScalarView()
        for _ in 0..<random.number(1...9) { name.append(random.pick(signs) ?? "a") }
        return random.happens(33) ? String(name) + "$(touch X)" : String(name)
      }
  }

  /// What a shell prints for some lines, in an empty folder that has to stay empty.
  private func printed(by shell: Shell, _ lines: [String]) throws -> [String] {
    let folder = try Folder()
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: try Programs.find(shell.rawValue))
    let bare = [Shell.bash: ["--norc", "--noprofile"], .zsh: ["-f"], .fish: ["--no-config"]]
    process.arguments = (bare[shell] ?? []) + ["-c", lines.joined(separator: "\n")]
    process.currentDirectoryURL = URL(filePath: folder.path)
    process.environment = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "", "LANG": "C.UTF-8",
    ]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    return data.split(separator: 0, omittingEmptySubsequences: false).dropLast()
      .map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("a shell reads a name in a hint as that name", arguments: Shell.allCases)
  func hints(_ shell: Shell) throws {
    let seed = Seed.ofRun
    let names = Self.names(300, seed: seed)
    let lines = names.map { "printf '%s\\0' \(shellWord($0))" }
    let read = try printed(by: shell, lines)
    #expect(read.count == names.count, "seed \(seed)")
    for (name, read) in zip(names, read) {
      #expect(read.hasSameBytes(as: sanitize(name)), "seed \(seed): \(shellWord(name))")
    }
  }

  @Test(
    "a hint does nothing if somebody pastes it with the quotes around it", arguments: Shell.allCases
  )
  func pasted(_ shell: Shell) throws {
    let names = Self.names(60, seed: Seed.ofRun)
    for (name, other) in zip(names, names.dropFirst()) {
      _ = try printed(by: shell, ["'true \(shellWord(name)) \(shellWord(other))' shows it"])
    }
  }

  @Test("a completed name is that name, whatever quotes are open", arguments: Shell.allCases)
  func completed(_ shell: Shell) throws {
    let seed = Seed.ofRun
    let names = Self.names(300, seed: seed).map { sanitize($0) }
    for (quote, mark) in [(ShellLine.Quote.none, ""), (.single, "'"), (.double, "\"")] {
      // An empty word needs its quotes, and of the three shells only bash gets quoted ones.
      let words = names.filter { !$0.isEmpty }.map { mark + ShellLine.quoted($0, in: quote) + mark }
      for (name, word) in zip(names.filter { !$0.isEmpty }, words) {
        let line = ShellLine("larder use \(word)", in: .bash)
        #expect(
          line.words.count == 3 && line.words[2].hasSameBytes(as: name), "seed \(seed): \(word)")
        let open = ShellLine("larder use \(word.dropLast(mark.count))", in: .bash)
        #expect(
          open.words[2].hasSameBytes(as: name) && open.quote == quote, "seed \(seed): \(word)")
      }
      guard shell == .bash else { continue }
      let read = try printed(by: .bash, words.map { "printf '%s\\0' \($0)" })
      #expect(read == names.filter { !$0.isEmpty }, "seed \(seed)")
    }
  }

  @Test("a line is read as its shell reads it", arguments: Shell.allCases)
  func lines(_ shell: Shell) throws {
    let lines = [
      #"a b"#, #"'a b' c"#, #"a\ b"#, #""a \$b \q" c"#, #"a'b c'd"#, #"'it'\''s' x"#,
      #""q\"r" s\\t"#,
    ]
    for line in lines {
      let read = try printed(by: shell, ["printf '%s\\0' \(line)"])
      #expect(ShellLine(line, in: shell).words == read, "\(line)")
    }
    let single = #"'a\'b'"#
    if shell == .fish {
      #expect(
        try printed(by: shell, ["printf '%s\\0' \(single)"]) == ShellLine(single, in: shell).words)
    }
  }

  @Test("names of every kind are quoted in bash's lines")
  func kinds() throws {
    let nest = try Nest()
    let evil = "k$(touch X)"
    let typed = { (words: [String]) in
      let outcome = try nest.larder.run(words, in: "nest")
      #expect(outcome.code == 0, "\(words): \(outcome.errors)")
    }
    try typed(["location", "new", evil + " place"])
    try typed(["stock", "new", evil, "5", "--category", evil + " sort"])
    try typed(["stock", "new", evil + " old", "1"])
    try typed(["put", evil, "2", "--lot", evil + " lot", "--location", evil + " place"])
    try typed(["buy", evil + " entry"])
    try typed(["receipt", "save", "--shop", evil + " shop", "--line", "\(evil) entry=1"])
    try typed(["buy", evil + " entry"])
    try typed(["product", "new", "4006381333931", "--title", evil + " title", "--item", evil])
    try typed(["stock", "archive", evil + " old"])
    let ends = [
      "use ", "stock restore ", "got ", "stock move x ", "use \(#"k\$\(touch\ X\)"#) -b ",
      "put x --location ",
      "receipt save --shop ", "stock new x -c ", "product show ", "receipt show ", "log ", "undo ",
    ]
    var offered = 0
    for end in ends {
      for quote in ["", "\"", "'"] {
        let typed = end + quote + (end == "undo " ? "" : "k")
        let last = quote + (end == "undo " ? "" : "k")
        let outcome = try nest.larder(
          "complete", "--shell", "bash", "--", "larder " + typed, last, in: "nest")
        let words = outcome.output.split(separator: "\n").compactMap {
          $0.split(separator: "\t").first
        }
        for word in words where word.contains("touch") {
          offered += 1
          let read = ShellLine("larder \(end)\(quote)\(word)", in: .bash)
          #expect(read.words.last?.hasPrefix(evil) == true, "\(typed): \(word)")
          #expect(
            quote == "'" || !word.contains("$(") || word.contains("\\$("), "\(typed): \(word)")
        }
      }
    }
    #expect(offered >= 27)
  }
}
