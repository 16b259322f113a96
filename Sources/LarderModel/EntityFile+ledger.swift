internal import LarderJSON

extension EntityFile {
  mutating func readChanges(_ value: JSON, noting problems: inout [EntityProblem]) {
    guard let elements = value.array else {
      problems.append(
        EntityProblem(.unexpected(found: value.shortText, expected: "a list"), [.key("changes")]))
      return
    }
    for (index, element) in elements.enumerated() {
      let path: [JSONStep] = [.key("changes"), .index(index)]
      guard let members = element.members else {
        problems.append(
          EntityProblem(.unexpected(found: element.shortText, expected: "an object"), path))
        continue
      }
      let found = problems.count
      let entry = JSON.object(Schema.ledgerFields.normalized(members, at: path, noting: &problems))
      guard problems.count == found else { continue }
      read(entry, at: path, noting: &problems)
    }
  }

  private mutating func read(
    _ json: JSON, at path: [JSONStep], noting problems: inout [EntityProblem]
  ) {
    let events = ["delta", "set", "undoes"].filter { json[$0] != nil }
    guard events.count == 1 else {
      problems.append(EntityProblem(.ambiguousChange, path))
      return
    }
    let id = json["id"]?.string
    let at = json["at"]?.string.flatMap(Instant.init)
    if let id, let at, let entry = LedgerEntry(json, id: id, at: at) {
      ledger.insert(entry)
    } else {
      looseEntries.append(LooseEntry(id: id, at: at, json: json))
    }
  }
}

extension LedgerEntry {
  /// An entry from its canonical JSON, with the id and time it has or is given.
  init?(_ json: JSON, id: String, at: Instant) {
    let event: Event
    if let number = json["delta"]?.number.flatMap({ Number($0) }) {
      event = .delta(number)
    } else if let number = json["set"]?.number.flatMap({ Number($0) }) {
      event = .set(number)
    } else if let other = json["undoes"]?.string {
      event = .undoes(other)
    } else {
      return nil
    }
    let known = Schema.ledgerFields
    self.init(
      id: id, at: at, event,
      unit: json["unit"]?.string.flatMap(Unit.init(rawValue:)) ?? .piece,
      why: json["why"]?.string.flatMap(Reason.init(rawValue:)) ?? .edit,
      by: json["by"]?.string ?? "edit", request: json["request"]?.string,
      receipt: json["receipt"]?.string, note: json["note"]?.string,
      unknown: (json.members ?? []).filter { member in
        !known.contains { $0.name.hasSameBytes(as: member.key) }
      })
  }
}
