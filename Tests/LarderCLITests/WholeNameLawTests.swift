import LarderKit
import TestSupport
import Testing

/// What somebody types is used or refused, whatever the household and the words: nothing is forgotten,
/// and nothing is changed that nobody named.
@Suite("Random words in random households")
struct WholeNameLawTests {
  static var seeds: [UInt64] {
    if let seed = Seed.single { return [seed] }
    return (0..<12).map { Seed.ofRun + $0 }
  }

  private static let words = [
    "oat", "milk", "peanut", "butter", "rice", "vinegar", "vanilla", "ice", "cream", "lemon",
    "soap",
    "bread", "crisps", "coffee", "beans",
  ]

  /// Amounts as they are typed, with what an answer may show of them.
  private static let amounts: [(typed: String, shown: [String])] = [
    ("2", ["2"]), ("500 g", ["500", "0.5"]), ("1.5 l", ["1.5", "1500"]), ("three", ["3"]),
    ("zwei", ["2"]), ("a couple of", ["2"]), ("a dozen", ["12"]), ("1.5l x 2", ["3"]),
    ("half a dozen", ["6"]), ("anderthalb", ["1.5"]), ("three quarters of a", ["0.75"]),
  ]

  /// A household of things with names of one to three words.
  private struct Kitchen {
    let nest: Nest
    var random: SeededGenerator
    private(set) var names: [String: [String]] = [:]

    init(seed: UInt64) throws {
      nest = try Nest()
      random = SeededGenerator(seed: seed)
      var taken: Set<String> = []
      for _ in 0..<random.number(3...6) {
        let name = draw(of: random.number(1...3))
        if taken.insert(singular(name)).inserted { names[name] = [name] }
      }
      let lines = names.keys.sorted().map { "\"\($0)\" 8\(random.pick(["", "l", "kg"]) ?? "")" }
      let made = try nest("put - --new", input: lines.joined(separator: "\n") + "\n")
      try #require(made.code == 0, "\(made.errors)")
      try nest.prepare("location new Fridge Cellar")
      if let name = names.keys.sorted().first {
        let alias = draw(of: 2)
        if taken.insert(singular(alias)).inserted {
          try nest.prepare("stock edit '\(name)' --alias '\(alias)'")
          names[name]?.append(alias)
        }
      }
      for _ in 0..<2 { try nest.prepare("buy '\(draw(of: 2))'") }
    }

    mutating func draw(of count: Int) -> String {
      let drawn = (0..<count).compactMap { _ in random.pick(WholeNameLawTests.words) }
      return drawn.unique.joined(separator: " ")
    }

    /// A whole name, a part of one, or any words.
    mutating func name() -> String {
      let whole = random.pick(names.values.flatMap(\.self).sorted()) ?? ""
      let parts = whole.split(separator: " ").map(String.init)
      let name =
        random.happens(40) ? whole : random.happens(60) ? random.pick(parts) ?? whole : draw(of: 2)
      let typed = random.happens(20) ? name.uppercased() : name
      return random.happens(15) ? "\(typed)s" : typed
    }

    /// The totals and the list, each with the name that people know it by.
    func state() throws -> [String: String] {
      var state: [String: String] = [:]
      for record in try nest("stock list --plain").records {
        state["stock " + record[0]] = record[1]
      }
      for record in try nest("shop list --plain").records {
        state["list " + record[1], default: ""] += record[0] + record[2] + record[3]
      }
      return state
    }
  }

  @Test("are all in the answer, and change only what they name in full", arguments: seeds)
  func law(_ seed: UInt64) throws {
    var kitchen = try Kitchen(seed: seed)
    var accepted = 0
    var before = try kitchen.state()
    for _ in 0..<14 {
      let (line, amounts, place) = line(&kitchen)
      let outcome = try kitchen.nest(line)
      let after = try kitchen.state()
      let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
      before = after
      guard outcome.code == 0 else {
        #expect(changed.isEmpty, "seed \(seed): larder \(line) is refused, and changes \(changed)")
        continue
      }
      accepted += 1
      let answer = fold(outcome.output + outcome.errors)
      let typed = typedWords(line)
      let others = kitchen.names.filter { answer.contains(fold($0.key)) }.values.joined()
      let told = answer + " " + others.map(fold).joined(separator: " ")
      for word in typed where Self.words.contains(singular(word)) || Self.words.contains(word) {
        #expect(told.contains(singular(word)), "seed \(seed): larder \(line): \(word) is forgotten")
      }
      for amount in amounts {
        #expect(
          amount.contains(where: answer.contains),
          "seed \(seed): larder \(line): \(amount): \(answer)")
      }
      if place { #expect(answer.contains("fridge"), "seed \(seed): larder \(line)") }
      for thing in changed.sorted() {
        let name = String(thing.drop { $0 != " " }.dropFirst())
        let names = kitchen.names.first { fold($0.key) == fold(name) }?.value ?? [name]
        #expect(
          names.contains { isNamed($0, by: typed) },
          "seed \(seed): larder \(line) changes \(thing): \(answer)")
      }
    }
    #expect(accepted > 0, "seed \(seed)")
  }

  /// A line of one or two things with amounts, and perhaps a place.
  private func line(_ kitchen: inout Kitchen) -> (line: String, amounts: [[String]], place: Bool) {
    let verb = kitchen.random.pick(["put", "put", "count", "got", "buy", "put --new"]) ?? "put"
    var amounts: [[String]] = []
    let things = (0..<kitchen.random.number(1...2)).map { _ in
      var name = kitchen.name()
      if kitchen.random.happens(40) { name = "'\(name)'" }
      guard kitchen.random.happens(75), let amount = kitchen.random.pick(Self.amounts) else {
        return name
      }
      amounts.append(amount.shown)
      return kitchen.random.happens(50) || amount.typed.hasSuffix("a")
        || amount.typed.hasSuffix("of")
        ? "\(amount.typed) \(name)" : "\(name) \(amount.typed)"
    }
    let joint = kitchen.random.pick([", ", " and ", " "]) ?? " "
    let place = verb == "put" && kitchen.random.happens(25)
    let end = place ? kitchen.random.pick([" fridge", " in the fridge"]) ?? "" : ""
    return ("\(verb) \(things.joined(separator: joint))\(end)", amounts, place)
  }

  private func typedWords(_ line: String) -> [String] {
    fold(line.replacing("'", with: "").replacing(",", with: "")).split(separator: " ").map(
      String.init)
  }

  /// Whether the words of a name stand in the typed ones, one after the other.
  private func isNamed(_ name: String, by typed: [String]) -> Bool {
    let words = fold(name).split(separator: " ").map { singular(String($0)) }
    let said = typed.map { singular($0) }
    return said.indices.contains { said[$0...].prefix(words.count).elementsEqual(words) }
  }
}

@Suite("A part of a name, at a terminal")
struct PartOfNameTests {
  private func nest(_ names: String...) throws -> Nest {
    let nest = try Nest()
    for name in names { try nest.prepare("stock new '\(name)' 4l") }
    return nest
  }

  private func total(_ name: String, in nest: Nest) throws -> String? {
    try nest("stock list --plain").records.first { $0[0] == name }?[1]
  }

  @Test(
    "is asked about, and Enter alone changes nothing",
    arguments: [
      "put milk 2l", "count milk 2l", "receipt save --shop S --no-new --line milk=2l", "got milk",
    ])
  func enter(line: String) throws {
    let nest = try nest("Oat milk")
    try nest.prepare("buy 'oat milk' 1l")
    let outcome = try nest.atTerminal(line, typing: "\n\n")
    #expect(outcome.screen.contains("is Oat milk meant? [y/N]"), "\(outcome.screen)")
    #expect(try total("Oat milk", in: nest) == "4")
    #expect(try nest("shop --plain").records.map { $0[0] } == ["open"])
  }

  @Test("is the thing where somebody says so")
  func yes() throws {
    let nest = try nest("Oat milk")
    #expect(
      try nest.atTerminal("put milk 2l", typing: "y\n").screen.contains("put 2 l of Oat milk"))
    #expect(try nest.atTerminal("count milk 3l", typing: "y\n").screen.contains("counted 3 l"))
    #expect(try nest.atTerminal("buy milk", typing: "y\n").screen.contains("Oat milk is on"))
    #expect(try nest.atTerminal("got milk", typing: "y\n").screen.contains("Oat milk is in"))
    let saved = try nest.atTerminal("receipt save --shop S --line milk=2l@@3", typing: "y\n")
    #expect(saved.screen.contains("Oat milk"), "\(saved.screen)")
    #expect(try total("Oat milk", in: nest) == "5")
  }

  @Test("of several names is chosen by its number, or is none of them")
  func several() throws {
    let nest = try nest("Oat milk", "Soy milk")
    let put = try nest.atTerminal("put milk 2l", typing: "7\n2\n")
    #expect(put.screen.contains("2  Soy milk"), "\(put.screen)")
    #expect(put.screen.contains("put 2 l of Soy milk"), "\(put.screen)")
    let bought = try nest.atTerminal("buy milk 1l", typing: "\n")
    #expect(bought.screen.contains("milk is on the shopping list: 1 l"), "\(bought.screen)")
  }

  @Test("of a form's line is asked about, too")
  func form() throws {
    let nest = try nest("Oat milk")
    let script = "sh -c 'printf \"Shop: S\\n\\n2 l milk @@ 3\\n\" > \"$0\"'"
    let saved = try nest.atTerminal("receipt save", typing: "y\n", editor: script)
    #expect(saved.screen.contains("is Oat milk meant? [y/N]"), "\(saved.screen)")
    #expect(try total("Oat milk", in: nest) == "6")
  }
}
