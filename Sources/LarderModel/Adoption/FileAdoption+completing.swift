internal import LarderJSON

extension FileAdoption {
  /// Returns a value with missing parts filled in, and with ids for the lines of a receipt.
  func completed(_ value: JSON, of field: Field?, at stamp: Instant) -> JSON {
    guard let field else { return value }
    let filled = field.type.filledIn(value)
    guard after.kind == .receipt, field.name == .items, let lines = filled.array else {
      return filled
    }
    return .array(identified(lines, at: stamp))
  }

  /// Returns the lines with an id for each that has none, derived from the receipt, the time and
  /// the line's index.
  private func identified(_ lines: [JSON], at stamp: Instant) -> [JSON] {
    var taken: Set<String> = []
    let own = idsOfCopy
    return lines.enumerated().map { index, line in
      let members = line.members ?? []
      let written = line[.id]?.string
      if let written, !isCopy, taken.insert(written).inserted { return line }
      let made =
        written.flatMap { own[$0] }.flatMap { taken.contains($0) ? nil : $0 }
        ?? Identifier.derived(from: "line", id, stamp.description, String(index))
      taken.insert(made)
      let rest = members.filter { $0.key != "id" }
      return .object([JSONMember("id", .string(made))] + rest)
    }
  }

  /// The ids given to a copy's lines, by the ids of the original's lines, which the file still has.
  private var idsOfCopy: [String: String] {
    guard isCopy, let known, let lines = befores.first?[.items]?.array,
      lines.count == known.lines.count
    else { return [:] }
    let pairs = zip(lines, known.lines).compactMap { line, own in
      line[.id]?.string.map { ($0, own.id) }
    }
    return Dictionary(pairs) { first, _ in first }
  }
}

extension FieldType {
  /// Returns the value with the defaults of missing nested fields.
  func filledIn(_ value: JSON) -> JSON {
    switch (self, value) {
    case (.list(let element), .array(let elements)):
      return .array(elements.map { element.filledIn($0) })
    case (.object(let fields), .object(let members)):
      var known: [JSONMember] = []
      for field in fields {
        if let found = members.first(where: { $0.key == field.name.text })?.value
          ?? field.defaultValue
        {
          known.append(JSONMember(field.name, field.type.filledIn(found)))
        }
      }
      let unknown = members.filter { member in !fields.contains { $0.name.text == member.key } }
      return .object(known + unknown)
    default: return value
    }
  }
}
