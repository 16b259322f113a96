import Foundation
import Libc
import TestSupport
import Testing

@testable import LarderCLI

@Suite("Completion, and manual pages")
struct CompletionTests {
  private func kitchen() throws -> Nest {
    let nest = try Nest()
    try nest.prepare(
      "location new Fridge Freezer", "stock new Eggs 12 --category Dairy",
      "stock new 'Oat milk' 3l --expiry 2026-12-01 --category Dairy", "stock new Élan 1",
      "buy soap", "receipt save --shop 'Corner shop' --line soap=1@@2")
    return nest
  }

  @Test("offers what may follow: commands, options, their values and the names of the household")
  func offers() throws {
    let nest = try kitchen()
    let words = { (line: String) in
      try nest(line).output.split(separator: "\n").map { $0.split(separator: "\t")[0] }
    }
    #expect(try words("complete -- us") == ["use"])
    #expect(try words("complete -- stock ar") == ["archive"])
    #expect(try words("complete -- st") == ["stocktake", "status", "stock"])
    #expect(try words("complete -- use EG") == ["Eggs"])
    #expect(try words("complete -- use elan") == ["Élan"])
    #expect(try words("complete -- use eggs 3 oat") == ["Oat milk"])
    #expect(try words("complete -- use eggs --par") == ["--partial"])
    #expect(try words("complete -- put milk --location f").sorted() == ["Freezer", "Fridge"])
    #expect(try words("complete -- use milk -b 2026") == ["2026-12-01"])
    try nest.prepare(
      "put eggs 6 --expiry 2026-12-24 --location fridge", "put eggs 1 --lot L7 --location freezer")
    #expect(try words("complete -- use eggs 2 -b ''") == ["2026-12-24", "Fridge", "L7", "Freezer"])
    #expect(try words("complete -- use oat milk --batch ''") == ["2026-12-01"])
    #expect(try words("complete -- use -b 2026").sorted() == ["2026-12-01", "2026-12-24"])
    #expect(try words("complete -- help st") == ["stocktake", "status", "stock"])
    #expect(try words("complete -- help stock me") == ["merge"])
    #expect(try words("complete -- help d") == ["due", "discard", "doctor", "diff", "dates"])
    #expect(try words("complete -- stock new Tea -c d") == ["Dairy"])
    #expect(try words("complete -- receipt save --shop c") == ["Corner shop"])
    #expect(try words("complete -- location edit fridge --cold n") == ["no"])
    #expect(try words("complete -- completion z") == ["zsh"])
    try nest.prepare("stock archive eggs", "location archive freezer")
    #expect(try words("complete -- stock restore ''") == ["Eggs"])
    #expect(try words("complete -- location restore ''") == ["Freezer"])
    let head = try Git.run("rev-parse", "--short=7", "HEAD", in: nest.larder.folder("nest"))
    #expect(
      try words("complete -- undo ''").first.map(String.init)
        == head.split(separator: "\n").first.map(String.init))
    #expect(try nest("complete -- init ''").output == ":folders\n")
    #expect(try nest("complete -- nonsense x").output.isEmpty)
    #expect(try nest("complete -- use -- --e").output.isEmpty)
  }

  @Test("is silent where there is no household")
  func nowhere() throws {
    let larder = try CommandRunner.calling()
    let outcome = try larder("complete", "--", "use", "e")
    #expect(outcome.code == 0)
    #expect(outcome.output.isEmpty && outcome.errors.isEmpty)
  }

  /// Each shell with its words for no settings of its own, and what loads the completion.
  private static let shells: [(words: [String], load: String)] = [
    (["bash", "--norc", "--noprofile", "-i"], "source <(larder completion bash)"),
    (["zsh", "-f", "-i"], "autoload -U compinit; compinit -D -u; source <(larder completion zsh)"),
    (["fish", "--no-config", "--interactive"], "larder completion fish | source"),
  ]

  @Test(
    "works where people type: a name is completed with its space and used",
    arguments: shells.indices)
  func typed(_ index: Int) throws {
    let (words, load) = Self.shells[index]
    _ = try Programs.find(words[0])
    let nest = try kitchen()
    try nest.prepare("put eggs 6 --expiry 2026-12-24", "put eggs 3 --expiry 2027-01-31")
    // What others named is text in a line, wherever in it the name goes.
    for name in [#"tea $(touch A)`touch B` "!c\"#, "qu'x;touch D #!z"] {
      #expect(try nest.larder("stock", "new", name, "9", in: "nest").code == 0)
    }
    let screen = try nest.typing(
      [
        load + "\n", "larder us\toa\t 2\n", "larder use egg\t 1 -b 2027\t\n",
        "larder help sch\t\n", "larder stock cou\tegg\t 5\n", "larder use te\t 4\n",
        "larder use \"te\t 3\n", "larder use 'te\t 2\n", "larder use qu\t 4\n",
        "larder use \"qu\t 3\n", "larder use 'qu\t 2\n", "exit\n",
      ], in: words)
    for amounts in ["4", "3", "2"].enumerated() {
      let left = [5, 2, 0][amounts.offset]
      for name in [#"tea $(touch A)`touch B` "!c\"#, "qu'x;touch D #!z"] {
        let rest = left == 0 ? "none left" : "\(left) left"
        #expect(screen.contains("used \(amounts.element) of \(name), \(rest)"), "\(screen)")
      }
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: nest.larder.folder("nest"))
    #expect(Set(files).isDisjoint(with: ["A", "B", "D"]))
    #expect(screen.contains("used 2 l of Oat milk"), "\(screen)")
    #expect(screen.contains("used 1 of Eggs (batch of 2027-01-31)"), "\(screen)")
    #expect(screen.contains("Usage: larder schema"), "\(screen)")
    #expect(screen.contains("counted 5 of Eggs, 20 before"), "\(screen)")
  }

  @Test("every command has a manual page, in which mandoc finds nothing wrong")
  func manual() throws {
    let larder = try CommandRunner.calling()
    let folder = larder.folder("man")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    #expect(try larder("manual", folder).code == 0)
    let pages = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(pages.count == Root.command.nodes().count)
    #expect(pages.contains("larder-stock-use.1") && pages.contains("larder.1"))
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: try Programs.find("mandoc"))
    process.arguments = ["-Tlint", "-Wwarning"] + pages.map { "\(folder)/\($0)" }
    process.standardOutput = pipe
    try process.run()
    let found = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(String(decoding: found, as: UTF8.self).isEmpty)
  }
}

extension Nest {
  /// Types texts into an interactive shell in the household, each when the shell is quiet, and gives
  /// what the terminal shows.
  fileprivate func typing(_ texts: [String], in shell: [String]) throws -> String {
    // 'script' gives the shell a terminal of its own.
    let keys = Pipe()
    let screen = Pipe()
    let process = Process()
    process.executableURL = URL(filePath: try Programs.find("script"))
    #if canImport(Darwin)
      process.arguments = ["-q", "/dev/null"] + shell
    #else
      process.arguments = ["-qefc", shell.joined(separator: " "), "/dev/null"]
    #endif
    let programs = CommandRunner.program.deletingLastPathComponent().path(percentEncoded: false)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    process.environment = [
      "PATH": "\(programs):\(path)", "HOME": larder.folder("home"), "GIT_CONFIG_NOSYSTEM": "1",
      "LARDER_NOW": larder.now, "LARDER_DEVICE": larder.device, "TERM": "dumb", "LANG": "C.UTF-8",
    ]
    process.currentDirectoryURL = URL(filePath: larder.folder("nest"))
    (process.standardInput, process.standardOutput) = (keys, screen)
    process.standardError = screen
    try process.run()
    let (input, output) = (keys.fileHandleForWriting, screen.fileHandleForReading.fileDescriptor)
    var shown: [UInt8] = []
    for text in texts {
      shown += Self.shown(output, quietFor: 1000)
      for part in text.split(separator: "\t", omittingEmptySubsequences: false).enumerated() {
        // The next key is pressed when what the tabulator did is on the screen.
        if part.offset > 0 {
          try input.write(contentsOf: Data([9]))
          shown += Self.shown(output, quietFor: 700)
        }
        try input.write(contentsOf: Data(part.element.utf8))
      }
    }
    shown += Self.shown(output, quietFor: 3000)
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
    return String(decoding: shown, as: UTF8.self).replacing("\r\n", with: "\n")
  }

  /// Reads what a terminal shows until nothing more comes for some milliseconds.
  private static func shown(_ screen: Int32, quietFor milliseconds: Int32) -> [UInt8] {
    var shown: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    var waiting = pollfd(fd: screen, events: Int16(POLLIN), revents: 0)
    while poll(&waiting, 1, milliseconds) > 0, waiting.revents & Int16(POLLIN) != 0 {
      let count = Libc.read(screen, &bytes, bytes.count)
      guard count > 0 else { break }
      shown += bytes[..<count]
    }
    return shown
  }
}
