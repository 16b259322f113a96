public import LarderJSON

/// The JSON Schema (draft 2020-12) of each kind, made from the table of its fields.
///
/// It describes files as people may write them: only fields without a sensible default are
/// required, and unknown keys are allowed. Reading a file checks more: days that do not exist, more
/// than fifteen digits, a unit to which the ledger does not convert.
public enum JSONSchema {
  /// Returns the schema of a kind's files.
  public static func of(_ kind: Kind) -> JSON {
    let schema = Schema.of(kind)
    var properties = schema.fields.map { JSONMember($0.name, property($0)) }
    for field in bookkeeping {
      properties.append(JSONMember(field.name, property(field)))
    }
    properties.append(JSONMember("edited", edited))
    if schema.quantity != nil {
      properties.append(JSONMember(.pageFrom, property(pageFrom)))
      properties.append(JSONMember(.changes, changes))
    }
    var members = [
      JSONMember("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
      JSONMember("$id", .string("https://larder.example/schema/\(fileName(of: kind))")),
      JSONMember("title", .string(kind.rawValue)),
      JSONMember("description", .string(schema.summary)),
      JSONMember("type", .string("object")),
      JSONMember("properties", .object(properties)),
    ]
    members += required(schema.fields)
    if kind == .shoppingListEntry { members.append(oneAtLeast("anyOf", ["itemId", "name"])) }
    members.append(JSONMember("additionalProperties", .bool(true)))
    return .object(members)
  }

  /// Returns the name of a kind's schema file, such as `stock-item.json`.
  public static func fileName(of kind: Kind) -> String {
    var name = ""
    for character in kind.rawValue {
      if character.isUppercase, !name.isEmpty { name.append("-") }
      name += character.lowercased()
    }
    return name + ".json"
  }

  private static let bookkeeping = [
    Field(.createdAt, .instant, .derived, "When it was first written."),
    Field(.updatedAt, .instant, .derived, "The latest time in the file."),
  ]

  private static let pageFrom = Field(
    .pageFrom, .instant, .derived, "When the ledger's page began; it has nothing from before.")

  private static var edited: JSON {
    .object([
      JSONMember("description", .string("When a field was written last, where not at createdAt.")),
      JSONMember("type", .string("object")),
      JSONMember("additionalProperties", .object(FieldType.instant.constraints(isSum: false))),
    ])
  }

  private static var changes: JSON {
    let entry =
      FieldType.object(Schema.ledgerFields).constraints(isSum: false)
      + [oneAtLeast("oneOf", ["delta", "set", "undoes"])]
    return .object([
      JSONMember("description", .string("The ledger: what came, went or was counted.")),
      JSONMember("type", .string("array")),
      JSONMember("items", .object(entry)),
    ])
  }

  private static func oneAtLeast(_ keyword: String, _ names: [String]) -> JSONMember {
    let choices = names.map { JSON.object([JSONMember("required", .array([.string($0)]))]) }
    return JSONMember(keyword, .array(choices))
  }

  fileprivate static func required(_ fields: [Field]) -> [JSONMember] {
    let names = fields.filter { $0.presence == .required }.map { JSON.string($0.name.text) }
    return names.isEmpty ? [] : [JSONMember("required", .array(names))]
  }

  fileprivate static func property(_ field: Field) -> JSON {
    let isSum = field.presence == .derived
    var members = [JSONMember("description", .string(field.summary))]
    members += field.type.constraints(isSum: isSum)
    if let value = field.defaultValue { members.append(JSONMember("default", value)) }
    return .object(members)
  }
}

extension FieldType {
  /// Returns the schema's constraints for the type.
  ///
  /// A sum may have more digits than people may write.
  fileprivate func constraints(isSum: Bool) -> [JSONMember] {
    switch self {
    case .text: type("string")
    case .name, .reference: type("string") + [JSONMember("minLength", .number("1"))]
    case .id: matching("^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$")
    case .instant:
      matching(
        "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt ]([01][0-9]|2[0-3]):[0-5][0-9]"
          + ":([0-5][0-9]|60)(\\.[0-9]+)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$")
    case .day: matching("^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$")
    case .timeZone: matching("^[0-9A-Za-z/_+-]{1,64}$")
    case .currency: matching("^[A-Z]{3}$")
    case .flag: type("boolean")
    case .unit: matching(Unit.pattern)
    case .choice(let allowed): oneOf(allowed)
    case .number: type("number") + (isSum ? [] : range("-\(Self.most)", Self.most))
    case .numberNotNegative: type("number") + range("0", Self.most)
    case .confidence: type("number") + range("0", "1")
    case .days: type("integer") + range("0", "36500")
    case .formatVersion: type("integer") + [JSONMember("minimum", .number("1"))]
    case .list(let element):
      type("array") + [JSONMember("items", .object(element.constraints(isSum: false)))]
    case .object(let fields):
      type("object")
        + [
          JSONMember(
            "properties",
            .object(fields.map { JSONMember($0.name, JSONSchema.property($0)) }))
        ] + JSONSchema.required(fields)
    }
  }

  private static let most = "999999999999999"

  private func type(_ name: String) -> [JSONMember] {
    [JSONMember("type", .string(name))]
  }

  private func matching(_ pattern: String) -> [JSONMember] {
    type("string") + [JSONMember("pattern", .string(pattern))]
  }

  private func oneOf(_ values: [String]) -> [JSONMember] {
    type("string") + [JSONMember("enum", .array(values.map { .string($0) }))]
  }

  private func range(_ least: String, _ most: String) -> [JSONMember] {
    [JSONMember("minimum", .number(least)), JSONMember("maximum", .number(most))]
  }
}
