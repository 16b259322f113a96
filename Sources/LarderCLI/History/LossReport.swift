import LarderKit

extension LossWords {
  /// Reports the values that lost in a sync, and how to restore them.
  static func report(_ losses: [LossWords], _ output: Output) {
    guard !losses.isEmpty else { return }
    output.note(.warning, sentence(losses.map(\.shortText), in: "the merge"))
    output.hint(hint)
  }

  /// Returns the losses as a member of a sync's JSON.
  static func member(_ losses: [LossWords]) -> JSON { ["lost": .array(losses.map(\.json))] }

  /// The members of the JSON: the entity, both values with their authors, and the merge.
  var json: JSON {
    let value = loss.value
    return ChangedEntity(key: value.key, path: path, name: title).json + [
      "kept": side(value.merged, value.keptAt, loss.keptBy),
      "lost": side(value.lost, value.lostAt, loss.lostBy), "merge": loss.merge.json,
      "state": .string(state.rawValue),
    ]
  }

  private func side(_ entity: Entity, _ stamp: Instant, _ commit: Commit?) -> JSON {
    let changes =
      stamp == loss.value.lostAt ? loss.value.late : [loss.value.count].compactMap(\.self)
    let fields = names.map { name in
      JSONMember(name, name == .changes ? .array(changes.map(\.json)) : entity[name] ?? .null)
    }
    return [
      "fields": .object(fields), "at": .string(stamp.description),
      "commit": commit?.json ?? .null,
    ]
  }
}

extension KeptVersion {
  var json: JSON { ["path": .string(original.text), "second": .string(path.text)] }
}
