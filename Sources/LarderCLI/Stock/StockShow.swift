import LarderJSON
import LarderKit
import LarderModel

/// `larder stock show`.
enum StockShow {
  private static let changes = Option(
    "changes", value: "N", help: "how many of the last changes to show (5 if left out)")

  static let command = Command(
    "show", summary: "Show an item with its batches and last changes",
    examples: [
      Example("larder stock show 'oat milk'"), Example("larder stock show milk --changes 20"),
      Example("larder stock show 5032987400110 --json", "by a barcode"),
    ],
    arguments: [StockCommand.item], options: [changes]
  ) { invocation in
    let survey = try invocation.survey()
    let item = try survey.naming.find(invocation[StockCommand.item], .stockItem, .any)
    let count = try invocation.count(changes) ?? 5
    switch invocation.output.mode {
    case .json: invocation.output.json([JSONMember("item", json(item, survey))])
    case .plain:
      for (name, value) in fields(item, survey) { invocation.output.record([name, value]) }
    case .human: show(item, survey, changes: count, on: invocation.output)
    }
  }

  private static func json(_ item: Entity, _ survey: Survey) -> JSON {
    let batches = survey.batches(of: item).map { survey.listed($0) }
    return survey.whole(
      item,
      [
        JSONMember("total", survey.total(of: item).value.json),
        JSONMember("missing", survey.missing(of: item).json),
        JSONMember("batches", .array(batches)),
      ])
  }

  private static func show(
    _ item: Entity, _ survey: Survey, changes count: Int, on output: Output
  ) {
    output.line(item.title, .bold)
    for (name, value) in fields(item, survey) where name != "name" {
      output.line("  \(name): \(value)")
    }
    let lots = survey.lots(of: item).map { LotRow($0, in: survey) }
    if !lots.isEmpty {
      output.write("\n")
      output.table(LotRow.table(lots, in: survey, isOfOneItem: true).withoutEmptyColumns)
    }
    let events = survey.events(of: item).suffix(count)
    if !events.isEmpty {
      output.write("\n")
      for event in events.reversed() { output.line(event) }
    }
  }

  /// Returns the fields with their names for `--set` and filters, and computed values.
  private static func fields(_ item: Entity, _ survey: Survey) -> [(String, String)] {
    let row = StockRow(item, in: survey)
    let loose = row.batches.isEmpty ? nil : item.quantity.description
    var fields: [(String, String?)] = [
      ("name", item.title), ("total", row.total.description), ("loose", loose),
      ("full", item.fullStock > .zero ? Quantity(item.fullStock, item.unit).description : nil),
      ("missing", row.isLow ? Quantity(row.missing, item.unit).description : nil),
      ("unit", item.unit.rawValue), ("category", item.category),
    ]
    let products = item.productIDs.map { id in
      survey.household[.product, id].map { "\($0.title) (\(id))" } ?? id
    }
    if !products.isEmpty { fields.append(("products", products.joined(separator: ", "))) }
    let known = Set(Schema.of(.stockItem).fields.map(\.name))
    for register in item.registers where !known.contains(register.name) {
      if let value = register.value { fields.append((register.name.text, value.plainText)) }
    }
    fields.append(("archived", item.isTombstone ? "yes" : nil))
    fields += [("file", survey.household.path(of: item.key)), ("id", item.id)]
    return fields.compactMap { name, value in value.map { (name, $0) } }
  }
}

extension Survey {
  /// Returns the quantity events of an item and its batches in words, the oldest first.
  fileprivate func events(of item: Entity) -> [String] {
    let words = EntityWords(names: NameBook([household]), time: LocalTime(of: household))
    let sources = [item] + stock.batches(of: item)
    // Entries of one command have the same time; it took from the earliest expiry first.
    let events = sources.flatMap { source in
      source.ledger.entries.map { entry in
        let lot = source.expiryDay?.description ?? "undated"
        return (key: (entry.at, lot, entry.id), entry: entry, source: source)
      }
    }
    return events.sorted { $0.key < $1.key }.map { event in
      let place = event.source.kind == .inventoryItem ? " (\(self.words(for: event.source)))" : ""
      let note = event.entry.note.map { ": \($0)" } ?? ""
      let what = words.what(event.entry, in: event.source.ledger)
      return "\(calendar.text(of: event.entry.at))  \(what)\(place), \(event.entry.by)\(note)"
    }
  }
}

extension JSON {
  /// The value on one line; a text without its quotes.
  var plainText: String { string ?? String(decoding: compact(), as: UTF8.self) }
}
