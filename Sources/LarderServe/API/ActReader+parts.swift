internal import LarderJSON
internal import LarderKit

/// The acts that are more than their members one by one.
extension ActReader {
  /// Reads what an act is about: an item, a batch, or what lies loose of an item.
  static func holder(_ act: JSONReader) throws(RequestMistake) -> Deed.Holder {
    let isLoose = try act.flag("loose") ?? false
    switch (try act.id("item"), try act.id("batch")) {
    case (let item?, nil): return isLoose ? .loose(item: item) : .item(item)
    case (nil, let batch?) where !isLoose: return .batch(batch)
    default: throw act.mistake("either item or batch is needed, and loose is of an item")
    }
  }

  /// Reads a batch, or what lies loose of an item.
  static func part(_ act: JSONReader) throws(RequestMistake) -> Deed.Holder {
    let holder = try holder(act)
    if case .item = holder { throw act.mistake("true is needed beside item", at: "loose") }
    return holder
  }

  static func want(_ act: JSONReader) throws(RequestMistake) -> Deed {
    guard act["lines"] != nil else { return .want([try wish(act)]) }
    for key in ["item", "words", "quantity", "unit", "note"] where act[key] != nil {
      throw act.mistake("the lines say it", at: key)
    }
    var wishes: [Deed.Wish] = []
    for line in try act.list("lines", atMost: mostLines) {
      try line.allow(["item", "words", "quantity", "unit", "note"])
      wishes.append(try wish(line))
    }
    guard !wishes.isEmpty else { throw act.mistake("a line is needed", at: "lines") }
    return .want(wishes)
  }

  private static func wish(_ line: JSONReader) throws(RequestMistake) -> Deed.Wish {
    let amount = try line.amount("quantity")
    let note = try line.text("note")
    switch (try line.id("item"), try line.text("words")) {
    case (let item?, nil): return Deed.Wish(.item(item), amount, note: note)
    case (nil, let words?): return Deed.Wish(.words(words), amount, note: note)
    default: throw line.mistake("either item or words is needed")
    }
  }

  /// Reads an `edit`: of an item, of an entry, of a batch's expiry or notes, or of what lies loose.
  static func edit(_ act: JSONReader) throws(RequestMistake) -> Deed {
    let isLoose = try act.flag("loose") ?? false
    if !isLoose, let key = ["quantity", "unit"].first(where: { act[$0] != nil }) {
      throw act.mistake("it is of what lies loose", at: key)
    }
    switch (try act.id("item"), try act.id("entry"), try act.id("batch"), isLoose) {
    case (let item?, nil, nil, true):
      let fields = try FieldReader.object(act, ["expiry", "storageLocationId"])
      return .date(
        .loose(item: item), try act.amount("quantity"),
        expiry: try fields.said("expiry", fields.day),
        location: try fields.said("storageLocationId", fields.id))
    case (let item?, nil, nil, false):
      return .edit(.stockItem, item, try FieldReader.fields(act, of: .stockItem))
    case (nil, let entry?, nil, false):
      return .edit(.shoppingListEntry, entry, try FieldReader.fields(act, of: .shoppingListEntry))
    case (nil, nil, let batch?, false):
      guard act["fields"]?["expiry"] != nil else {
        return .edit(.inventoryItem, batch, try FieldReader.fields(act, of: .inventoryItem))
      }
      let fields = try FieldReader.object(act, ["expiry"])
      return .date(
        .batch(batch), nil, expiry: try fields.said("expiry", fields.day), location: nil)
    default: throw act.mistake("one of item, entry and batch is needed")
    }
  }

  static func place(_ act: JSONReader) throws(RequestMistake) -> Deed {
    let id = try act.id("location")
    let fields = try FieldReader.fields(act, of: .storageLocation)
    guard id != nil || fields.contains(where: { $0.name == .name }) else {
      throw act.mistake("it is needed", at: "fields.name")
    }
    return .place(
      location: id, fields, isFreezer: try act.object("fields")?.flag(FieldReader.isFreezer))
  }

  static func correct(_ act: JSONReader) throws(RequestMistake) -> Deed {
    let receipt = try act.needed("receipt", act.id)
    var correction = Deed.Correction()
    correction.isPutAway = try act.flag("isPutAway") ?? false
    correction.added = try act.object("add").map { added throws(RequestMistake) in
      try line(added)
    }
    for line in try act.list("lines", atMost: mostLines) {
      try line.allow(["line", "fields"])
      correction.lines.append(
        (try line.needed("line", line.id), try FieldReader.correction(line, ofLine: true)))
    }
    let id = try act.id("line")
    if try act.flag("remove") ?? false {
      correction.removed = try act.needed("line", act.id)
    } else if let id {
      correction.lines.append((id, try FieldReader.correction(act, ofLine: true)))
    } else if act["fields"] != nil {
      correction.fields = try FieldReader.correction(act, ofLine: false)
    }
    guard !correction.isEmpty else { throw act.mistake("nothing is named") }
    return .correct(receipt: receipt, correction)
  }
}

extension Deed.Correction {
  fileprivate var isEmpty: Bool {
    fields.isEmpty && lines.isEmpty && removed == nil && added == nil && !isPutAway
  }
}
