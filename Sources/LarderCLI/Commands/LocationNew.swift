import LarderJSON
import LarderModel

/// `larder location new`.
enum LocationNew {
  private static let name = Argument("NAME", help: "what the location is called")
  private static let cold = Option("cold", help: "it is a fridge or a freezer")

  static let command = Command(
    "new", summary: "Add a location",
    discussion: "Where there is a location of that name already, nothing is made.",
    examples: [
      Example("larder location new Cellar"), Example("larder location new Freezer --cold"),
    ],
    arguments: [name], options: [cold]
  ) { invocation in
    let name = try invocation.newName(name)
    let change = try invocation.change { edit, writer, survey in
      try survey.refuseSecondLocation(name)
      edit.put(
        edit.new(
          .storageLocation,
          [("name", .string(name)), ("isColdStorage", .bool(invocation.has(cold)))], by: writer))
      return "new location \(name)"
    }
    let lines = change.own.map { key in
      "new location \(name) (\(change.after.household.path(of: key) ?? ""))"
    }
    invocation.output.report(change, lines: lines)
    let household = change.before.household
    let archived = change.before.naming.all(.storageLocation)
      .first { fold($0.title) == fold(name) }.flatMap { household.path(of: $0.key) }
    if let archived {
      invocation.output.note(
        "an archived \(name) is there too; 'larder undo' and then 'larder location restore "
          + "\(shellWord(archived))' bring that one back instead")
    }
  }
}

extension Survey {
  /// The household's own location that words name.
  func location(named words: String) throws -> Entity {
    let location = try naming.find(words, .storageLocation)
    try refuseOthers(location)
    return location
  }

  /// Refuses to change a location that says it belongs to another household.
  func refuseOthers(_ location: Entity) throws(CommandError) {
    guard !stock.isOurs(location) else { return }
    let error = RuleError.otherHousehold(
      location.title, household: location.householdID ?? "")
    throw error.commandError
  }

  /// Refuses a name that a location has already, but for the location itself.
  func refuseSecondLocation(_ name: String, except own: Entity? = nil) throws(CommandError) {
    guard let other = naming.named(name, .storageLocation), other.id != own?.id else { return }
    let word = shellWord(other.title)
    throw CommandError(
      .failed, "there is a location called \(other.title) already",
      hints: [
        own == nil
          ? "'larder location edit \(word)' changes it"
          : "'larder location edit \(word) --name NAME' or 'archive' makes its name free"
      ])
  }
}
