import LarderJSON
import LarderKit
import LarderModel

/// `larder export todo.txt` and `larder import todo.txt`.
enum TodoCommand {
  static let export = Command(
    "todo.txt", summary: "Write the shopping list for a todo.txt app",
    discussion: """
      Each entry is a line with its amount and name, its category as a context, and its id as \
      larder:ID, by which 'larder import todo.txt' finds it again. What is in the basket is ticked. \
      FILTER chooses as 'larder shop list' does.
      """,
    examples: [
      Example("larder export todo.txt > todo.txt"),
      Example("larder export todo.txt category:dairy"),
    ],
    arguments: [ListOptions.filters.choosing(from: ShopRow.listing)], options: [ExportedText.file]
  ) { invocation in
    let survey = try invocation.survey()
    let rows = try invocation.choose(ShopRow.all(in: survey, withDeleted: false), in: survey)
    let list = TodoList(of: rows.map { ShoppingListEntry(entity: $0.entry) }, in: survey)
    try ExportedText(
      bytes: Array(list.text.utf8), told: counted(list.count, "entry", "entries")
    ).write(invocation)
  }

  static let take = Command(
    "todo.txt", summary: "Take over ticks and new lines of a todo.txt file",
    discussion: """
      An entry that is ticked in the file goes into the basket. A line without larder:ID goes on the \
      list, as 'larder buy' does it; its priority, dates, contexts and projects are left out. A line \
      that is missing, or not ticked, says nothing, because the file may be older than the list.
      """,
    examples: [
      Example("larder import todo.txt todo.txt"),
      Example("larder import todo.txt - --dry-run"),
    ],
    arguments: [InputFile.argument]
  ) { invocation in
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
