import LarderKit

extension Survey {
  /// Returns a receipt in short, such as `Greenway Market, 2026-11-20 18:30, 23.05 EUR`.
  func heading(_ receipt: Entity) -> String {
    let amount = receipt.number(.amount).map { TypedMoney($0, receipt.currency).description }
    return [receipt.title, calendar.text(of: receipt.timestamp), amount].compactMap { $0 }
      .joined(separator: ", ")
  }

  /// Returns the current total of every item on a receipt.
  func stock(of receipt: Entity) -> JSON {
    let items = Set(receipt.lines.compactMap(\.itemID)).sorted()
      .compactMap { household[.stockItem, $0] }
    let totals = items.map { item -> JSON in
      [
        "id": .string(item.id), "name": .string(item.title), "total": total(of: item).value.json,
        "unit": .string(item.unit.rawValue),
      ]
    }
    return ["stock": .array(totals)]
  }
}

extension Output {
  /// Reports a change of a receipt, with its lines and the current total of each item.
  func report(_ receipt: Entity, _ change: Outcome, _ verb: String, _ invocation: Invocation) {
    if mode == .human {
      line("\(verb) \(change.after.heading(receipt))")
      lines(of: receipt, in: change.after)
    }
    let members: JSON = ["receipt": change.after.listed(receipt)]
    report(change, members + change.after.stock(of: receipt), lines: [])
  }
}

/// The words around the form of a receipt.
enum ReceiptFormWords {
  static let remarks = [
    "One line for each thing, with the price of all of it: 2 l Milk @@ 3.58",
    "or with the price of one: 2 l Milk @ 1.79",
    "The amount and the price may be left out. A discount has a price below zero.",
    "Put a name with a number or an @ in it into \"double quotes\".",
    "Lines that begin with # say nothing.",
  ]
  static let learning = "A name that you change to an item's is known from then on."
}

extension Invocation {
  /// Whether a user is at the terminal who can use an editor.
  var canEdit: Bool {
    prompt.isInteractive && output.terminal.outputIsTerminal && output.mode == .human
  }

  /// Reads a receipt's form, and tells how its day was completed.
  func form(_ text: String, in survey: Survey) throws -> ReceiptForm {
    let form = try ReceiptForm(text, in: survey)
    if let completed = form.completedDay { output.warn(completed.words) }
    return form
  }

  /// Opens the editor on a receipt's form, and returns the value that `read` makes of it; nil if
  /// nothing was written.
  ///
  /// With `takesUnchanged`, an unchanged form counts as written.
  func edited<Value>(
    form: String, takesUnchanged: Bool = false, _ read: @Sendable (String) async throws -> Value
  ) async throws -> Value? {
    guard !has(Rehearsal.option) else {
      throw ErrorWords(
        .usage, "what to save is missing",
        "--dry-run needs an option such as --line; an editor is opened without it")
    }
    var text = EditedText(
      text: form, name: "receipt.txt",
      instead: "or say it with options; see '\(path.joined(separator: " ")) --help'",
      isEmpty: ReceiptForm.isEmpty)
    text.takesUnchanged = takesUnchanged
    return try await text.edited(by: self, read)
  }

  /// Reports the news about a receipt's lines.
  func tell(_ news: LineNews, _ change: Outcome) async {
    let survey = change.after
    guard let receipt = news.receipt.flatMap({ survey.household[$0.key] }).map(Receipt.init) else {
      return
    }
    if !news.taken.isEmpty {
      let names = news.taken.map { survey.naming.title(of: $0) }.joined(separator: ", ")
      output.note("off the shopping list: \(names)")
    }
    for one in news.contents {
      output.note("\(one.wanted) of \(one.name) came to \(one.bought)")
    }
    await tellUnknown(news.unknown, on: receipt, survey)
    tellUncounted(news.uncounted, on: receipt, survey)
    let changed = Set(change.entities.map(\.key))
    let counted = survey.countedSince(receipt).filter { changed.contains($0.item.key) }
    if !counted.isEmpty {
      let told = counted.map { item, time in
        "\(item.title), \(survey.total(of: item)) still (\(survey.calendar.text(of: time)))"
      }
      output.note("in what was counted since already: \(inShort(told))")
    }
    if news.madeNothing {
      output.note(
        "\(ReceiptOptions.new.spelling) made no item: no line that it is about names anything unknown"
      )
    }
    for note in news.prices { output.note(note.words(receipt.currency)) }
    do {
      try receipt.checkAmount()
    } catch {
      output.warn(error.errorWords.message)
    }
  }

  private func tellUnknown(_ names: [String], on receipt: Receipt, _ survey: Survey) async {
    guard !names.isEmpty else { return }
    if await leavesNew() { return output.note("on the receipt only: \(inShort(names))") }
    let titles = canAsk ? [] : survey.items.map(\.name)
    for name in names {
      guard let near = suggestions(for: name, among: titles).first else { continue }
      output.note("no item is called '\(name)'; did you mean '\(near)'?")
    }
    let single = names.filter(receipt.isFound)
    guard !single.isEmpty else { return output.note("on the receipt only: \(inShort(names))") }
    // Without a line, --new is about all of them, and opens the form on a terminal.
    let lines =
      single.count > 3 ? " --no-input" : single.map { " --line \(shellWord($0))" }.joined()
    output.note(
      "on the receipt only: \(inShort(names)); 'larder receipt edit "
        + "\(shellWord(survey.reference(to: receipt)))\(lines) --new' makes "
        + "\(single.count == 1 ? "it an item" : "them items") of the stock")
  }

  private func tellUncounted(_ names: [String], on receipt: Receipt, _ survey: Survey) {
    let open = Set(receipt.lines.filter { $0.itemID == nil }.map(\.itemName))
    for name in Set(names).intersection(open).sorted() where receipt.isFound(name) {
      output.note(
        "\(name) is on the receipt only; 'larder receipt edit "
          + "\(shellWord(survey.reference(to: receipt))) --line \(shellWord(name))' counts it")
    }
  }
}

/// The news about the lines of a saved or corrected receipt.
struct LineNews {
  var receipt: Receipt?
  /// The entries that lines took off the shopping list.
  var taken: [Entity] = []
  /// The names that are not items.
  var unknown: [String] = []
  /// The names that are items', on lines that do not count as them.
  var uncounted: [String] = []
  /// Whether `--new` was given, and nothing became an item.
  var madeNothing = false
  var prices: [PriceNote] = []
  /// What was on the list in another unit than its item is counted in.
  var contents: [BoughtContent] = []
}

extension Receipt {
  /// Whether `--line NAME` finds one line: a name of two lines does not tell which one is meant, and
  /// some names read as an amount or a price.
  func isFound(_ name: String) -> Bool {
    lines.count { fold($0.itemName) == fold(name) } == 1
      && (try? TypedLine(assigned: name)) == TypedLine(name)
  }
}

extension PriceNote {
  fileprivate func words(_ currency: String?) -> String {
    switch self {
    case .amountSays(inAll: true):
      "the prices behind @ are those of all of a line, as only so they come to the amount; "
        + "@@ says that, and @ is the price of one"
    case .amountSays(inAll: false):
      "the prices behind @ are those of one, as only so they come to the amount"
    case .inAll(let name, let quantity, let price):
      "\(TypedMoney(price, currency)) is the price of all \(quantity) of \(name); for the price of "
        + "one, write the number: --line \(shellWord("\(name)=\(quantity.value)@\(price)"))"
    }
  }
}

/// The answer to the question whether bought things that are new come into the stock.
private enum NewThingsAnswer: String, CaseIterable {
  case yes, no, always, never
}

extension Invocation {
  /// Makes one commit with the rules for lines, by `--new`, `--no-new`, the setting or the user.
  ///
  /// `body` returns the things that come into the stock and were never there. If there are any, the
  /// user is asked once, about all of them; `body` then runs again with their answer. If nobody can
  /// be asked, the things stay on the receipt.
  func keepingNew<Value: Sendable>(
    _ body: @escaping @Sendable (inout Change, LineRules) throws -> (value: Value, new: [NewThing])
  ) async throws -> (value: Value, outcome: Outcome) {
    do {
      return try await askingWhich { try await keepingNew($0, body) }
    } catch var error as ErrorWords
      where !error.unknownNames.isEmpty
      && parsed.node.command.options.contains(where: { $0.name == ReceiptOptions.new.name })
    {
      error.hints.append(Self.newHint(error.unknownNames.count))
      throw error
    }
  }

  private func keepingNew<Value: Sendable>(
    _ meanings: Meanings,
    _ body: @escaping @Sendable (inout Change, LineRules) throws -> (value: Value, new: [NewThing])
  ) async throws -> (value: Value, outcome: Outcome) {
    let choice = try await newItems()
    let asks = choice == .ask && canAsk
    var rules = lineRules
    rules.meanings = meanings
    rules.keepsNewThings =
      !rules.makesItems && (asks || choice == .always || (choice == .ask && prompt.answersYes))
    do {
      let (done, outcome) = try await commit { [rules] change in
        var done = try body(&change, rules)
        if !rules.keepsNewThings { done.new = [] }
        if asks, !done.new.isEmpty {
          throw OpenQuestion.newThings(done.new, known: change.survey.items.map(\.name))
        }
        return done
      }
      if !done.new.isEmpty { tell(done.new, beside: outcome.before.items.map(\.name)) }
      return (done.value, outcome)
    } catch OpenQuestion.newThings(let things, let known) {
      let answer = try askAbout(things, beside: known)
      rules.keepsNewThings = answer == .yes || answer == .always
      let (value, outcome) = try await commit { [rules] change in try body(&change, rules).value }
      if answer == .always || answer == .never {
        try await remember(answer == .always ? .always : .never)
      }
      return (value, outcome)
    }
  }

  /// Whether things that are no items stay on the receipt because somebody said so.
  func leavesNew() async -> Bool { (try? await newItems()) == .never }

  /// What becomes of things that are new, by the options and the setting.
  private func newItems() async throws -> NewItemsChoice {
    if has(ReceiptOptions.noNew) {
      guard !has(ReceiptOptions.new) else {
        throw ErrorWords(.usage, "--new and --no-new say the opposite", "give one of them")
      }
      return .never
    }
    return try await withLarder { larder in larder.isReadOnly ? .ask : try larder.newItems }
  }

  private func askAbout(_ things: [NewThing], beside known: [String]) throws -> NewThingsAnswer {
    for (name, near) in likely(things, known) {
      output.note("no item is called '\(name)'; did you mean '\(near)'?")
    }
    let answer = prompt.word(
      "\(things.inWords) \(things.count == 1 ? "is" : "are") not in the stock yet. Keep track of "
        + "\(things.count == 1 ? "it" : "them")? [Y/n/always/never]",
      of: NewThingsAnswer.allCases.map(\.rawValue))
    guard let answer = answer.flatMap(NewThingsAnswer.init) else {
      throw ErrorWords(
        .failed, "nothing was saved: the question was not answered", "--new or --no-new answers it")
    }
    return answer
  }

  /// Tells what came into the stock without a question.
  private func tell(_ things: [NewThing], beside known: [String]) {
    output.note("new in the stock: \(things.inWords)")
    for (name, near) in likely(things, known) {
      output.note("\(name) is new; if \(near) was meant, 'larder undo' takes the receipt back")
    }
  }

  /// Returns the first few names that may be mistakes, each with the known name that is likely meant.
  private func likely(_ things: [NewThing], _ known: [String]) -> [(name: String, near: String)] {
    Array(
      things.lazy.compactMap { thing in
        suggestions(for: thing.name, among: known).first.map { (thing.name, $0) }
      }.prefix(3))
  }

  private func remember(_ choice: NewItemsChoice) async throws {
    try await withLarder { try $0.setNewItems(choice) }
    output.note(
      "from now on, \(choice.sentence); 'larder config newItems ask' lets larder ask again")
  }
}

extension [NewThing] {
  /// The things with their quantities, such as `sugar (1 piece) and coffee (250 g)`.
  fileprivate var inWords: String {
    let all = map { thing in
      let number = thing.quantity
      return "\(thing.name) (\(number.unit == .piece ? counted(number) : number.description))"
    }
    return all.count == 2 ? all.joined(separator: " and ") : inShort(all)
  }

  private func counted(_ pieces: Quantity) -> String {
    "\(pieces.value) \(pieces.value == Number(1) ? "piece" : "pieces")"
  }
}
