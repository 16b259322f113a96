import LarderKit

/// `larder location`: the places where things are kept.
enum LocationCommand {
  static let location = Argument(
    "LOCATION", values: .named(.all(.storageLocation)),
    help: "a location's name or a part of it, its file or id")
  static let locations = Argument(
    "LOCATION", .oneOrMore, values: .named(.all(.storageLocation)),
    help: "locations' names or parts of them, files or ids")

  static let command = Command(
    "location", group: "Household",
    parts: [
      .init("list") { LocationList.list },
      .init("new") { LocationNew.command.withDryRun },
      .init("edit") { LocationEdit.command.withDryRun },
      .init("archive") { LocationArchive.archive.withDryRun },
      .init("restore") { LocationArchive.restore.withDryRun },
    ], defaultSubcommand: "list")
}

/// `larder location list`.
enum LocationList {
  private static let all = Option("all", short: "a", help: "show archived locations too")

  static let list = Command.list(
    "location list", of: LocationRow.self, all: all,
    first: "no locations yet: 'larder location new NAME' adds one")
}

extension LocationRow: ListedRow {
  static let columns: [Column<LocationRow>] = [
    Column("name")
      .inTable("Location", minimumWidth: 12) { .archivable($0.location, $0.location.title) }
      .inRecord(1),
    Column("isColdStorage")
      .inTable("Cold", need: .little) { .init($0.isCold ? "cold" : "") }
      .inRecord(2),
    Column("batchCount").inTable("Batches", .right).inRecord(3).inJSON(1),
    Column("expiry")
      .inTable("Expires first") { .init($0.expiry?.description ?? "", $0.passed?.style) }
      .inRecord(4).inJSON(2),
    Column("id").inRecord(5),
  ]

  /// The sentence after archiving, such as `archived Cellar`, with the number of batches still
  /// there.
  fileprivate var archivedSentence: String {
    guard !batches.isEmpty else { return "archived \(location.title)" }
    let count = counted(batches.count, "batch", "batches")
    return "archived \(location.title), with \(count) still there"
  }
}

/// `larder location new`.
enum LocationNew {
  private static let names = Argument("NAME", .oneOrMore, help: "the locations' names")
  private static let cold = Option("cold", help: "each is a fridge or a freezer")

  static let command = Command("location new", arguments: [names], options: [cold]) { invocation in
    let names = try separated(invocation.all(LocationNew.names)).map {
      try invocation.newName($0, for: LocationNew.names.name)
    }
    let change = try await invocation.change { edit, writer, _ in
      for name in names { edit.addLocation(name, isColdStorage: invocation.has(cold), by: writer) }
      return "new location \(inShort(names))"
    }
    let lines = change.entities.map { location in
      "new location \(location.title) (\(change.after.household.path(of: location.key) ?? ""))"
    }
    invocation.output.report(change, lines: lines)
    for name in names { tellArchived(name, change, invocation) }
  }

  /// Returns the names in words; a comma separates those that are not in quotes.
  private static func separated(_ words: [String]) -> [String] {
    words.flatMap { word in
      let names = word.contains(where: \.isWhitespace) ? [] : word.split(separator: ",")
      return names.isEmpty ? [word] : names.map(String.init)
    }
  }

  private static func tellArchived(_ name: String, _ change: Outcome, _ invocation: Invocation) {
    let household = change.before.household
    let archived = change.before.naming.all(.storageLocation)
      .first { fold($0.title) == fold(name) }.flatMap { household.path(of: $0.key) }
    if let archived {
      invocation.output.note(
        "an archived \(name) is there too; 'larder undo' and then 'larder location restore "
          + "\(shellWord(archived.text))' bring that one back instead")
    }
  }
}

extension Survey {
  /// Returns the location that matches the words; throws if it is another household's.
  func location(named words: String) throws -> Entity {
    let location = try naming.find(words, .storageLocation)
    try refuseOthers(location)
    return location
  }
}

/// `larder location edit`.
enum LocationEdit {
  private static let name = Option("name", value: "NAME", help: "a new name")
  private static let cold = Option(
    "cold", value: "YES-or-NO", values: .oneOf(["yes", "no"]), implied: "yes",
    help: "whether it is a fridge or a freezer")

  static let command = Command(
    "location edit", arguments: [LocationCommand.location],
    options: [name, cold, Assignment.option]
  ) { invocation in
    let name = try invocation[name].map { try invocation.newName($0, for: "--name") }
    let isCold = invocation[cold].map { $0 == "yes" }
    let assignments = try invocation.assignments(.storageLocation)
    guard name != nil || isCold != nil || !assignments.isEmpty else {
      throw ErrorWords.nothingAsked("give --name, --cold or --set")
    }
    let change = try await invocation.change { edit, writer, survey in
      let location = try survey.location(named: invocation[LocationCommand.location])
      var fields: [FieldValue] = []
      if let name { fields.append((.name, .string(name))) }
      if let isCold { fields.append((.isColdStorage, .bool(isCold))) }
      fields += try assignments.fields(in: location)
      edit.write(fields, to: location.key, now: writer.now)
      return "edit the location \(location.title)"
    }
    invocation.reportEdited(change)
  }
}

/// `larder location archive` and `larder location restore`.
enum LocationArchive {
  static let archive = Command("location archive", arguments: [LocationCommand.locations]) {
    invocation in
    let change = try await invocation.mark(
      LocationCommand.locations, .storageLocation, .live, .isArchived, true, subject: "archive"
    ) { location, survey in try survey.refuseOthers(location) }
    let rows = LocationRow.all(in: change.after, isWhole: true)
      .filter { change.own.contains($0.location.key) }
    let left = rows.flatMap(\.batches)
    invocation.output.report(
      change, ["batches": .array(left.map { change.after.listed($0) })],
      lines: rows.map(\.archivedSentence))
    if !left.isEmpty {
      invocation.output.hint("'larder stock move BATCH LOCATION' moves a batch elsewhere")
    }
  }

  static let restore = Command("location restore", arguments: [LocationCommand.locations.ofDeleted])
  { invocation in
    let change = try await invocation.mark(
      LocationCommand.locations, .storageLocation, .deleted, .isArchived, false, subject: "restore"
    ) { location, survey in try survey.refuseOthers(location) }
    invocation.reportRestored(change)
  }
}
