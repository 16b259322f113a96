import LarderKit
import LarderModel

extension Invocation {
  /// The largest number of things in one command.
  private static let mostThings = 2_000
  private static let bullets: Set<String> = ["-", "*", "•", "[", "]", "[]", "[x]", "☐", "☑", "✓"]

  /// The lines that name things.
  struct ThingLines {
    /// The words of each line.
    var words: [[String]] = []
    /// The things of rows that Larder printed.
    var rows: [TypedThing] = []
  }

  /// Returns the words of an argument; if it is `-`, those of each line of standard input.
  ///
  /// It leaves out bullets and boxes of lists, empty lines, and lines that begin with `#`.
  func lines(of argument: Argument) throws -> ThingLines {
    if let numbered { return ThingLines(rows: numbered) }
    let words = all(argument)
    // An empty name comes from an unset variable in a script; nobody means it.
    if let empty = words.first(where: { $0.allSatisfy(\.isWhitespace) }) {
      throw unreadable(empty, for: argument.name, "a name is needed")
    }
    guard words == ["-"] else { return ThingLines(words: [words]) }
    var lines = ThingLines()
    while let line = prompt.input.readLine() {
      guard line.utf8.count <= longestLine else {
        throw tooMuch("a line of more than \(longestLine) bytes is")
      }
      guard lines.words.count + lines.rows.count < Self.mostThings else {
        throw tooMuch("more than \(Self.mostThings) lines are")
      }
      if let row = try ListedThing.read(line) {
        lines.rows.append(row)
        continue
      }
      let words = lineWords(line).drop { Self.bullets.contains($0.lowercased()) }
      if let first = words.first, !first.hasPrefix("#") { lines.words.append(Array(words)) }
    }
    return lines
  }

  private func tooMuch(_ what: String) -> ErrorWords {
    ErrorWords(
      .usage, "\(what) too much for one command", "'larder import csv' reads large tables")
  }

  /// Reads the things of some lines, with `unit` as the unit of amounts without one.
  func things(
    in lines: ThingLines, of argument: Argument, _ kind: Kind, _ splitting: TypedThings.Splitting,
    unit option: Option, _ survey: Survey, noting mistakes: inout ThingMistakes
  ) throws -> [TypedThing] {
    let unit = try unit(option)
    var things: [TypedThing] = []
    let typed = TypedThings(
      lines: lines.words, kind: kind, in: survey, splitting: splitting,
      areTexts: all(argument) == ["-"])
    guard typed.things.count <= Self.mostThings else {
      throw tooMuch("\(typed.things.count) things are")
    }
    for mistake in typed.mistakes { _ = mistakes.attempt("") { throw error(for: mistake) } }
    for thing in lines.rows + typed.things {
      let given = mistakes.attempt(thing.name) {
        try unit.map { try with($0, from: option, thing) } ?? thing
      }
      if let given { things.append(given) }
    }
    guard !things.isEmpty || !mistakes.all.isEmpty else {
      throw ErrorWords(.usage, "nothing is named", "see '\(path.joined(separator: " ")) --help'")
    }
    return things
  }

  private func with(_ unit: Unit, from option: Option, _ thing: TypedThing) throws -> TypedThing {
    guard case .quantity(var quantity)? = thing.amount else { return thing }
    guard quantity.unit == nil || quantity.unit == unit else {
      throw unreadable(
        thing.written ?? "", for: thing.name, "\(option.usage) says \(unit.shortName)")
    }
    quantity.unit = unit
    var thing = thing
    thing.amount = .quantity(quantity)
    return thing
  }

  private func error(for mistake: TypedThing.Mistake) -> UsageError {
    switch mistake {
    case .badAmount(let sum, let name, .price):
      unreadable(
        sum, for: name,
        "this is a price, and belongs on the receipt: 'larder receipt save --shop SHOP --line "
          + "\(shellWord("\(name)@@\(sum)"))'")
    case .badAmount(let text, let name, let reason):
      unreadable(text, for: name, reason.reason, topic: Topics.amounts)
    case .amountAlone(let text):
      unreadable(text, for: "THING", "the name of a thing is needed beside an amount")
    }
  }

  /// Tells what was taken of words that could mean something else too, and how to get that.
  func tellRemarks(_ things: [TypedThing]) {
    for thing in things {
      switch thing.remark {
      case nil: break
      case .separated(let names, let whole, let amount)?:
        output.note(
          "\(names.map { "'\($0)'" }.joined(separator: " and ")) are \(names.count) things; if it is "
            + "one, 'larder undo', and write it in quotes: '\(path.joined(separator: " ")) "
            + "\(shellWord(whole))\(amount.map { " \($0)" } ?? "")'")
      case .behindComma(let written)?:
        let words = written.split(separator: " ").map(String.init)
        let alone = (words.suffix(1) + words.dropLast()).joined(separator: " ")
        output.note(
          "'\(written)' is the amount of \(thing.name); if it is a thing of its own, 'larder undo', and "
            + "'\(path.joined(separator: " ")) \(shellWord(thing.name)), \(alone)'")
      case .numberInName(let words, isTaken: true)?:
        output.note(
          "'\(words)' is \(thing.written ?? "") of '\(thing.name)'; if it is a name, 'larder undo', "
            + "and write an amount behind it: '\(path.joined(separator: " ")) \(shellWord(words)) 1'"
        )
      case .numberInName(let words, isTaken: false)?:
        output.note(
          "'\(words)' is a name; if it is an amount, 'larder undo', and leave out the quotes: "
            + "'\(path.joined(separator: " ")) \(words)'")
      }
    }
  }

  /// Throws if an option that needs a single thing is given with several.
  func refuse(_ options: [Option], with things: [TypedThing]) throws {
    guard things.count > 1, let option = options.first(where: { self[$0] != nil }) else { return }
    throw ErrorWords(
      .usage, "\(option.spelling) is about one thing, and \(things.count) are named",
      "a name of several words needs quotes where another name is a part of it")
  }

  /// Runs `body`, whose parameter says whether it may make items of unknown things.
  ///
  /// If that is not allowed and a user is at the terminal, it asks them, and then runs `body`
  /// again.
  func makingUnknown(if isAllowed: Bool, _ body: (Bool) async throws -> Void) async throws {
    do {
      try await body(isAllowed)
    } catch let thrown where !isAllowed {
      var error = MessageWords().errorWords(for: thrown)
      guard !error.unknownNames.isEmpty else { throw thrown }
      let names = error.unknownNames.map { "'\($0)'" }.joined(separator: ", ")
      let isOne = error.unknownNames.count == 1
      switch prompt.confirm("no item is called \(names); make \(isOne ? "it" : "them")?") {
      case true?: return try await body(true)
      case false?: break
      case nil:
        error.hints.append(Self.newHint(error.unknownNames.count))
      }
      throw error
    }
  }

  static func newHint(_ count: Int) -> String {
    "--new makes \(count == 1 ? "it an item" : "them items") of the stock"
  }

  /// Reads the `--set` options for entities of a kind.
  func assignments(_ kind: Kind) throws -> [Assignment] {
    try all(Assignment.option).map { try Assignment($0, self, kind) }
  }
}

/// Reading rows of lists that Larder printed, where commands read lines from standard input.
///
/// A name may have anything in it, so such a row is never read as words.
enum ListedThing {
  /// The columns of a thing's name and its id in rows of items or batches, and of the shopping list;
  /// the amount and the unit are behind the name.
  private static let forms = [(name: 0, id: 7), (name: 1, id: 6)]

  /// Returns the thing of a row that `--plain` wrote; nil for a line of words.
  ///
  /// Throws for a row of another table, for the headings of a list, and for JSON.
  static func read(_ line: String) throws -> TypedThing? {
    let start = line.drop(while: \.isWhitespace)
    if start.hasPrefix("{") || start.hasPrefix("[{") || start == "[" {
      throw refusal("this is JSON, not a list of things")
    }
    if isHeading(line) { throw refusal("'\(line)' are the headings of a table") }
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
    // A tab may also stand between a name and an amount that somebody typed.
    guard fields.count > 3 || fields.contains(where: { Identifier.isUUID(String($0)) }) else {
      return nil
    }
    let form = forms.first { form in
      fields.indices.contains(form.id) && Identifier.isUUID(String(fields[form.id]))
    }
    guard let form, let name = text(fields[form.name]),
      let number = Number(String(fields[form.name + 1])),
      let word = text(fields[form.name + 2]), let unit = Unit(rawValue: word)
    else { throw refusal("'\(line)' is a row of another table") }
    let quantity = Quantity(number, unit)
    return TypedThing(
      whole: name, written: quantity.description,
      amount: .quantity(TypedQuantity(value: number, unit: unit)))
  }

  private static func refusal(_ what: String) -> ErrorWords {
    ErrorWords(
      .usage, "\(what); nothing was changed",
      "'larder shop list --plain', 'larder stock list --plain' and 'larder due --plain' print rows "
        + "that can be read here; 'larder import csv' reads tables")
  }

  /// Returns a field as it was before ``plainRecord(_:)`` wrote it; nil if no record has it so.
  private static func text(_ field: Substring) -> String? {
    guard field.contains("\\") else { return String(field) }
    let quoted = "\"" + field.replacing("\"", with: "\\\"") + "\""
    return (try? JSON(parsing: Array(quoted.utf8)))?.string
  }

  /// Whether a line is the head of a list's table.
  private static func isHeading(_ line: String) -> Bool {
    let cells = line.replacing(/\t| {2,}/, with: "\t").split(separator: "\t").map(String.init)
    return cells.count > 1 && cells.allSatisfy(headings.contains)
  }

  private static let headings = Set(
    [StockRow.headings, LotRow.headings, ShopRow.headings].joined())
}

extension ListedRow {
  fileprivate static var headings: [String] {
    columns.compactMap(\.shown?.layout.title).filter { !$0.isEmpty }
  }
}

/// One `--set KEY=VALUE`.
struct Assignment {
  let key: FieldName
  let text: String
  private let kind: Kind

  static let option = Option(
    "set", value: "KEY=VALUE", isRepeatable: true,
    help: "set any field of the file; without a value, the field is removed")

  /// Keys that people can't set, with the reason.
  private static let settled: [FieldName: String] = [
    .quantityInStock: "'larder count', 'put' and 'use' change what there is",
    .quantityLoose: "'larder count', 'put' and 'use' change what there is",
    .changes: "the history is added to, never changed",
    .edited: "Larder keeps the times itself", .createdAt: "Larder keeps the times itself",
    .updatedAt: "Larder keeps the times itself", .id: "an id never changes",
    .userID: "it says who made it", .householdID: "it says whose household it is",
  ]

  /// Reads an assignment of a field; refuses an unknown name that is similar to a known one.
  init(_ text: String, _ invocation: Invocation, _ kind: Kind) throws(UsageError) {
    guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
      throw invocation.unreadable(text, for: "--set", "KEY=VALUE is needed")
    }
    let name = String(text[..<equals])
    if let reason = Assignment.settled[FieldName(name)] {
      throw invocation.unreadable(name, for: "--set", reason)
    }
    let known = Schema.of(kind).fields.map(\.name.text)
    let near = suggestions(for: name, among: known)
    if !known.contains(name), !near.isEmpty {
      throw invocation.usage(
        .notAmong(value: name, name: "--set", choices: known, suggestions: near))
    }
    key = FieldName(name)
    self.text = String(text[text.index(after: equals)...])
    self.kind = kind
  }

  /// Returns the value for the field's type; nil to remove the field.
  ///
  /// Throws a usage error if the value does not match the format.
  func value(in entity: Entity) throws(ErrorWords) -> JSON? {
    let isKnown = Schema.of(kind).fields.contains { $0.name == key }
    let json = try? JSON(parsing: Array(text.utf8))
    guard isKnown else {
      if text.isEmpty || json == .null { return nil }
      return json?.canonicalized() ?? .string(text)
    }
    var mistakes: FileMistakes?
    for candidate in [text.isEmpty ? nil : .string(text), json].compactMap(\.self) {
      do throws(FileMistakes) {
        return try normalized(candidate, in: entity)
      } catch {
        mistakes = error
      }
    }
    if let mistakes { throw refusal(mistakes) }
    do throws(FileMistakes) {
      return try normalized(nil, in: entity)
    } catch {
      throw refusal(error)
    }
  }

  private func refusal(_ mistakes: FileMistakes) -> ErrorWords {
    let reason = mistakes.all.first.map { MessageWords().message($0) } ?? "it can't be kept"
    return ErrorWords(
      .usage, "--set \(key)=\(text): \(reason)",
      "'larder schema \(kind.rawValue)' shows what fields take")
  }

  /// Returns the value after writing and reading a file with it.
  private func normalized(_ value: JSON?, in entity: Entity) throws(FileMistakes) -> JSON? {
    var members = (entity.json.members ?? []).filter { $0.key != key.text }
    if let value { members.append(JSONMember(key, value)) }
    return try EntityFile(kind, parsing: JSON.object(members).writeFile())[key]
  }
}

extension [Assignment] {
  /// Returns the fields to write, with the values for their types.
  func fields(in entity: Entity) throws -> [FieldValue] {
    try map { ($0.key, try $0.value(in: entity)) }
  }
}
