/// `larder export`: writes the household's data for other programs.
enum ExportCommand {
  static let command = Command(
    "export", summary: "Export data for a spreadsheet or another program",
    discussion: """
      Each form goes to standard output, or with -o to a file. Nothing in the household changes.
      """,
    group: "Household",
    examples: [
      Example("larder export csv > stock.csv", "the stock for a spreadsheet"),
      Example("larder export json -o backup.json", "everything, without the history"),
      Example("larder export hledger -o larder.journal", "receipts for bookkeeping"),
    ],
    parts: [
      .init("csv") { ExportCSV.command },
      .init("json") { JSONCopy.export },
      .init("hledger") { HledgerExport.command },
      .init("todo.txt") { TodoCommand.export },
      .init("ics") { CalendarExport.command },
    ])
}
