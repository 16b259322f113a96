internal import LarderJSON
internal import LarderText

/// The check for unknown keys; they are kept and may be intended, or they are misspelled.
extension HouseholdCheck {
  mutating func checkKeys(of entity: Entity) {
    let members = entity.registers.compactMap { register in
      register.value.map { JSONMember(register.name, $0) }
    }
    look(at: members, Schema.of(entity.kind).fields, of: entity, below: [])
  }

  private mutating func look(
    at members: [JSONMember], _ fields: [Field], of entity: Entity, below path: [JSONStep]
  ) {
    for member in members {
      let place = path + [.key(member.key)]
      guard let field = fields.first(where: { $0.name.text == member.key }) else {
        findings.append(
          Finding(
            path: household.path(of: entity.key) ?? "", place: .key(place),
            kind: .unknownKey(member.key, known: fields.map(\.name.text))))
        continue
      }
      look(at: member.value, field.type, of: entity, below: place)
    }
  }

  private mutating func look(
    at value: JSON, _ type: FieldType, of entity: Entity, below path: [JSONStep]
  ) {
    switch (type, value) {
    case (.object(let fields), .object(let members)):
      look(at: members, fields, of: entity, below: path)
    case (.list(let element), .array(let values)):
      for (index, value) in values.enumerated() {
        look(at: value, element, of: entity, below: path + [.index(index)])
      }
    default: break
    }
  }
}
