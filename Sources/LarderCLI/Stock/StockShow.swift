import LarderKit

/// `larder stock show`.
enum StockShow {
  private static let changes = Option(
    "changes", value: "N", help: "how many of the last changes to show (5 if left out)")

  static let command = Command(
    "stock show", arguments: [StockCommand.item], options: [changes],
    records: [Column.named.form()], isPaged: true
  ) { invocation in
    let survey = try await invocation.survey()
    let item = try survey.naming.find(invocation[StockCommand.item], .stockItem, .any)
    let count = try invocation.count(changes) ?? 5
    let (output, row) = (invocation.output, StockRow(item, in: survey))
    let figures = ItemFigures(of: item, in: survey)
    let isDrawn = output.mode == .human && output.terminal.outputIsTerminal
    output.details(
      "item",
      survey.whole(
        survey.stock.withoutLack(item),
        row.shownComputed + figures.json
          + ["batches": .array(survey.batches(of: item).map { survey.listed($0) })]),
      row.details(in: survey) + figures.lines(isDrawn: isDrawn))
    guard output.mode == .human else { return }
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
    let words = EntityWords(of: household)
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

/// `larder stock summary`.
enum StockSummaryCommand {
  static let command = Command(
    "stock summary", arguments: [StockCommand.item], records: [Column.named.form()]
  ) { invocation in
    let survey = try await invocation.survey()
    let words = invocation[StockCommand.item]
    let item = try survey.naming.find(words, .stockItem, .any)
    let product = survey.product(named: words, of: item)
    let summary =
      product.flatMap { survey.stock.summary(ofProduct: $0) } ?? survey.stock.summary(of: item)
    let title = product.flatMap { survey.household[.product, $0]?.title } ?? item.title
    let fields = known([
      ("name", title), ("total", summary.total.description),
      ("loose", summary.loose.value == .zero ? nil : summary.loose.description),
      ("batches", "\(summary.batchCount)"), ("active", "\(summary.activeBatchCount)"),
      ("keeps until", summary.earliestExpiry?.description),
    ])
    invocation.output.details(
      "item",
      [
        "id": .string(item.id), "name": .string(title), "totalQuantity": summary.total.json,
        "loose": summary.loose.json, "batchCount": .number(summary.batchCount),
        "activeBatchCount": .number(summary.activeBatchCount),
        "productId": product.map { .string($0) },
        "earliestExpiry": summary.earliestExpiry.map { .string($0.description) },
      ], fields)
  }
}
