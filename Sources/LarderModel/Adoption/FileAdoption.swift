internal import LarderJSON

/// An older version of a file, as written.
public struct OlderFile {
  public let file: EntityFile
  /// Whether it was adopted; a version whose edit was refused means nothing.
  public let isTaken: () -> Bool

  public init(_ file: EntityFile, isTaken: @escaping () -> Bool = { true }) {
    self.file = file
    self.isTaken = isTaken
  }
}

/// The adoption of one changed file: what it means, given the file as written now, as written
/// before, and the meaning before.
///
/// The rules are in docs/adoption.md, section 11.
public struct FileAdoption {
  /// The file as it is now.
  public var after: EntityFile
  /// The file as it was written in the earlier version: one for each parent of a merge, those of this
  /// entity first; none for a new file.
  public var befores: [EntityFile]
  /// The meaning of the earlier version; for a merge, the join of the parents' meanings.
  public var known: Entity?
  public var id: String
  /// Whether the file is a copy of another entity's file, with the other's id and line ids.
  public var isCopy = false
  /// The time of the edit: the file's modification time, or the commit's author time.
  public var at: Instant
  public var userID: String
  public var householdID: String
  /// Whether a receipt of the same edit changes this entity's ledger at the time of the edit.
  ///
  /// Then a number written beside it comes a millisecond later.
  public var hasReceipt = false
  /// Whether an item has no batches that anybody knows of: then all there is lies loose.
  ///
  /// If not, a count of all there is waits in ``Outcome/total`` for those who know the batches.
  public var isAlone = true
  /// Returns the file's older versions, newest first.
  ///
  /// Only called if a field looks stale.
  public var history: () -> [OlderFile]

  public init(
    after: EntityFile, befores: [EntityFile], known: Entity?, id: String, at: Instant,
    userID: String, householdID: String, history: @escaping () -> [OlderFile]
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

  /// The result of adopting a file.
  public struct Outcome: Sendable {
    public var entity: Entity
    /// Fields, or `changes`, that an old version of the file would have set back.
    ///
    /// They keep their known values.
    public var stale: [FieldName] = []
    /// What people counted of an item, loose and in batches; nil for nothing.
    var total: TotalCount?
  }

  /// Returns the meaning of the file.
  ///
  /// Throws if the edit breaks a rule that the file alone does not show, such as a unit to which
  /// the ledger does not convert. Then the file is not changed.
  public func outcome() throws(EntityProblem) -> Outcome {
    guard let known else {
      var entity = newEntity()
      let lines = takeLooseEntries(&entity, at: entity.createdAt)
      let stamp = after.createdAt == nil ? entity.createdAt : entity.stamp(now: at)
      var outcome = Outcome(entity: entity)
      try takeNumber(&outcome, at: stamp, after: lines)
      return outcome
    }
    var outcome = Outcome(entity: known)
    let taken = takeNewerStamps(&outcome.entity)
    takeLedger(&outcome, known: known)
    if after.showsLoose { outcome.entity.showsLoose = true }
    let stamp = outcome.entity.stamp(now: at)
    let lines = takeLooseEntries(&outcome.entity, at: stamp)
    let edits = try editedNames(butFor: taken, noting: &outcome)
    for name in edits { write(name, stamp, &outcome.entity) }
    try takeNumber(&outcome, at: stamp, after: lines)
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

  /// Returns the value for a field that people left out.
  private func surrounding(_ field: Field, _ createdAt: Instant) -> JSON? {
    switch field.name {
    case .userID: .string(userID)
    case .householdID: .string(householdID)
    case .timestamp: .string(createdAt.description)
    default: field.defaultValue
    }
  }
}

// MARK: - Fields

extension FileAdoption {
  /// Takes the fields whose stamps are later than the known ones: another program that knows stamps
  /// wrote them.
  ///
  /// Returns the names of these fields.
  private func takeNewerStamps(_ entity: inout Entity) -> [FieldName] {
    var taken: [FieldName] = []
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

  /// Whether it is the file of a merge, which git's merge driver may have stamped.
  ///
  /// A value that a parent wrote has that parent's stamp after the parent is adopted.
  var isMerge: Bool { befores.count > 1 }

  private func isUnchanged(_ cell: [FieldName]) -> Bool {
    befores.contains { before in cell.allSatisfy { before[$0] == after[$0] } }
  }

  /// Returns the names of the fields that people wrote.
  ///
  /// Fields that only look so are noted as stale.
  private func editedNames(
    butFor taken: [FieldName], noting outcome: inout Outcome
  ) throws(EntityProblem) -> [FieldName] {
    let known = outcome.entity
    let schema = Schema.of(after.kind)
    var names = after.values.map { FieldName($0.key) }
    for before in befores {
      names += before.values.map { FieldName($0.key) }.filter { !names.contains($0) }
    }
    var edits: [FieldName] = []
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

  /// Returns a field's value with missing parts filled in; deleting a default is not an edit.
  private func meant(_ name: FieldName) -> JSON? {
    let field = Schema.of(after.kind).registerFields.first { $0.name == name }
    guard let value = after[name] else { return field?.defaultValue }
    return field?.type.filledIn(value) ?? value
  }

  private enum Verdict { case unchanged, edited, stale }

  private func verdict(on cell: [FieldName], known: Entity) -> Verdict {
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
      cell.map { version.file[$0] } == values
        && cell.map { effectiveStamp(of: $0, in: version.file) } == stamps && version.isTaken()
    }
    return wasSo ? .stale : .edited
  }

  /// Returns the stamp of a field.
  ///
  /// A deleted one comes from the earlier version, if the file is based on that version.
  private func namedStamp(_ name: FieldName, against before: EntityFile) -> Instant? {
    if let stamp = after.stampNamed(name) { return stamp }
    return isOlder(than: before) ? nil : before.stampNamed(name)
  }

  /// Whether the file's `updatedAt` is before another version's, as for an old editor buffer.
  private func isOlder(than before: EntityFile) -> Bool {
    guard let mine = after.updatedAt, let theirs = before.updatedAt else { return false }
    return mine < theirs
  }

  /// Returns the time when a version last wrote a field; nil if it never wrote it.
  private func effectiveStamp(of name: FieldName, in file: EntityFile) -> Instant? {
    file.stampNamed(name) ?? (file[name] == nil ? nil : file.createdAt)
  }

  /// The creation time for the fields without a stamp.
  ///
  /// A changed creation time in the file is ignored.
  private var writtenCreation: Instant {
    known?.createdAt ?? after.createdAt ?? at
  }

  /// Throws if the ledger's entries don't convert to a changed unit.
  private func checkUnit(_ edits: [FieldName], known: Entity) throws(EntityProblem) {
    guard Schema.of(after.kind).quantity != nil, after.unit != known.unit,
      edits.contains(.unit) || edits.contains(.quantity),
      let entry = known.ledger.unconvertible(to: after.unit).first
    else { return }
    let path: [JSONStep] =
      after.kind == .inventoryItem ? [.key("quantity"), .key("unit")] : [.key("unit")]
    throw EntityProblem(
      .unitMismatch(written: after.unit.rawValue, ledger: entry.unit.rawValue), path)
  }

  private func write(_ name: FieldName, _ stamp: Instant, _ entity: inout Entity) {
    let field = Schema.of(after.kind).registerFields.first { $0.name == name }
    switch (after[name], field?.presence) {
    case (let value?, _): entity.write(name, completed(value, of: field, at: stamp), at: stamp)
    case (nil, .defaulted(let value)): entity.write(name, value, at: stamp)
    case (nil, .derived), (nil, .required): break
    case (nil, _): entity.write(name, nil, at: stamp)
    }
  }
}

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
