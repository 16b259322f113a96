internal import LarderText

/// The household as it was at an earlier moment, for changes that somebody made then without a
/// connection.
extension Household {
  /// Returns the household with what was written up to a moment: a change that is made on it and
  /// joined with this one ends as on a device that made it then and syncs now.
  ///
  /// Nil if nothing was written later. `earlier` gets the versions of entities of which later writes
  /// hide fields, and returns those that it can find as they were; of others the hidden fields are
  /// taken as a new entity has them, otherwise as they are now.
  package func written(
    until end: Instant, finding earlier: ([EntityKey: Entity]) -> [EntityKey: Entity]
  ) -> Household? {
    let later = entities.filter { $0.updatedAt > end && $0.kind != .household }
    guard !later.isEmpty else { return nil }
    var past = self
    var versions: [EntityKey: Entity] = [:]
    for entity in later {
      if let version = entity.written(until: end) {
        versions[entity.key] = version
      } else if let path = path(of: entity.key) {
        past.forget(path: path)
      }
    }
    let incomplete = versions.filter { key, version in
      self[key].map { version.lacksRegisters(of: $0) } ?? false
    }
    let found = incomplete.isEmpty ? [:] : earlier(incomplete)
    for (key, version) in versions {
      guard let now = self[key], let path = path(of: key) else { continue }
      past.put(found[key] ?? version.completed(from: now), at: path)
    }
    return past
  }
}

extension Entity {
  /// Returns what was written to the entity up to a moment; nil if it was made later.
  package func written(until end: Instant) -> Entity? {
    guard updatedAt > end else { return self }
    guard createdAt <= end else { return nil }
    var past = Entity(kind, id: id, createdAt: createdAt)
    past.registers = registers.filter { $0.stamp <= end }
    past.ledger = Ledger(
      ledger.entries.filter { $0.at <= end }, from: pageFrom.flatMap { $0 <= end ? $0 : nil })
    past.showsLoose = showsLoose
    return past
  }

  /// Whether a version has registers that this one never had.
  package func lacksRegisters(of version: Entity) -> Bool {
    version.registers.contains { register($0.name) == nil }
  }

  /// Returns the entity with the registers that it lacks: as a new entity has them, otherwise as in
  /// the version of now.
  fileprivate func completed(from now: Entity) -> Entity {
    var entity = self
    for register in now.registers where entity.register(register.name) == nil {
      let field = Schema.of(kind).registerFields.first { $0.name == register.name }
      entity.write(register.name, field?.defaultValue ?? register.value, at: createdAt)
    }
    return entity
  }
}

/// A field that a change wrote, and somebody wrote later; the later value stands.
public struct Overtaken: Hashable, Sendable {
  public let key: EntityKey
  /// The field, or the fields of a group.
  public let names: [FieldName]
  /// The time of the later write.
  public let at: Instant

  package init(key: EntityKey, names: [FieldName], at: Instant) {
    self.key = key
    self.names = names
    self.at = at
  }
}

extension Household {
  /// Returns the fields that an edit of an earlier household wrote, and that this one, with which it
  /// was joined, has otherwise.
  package func overtaking(_ edit: Edit) -> [Overtaken] {
    edit.changed.flatMap { key -> [Overtaken] in
      guard let joined = self[key]?.decoded else { return [] }
      return edit.written(in: key).compactMap { cell in
        let isSame = cell.registers.allSatisfy { joined[$0.name] == $0.value }
        let now = Cell(joined, cell.names)
        guard !isSame, !now.hasLines(of: cell), let stamp = now.stamp else { return nil }
        return Overtaken(key: key, names: cell.names, at: stamp)
      }
    }
  }

  /// Whether this household, with which an edit of an earlier one was joined, has all that it wrote,
  /// with the same stamps.
  package func keeps(_ edit: Edit) -> Bool {
    edit.changed.allSatisfy { key in
      edit.written(in: key).allSatisfy { cell in
        cell.registers.allSatisfy { self[key]?.register($0.name) == $0 }
      }
    }
  }
}

extension Edit {
  /// The cells of an entity that the edit wrote, as it wrote them.
  fileprivate func written(in key: EntityKey) -> [Cell] {
    guard let made = after[key]?.decoded else { return [] }
    let written = made.registers.filter { before[key]?.register($0.name) != $0 }
    return Schema.of(key.kind).cells(of: written.map(\.name)).map { Cell(made, $0) }
  }
}
