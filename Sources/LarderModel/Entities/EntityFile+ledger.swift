package import LarderJSON

extension EntityFile {
  mutating func readChanges(_ value: JSON, noting problems: inout [EntityProblem]) {
    guard let elements = value.array else {
      problems.append(
        EntityProblem(.unexpected(found: value.shortText, expected: "a list"), [.key("changes")]))
      return
    }
    var entries: [LedgerEntry] = []
    entries.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      if let entry = element.members.flatMap(LedgerEntry.init(canonical:)) {
        entries.append(entry)
        continue
      }
      let path: [JSONStep] = [.key("changes"), .index(index)]
      guard let members = element.members else {
        problems.append(
          EntityProblem(.unexpected(found: element.shortText, expected: "an object"), path))
        continue
      }
      let found = problems.count
      let entry = JSON.object(Schema.ledgerFields.normalized(members, at: path, noting: &problems))
      guard problems.count == found else { continue }
      if let entry = read(entry, at: path, noting: &problems) { entries.append(entry) }
    }
    ledger = Ledger(entries)
  }

  /// Reads an entry.
  ///
  /// Nil if it has no id or no time, which is stored separately, or if it has mistakes.
  private mutating func read(
    _ json: JSON, at path: [JSONStep], noting problems: inout [EntityProblem]
  ) -> LedgerEntry? {
    let events = ["delta", "set", "undoes"].filter { json[$0] != nil }
    guard events.count == 1 else {
      problems.append(EntityProblem(.ambiguousChange, path))
      return nil
    }
    let id = json[.id]?.string
    let at = json[.at]?.string.flatMap(Instant.init)
    if let id, let at, let entry = LedgerEntry(json, id: id, at: at) { return entry }
    looseEntries.append(LooseEntry(id: id, at: at, json: json))
    return nil
  }
}

extension LedgerEntry {
  /// Reads an entry as Larder writes it; nil for anything unusual, which is read with the schema.
  init?(canonical members: [JSONMember]) {
    var id: String?
    var at: Instant?
    var event: Event?
    var unit = Unit.piece
    var total: Number?
    var texts: (why: String?, by: String?, request: String?, receipt: String?, note: String?)
    for member in members {
      switch (member.key, member.value) {
      case ("id", .string(let text)) where Identifier.form(of: text) == .canonical: id = text
      case ("at", .string(let text)): at = Instant.canonical(text)
      case ("delta", .number(let text)) where event == nil: event = Number(text).map { .delta($0) }
      case ("set", .number(let text)) where event == nil: event = Number(text).map { .set($0) }
      case ("unit", .string(let text)):
        guard let known = Unit(rawValue: text) else { return nil }
        unit = known
      case ("why", .string(let text)): texts.why = text
      case ("by", .string(let text)): texts.by = text
      case ("request", .string(let text)) where !text.isEmpty: texts.request = text
      case ("receipt", .string(let text)) where Identifier.form(of: text) == .canonical:
        texts.receipt = text
      case ("note", .string(let text)): texts.note = text
      case ("total", .number(let text)):
        guard let number = Number(text) else { return nil }
        total = number
      default: return nil
      }
    }
    guard let id, let at, let event, let why = texts.why.flatMap(Reason.init(rawValue:)),
      let by = texts.by
    else { return nil }
    self.init(
      id: id, at: at, event, unit: unit, why: why, by: by, request: texts.request,
      receipt: texts.receipt, note: texts.note, total: total)
  }

  /// Creates an entry from its canonical JSON, with the given id and time.
  init?(_ json: JSON, id: String, at: Instant) {
    let event: Event
    if let number = json[.delta]?.number.flatMap({ Number($0) }) {
      event = .delta(number)
    } else if let number = json[.set]?.number.flatMap({ Number($0) }) {
      event = .set(number)
    } else if let other = json[.undoes]?.string {
      event = .undoes(other)
    } else {
      return nil
    }
    let known = Schema.ledgerFields
    self.init(
      id: id, at: at, event,
      unit: json[.unit]?.string.flatMap(Unit.init(rawValue:)) ?? .piece,
      why: json[.why]?.string.flatMap(Reason.init(rawValue:)) ?? .edit,
      by: json[.by]?.string ?? "edit", request: json[.request]?.string,
      receipt: json[.receipt]?.string, note: json[.note]?.string,
      total: json[.total]?.number.flatMap { Number($0) },
      unknown: (json.members ?? []).filter { member in
        !known.contains { $0.name == FieldName(member.key) }
      })
  }
}

extension LedgerEntry {
  /// Reads a line of `changes`; nil if it lacks its id or its time.
  package init?(_ json: JSON) throws(FileMistakes) {
    var file = EntityFile(kind: .stockItem)
    var problems: [EntityProblem] = []
    file.readChanges(.array([json]), noting: &problems)
    guard problems.isEmpty else { throw file.mistakes(problems) }
    guard let entry = file.ledger.entries.first else { return nil }
    self = entry
  }
}
