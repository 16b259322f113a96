import LarderKit

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
      throw CommandError.nothingAsked("give --name, --cold or --set")
    }
    let change = try invocation.change { edit, writer, survey in
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
