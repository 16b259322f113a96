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
    subcommands: [
      ImportCSV.command.withDryRun, JSONCopy.take.withDryRun, TodoCommand.take.withDryRun,
      GrocyImport.command.withDryRun,
    ])
}
