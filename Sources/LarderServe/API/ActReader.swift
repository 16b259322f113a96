internal import LarderJSON
internal import LarderKit

/// Reads acts as docs/protocol.md has them.
enum ActReader {
  /// The largest numbers of acts in one request, and of lines and entries in one receipt.
  static let mostActs = 200
  static let mostLines = 1_000

  /// Reads the acts of a phone of a household, in their order.
  static func acts(
    _ body: JSON, by phone: String, of household: String
  ) throws(RequestMistake) -> [Act] {
    let body = try JSONReader(body)
    try body.allow(["acts", "household"])
    guard body["acts"] != nil else { throw body.mistake("it is needed", at: "acts") }
    var acts: [Act] = []
    for act in try body.list("acts", atMost: mostActs) {
      acts.append(try self.act(act, phone))
      acts[acts.count - 1].household = household
    }
    return acts
  }

  private static func act(_ act: JSONReader, _ phone: String) throws(RequestMistake) -> Act {
    let id = try act.needed("id", act.id)
    guard "47".contains(Array(id)[14]) else {
      throw act.mistake("a UUID of version 4 or 7 is needed", at: "id")
    }
    let at = try act.needed("at", act.instant)
    let kind = try act.needed("kind", act.text)
    guard let form = forms[kind] else {
      throw act.mistake("an act is needed that docs/protocol.md has", at: "kind")
    }
    try act.allow(form.keys.union(["id", "at", "kind"]))
    return Act(id: id, at: at, by: phone, try form.read(act))
  }

  /// How an act is read: its members beside `id`, `at` and `kind`, and the deed that they say.
  private struct Form {
    let keys: Set<String>
    let read: @Sendable (JSONReader) throws(RequestMistake) -> Deed

    init(
      _ keys: String..., read: @escaping @Sendable (JSONReader) throws(RequestMistake) -> Deed
    ) {
      self.keys = Set(keys)
      self.read = read
    }
  }

  /// Returns the form of a deed that needs no more than the id of what it is about.
  private static func naming(_ key: String, _ deed: @escaping @Sendable (String) -> Deed) -> Form {
    Form(key) { act throws(RequestMistake) in deed(try act.needed(key, act.id)) }
  }

  private static let forms: [String: Form] = [
    "got": naming("entry") { .got(entry: $0) },
    "ungot": naming("entry") { .ungot(entry: $0) },
    "drop": naming("entry") { .drop(entry: $0) },
    "restore": naming("entry") { .restore(entry: $0) },
    "archive": naming("item") { .archive(item: $0) },
    "unarchive": naming("item") { .unarchive(item: $0) },
    "void": naming("receipt") { .void(receipt: $0) },
    "undo": naming("act") { .undo(act: $0) },
    "want": Form("item", "words", "quantity", "unit", "note") { act throws(RequestMistake) in
      try want(act)
    },
    "put": Form("item", "quantity", "unit", "location", "expiry") { act throws(RequestMistake) in
      .put(
        item: try act.needed("item", act.id), try act.needed("quantity", act.amount),
        location: try act.id("location"), expiry: try act.day("expiry"))
    },
    "use": Form("item", "batch", "quantity", "unit") { act throws(RequestMistake) in
      .use(try holder(act), try act.needed("quantity", act.amount))
    },
    "spoil": Form("item", "batch", "quantity", "unit", "note") { act throws(RequestMistake) in
      let holder = try holder(act)
      let amount = try act.amount("quantity")
      if case .item = holder, amount == nil { throw act.mistake("it is needed", at: "quantity") }
      return .spoil(holder, amount, note: try act.text("note"))
    },
    "count": Form("item", "batch", "quantity", "unit") { act throws(RequestMistake) in
      .count(try holder(act), try act.needed("quantity", act.amount))
    },
    "move": Form("batch", "location", "quantity", "unit") { act throws(RequestMistake) in
      .move(
        batch: try act.needed("batch", act.id), to: try act.needed("location", act.id),
        try act.amount("quantity"))
    },
    "open": Form("batch", "quantity", "unit") { act throws(RequestMistake) in
      .open(batch: try act.needed("batch", act.id), try act.amount("quantity"))
    },
    "edit": Form("item", "entry", "batch", "fields") { act throws(RequestMistake) in
      try FieldReader.edit(act)
    },
    "new": Form("fields", "quantity") { act throws(RequestMistake) in
      let fields = try FieldReader.fields(act, of: .stockItem)
      guard fields.contains(where: { $0.name == .name && $0.value != nil }) else {
        throw act.mistake("it is needed", at: "fields.name")
      }
      return .new(fields.filter { $0.value != nil }, try act.number("quantity").map { .init($0) })
    },
    "bought": Form("shop", "entries", "lines", "amount", "currency", "timestamp") {
      act throws(RequestMistake) in try bought(act)
    },
    "correct": Form("receipt", "line", "fields", "remove", "add") { act throws(RequestMistake) in
      try correct(act)
    },
  ]

  private static func holder(_ act: JSONReader) throws(RequestMistake) -> Deed.Holder {
    switch (try act.id("item"), try act.id("batch")) {
    case (let item?, nil): return .item(item)
    case (nil, let batch?): return .batch(batch)
    default: throw act.mistake("either item or batch is needed")
    }
  }

  private static func want(_ act: JSONReader) throws(RequestMistake) -> Deed {
    let amount = try act.amount("quantity")
    let note = try act.text("note")
    switch (try act.id("item"), try act.text("words")) {
    case (let item?, nil): return .want(.item(item), amount, note: note)
    case (nil, let words?):
      guard amount == nil else {
        throw act.mistake("the words say how much", at: "quantity")
      }
      return .want(.words(words), nil, note: note)
    default: throw act.mistake("either item or words is needed")
    }
  }

  private static func bought(_ act: JSONReader) throws(RequestMistake) -> Deed {
    var bought = Deed.Bought(shop: try act.needed("shop", act.name))
    bought.entries = try act.ids("entries", atMost: mostLines)
    for line in try act.list("lines", atMost: mostLines) {
      bought.lines.append(try self.line(line))
    }
    bought.amount = try act.number("amount")
    bought.currency = try FieldReader.currency(act)
    bought.timestamp = try act.instant("timestamp")
    return .bought(bought)
  }

  private static func line(_ line: JSONReader) throws(RequestMistake) -> Deed.Line {
    try line.allow(
      ["entry", "item", "name", "quantity", "unit", "price", "expiry", "location"])
    let subject: Deed.Line.Subject
    switch (try line.id("entry"), try line.id("item"), try line.name("name")) {
    case (let entry?, nil, nil): subject = .entry(entry)
    case (nil, let item?, nil): subject = .item(item)
    case (nil, nil, let name?): subject = .name(name)
    default: throw line.mistake("one of entry, item and name is needed")
    }
    var made = Deed.Line(subject, try line.needed("quantity", line.amount))
    made.price = try line.number("price")
    made.expiry = try line.day("expiry")
    made.location = try line.id("location")
    return made
  }

  private static func correct(_ act: JSONReader) throws(RequestMistake) -> Deed {
    var correction = Deed.Correction()
    if let added = try act.object("add") {
      correction.added = try line(added)
      return .correct(receipt: try act.needed("receipt", act.id), correction)
    }
    correction.line = try act.id("line")
    correction.removes = try act.flag("remove") ?? false
    guard !correction.removes || correction.line != nil else {
      throw act.mistake("it is needed", at: "line")
    }
    if !correction.removes {
      correction.fields = try FieldReader.correction(act, ofLine: correction.line != nil)
    }
    return .correct(receipt: try act.needed("receipt", act.id), correction)
  }
}

extension JSONReader {
  /// Reads a number, and the unit in the member `unit` beside it.
  func amount(_ key: String) throws(RequestMistake) -> Deed.Amount? {
    let unit = try unit("unit")
    return try number(key).map { Deed.Amount($0, unit) }
  }
}
