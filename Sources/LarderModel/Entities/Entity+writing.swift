public import LarderJSON

extension Entity {
  /// The bytes of the file in canonical form.
  public var fileBytes: [UInt8] { stored.map { Array($0.text) } ?? own.json.writeFile() }

  /// Returns the bytes of an item's file with a count of all there is that nobody has taken yet.
  package func fileBytes(waiting total: Number?) -> [UInt8] {
    guard let total, case .object(var members) = own.json,
      let place = members.firstIndex(where: { $0.key == FieldName.quantityLoose.text })
    else { return fileBytes }
    members.insert(JSONMember(.quantityInStock, total.json), at: place)
    return JSON.object(members).writeFile()
  }

  /// The whole file: known keys in the order of the schema, bookkeeping, then unknown keys by
  /// bytes.
  public var json: JSON {
    let schema = Schema.of(kind)
    let decoded = decoded
    let registers = decoded.registers
    var members: [JSONMember] = []
    members.reserveCapacity(schema.fields.count + 4)
    for field in schema.fields {
      if let value = written(field.name, schema) { members.append(JSONMember(field.name, value)) }
    }
    members.append(JSONMember(.createdAt, .string(createdAt.description)))
    members.append(JSONMember(.updatedAt, .string(updatedAt.description)))
    let edited = namedStamps(of: registers)
    if !edited.isEmpty { members.append(JSONMember(.edited, .object(edited))) }
    if let pageFrom = decoded.pageFrom {
      members.append(JSONMember(.pageFrom, .string(pageFrom.description)))
    }
    if schema.quantity != nil {
      members.append(JSONMember(.changes, .array(decoded.ledger.entries.map(\.json))))
    }
    for register in registers
    where !schema.registerFields.contains(where: { $0.name == register.name }) {
      if let value = register.value { members.append(JSONMember(register.name, value)) }
    }
    return .object(members)
  }

  private func written(_ name: FieldName, _ schema: Schema) -> JSON? {
    switch (name, schema.quantity) {
    case (.id, _): .string(id)
    case (.quantityInStock, .loose): showsLoose ? nil : quantity.value.json
    case (.quantityLoose, .loose): showsLoose ? quantity.value.json : nil
    case (.quantity, .nested): nestedQuantity
    case (.status, .nested): isConsumed ? .string("consumed") : self[.status]
    case (.consumedAt, .nested): consumedAt.map { .string($0.description) }
    default: self[name]
    }
  }

  private var nestedQuantity: JSON {
    .object([JSONMember(.value, quantity.value.json)] + (self[.quantity]?.members ?? []))
  }

  /// Returns the members of `edited`: every register whose stamp is not the creation time, and every
  /// removed register.
  private func namedStamps(of registers: [Register]) -> [JSONMember] {
    registers.filter { $0.stamp != createdAt || $0.value == nil }
      .map { JSONMember($0.name, .string($0.stamp.description)) }
      .sorted { JSON.precedes($0.key, $1.key) }
  }
}

extension Entity {
  /// What is there: of an item's loose stock, or of a batch.
  ///
  /// It may be below zero. From ``Stock`` and what is made of it, it is without what was taken in
  /// truth because another batch of the item is below zero; of an entity of ``Household`` it is
  /// ``ownQuantity``.
  public var quantity: Quantity { read.map { Quantity($0, unit) } ?? ownQuantity }

  /// The quantity by its own ledger, as its file shows it.
  public var ownQuantity: Quantity {
    stored.map { Quantity($0.quantity, $0.unit) } ?? Quantity(ledger.total(in: unit), unit)
  }

  /// The unit of the entity's quantities.
  public var unit: Unit {
    stored?.unit ?? Unit(of: self[kind == .inventoryItem ? .quantity : .unit], in: kind)
  }

  /// Whether a batch is at or below zero, and neither discarded nor archived.
  public var isConsumed: Bool {
    kind == .inventoryItem && isActive && quantity.value <= .zero
  }

  /// The time when a consumed batch was used up; its creation if no ledger entry counts.
  public var consumedAt: Instant? {
    guard isConsumed else { return nil }
    return ledger.emptied(in: unit) ?? (read == nil ? createdAt : nil)
  }

  /// Whether a batch counts: neither discarded nor archived.
  public var isActive: Bool {
    if kind == .inventoryItem, let stored { return !stored.isTombstone }
    return text(.status) ?? "active" == "active"
  }
}
