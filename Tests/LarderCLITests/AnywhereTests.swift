import Foundation
import TestSupport
import Testing

@testable import LarderCLI

@Suite("The household from anywhere, and words of one's own")
struct AnywhereTests {
  @Test("the first household is used where no other one is near, until another one is named")
  func anywhere() throws {
    let larder = try CommandRunner.calling()
    let first = try larder("init", "flat")
    #expect(first.errors.contains("'larder' finds it from any folder"))
    #expect(try !larder("init", "cabin").errors.contains("from any folder"))
    #expect(try larder("stock", "new", "Eggs", "12").code == 0)
    #expect(try larder("use", "eggs", "2").output == "used 2 of Eggs, 10 left\n")
    #expect(try larder("status").output.hasPrefix("flat  "))
    // The nearest one has precedence, and -C over all.
    #expect(try larder("status", in: "cabin").output.hasPrefix("cabin  "))
    #expect(try larder("-C", "cabin", "status").output.hasPrefix("cabin  "))
    #expect(try larder("-C", "home", "status").code == 3)
    #expect(try larder("config", "--global", "household", "cabin").code == 0)
    #expect(try larder("status").output.hasPrefix("cabin  "))
    #expect(try larder("config", "--global", "household").output.hasSuffix("/cabin\n"))
    #expect(try larder("config", "--global", "household", "home").code == 3)
    #expect(try larder("config", "--global", "household", "").code == 0)
    let none = try larder("status")
    #expect(none.code == 3)
    #expect(
      none.errors.contains("'larder config --global household DIR' makes it yours from anywhere"))
  }

  @Test("LARDER_HOUSEHOLD has precedence over the user's setting")
  func variable() throws {
    var larder = try CommandRunner.calling()
    _ = try larder("init", "flat")
    _ = try larder("init", "cabin")
    larder.variables["LARDER_HOUSEHOLD"] = larder.folder("cabin")
    #expect(try larder("status").output.hasPrefix("cabin  "))
    #expect(try larder("status", in: "flat").output.hasPrefix("flat  "))
    larder.variables["LARDER_HOUSEHOLD"] = larder.folder("nowhere")
    #expect(try larder("status").code == 3)
  }

  @Test("an alias stands for its words, with more behind it, and for no command")
  func aliases() throws {
    let nest = try Nest()
    try nest.prepare("stock new Milk 2l", "stock new 'Oat milk' 2l")
    #expect(
      try nest(#"config alias.coffee "use 'oat milk' 1/4l""#).output
        == "larder coffee is now: larder use 'oat milk' 1/4l\n")
    #expect(try nest("coffee").output == "used 0.25 l of Oat milk, 1.75 l left\n")
    #expect(try nest("coffee milk 1").output.hasSuffix("used 1 l of Milk, 1 l left\n"))
    #expect(try nest("config alias.coffee").output == "use 'oat milk' 1/4l\n")
    #expect(try nest("config alias.use 'stock use'").code == 2)
    #expect(try nest("config alias.a_b x").code == 2)
    #expect(
      try nest(#"config alias.tea "use 'tea""#).errors.contains("each quote needs another one"))
    #expect(try nest("config alias.coffee ''").output == "'larder coffee' is gone\n")
    #expect(try nest("coffee").code == 2)
    #expect(try nest("config nonsense").code == 2)
  }

  @Test("alone, larder shows what needs attention, what to use first and what to buy")
  func overview() throws {
    let nest = try Nest()
    try nest.prepare("stock new Milk 2l --expiry +3d", "stock new Eggs 2", "use eggs 2", "buy soap")
    let screen = try nest.atTerminal("").screen
    #expect(screen.contains("use first"))
    #expect(screen.contains("  2 l of Milk (batch of "))
    #expect(screen.contains("to buy"))
    #expect(screen.contains("  soap: 1\n"))
    let piped = try nest("")
    #expect(screen.replacing(/\u{1b}\[[0-9;]*m/, with: "") == piped.output + piped.errors)
    #expect(try nest("--json").output == (try nest("status --json")).output)
    #expect(try nest("--plain").output == (try nest("status --plain")).output)
  }

  @Test("alone, larder names the first step in an empty household, and prints the usage in none")
  func firstStep() throws {
    let nest = try Nest()
    let told = try nest("")
    #expect(told.code == 0)
    #expect(told.output.hasPrefix("Nest  "))
    let hint = try #require(told.errors.firstMatch(of: /hint: 'larder (.+?)'/)?.output.1)
    #expect(hint.contains("--new"))
    try nest.prepare(String(hint))
    #expect(!(try nest("").errors.contains("--new")))
    let elsewhere = try CommandRunner.calling()
    let usage = try elsewhere()
    #expect(usage.code == 0)
    #expect(usage.output.hasPrefix("Usage: larder COMMAND"))
  }
}
