import LarderModel

/// `larder schema`: the JSON Schema of each kind of file.
enum SchemaCommand {
  static let kind = Argument(
    "KIND", .optional(standard: nil), values: .oneOf(Kind.allCases.map(\.rawValue)),
    help: "the kind of file; without it, all kinds are listed")

  private static let record = Record<Kind>(
    ("kind", { $0.rawValue }), ("files", files), ("summary", { Schema.of($0).summary }))

  static let command = Command(
    "schema", group: "Files", arguments: [kind], records: [record.form("without \(kind.name)")]
  ) { invocation in
    let output = invocation.output
    if let name = invocation.given(kind), let kind = Kind(rawValue: name) {
      output.write(String(decoding: JSONSchema.of(kind).writeFile(), as: UTF8.self))
      return
    }
    switch output.mode {
    case .json: output.json(["kinds": .array(Kind.allCases.map(json))])
    case .plain: output.records(Kind.allCases, record)
    case .human: output.table(table)
    }
  }

  @Sendable private static func files(_ kind: Kind) -> String {
    kind.folder.map { "\($0)/**.json" } ?? Kind.householdPath.text
  }

  private static func json(_ kind: Kind) -> JSON {
    var members = [JSONMember("kind", .string(kind.rawValue))]
    if let folder = kind.folder { members.append(JSONMember("folder", .string(folder))) }
    members.append(JSONMember("summary", .string(Schema.of(kind).summary)))
    return .object(members)
  }

  private static var table: Table {
    Table(
      columns: [.init("Kind"), .init("Files"), .init("What it is")],
      rows: Kind.allCases.map { kind in
        [
          .init(kind.rawValue), .init(files(kind)), .init(Schema.of(kind).summary),
        ]
      })
  }
}
