import LarderKit

/// `larder location new`.
enum LocationNew {
  private static let names = Argument("NAME", .oneOrMore, help: "the locations' names")
  private static let cold = Option("cold", help: "each is a fridge or a freezer")

  static let command = Command("location new", arguments: [names], options: [cold]) { invocation in
    let names = try invocation.all(LocationNew.names).map {
      try invocation.newName($0, for: LocationNew.names.name)
    }
    let change = try invocation.change { edit, writer, _ in
      for name in names { edit.addLocation(name, isColdStorage: invocation.has(cold), by: writer) }
      return "new location \(inShort(names))"
    }
    let lines = change.own.compactMap { key in
      change[key].map { location in
        "new location \(location.title) (\(change.after.household.path(of: key) ?? ""))"
      }
    }
    invocation.output.report(change, lines: lines)
    for name in names { tellArchived(name, change, invocation) }
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
