/// `larder import`: takes over the data of another program.
enum ImportCommand {
  static let command = Command(
    "import", summary: "Import data from a spreadsheet or another program",
    discussion: """
      Everything in a file is one commit, or none: if there are mistakes, all are told with their \
      lines. --dry-run tells what would change.
      """,
    group: "Household",
    examples: [
      Example("larder import csv stock.csv --dry-run"), Example("larder import csv stock.csv"),
    ],
    parts: [
      .init("csv") { ImportCSV.command.withDryRun },
      .init("json") { JSONCopy.take.withDryRun },
      .init("todo.txt") { TodoCommand.take.withDryRun },
      .init("grocy") { GrocyImport.command.withDryRun },
    ])
}
