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
    "unarchive": Form("item", "name") { act throws(RequestMistake) in
      .unarchive(item: try act.needed("item", act.id), name: try act.name("name"))
    },
    "void": naming("receipt") { .void(receipt: $0) },
    "unvoid": naming("receipt") { .unvoid(receipt: $0) },
    "undo": naming("act") { .undo(act: $0) },
    "want": Form("item", "words", "quantity", "unit", "note", "lines") {
      act throws(RequestMistake) in try want(act)
    },
    "put": Form("item", "quantity", "unit", "location", "expiry") { act throws(RequestMistake) in
      .put(
        item: try act.needed("item", act.id), try act.needed("quantity", act.amount),
        location: try act.said("location", act.id), expiry: try act.said("expiry", act.day))
    },
    "use": Form("item", "batch", "loose", "quantity", "unit") { act throws(RequestMistake) in
      .use(try holder(act), try act.needed("quantity", act.amount))
    },
    "spoil": Form("item", "batch", "loose", "quantity", "unit", "note") {
      act throws(RequestMistake) in
      let holder = try holder(act)
      let amount = try act.amount("quantity")
      if case .item = holder, amount == nil { throw act.mistake("it is needed", at: "quantity") }
      return .spoil(holder, amount, note: try act.text("note"))
    },
    "count": Form("item", "batch", "quantity", "unit") { act throws(RequestMistake) in
      .count(try holder(act), try act.needed("quantity", act.amount))
    },
    "move": Form("item", "batch", "loose", "location", "quantity", "unit", "expiry") {
      act throws(RequestMistake) in
      .move(
        try part(act), to: try act.needed("location", act.id), try act.amount("quantity"),
        expiry: try act.said("expiry", act.day))
    },
    "open": Form("item", "batch", "loose", "quantity", "unit") { act throws(RequestMistake) in
      .open(try part(act), try act.amount("quantity"))
    },
    "edit": Form("item", "entry", "batch", "loose", "quantity", "unit", "fields") {
      act throws(RequestMistake) in try edit(act)
    },
    "new": Form("fields", "quantity", "expiry") { act throws(RequestMistake) in
      let fields = try FieldReader.fields(act, of: .stockItem)
      guard fields.contains(where: { $0.name == .name && $0.value != nil }) else {
        throw act.mistake("it is needed", at: "fields.name")
      }
      return .new(
        fields.filter { $0.value != nil }, try act.number("quantity").map { .init($0) },
        expiry: try act.said("expiry", act.day))
    },
    "place": Form("location", "fields") { act throws(RequestMistake) in try place(act) },
    "unplace": naming("location") { .unplace(location: $0) },
    "barcode": Form("number", "item", "quantity", "unit") { act throws(RequestMistake) in
      .barcode(
        try act.needed("number", act.name), item: try act.needed("item", act.id),
        try act.amount("quantity"))
    },
    "settings": Form("fields") { act throws(RequestMistake) in
      .settings(try FieldReader.fields(act, of: .household))
    },
    "bought": Form(
      "shop", "entries", "lines", "amount", "currency", "timestamp", "guessed", "joins"
    ) { act throws(RequestMistake) in try bought(act) },
    "correct": Form("receipt", "line", "fields", "remove", "add", "lines", "isPutAway") {
      act throws(RequestMistake) in try correct(act)
    },
  ]

  private static func bought(_ act: JSONReader) throws(RequestMistake) -> Deed {
    var bought = Deed.Bought(shop: try act.needed("shop", act.name))
    bought.entries = try act.ids("entries", atMost: mostLines)
    for line in try act.list("lines", atMost: mostLines) {
      bought.lines.append(try self.line(line))
    }
    bought.amount = try act.number("amount")
    bought.currency = try FieldReader.currency(act)
    bought.timestamp = try act.instant("timestamp")
    bought.guessed = try guessed(act)
    bought.joins = try act.id("joins")
    return .bought(bought)
  }

  /// Reads what of a purchase nobody said.
  private static func guessed(_ act: JSONReader) throws(RequestMistake) -> Set<FieldName> {
    let fields: [String: FieldName] = [
      "shop": .shopName, "amount": .amount, "timestamp": .timestamp,
    ]
    let names = act["guessed"]?.array ?? []
    let guessed = names.compactMap { $0.string.flatMap { fields[$0] } }
    guard act["guessed"] == nil || act["guessed"]?.array != nil, guessed.count == names.count else {
      throw act.mistake("a list of shop, amount and timestamp is needed", at: "guessed")
    }
    return Set(guessed)
  }

  static func line(_ line: JSONReader) throws(RequestMistake) -> Deed.Line {
    try line.allow(
      ["entry", "item", "name", "quantity", "unit", "price", "expiry", "location"])
    let subject: Deed.Line.Subject
    switch (try line.id("entry"), try line.id("item"), try line.name("name")) {
    case (let entry?, nil, nil): subject = .entry(entry)
    case (nil, let item?, nil): subject = .item(item)
    case (nil, nil, let name?): subject = .name(name)
    default: throw line.mistake("one of entry, item and name is needed")
    }
    var made = Deed.Line(subject, try line.amount("quantity"))
    if made.amount == nil {
      guard case .entry = subject, line["unit"] == nil else {
        throw line.mistake("it is needed", at: "quantity")
      }
    }
    made.price = try line.number("price")
    made.expiry = try line.day("expiry")
    made.location = try line.id("location")
    return made
  }
}

extension JSONReader {
  /// Reads a number, and the unit in the member `unit` beside it.
  func amount(_ key: String) throws(RequestMistake) -> Deed.Amount? {
    let unit = try unit("unit")
    return try number(key).map { Deed.Amount($0, unit) }
  }

  /// Reads what somebody said: nil if the member is left out, `.some(nil)` if it is null.
  func said<Value>(
    _ key: String, _ read: (String) throws(RequestMistake) -> Value?
  ) throws(RequestMistake) -> Value?? {
    value[key] == nil ? nil : .some(try read(key))
  }
}
