import LarderJSON
import LarderKit
import LarderModel

/// `larder location new`.
enum LocationNew {
  private static let name = Argument("NAME", help: "the location's name")
  private static let cold = Option("cold", help: "it is a fridge or a freezer")

  static let command = Command(
    "new", summary: "Add a location",
    discussion: "If there is already a location with that name, nothing is created.",
    examples: [
      Example("larder location new Cellar"), Example("larder location new Freezer --cold"),
    ],
    arguments: [name], options: [cold]
  ) { invocation in
    let name = try invocation.newName(name)
    let change = try invocation.change { edit, writer, _ in
      edit.addLocation(name, isColdStorage: invocation.has(cold), by: writer)
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
  /// Returns the location that matches the words; throws if it is another household's.
  func location(named words: String) throws -> Entity {
    let location = try naming.find(words, .storageLocation)
    try refuseOthers(location)
    return location
  }
}
