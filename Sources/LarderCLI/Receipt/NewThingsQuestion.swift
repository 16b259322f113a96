import LarderKit

/// The answer to the question whether bought things that are new come into the stock.
private enum NewThingsAnswer: String, CaseIterable {
  case yes, no, always, never
}

/// Takes the things that a change brings into the stock, before it is committed.
typealias NewThingsCheck = ([NewThing], Survey) throws -> Void

extension Invocation {
  /// Runs `body` with the rules for lines, by `--new`, `--no-new`, the setting or the user.
  ///
  /// `body` calls its second argument before it commits. If things come into the stock that were
  /// never there, the user is asked once, about all of them; `body` then runs again with their
  /// answer. If nobody can be asked, the things stay on the receipt.
  func keepingNew<Value>(_ body: (LineRules, NewThingsCheck) throws -> Value) throws -> Value {
    var rules = lineRules
    let choice = try newItems()
    let asks = choice == .ask && canAskAboutNew
    rules.keepsNewThings =
      !rules.makesItems && (asks || choice == .always || (choice == .ask && prompt.answersYes))
    var found: [NewThing] = []
    var known: [String] = []
    do {
      let value = try body(rules) { things, survey in
        guard rules.keepsNewThings else { return }
        found = things
        known = survey.items.map(\.name)
        if asks, !found.isEmpty { throw CommandError(.failed, "nothing was saved") }
      }
      if !found.isEmpty { tell(found, beside: known) }
      return value
    } catch {
      guard asks, !found.isEmpty else { throw error }
    }
    let answer = try askAbout(found, beside: known)
    rules.keepsNewThings = answer == .yes || answer == .always
    let value = try body(rules) { _, _ in }
    if answer == .always || answer == .never { try remember(answer == .always ? .always : .never) }
    return value
  }

  /// Whether things that are no items stay on the receipt because somebody said so.
  var leavesNew: Bool { (try? newItems()) == .never }

  /// Whether the user is asked about things that are new, unless the setting answers.
  var canAskAboutNew: Bool {
    prompt.isInteractive && !prompt.answersYes && output.mode == .human && !has(Rehearsal.option)
  }

  /// What becomes of things that are new, by the options and the setting.
  private func newItems() throws -> NewItemsChoice {
    if has(ReceiptOptions.noNew) {
      guard !has(ReceiptOptions.new) else {
        throw CommandError(.usage, "--new and --no-new say the opposite", "give one of them")
      }
      return .never
    }
    return try withLarder { larder in larder.isReadOnly ? .ask : try larder.newItems }
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
      throw CommandError(
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

  private func remember(_ choice: NewItemsChoice) throws {
    try withLarder { try $0.setNewItems(choice) }
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
