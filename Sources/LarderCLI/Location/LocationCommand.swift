import LarderModel

/// `larder location`: the places where things are kept.
enum LocationCommand {
  static let location = Argument(
    "LOCATION", values: .named(.all(.storageLocation)),
    help: "a location's name or a part of it, its file or id")
  static let locations = Argument(
    "LOCATION", .oneOrMore, values: .named(.all(.storageLocation)),
    help: "locations' names or parts of them, files or ids")

  static let command = Command(
    "location", summary: "Where things are kept",
    discussion: """
      A location is a place for batches, such as a fridge or a cellar. 'larder stock list \
      location:fridge' shows what is in one. Without a verb, 'larder location' lists them.
      """,
    group: "Household",
    examples: [
      Example("larder location", "where things are, and what expires first there"),
      Example("larder location new Fridge --cold"),
      Example("larder location list is:expired", "where something is past its day"),
    ],
    parts: [
      .init("list") { LocationList.list },
      .init("new") { LocationNew.command.withDryRun },
      .init("edit") { LocationEdit.command.withDryRun },
      .init("archive") { LocationArchive.archive.withDryRun },
      .init("restore") { LocationArchive.restore.withDryRun },
    ], defaultSubcommand: "list")
}
