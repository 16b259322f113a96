import Foundation
import Libc
import TestSupport
import Testing

@testable import LarderCLI

/// Long output is shown as git shows it, on a real terminal.
@Suite("The pager")
struct PagerTests {
  /// A pager that marks each line with a sign.
  private static func marking(_ sign: String) -> String { "sed 's/^/\(sign) /'" }

  private static func nest() throws -> Nest {
    let nest = try Nest()
    try nest.prepare(
      "stock new Milk 4l --full 6l", "stock new Eggs 12", "buy bread", "stock new Tea --full 3")
    return nest
  }

  @Test("it is chosen as by git: GIT_PAGER, core.pager, PAGER")
  func order() throws {
    let nest = try Self.nest()
    func lines(_ variables: [String: String]) throws -> Set<Character?> {
      let screen = try nest.atTerminal("stock --no-color", with: variables).screen
      return Set(screen.split(separator: "\n").map(\.first))
    }
    let all = ["PAGER": Self.marking("p"), "GIT_PAGER": Self.marking("g")]
    #expect(try lines(["PAGER": Self.marking("p")]) == ["p"])
    #expect(try lines(all) == ["g"])
    // The user's own setting, and that of the household, which goes before it.
    try nest.larder.folder.write("[core]\n\tpager = \(Self.marking("u"))\n", to: "home/.gitconfig")
    #expect(try lines(["PAGER": Self.marking("p")]) == ["u"])
    let help = try nest.atTerminal("-C / help exit-codes", with: ["PAGER": Self.marking("p")])
    #expect(help.screen.hasPrefix("u Every command ends"))
    try Git.run("config", "core.pager", Self.marking("c"), in: nest.larder.folder("nest"))
    #expect(try lines(["PAGER": Self.marking("p")]) == ["c"])
    #expect(try lines(all) == ["g"])
    #expect(try lines(["GIT_PAGER": ""]) == ["I", "E", "M", "T"])
  }

  @Test("less is the pager if none is named, and gets git's options unless there are some")
  func usual() throws {
    func command(_ variables: [String: String], _ setting: String? = nil) -> String? {
      Pager.command(Environment(variables)) { setting }
    }
    #expect(command(["TERM": "xterm"]) == "less")
    #expect(command(["TERM": "xterm", "PAGER": "more"]) == "more")
    #expect(command(["TERM": "xterm", "PAGER": "more"], "") == nil)
    #expect(command(["TERM": "xterm", "GIT_PAGER": "", "PAGER": "more"], "less") == nil)
    #expect(command(["TERM": "dumb"]) == nil)
    #expect(command(["TERM": "dumb", "PAGER": "more"]) == "more")
    let nest = try Self.nest()
    let told = ["PAGER": "cat >/dev/null; echo $LESS $LV"]
    #expect(try nest.atTerminal("stock", with: told).screen == "FRX -c\n")
    let own = told.merging(["LESS": "S", "LV": ""]) { $1 }
    #expect(try nest.atTerminal("stock", with: own).screen == "S\n")
  }

  @Test("what a pager gets is what the terminal would get: colours, bars, its width")
  func form() throws {
    let nest = try Self.nest()
    let marked = ["PAGER": Self.marking(">")]
    for line in ["stock", "low", "show milk", "log", "shop --no-color", "help log", "log --help"] {
      let straight = try nest.atTerminal(line).screen
      let paged = try nest.atTerminal(line, with: marked)
      let expected = straight.split(separator: "\n", omittingEmptySubsequences: false)
        .dropLast().map { "> \($0)\n" }.joined()
      #expect(paged.screen == expected, "\(line)")
      #expect(paged.code == 0)
    }
    #expect(try nest.atTerminal("stock", with: marked).screen.contains("█"))
    #expect(try nest.atTerminal("stock", with: marked).screen.contains("\u{1B}["))
  }

  @Test(
    "there is none where nobody reads, or wants one",
    arguments: [
      "stock --no-pager", "stock -P", "-P log", "stock --plain", "stock --json", "use milk 1l",
      "status", "check", "--version",
    ])
  func none(line: String) throws {
    let nest = try Self.nest()
    let outcome = try nest.atTerminal(line, with: ["PAGER": Self.marking(">")])
    #expect(outcome.code == 0)
    #expect(!outcome.screen.contains(">"), "\(outcome.screen)")
  }

  @Test("output into a pipe has no pager")
  func piped() throws {
    var nest = try Self.nest()
    nest.larder.variables = ["GIT_PAGER": Self.marking(">"), "TERM": "xterm"]
    #expect(try nest("stock").output.hasPrefix("Item"))
  }

  @Test("no command with a pager changes something, which its end would break off")
  func declared() {
    let paged = Root.command.nodes(includingHidden: true).filter(\.command.isPaged)
    #expect(paged.allSatisfy { !$0.command.options.contains(Rehearsal.option) })
    let titles = Set(paged.map { $0.path.dropFirst().joined(separator: " ") })
    #expect(
      titles == [
        "due", "low", "show", "stock list", "stock show", "stock low", "stock due",
        "stock expired", "shop list", "receipt list", "receipt show", "location list",
        "product list", "product show", "log", "diff", "conflicts list", "conflicts show", "help",
        "spending", "prices", "waste",
      ])
  }

  @Test("without a program of the name, the output goes straight to the terminal")
  func missing() throws {
    let nest = try Self.nest()
    let straight = try nest.atTerminal("stock").screen
    let outcome = try nest.atTerminal("stock", with: ["PAGER": "no-such-pager"])
    #expect(outcome.code == 0)
    #expect(outcome.screen.hasSuffix(straight))
  }

  @Test("a pager that ends early ends the command as git's does, without a word")
  func early() throws {
    let nest = try Self.nest()
    for number in 1...1500 {
      let name = "A thing with a long name, so that the list is longer than a pipe \(number)"
      try nest.write("{\"name\": \"\(name)\"}", to: "stock/\(number).json")
    }
    let outcome = try nest.atTerminal("stock --no-color", with: ["PAGER": "head -n 1"])
    #expect(outcome.code == SIGPIPE)
    #expect(outcome.screen.hasPrefix("Item "))
    #expect(outcome.screen.split(separator: "\n").count == 1)
    // Somebody leaves less after the first page.
    let left = try nest.atTerminal(
      "stock --no-color", typing: "q", with: ["PAGER": "less", "LINES": "20"])
    #expect(left.code == SIGPIPE)
    #expect(left.screen.contains("Item "))
    #expect(!left.screen.contains("error"))
  }

  @Test("less prints what is short, and ends by itself")
  func short() throws {
    let nest = try Self.nest()
    let straight = try nest.atTerminal("stock --no-color").screen
    let outcome = try nest.atTerminal(
      "stock --no-color", with: ["PAGER": "less", "LINES": "20", "LC_ALL": "C.UTF-8"])
    #expect(outcome.code == 0)
    let shown = outcome.screen.replacing("\u{1B}[m", with: "")
    #expect(shown.contains(straight), "\(shown)")
  }

  @Test(
    "less shows bars and people's names in every locale, without escapes",
    arguments: ["C", "POSIX", "C.UTF-8", "de_DE.ISO-8859-1"])
  func charset(locale: String) throws {
    let nest = try Self.nest()
    try nest.prepare("stock new Crème 2 --full 3", "stock new 牛乳 1l", "stock new Käse 1")
    let straight = try nest.atTerminal("stock --no-color").screen
    let outcome = try nest.atTerminal(
      "stock --no-color", with: ["PAGER": "less", "LINES": "40", "LC_ALL": locale, "LANG": locale])
    #expect(outcome.screen.replacing("\u{1B}[m", with: "").contains(straight), "\(outcome.screen)")
    #expect(!outcome.screen.contains("<E"))
    let own = ["PAGER": "cat >/dev/null; echo $LESSCHARSET"]
    #expect(try nest.atTerminal("stock", with: own).screen == "utf-8\n")
    let chosen = own.merging(["LESSCHARSET": "latin1"]) { $1 }
    #expect(try nest.atTerminal("stock", with: chosen).screen == "latin1\n")
  }

  @Test("warnings are in the pager, and an error without output needs none")
  func errors() throws {
    let nest = try Self.nest()
    try nest.write("{", to: "stock/bad.json")
    let marked = ["PAGER": Self.marking(">")]
    let listed = try nest.atTerminal("stock --no-color", with: marked).screen
    #expect(
      listed.hasPrefix(
        "> warning: stock/bad.json is broken; 'larder check' shows why\n> Item"), "\(listed)")
    let failed = try nest.atTerminal("show jam --no-color", with: marked)
    #expect(failed.code == 3)
    #expect(failed.screen.hasPrefix("error: no item is called 'jam'\n"))
    let empty = try nest.atTerminal("receipt list --no-color", with: marked)
    #expect(empty.code == 0)
    #expect(empty.screen.contains("no receipts to show"))
  }

  @Test("Ctrl-C is the pager's; the command stops and waits for it")
  func interrupt() throws {
    let nest = try Self.nest()
    let folder = nest.larder.folder
    let script = """
      trap '' INT; cat >/dev/null; touch '\(folder("shown"))'
      while [ ! -e '\(folder("left"))' ]; do sleep 0.05; done; echo left
      """
    // A shell ignores it for what runs in its background, and so would all that these tests start.
    signal(SIGINT, SIG_DFL)
    let (process, screen) = try nest.start(atTerminal: "log", with: ["PAGER": script])
    try #require(Self.waits { FileManager.default.fileExists(atPath: folder("shown")) })
    kill(process.processIdentifier, SIGINT)
    #expect(!Self.waits(within: 0.5) { !process.isRunning })
    try folder.write("", to: "left")
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(process.terminationStatus == SIGINT)
    #expect(Nest.text(on: screen) == "left\n")
  }

  /// Whether something holds within some seconds.
  private static func waits(within seconds: Double = 20, for holds: () -> Bool) -> Bool {
    let end = Date(timeIntervalSinceNow: seconds)
    while Date() < end {
      if holds() { return true }
      Thread.sleep(forTimeInterval: 0.02)
    }
    return false
  }
}
