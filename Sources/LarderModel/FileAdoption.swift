internal import LarderJSON

/// What one changed file means, worked out from the file as it was written, the same file as it was
/// written before, and what that meant.
///
/// The rules are those of FORMAT.md, section 11.
public struct FileAdoption {
  /// The file as it is now.
  public var after: EntityFile
  /// The file as it was written in the version before; one for each parent of a merge, none for a
  /// file that is new.
  public var befores: [EntityFile]
  /// What the version before means; for a merge, the join of what its parents mean.
  public var known: Entity?
  public var id: String
  /// A copy of another entity's file, which has the other's id and its lines' still.
  public var isCopy = false
  /// When the edit was made: the file's modification time, or the commit's author time.
  public var at: Instant
  public var userID: String
  public var householdID: String
  /// A receipt of the same edit changes this entity's ledger at the edit's own time, so that a
  /// number written beside it comes a millisecond later.
  public var hasReceipt = false
  /// The file's older versions as they were written, newest first; read only where a field looks
  /// stale.
  public var history: () -> [EntityFile]

  public init(
    after: EntityFile, befores: [EntityFile], known: Entity?, id: String, at: Instant,
    userID: String, householdID: String, history: @escaping () -> [EntityFile]
  ) {
    self.after = after
    self.befores = befores
    self.known = known
    self.id = id
    self.at = at
    self.userID = userID
    self.householdID = householdID
    self.history = history
  }

  /// What came of adopting a file.
  public struct Outcome: Sendable {
    public var entity: Entity
    /// Fields, or `changes`, that an old version of the file would have set back, and which stand.
    public var stale: [String] = []
  }

  /// What the file means now.
  ///
  /// Throws where the edit breaks a rule that the file alone does not show, such as a unit that the
  /// ledger does not convert to; the file is left as it is then.
  public func outcome() throws(EntityProblem) -> Outcome {
    guard let known else {
      var entity = newEntity()
      let lines = takeLooseEntries(&entity, at: entity.createdAt)
      let stamp = after.createdAt == nil ? entity.createdAt : entity.stamp(now: at)
      try takeNumber(&entity, at: stamp, after: lines)
      return Outcome(entity: entity)
    }
    var outcome = Outcome(entity: known)
    let taken = takeNewerStamps(&outcome.entity)
    takeLedger(&outcome, known: known)
    let stamp = outcome.entity.stamp(now: at)
    let lines = takeLooseEntries(&outcome.entity, at: stamp)
    let edits = try editedNames(butFor: taken, noting: &outcome)
    for name in edits { write(name, stamp, &outcome.entity) }
    try takeNumber(&outcome.entity, at: stamp, after: lines)
    return outcome
  }
}

// MARK: - A new file

extension FileAdoption {
  private func newEntity() -> Entity {
    let createdAt = after.createdAt ?? at
    var entity = Entity(after, id: id, createdAt: createdAt)
    for field in Schema.of(after.kind).registerFields {
      let value = after[field.name] ?? surrounding(field, createdAt)
      if let value, entity.register(field.name)?.value == nil || after[field.name] != nil {
        let stamp = after.stampNamed(field.name) ?? createdAt
        entity.write(field.name, completed(value, of: field, at: createdAt), at: stamp)
      }
    }
    return entity
  }

  /// What a field that people left out is filled in with.
  private func surrounding(_ field: Field, _ createdAt: Instant) -> JSON? {
    switch field.name {
    case "userId": .string(userID)
    case "householdId": .string(householdID)
    case "timestamp": .string(createdAt.description)
    default: field.defaultValue
    }
  }
}

// MARK: - Fields

extension FileAdoption {
  /// A stamp later than the known one was written by another program that knows stamps.
  ///
  /// Gives the names of the fields it took.
  private func takeNewerStamps(_ entity: inout Entity) -> [String] {
    var taken: [String] = []
    let schema = Schema.of(after.kind)
    var written = Entity(after, id: id, createdAt: writtenCreation)
    written.ledger = Ledger()
    for names in schema.cells(of: written.registers.map(\.name)) {
      let mine = Cell(written, names)
      guard mine.stamp ?? .earliest > Cell(entity, names).stamp ?? entity.createdAt else {
        continue
      }
      guard names.contains(where: { after.stampNamed($0) != nil }) else { continue }
      guard !isMerge || !isUnchanged(names) else { continue }
      for register in mine.registers {
        let field = schema.registerFields.first { $0.name == register.name }
        let value = register.value.map { completed($0, of: field, at: register.stamp) }
        entity.write(register.name, value, at: register.stamp)
        taken.append(register.name)
      }
    }
    return taken
  }

  /// The file of a merge, which git's driver may have stamped: what a parent wrote has that parent's
  /// stamp, once the parent is adopted.
  var isMerge: Bool { befores.count > 1 }

  private func isUnchanged(_ cell: [String]) -> Bool {
    befores.contains { before in cell.allSatisfy { before[$0] == after[$0] } }
  }

  /// The names of the fields that people wrote, with those that only look so noted as stale.
  private func editedNames(
    butFor taken: [String], noting outcome: inout Outcome
  ) throws(EntityProblem) -> [String] {
    let known = outcome.entity
    let schema = Schema.of(after.kind)
    var names = after.values.map(\.key)
    for before in befores {
      names += before.values.map(\.key).filter { name in
        !names.contains { $0.hasSameBytes(as: name) }
      }
    }
    var edits: [String] = []
    for cell in schema.cells(of: names) where !cell.contains(where: { taken.contains($0) }) {
      switch verdict(on: cell, known: known) {
      case .unchanged: break
      case .stale: outcome.stale += cell.filter { after[$0] != known[$0] }
      case .edited: edits += cell.filter { meant($0) != known[$0] }
      }
    }
    try checkUnit(edits, known: known)
    return edits
  }

  /// A field's value with what people left out filled in: to delete what is filled in is no edit.
  private func meant(_ name: String) -> JSON? {
    let field = Schema.of(after.kind).registerFields.first { $0.name == name }
    guard let value = after[name] else { return field?.defaultValue }
    return field?.type.filledIn(value) ?? value
  }

  private enum Verdict { case unchanged, edited, stale }

  private func verdict(on cell: [String], known: Entity) -> Verdict {
    let values = cell.map { after[$0] }
    if befores.contains(where: { before in cell.map { before[$0] } == values }) {
      return .unchanged
    }
    if values == cell.map({ known[$0] }) { return .unchanged }
    let sameStamp = befores.contains { before in
      cell.allSatisfy { namedStamp($0, against: before) == before.stampNamed($0) }
        && !isOlder(than: before)
    }
    if sameStamp || befores.isEmpty { return .edited }
    let stamps = cell.map { effectiveStamp(of: $0, in: after) }
    let older = history()
    if older.isEmpty { return .stale }
    let wasSo = older.contains { version in
      cell.map { version[$0] } == values
        && cell.map { effectiveStamp(of: $0, in: version) } == stamps
    }
    return wasSo ? .stale : .edited
  }

  /// Deleted bookkeeping comes from the version before, where the file is based on that version.
  private func namedStamp(_ name: String, against before: EntityFile) -> Instant? {
    if let stamp = after.stampNamed(name) { return stamp }
    return isOlder(than: before) ? nil : before.stampNamed(name)
  }

  /// Whether the file says that it is a version before another, as an old editor buffer does.
  private func isOlder(than before: EntityFile) -> Bool {
    guard let mine = after.updatedAt, let theirs = before.updatedAt else { return false }
    return mine < theirs
  }

  /// When a version wrote a field last; nil for a field that it never wrote.
  private func effectiveStamp(of name: String, in file: EntityFile) -> Instant? {
    file.stampNamed(name) ?? (file[name] == nil ? nil : file.createdAt)
  }

  /// A changed creation time is ignored; an old version's own counts for the fields it does not name.
  private var writtenCreation: Instant {
    known?.createdAt ?? after.createdAt ?? at
  }

  /// The unit may change to one that what was written so far converts to.
  private func checkUnit(_ edits: [String], known: Entity) throws(EntityProblem) {
    guard Schema.of(after.kind).quantity != nil, after.unit != known.unit,
      edits.contains("unit") || edits.contains("quantity"),
      let entry = known.ledger.unconvertible(to: after.unit).first
    else { return }
    let path: [JSONStep] =
      after.kind == .inventoryItem ? [.key("quantity"), .key("unit")] : [.key("unit")]
    throw EntityProblem(
      .unitMismatch(written: after.unit.rawValue, ledger: entry.unit.rawValue), path)
  }

  private func write(_ name: String, _ stamp: Instant, _ entity: inout Entity) {
    let field = Schema.of(after.kind).registerFields.first { $0.name == name }
    switch (after[name], field?.presence) {
    case (let value?, _): entity.write(name, completed(value, of: field, at: stamp), at: stamp)
    case (nil, .defaulted(let value)): entity.write(name, value, at: stamp)
    case (nil, .derived), (nil, .required): break
    case (nil, _): entity.write(name, nil, at: stamp)
    }
  }
}
