import Foundation
import LarderModel
import Seeded
import TestSupport
import Testing

@testable import LarderCLI

@Suite("A hint does what was meant")
struct HintTests {
  /// A household in which everything exists that the lines below name.
  static func kitchen() throws -> Nest {
    let nest = try Nest()
    try nest.prepare(
      "location new Fridge Cupboard", "location new Freezer --cold", "stock new Flour 1kg",
      "stock new Eggs 12", "stock new Milk 2l", "stock new 'Oat milk' 3l", "stock new Bread 2",
      "stock new Yoghurt 4", "stock new Apples 6", "stock new 'Old jam' 1",
      "stock archive 'old jam'", "receipt save --shop Rewe --line bread@2 --keep", "buy soap",
      "buy tea", "buy lemon 3", "got tea",
      "product new 4006381333931 --title Chocolate", "product new 5032987400110 --title Passata",
      "product archive passata")
    return nest
  }

  /// The commands in the hints of an outcome.
  static func commands(in outcome: CommandRunner.Outcome) -> [String] {
    outcome.errors.split(separator: "\n").flatMap { line -> [String] in
      guard let start = line.firstRange(of: /^hint: |; (?=did you mean|'larder)/) else { return [] }
      return line[start.upperBound...].matches(of: /'larder ([^']*(?:'[^ ,;?][^']*'[^']*)*)'/)
        .map { String($0.output.1) }
    }
  }

  @Test(
    "the command that is typed out does the act that the words mean, and undo takes it back",
    arguments: [
      ("move all eggs freezer", "move Eggs to Freezer"),
      ("move eggs to the freezer", "move Eggs to Freezer"),
      ("move 3 eggs freezer", "move 3 of Eggs to Freezer"),
      ("move freezer eggs", "move Eggs to Freezer"),
      ("move oat milk 1 l into the fridge", "move 1 l of Oat milk to Fridge"),
      ("move half the bread freezer", "move 0.5 of Bread to Freezer"),
      ("freeze 2 bread", "move 2 of Bread to Freezer"),
      ("freeze the bread", "move Bread to Freezer"), ("thaw bread 1", "move 1 of Bread to Fridge"),
      ("throw away 1 yoghurt", "discard 1 of Yoghurt"),
      ("throw out yoghurt", "discard 1 of Yoghurt"),
      ("throw yoghurt away", "discard 1 of Yoghurt"),
      ("toss the yoghurt in the bin", "discard 1 of Yoghurt"),
      ("threw out 2 apples --reason mouldy", "discard 2 of Apples"),
      ("discard apples 2 mouldy", "discard 2 of Apples"),
      ("discard apples 2 because they were mouldy", "discard 2 of Apples"),
      ("discard apples 1 fell down", "discard 1 of Apples"),
      ("stock discard oat milk 1l sour", "discard 1 l of Oat milk"),
      ("eat up 2 eggs", "use 2 of Eggs"), ("drank milk 1l", "use 1 l of Milk"),
      ("open the eggs", "open Eggs"), ("open 2 eggs", "open Eggs"),
      ("open oat milk 1l", "open Oat milk"),
      ("unbuy soap", "remove from the shopping list: soap"), ("unbuy tea", "undone: tea"),
      ("add soap to the list", "buy soap"), ("add crisps to my shopping list", "buy crisps"),
      ("remove soap from the list", "remove from the shopping list: soap"),
      ("cross soap off the list", "got soap"), ("tick off soap", "got soap"),
      ("run out of eggs", "count 0 of Eggs"), ("out of the eggs", "count 0 of Eggs"),
      ("merge milk 'oat milk'", "merge Oat milk into Milk"),
      ("combine milk 'oat milk'", "merge Oat milk into Milk"),
      ("stock edit eggs --alias bread", "merge Bread into Eggs"),
      ("stock edit eggs --name bread", "merge Eggs into Bread"),
      ("stock new Brot --alias bread", "edit Bread"),
      ("shop edit the soap 2", "edit soap on the shopping list"),
      ("shop edit 2 soap", "edit soap on the shopping list"),
      ("stock new 2kg rice", "new item rice"), ("stock new brown rice 2kg", "new item brown rice"),
      ("unarchive old jam", "restore Old jam"), ("got bananas", "buy bananas"),
      ("got bananas 3", "buy bananas"), ("config timeZone Berln", nil),
      ("log --author kitchen", nil),
    ] as [(String, String?)])
  func meant(_ line: String, _ subject: String?) throws {
    let nest = try Self.kitchen()
    let before = try nest.subjects()
    let outcome = try nest(line)
    #expect(outcome.code != 0, "larder \(line): \(outcome.output)")
    #expect(try nest.subjects() == before)
    guard let subject else { return #expect(outcome.errors.contains("did you mean")) }
    let hint = try #require(Self.commands(in: outcome).first, "larder \(line): \(outcome.errors)")
    let done = try nest(hint)
    #expect(done.code == 0, "larder \(line): larder \(hint): \(done.errors)")
    #expect(try nest.subjects().first?.hasPrefix(subject) == true, "\(line): \(hint): \(done)")
    try nest.prepare("undo")
  }

  @Test("what was on no list is in the basket after both commands of the hint")
  func onNoList() throws {
    let nest = try Self.kitchen()
    let hints = Self.commands(in: try nest("got bananas 3 'oat milk'"))
    let first = try nest("got bananas 3")
    for hint in Self.commands(in: first) { try nest.prepare(hint) }
    #expect(try nest("shop --plain").output.contains("done\tbananas\t3"))
    #expect(hints.contains("buy bananas 3") && hints.contains("buy \"oat milk\""), "\(hints)")
  }

  @Test("all is an amount to move or to open, and loses nothing")
  func all() throws {
    let nest = try Self.kitchen()
    #expect(try nest("move eggs freezer all").output == "moved 12 of Eggs to Freezer\n")
    #expect(try nest("open 'oat milk' all").output.hasPrefix("opened 3 l of Oat milk"))
    #expect(try nest("stock eggs --plain").output.contains("12"))
  }

  @Test(
    "a word that is tried for a command gives one that works where its things exist",
    arguments: TriedWords.table.keys.sorted())
  func everyWord(_ noun: String) throws {
    let nest = try Self.kitchen()
    for (word, target) in (TriedWords.table[noun] ?? [:]).sorted(by: { $0.key < $1.key }) {
      guard let rest = Self.arguments[target] else {
        let words = target.split(separator: " ").map(String.init).filter { !$0.hasPrefix("-") }
        // What needs a project has tests of its own.
        #expect(
          Self.elsewhere.contains(target)
            || words.first == "cloud" && Root.command.node(at: words) != nil,
          "no arguments for \(target)")
        continue
      }
      let typed = ([noun, word, rest].filter { !$0.isEmpty }).joined(separator: " ")
      guard Root.command.node(at: [noun, word].filter { !$0.isEmpty }) == nil else { continue }
      let before = try nest.subjects()
      let outcome = try nest(typed)
      #expect(outcome.code == 2, "larder \(typed): \(outcome.output)")
      let hint = try #require(Self.commands(in: outcome).first, "larder \(typed)")
      #expect(hint.hasPrefix(target), "larder \(typed): larder \(hint)")
      let done = try nest(hint)
      #expect(done.code == 0, "larder \(typed): larder \(hint): \(done.errors)")
      if try nest.subjects().count > before.count { try nest.prepare("undo") }
    }
  }

  /// What stands behind the commands that are meant, for the household above.
  private static let arguments = [
    "use": "eggs 1", "put": "eggs 2", "count": "eggs 4", "discard": "eggs 1", "buy": "jam",
    "got": "soap", "open": "milk", "move": "eggs Freezer", "shop undone": "tea",
    "shop remove": "soap", "shop list": "", "shop fill": "", "stock archive": "bread",
    "stock restore": "'old jam'", "stock merge": "milk 'oat milk'", "stock move": "eggs Fridge",
    "stock list": "", "stock list --batches": "", "stock new": "Rice 1kg",
    "stock edit": "eggs --full 3", "stock expired": "", "location new": "Attic",
    "location archive": "Cupboard", "location list": "", "product new": "96385074 --title Nuts",
    "product archive": "chocolate", "product list": "",
    "receipt save": "--shop Aldi --line eggs@2", "receipt void": "rewe", "receipt list": "",
    "receipt show": "rewe", "log": "", "prices": "bread", "spending": "", "waste": "",
    "report": "-o /dev/null", "export json": "",
  ]

  /// Commands that need another device, a file or an editor.
  private static let elsewhere: Set<String> = ["sync", "join", "receipt read", "stocktake"]

  @Test("a guess by spelling is offered only for a word that is close to it")
  func spelling() throws {
    var random = SeededGenerator(seed: 29)
    let names = Set(Root.command.nodes().compactMap { $0.path.last })
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    for name in names.sorted() {
      for _ in 0..<20 {
        var word = Array(name)
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let place = Int.random(in: 0..<word.count, using: &random)
          word[place] = letters.randomElement(using: &random) ?? "x"
        }
        let typed = String(word)
        for guess in suggestions(for: typed, among: names.sorted()) {
          let far = editDistance(typed, guess)
          #expect(
            far <= (typed.count <= 5 ? 1 : 2) || guess.hasPrefix(typed), "\(typed): \(guess)")
        }
      }
    }
    for (typed, wrong) in [("merge", "serve"), ("unbuy", "buy"), ("burn", "buy")] {
      #expect(!suggestions(for: typed, among: names.sorted()).contains(wrong))
    }
  }

  /// The commands that the sources and the help name in sentences, such as `'larder undo'`.
  private static func named() throws -> [(file: String, command: String)] {
    let place = Checkout.root.appending(path: "Sources")
    let files = try FileManager.default.subpathsOfDirectory(atPath: place.path())
      .filter { $0.hasSuffix(".swift") || $0.hasSuffix(".md") }
    return try files.flatMap { file in
      let text = try String(contentsOf: place.appending(path: file), encoding: .utf8)
        .replacing(/\/\/[^\n]*/, with: "").replacing(/"\s*\n\s*\+ "/, with: "").replacing(
          /\\\n\s*/, with: ""
        )
        .replacing(/\\\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/, with: "x")
      return text.matches(of: /'larder ([^'\n]*)'/).map { (file, String($0.output.1)) }
    }
  }

  @Test("every command that a sentence names is one, with options that it has")
  func exists() throws {
    let parser = CommandLineParser(root: Root.command)
    let all = try Self.named()
    #expect(all.count > 250)
    for (file, command) in all {
      let words = shellWords(command.replacing(/[…<>].*/, with: ""))
      // A name that a sentence puts in, and the help's example of an alias.
      guard let first = words.first, first != "x", command != "milk" else { continue }
      let wrong = parser.parse(words).problems.filter { problem in
        switch problem {
        case .unknownCommand(let word, _, _, _): word != "x"
        case .unknownOption: true
        default: false
        }
      }
      #expect(wrong.isEmpty, "\(file): larder \(command): \(wrong)")
    }
  }
}
