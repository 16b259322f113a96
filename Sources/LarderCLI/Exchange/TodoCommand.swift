import LarderKit

/// `larder export todo.txt` and `larder import todo.txt`.
enum TodoCommand {
  static let export = Command(
    "export todo.txt", arguments: [ListOptions.filters.choosing(from: ShopRow.listing)],
    options: [ExportedText.file]
  ) { invocation in
    let survey = try invocation.survey()
    let rows = try invocation.choose(ShopRow.all(in: survey, isWhole: false), in: survey)
    let list = TodoList(of: rows.map { ShoppingListEntry(entity: $0.entry) }, in: survey)
    try ExportedText(
      bytes: Array(list.text.utf8), told: counted(list.count, "entry", "entries")
    ).write(invocation)
  }

  static let take = Command("import todo.txt", arguments: [InputFile.argument]) { invocation in
    let input = try InputFile(invocation[InputFile.argument], invocation)
    try input.importing {
      let (report, outcome) = try invocation.withLarder { larder in
        try larder.commit { change in
          let report = try change.take(todo: input.bytes)
          let keys = report.ticked + report.added
          let titles = keys.compactMap { key in
            change.edit.after[key].map { change.edit.title(of: $0) }
          }
          change.subject = "import a todo.txt file: \(inShort(titles))"
          return report
        }
      }
      tell(report, outcome, invocation)
    }
  }

  private static func tell(
    _ report: TodoReport, _ outcome: Outcome, _ invocation: Invocation
  ) {
    invocation.tellRehearsal()
    let ticked = report.ticked.compactMap { key in
      outcome[key].map { "\(outcome.after.naming.title(of: $0)) is in the basket" }
    }
    let added = report.added.compactMap { key in outcome[key].map { outcome.wanted($0) } }
    invocation.output.report(outcome, lines: ticked + added)
    guard invocation.output.mode == .human else { return }
    if outcome.isNothing { invocation.output.note("nothing changed: no tick and no line is new") }
    if report.gone > 0 {
      let count = counted(report.gone, "ticked entry is", "ticked entries are")
      invocation.output.note("\(count) off the list already")
    }
  }
}
