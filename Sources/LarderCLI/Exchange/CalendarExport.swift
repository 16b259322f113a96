import LarderKit

/// `larder export ics`.
enum CalendarExport {
  private static let only = Option(
    "only", value: "PART", values: .oneOf(["due", "list"]),
    help: "only what is due, or only the shopping list")

  static let command = Command(
    "export ics", arguments: [ListOptions.filters.choosing(from: LotRow.listing)],
    options: [ExportedText.file, only]
  ) { invocation in
    let survey = try invocation.survey()
    let part = invocation[only]
    let lots = try invocation.choose(LotRow.all(in: survey, isWhole: false), in: survey)
    let batches = lots.flatMap(\.entities).filter(\.hasSomethingLeft).map { Batch(entity: $0) }
    let entries = ShopRow.all(in: survey, isWhole: false).map {
      ShoppingListEntry(entity: $0.entry)
    }
    let events = HouseholdEvents(
      part == "list" ? [] : batches, part == "due" ? [] : entries, in: survey)
    let told =
      "\(counted(events.count.events, "event")) and \(counted(events.count.todos, "to-do"))"
    try ExportedText(bytes: Array(events.text.utf8), told: told).write(invocation)
  }
}
