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
    let unit = try invocation.unit(StockCommand.unit)
    let note = invocation.trimmed(ShopCommand.note)
    let (wanted, change) = try await invocation.commit { change in
      let (survey, writer) = (change.survey, change.writer)
      var mistakes = ThingMistakes()
      var entries: [EntityKey] = []
      var free: [String] = []
      var readings: [String] = []
      let typed = try invocation.things(
        in: lines, of: things, .stockItem, .byFullNamesOrWords, unit: StockCommand.unit, survey,
        noting: &mistakes)
      for typed in typed {
        let entry = mistakes.attempt(typed.name) {
          let item = try typed.itemToBuy(in: survey)
          if item == nil { free.append(typed.name) }
          readings += survey.readings(of: typed, as: item)
          return try want(typed, item, unit, note, in: &change.edit, invocation, survey, writer)
        }
        if let entry = entry ?? nil, !entries.contains(entry.key) { entries.append(entry.key) }
      }
      try mistakes.refuse()
      let after = change.edit.after
      let titles = entries.compactMap { after[$0] }.map { Stock(after).title(of: $0) }
      change.subject = "buy \(inShort(titles))"
      return (entries: entries, typed: typed, free: free, readings: readings)
    }
    let told = wanted.entries.compactMap { key in
      change[key].map { change.wanted($0, isNew: !change.wasWanted($0)) }
    }
    invocation.output.report(change, lines: told)
    invocation.tellRemarks(wanted.typed)
    for name in wanted.free { tellNear(name, invocation, change) }
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

  /// Suggests the items that a free entry may mean: their names contain the words, or are similar.
  private static func tellNear(_ name: String, _ invocation: Invocation, _ change: Outcome) {
    let naming = change.after.naming
    let titles = naming.all(.stockItem).filter { !$0.isTombstone }.map(\.title).sorted()
    let parts = naming.items(withPart: name).map(\.title).sorted()
    guard let near = parts.first ?? suggestions(for: name, among: titles).first else { return }
    invocation.output.note("no item is called '\(name)'; did you mean '\(near)'?")
  }
}

extension Outcome {
  /// Whether an entry was on the list before, with the same quantity and note.
  fileprivate func wasWanted(_ entry: Entity) -> Bool {
    before.household[entry.key].map { old in
      !old.isTombstone && old.desired == entry.desired && old.note == entry.note
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
