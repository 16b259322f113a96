internal import LarderJSON

extension Entity {
  /// Whether fields have the same meaning in another version, written differently: 1 kg and 1000 g
  /// on the shopping list, a default and no value, or texts that differ only in Unicode
  /// normalization.
  func reads(like other: Entity, in names: [FieldName]) -> Bool {
    if kind == .shoppingListEntry, names.contains(.desiredQuantity) {
      return desired.converted(to: other.desired.unit) == other.desired.value
    }
    let fields = Schema.of(kind).fields
    return names.allSatisfy { name in
      let standard = fields.first { $0.name == name }?.defaultValue
      return (self[name] ?? standard ?? .null).reads(like: other[name] ?? standard ?? .null)
    }
  }
}

extension JSON {
  fileprivate func reads(like other: JSON) -> Bool {
    switch (self, other) {
    case (.string(let one), .string(let other)): one == other
    case (.string(""), .null), (.null, .string("")): true
    case (.array(let one), .array(let other)):
      one.count == other.count && zip(one, other).allSatisfy { $0.reads(like: $1) }
    case (.object(let one), .object(let two)):
      Set((one + two).map(\.key)).allSatisfy { key in
        (self[key] ?? .null).reads(like: other[key] ?? .null)
      }
    default: self == other
    }
  }
}
