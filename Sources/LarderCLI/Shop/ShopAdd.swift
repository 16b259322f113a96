import LarderKit

/// `larder shop buy`.
enum ShopAdd {
  private static let things = Argument(
    "THING [AMOUNT]", .oneOrMore, values: .named(.item),
    help: """
      items of the stock or the names of anything else, each with how much: milk 2l, 3 eggs; a comma or \
      quotes keep names apart; - reads lines from standard input, also rows of lists with --plain
      """)

  static let command = Command(
    "shop buy", formerly: "add", arguments: [things],
    options: [StockCommand.unit, ShopCommand.note]
  ) { invocation in
    let lines = try invocation.lines(of: things)
    try await invocation.askingWhich { try await buy(lines, invocation, $0) }
  }

  private static func buy(
    _ lines: Invocation.ThingLines, _ invocation: Invocation, _ meanings: Meanings
  ) async throws {
    let unit = try invocation.unit(StockCommand.unit)
    let note = invocation.trimmed(ShopCommand.note)
    let (wanted, change) = try await invocation.commit { change in
      let (survey, writer) = (change.survey, change.writer)
      var mistakes = ThingMistakes()
      var entries: [EntityKey] = []
      var free: [TypedThing] = []
      var readings: [String] = []
      let typed = try invocation.things(
        in: lines, of: things, .stockItem, .byFullNamesOrWords, unit: StockCommand.unit, survey,
        noting: &mistakes)
      for typed in typed {
        let entry = mistakes.attempt(typed.name) {
          var typed = typed
          let meant = meanings[fold(typed.name)] ?? nil
          typed.name = meant ?? typed.name
          let item = try typed.itemToBuy(in: survey)
          if item == nil { free.append(typed) }
          readings += survey.readings(of: typed, as: item)
          return try want(typed, item, unit, note, in: &change.edit, invocation, survey, writer)
        }
        if let entry = entry ?? nil, !entries.contains(entry.key) { entries.append(entry.key) }
      }
      try mistakes.refuse()
      try invocation.askWhich(free.compactMap { survey.wholes(of: $0) }, meanings)
      let after = change.edit.after
      let titles = entries.compactMap { after[$0] }.map { Stock(after).title(of: $0) }
      change.subject = "buy \(inShort(titles))"
      return (entries: entries, typed: typed, free: free, readings: readings)
    }
    let told = wanted.entries.compactMap { key in
      change[key].map { change.wanted($0, isNew: !change.wasWanted($0)) }
    }
    invocation.output.report(change, lines: told)
    invocation.tellContents(wanted.entries.compactMap { change[$0] }, change.after)
    invocation.tellRemarks(wanted.typed)
    for typed in wanted.free where meanings[fold(typed.name)] == nil {
      tellNear(typed, invocation, change)
    }
    for reading in Set(wanted.readings).sorted() { invocation.output.note(reading) }
  }

  /// Puts one thing on the list, and returns its entry.
  private static func want(
    _ typed: TypedThing, _ item: Entity?, _ unit: Unit?, _ note: String?, in edit: inout Edit,
    _ invocation: Invocation, _ survey: Survey, _ writer: Writer
  ) throws -> Entity? {
    if case .all? = typed.amount {
      throw ErrorWords(.usage, "\(typed.name): all is no amount to buy", "write how much")
    }
    if item == nil { _ = try invocation.newName(typed.name, for: things.name) }
    return try survey.want(typed, as: item, unit: unit, note: note, in: &edit, by: writer)
  }

  /// Says how to get the items that a free entry may mean: their names contain the words, or are
  /// similar.
  private static func tellNear(_ typed: TypedThing, _ invocation: Invocation, _ change: Outcome) {
    let survey = change.before
    let titles = survey.items.map(\.name)
    let wholes = survey.wholes(of: typed)?.wholes.map(\.name) ?? []
    let near =
      wholes.isEmpty ? Array(suggestions(for: typed.name, among: titles).prefix(1)) : wholes
    guard let first = near.first else { return }
    let amount = typed.written.map { " \($0)" } ?? ""
    let others = near.count > 1 ? " (or \(inShort(Array(near.dropFirst()))))" : ""
    invocation.output.note(
      "no item is called '\(typed.name)'; if \(first)\(others) is meant, 'larder undo', and "
        + "'\(invocation.path.joined(separator: " ")) \(shellWord(first))\(amount)'")
  }
}

extension Invocation {
  /// Says how to tell what entries come to of which nobody knows it, in the units of their items.
  func tellContents(_ entries: [Entity], _ survey: Survey) {
    for entry in entries {
      guard let item = entry.itemID.flatMap({ survey.household[.stockItem, $0] }),
        (try? survey.content(of: entry.desired, as: item)) == nil
      else { continue }
      let title = shellWord(survey.naming.title(of: entry))
      output.note(
        "\(item.title) is counted in \(item.unit.shortName); 'larder got \(title) AMOUNT' says how "
          + "much it was, before the receipt is saved")
    }
  }
}

extension Survey {
  /// Returns the items that have the words of a wish in their names; nil if none has.
  fileprivate func wholes(of typed: TypedThing) -> Missing? {
    let wholes = typed.isWhole ? [] : naming.candidates(withPart: typed.name, .stockItem)
    return wholes.isEmpty
      ? nil
      : Missing(words: typed.name, kind: .stockItem, near: [], wholes: wholes, untaken: [])
  }
}

extension Outcome {
  /// Whether an entry was on the list before, with the same quantity and note.
  fileprivate func wasWanted(_ entry: Entity) -> Bool {
    before.household[entry.key].map { old in
      !old.isTombstone && old.isCompleted == entry.isCompleted
        && old.desired == entry.desired && old.note == entry.note
    } ?? false
  }

  /// Returns the state of an entry, such as `Milk is on the shopping list: 2 l (6 l before)`.
  func wanted(_ entry: Entity, isNew: Bool = true) -> String {
    let title = after.naming.title(of: entry)
    let old = before.household[entry.key].flatMap { $0.isTombstone ? nil : $0.desired }
    let change = old.map { $0 == entry.desired ? "" : " (\($0) before)" } ?? ""
    let place =
      (entry.isCompleted ? "in the basket" : "on the shopping list") + (isNew ? "" : " already")
    let note = entry.note.map { ", \($0)" } ?? ""
    return "\(title) is \(place): \(entry.desired)\(change)\(note)"
  }
}
