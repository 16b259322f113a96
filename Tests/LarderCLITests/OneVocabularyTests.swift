import Foundation
import LarderKit
import TestSupport
import Testing

@testable import LarderCLI

@Suite("What is typed is what is told")
struct OneVocabularyTests {
  /// A line for each command that changes the household, in an order in which each can be done.
  private static let lines = [
    "stock new Milk 6l", "stock new Eggs 12 --full 12", "location new Fridge", "use eggs 1",
    "stock use milk 1 eggs 2", "put eggs 2", "stock put milk 2 --expiry 10d", "count eggs 4",
    "stock count eggs 5", "discard eggs 1", "stock discard eggs 1 --reason old", "open milk",
    "stock open milk", "move eggs fridge 1", "stock move eggs fridge 1",
    "buy soap milk", "shop buy tea", "got soap", "shop got tea", "shop undone soap",
    "shop edit soap 2", "shop remove soap", "shop restore soap", "shop fill",
    "stock edit eggs --category Dairy", "stock edit eggs --batch fridge --notes old",
    "stock archive eggs", "stock restore eggs", "stock archive eggs --batch fridge",
    "stock restore eggs --batch fridge", "stock new Oil 1l", "stock merge Milk Oil",
    "receipt save --shop Aldi --line eggs@2", "receipt edit aldi --shop Lidl",
    "receipt void lidl", "receipt restore lidl", "location edit fridge --cold",
    "location archive fridge", "location restore fridge",
    "product new 4006381333931 --title Chocolate", "product edit chocolate --brand Rio",
    "product archive chocolate", "product restore chocolate", "config currency CHF",
  ]

  /// Lines that read standard input, with what they read.
  private static let fed = [
    ("receipt read", "CORNER SHOP\n20.11.2026 10:00\nBread 2.00\nJam 3.00\nTOTAL EUR 5.00\n"),
    ("stocktake", "3 Eggs\n"), ("import csv -", "name,total\nRice,2\n"),
    ("import todo.txt -", "Buy candles\n"),
  ]

  @Test("each command's commit, log and undo begin with the verb that was typed")
  func told() throws {
    var nest = try Nest()
    for (line, input) in Self.lines.map({ ($0, "") }) + Self.fed {
      nest.larder.now = try nest.after(1)
      let outcome = try nest(line, input: input)
      try #require(outcome.code == 0, "larder \(line): \(outcome.errors)")
      let verb = Self.verb(of: line)
      let subject = try #require(try nest.subjects().first)
      #expect(subject.prefix { $0.isLetter } == verb, "larder \(line): \(subject)")
      #expect(try nest("log -1 --oneline").output.hasSuffix("  \(subject)\n"), "larder \(line)")
      #expect(try nest("undo").output.hasPrefix("took back: \(subject) ("), "larder \(line)")
      #expect(try nest("redo").output.hasPrefix("brought back: \(subject) ("), "larder \(line)")
    }
  }

  @Test("no command that changes the household is left out above")
  func complete() {
    let typed = (Self.lines + Self.fed.map(\.0)).map { line in
      CommandLineParser(root: Root.command).parse(shellWords(line)).node.title
    }
    let elsewhere = [
      "larder undo", "larder redo", "larder sync", "larder import json", "larder import grocy",
    ]
    let changing = Root.command.nodes().filter { node in
      node.command.run != nil && node.command.options.contains { $0.name == Rehearsal.option.name }
    }
    #expect(changing.count > 30)
    #expect(changing.map(\.title).filter { !(typed + elsewhere).contains($0) } == [])
  }

  /// The verb of a line; an import names what is imported behind it.
  private static func verb(of line: String) -> String {
    let path = CommandLineParser(root: Root.command).parse(shellWords(line)).node.path
    return path[1] == "import" ? path[1] : path[path.count - 1]
  }

  @Test("an item's history tells each act in the word that was typed for it")
  func history() throws {
    var nest = try Nest()
    try nest.prepare("stock new Eggs 12")
    for line in ["put eggs 2", "use eggs 1", "discard eggs 3", "count eggs 9"] {
      nest.larder.now = try nest.after(1)
      try nest.prepare(line)
    }
    let shown = try nest("show eggs").output
    for act in ["put 2,", "used 1,", "discarded 3,", "counted 9,"] {
      #expect(shown.contains("  \(act) "), "\(shown)")
    }
  }

  @Test(
    "an earlier name still works, and tells the word of today",
    arguments: [
      ("stock consume eggs 1", "use 1 of Eggs"), ("stock add eggs 1", "put 1 of Eggs"),
      ("stock spoil eggs 1", "discard 1 of Eggs"), ("shop add jam", "buy jam"),
      ("shop done tea", "got Tea"),
    ])
  func earlier(_ line: String, _ subject: String) throws {
    let nest = try Nest()
    try nest.prepare("stock new Eggs 12", "stock new Tea 1", "buy tea", line)
    #expect(try nest.subjects().first == subject)
    let help = try nest("help " + line.split(separator: " ").prefix(2).joined(separator: " "))
    let verb = subject.prefix { $0 != " " }
    #expect(help.output.contains("Usage: larder \(line.prefix { $0 != " " }) \(verb) "))
  }

  @Test("a commit that an earlier version made is taken back in its own words")
  func older() async throws {
    let nest = try Nest()
    try nest.prepare("stock new Eggs 12")
    var context = LarderContext(environment: ["HOME": nest.larder.folder("home")])
    context.now = { Instant("2026-11-21T12:05:00Z") ?? .current }
    context.device = nest.larder.device
    context.command = "stock consume"
    let larder = try await Larder.open(from: nest.larder.folder("nest"), context)
    _ = try await larder.commit("consume 2 of Eggs") { change in
      try change.use(
        Quantity(Number(2), .piece), of: try change.survey.find(StockItem.self, "eggs"))
    }
    #expect(try nest("log -1 --oneline").output.hasSuffix("  consume 2 of Eggs\n"))
    #expect(try nest("undo").output.hasPrefix("took back: consume 2 of Eggs ("))
    #expect(try nest("stock list eggs --plain").output.contains("\t12\t"))
  }

  @Test("the words that were given up are in no help, no schema and no message")
  func abandoned() throws {
    let printed = Root.command.nodes(includingHidden: true).map { node in
      ([node.command.name, node.command.summary, node.command.discussion]
        + node.command.examples.flatMap { [$0.command, $0.explanation] }
        + node.command.options.map(\.fullHelp) + node.command.arguments.map(\.help))
        .joined(separator: "\n")
    }
    let topics = Topics.all.map(\.text)
    let schemas = try Self.texts(in: "schema")
    let sessions =
      try ["errors", "daily", "stock", "batches", "locations"].flatMap {
        try Self.texts(in: "Tests/Sessions/\($0)")
      }
      + Self.texts(in: "Tests/Golden")
    #expect(printed.count > 80 && topics.count > 3 && schemas.count > 5 && sessions.count > 100)
    for text in printed + topics + schemas + sessions {
      // The codes of files are what they were, and so are the code on a package and its field.
      let words = text.replacing(
        /"consume"|"spoil"|"lot"|--lot\b|lot:|[Ll]ot codes?|lotOrBatchCode or lot/, with: "")
      let found = words.firstMatch(
        of: /\b(consume|spoil|spoiled|spoilt|[Ll]ot|[a-z] lots|stock add|shop add|shop done)\b/)
      #expect(found?.output.0 == nil, "in \(text.prefix(300))")
    }
  }

  private static func texts(in folder: String) throws -> [String] {
    let place = Checkout.root.appending(path: folder)
    return try FileManager.default.subpathsOfDirectory(atPath: place.path())
      .filter { $0.hasSuffix(".txt") || $0.hasSuffix(".json") }
      .map { try String(contentsOf: place.appending(path: $0), encoding: .utf8) }
  }

  @Test("a terminal gets pictures, a pipe none: neither of a sync nor of prices")
  func pictures() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Milk 2l --full 4", "receipt save --shop A --line milk=1@2",
      "receipt save --shop B --line milk=1@3")
    try Git.run("init", "--quiet", "--bare", "hub.git", in: nest.larder.folder("home"))
    try nest.prepare("git -- remote add origin \(nest.larder.folder("home/hub.git"))")
    for line in ["sync", "sync --all", "stock", "show milk", "prices", "prices milk", "due"] {
      let piped = try nest(line)
      #expect(!Self.hasPicture(piped.output + piped.errors), "\(line): \(piped)")
    }
    for line in ["sync", "stock", "show milk", "prices milk"] {
      let screen = try nest.atTerminal(line).screen
      #expect(Self.hasPicture(screen), "\(line): \(screen)")
    }
  }

  /// Whether a text has an emoji or a block of a bar.
  private static func hasPicture(_ text: String) -> Bool {
    text.unicodeScalars.contains { scalar in
      scalar.properties.isEmojiPresentation || scalar == "\u{FE0F}"
        || (0x2580...0x25FF).contains(scalar.value)
    }
  }
}
