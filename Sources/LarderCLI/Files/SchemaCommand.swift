import LarderModel

/// `larder schema`: the JSON Schema of each kind of file.
enum SchemaCommand {
  static let kind = Argument(
    "KIND", .optional(standard: nil), values: .oneOf(Kind.allCases.map(\.rawValue)),
    help: "the kind of file; without it, all kinds are listed")

  private static let columns: [Column<Kind>] = [
    Column("kind") { .text($0.rawValue) }.inTable("Kind").inRecord(1).inJSON(1),
    Column("files") { .text($0.folder.map { "\($0)/**.json" } ?? Kind.householdPath.text) }
      .inTable("Files").inRecord(2),
    Column("folder") { FilterValue($0.folder) }.inJSON(2),
    Column("summary") { .text(Schema.of($0).summary) }
      .inTable("What it is").inRecord(3).inJSON(3),
  ]

  static let command = Command(
    "schema", group: "Files", arguments: [kind], records: [columns.form("without \(kind.name)")]
  ) { invocation in
    guard let kind = invocation.given(kind).flatMap(Kind.init) else {
      return invocation.output.rows(Kind.allCases, columns, as: "kinds")
    }
    invocation.output.write(JSONSchema.of(kind).writeFile())
  }
}
