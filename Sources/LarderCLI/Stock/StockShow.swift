import LarderKit

/// `larder stock show`.
enum StockShow {
  private static let changes = Option(
    "changes", value: "N", help: "how many of the last changes to show (5 if left out)")

  static let command = Command(
    "stock show", arguments: [StockCommand.item], options: [changes],
    records: [Record.named.form()], isPaged: true
  ) { invocation in
    let survey = try invocation.survey()
    let item = try survey.naming.find(invocation[StockCommand.item], .stockItem, .any)
    let count = try invocation.count(changes) ?? 5
    switch invocation.output.mode {
    case .json: invocation.output.json(["item": json(item, survey)])
    case .plain:
      let figures = ItemFigures(of: item, in: survey)
      invocation.output.records(StockRow(item, in: survey).details(in: survey) + figures.lines())
    case .human: show(item, survey, changes: count, on: invocation.output)
    }
  }

  private static func json(_ item: Entity, _ survey: Survey) -> JSON {
    let batches = survey.batches(of: item).map { survey.listed($0) }
    return survey.whole(
      survey.stock.withoutLack(item),
      StockRow(item, in: survey).shownComputed + ItemFigures(of: item, in: survey).json
        + [JSONMember("batches", .array(batches))])
  }

  private static func show(
    _ item: Entity, _ survey: Survey, changes count: Int, on output: Output
  ) {
    output.line(item.title, .bold)
    for (name, text) in StockRow(item, in: survey).details(in: survey) where name != "name" {
      output.line("  \(name): \(text)")
    }
    let figures = ItemFigures(of: item, in: survey)
    for (name, text) in figures.lines(isDrawn: output.terminal.outputIsTerminal) {
      output.line("  \(name): \(text)")
    }
    output.batches(survey.countingLots(of: item), in: survey)
    let events = survey.events(of: item, last: count)
    if !events.isEmpty {
      output.write("\n")
      for event in events.reversed() { output.line(event) }
    }
  }
}

extension Output {
  /// Prints the batches of one item below an empty line; nothing if there are none.
  func batches(_ lots: [Lot], in survey: Survey) {
    guard !lots.isEmpty else { return }
    write("\n")
    let rows = lots.map { LotRow($0, in: survey) }
    table(Table(rows, LotRow.columnsOfOneItem))
  }
}

extension Survey {
  /// Returns the last quantity events of an item and its batches in words, the oldest first.
  fileprivate func events(of item: Entity, last count: Int) -> [String] {
    let words = EntityWords(names: NameBook([household]), time: LocalTime(of: household))
    let sources = [item] + stock.batches(of: item)
    // Entries of one command have the same time; it took from the earliest expiry first.
    let events = sources.flatMap { source in
      let lot = source.lastDay?.description ?? "undated"
      let ledger = source.ledger
      return ledger.told.map { entry in
        (key: (entry.at, lot, entry.id), entry: entry, source: source, ledger: ledger)
      }
    }
    return events.sorted { $0.key < $1.key }.suffix(count).map { event in
      let place = event.source.kind == .inventoryItem ? " (\(self.words(for: event.source)))" : ""
      let note = event.entry.note.map { ": \($0)" } ?? ""
      let what = words.what(event.entry, in: event.ledger)
      return "\(calendar.text(of: event.entry.at))  \(what)\(place), \(event.entry.by)\(note)"
    }
  }
}
