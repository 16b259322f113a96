import LarderKit

/// `larder stock use`, `count` and `discard`: commands that reduce or count a quantity.
enum StockQuantities {
  private static let request = StockCommand.request
  private static let batch = BatchOptions.batch
  private static let partial = Option(
    "partial", short: "p", help: "take what there is if there is not enough")
  private static let reason = Option(
    "reason", short: "r", value: "TEXT", help: "why, for the item's history")

  static let use = Command(
    "stock use", formerly: "consume", arguments: [StockCommand.things],
    options: [StockCommand.unit, batch, partial, request]
  ) { try await take("use", "used", .consume, $0) }

  static let discard = Command(
    "stock discard", formerly: "spoil", arguments: [StockCommand.things],
    options: [StockCommand.unit, batch, partial, reason, request]
  ) { invocation in
    do {
      try await take("discard", "discarded", .spoil, invocation)
    } catch {
      throw try await tellingReason(MessageWords().errorWords(for: error), invocation)
    }
  }

  /// Returns the error with the command that is meant if the last words, which name nothing, are the
  /// reason.
  private static func tellingReason(
    _ error: ErrorWords, _ invocation: Invocation
  ) async throws -> ErrorWords {
    let words = invocation.all(StockCommand.things)
    guard !error.unknownNames.isEmpty, invocation[reason] == nil,
      !error.hints.contains(where: { $0.hasPrefix("did you mean") })
    else { return error }
    let survey = try await invocation.survey()
    let fillers: Set = [
      "because", "as", "since", "it", "was", "were", "they", "is", "are", "for", "-",
    ]
    for count in words.indices.dropFirst().reversed() {
      let typed = TypedThings(
        Array(words[..<count]), kind: .stockItem, in: survey, splitting: .byFullNames)
      let why = words[count...].drop { fillers.contains(fold($0)) }.joined(separator: " ")
      guard typed.mistakes.isEmpty, !why.isEmpty,
        typed.things.allSatisfy({ (try? survey.itemWithLot($0.name)) != nil })
      else { continue }
      var error = error
      let line =
        invocation.path + words[..<count].map(shellWord) + [reason.spelling, shellWord(why)]
      error.hints = ["if that is the reason: '\(line.joined(separator: " "))'"]
      return error
    }
    return error
  }

  /// Takes quantities of things out of the stock; of a batch that is thrown away, all of it.
  private static func take(
    _ verb: String, _ past: String, _ why: LedgerEntry.Reason, _ invocation: Invocation
  ) async throws {
    try await invocation.changeQuantities(request: invocation[request], single: [batch], .byPart) {
      (edit, writer, one) in
      let lot = try one.lot(named: invocation[batch])
      let all = why == .spoil ? lot.map { one.served?.quantity ?? $0.quantity } : nil
      let quantity = try one.quantityToTake(lot, usually: all)
      let result = try edit.take(
        quantity, from: one.item, lot: lot, partially: invocation.has(partial), why: why,
        note: invocation.text(reason), request: one.request, by: writer)
      return QuantityAct(
        change: result, subject: "\(verb) \(result.amount(in: quantity.unit)) of \(one.item.title)")
    } line: { act, item, change in
      act.change.sentence(past, item, in: change)
    }
  }

  static let count = Command(
    "stock count", arguments: [StockCommand.things], options: [StockCommand.unit, batch]
  ) { invocation in
    try await invocation.askingWhich { try await count(invocation, $0) }
  }

  private static func count(_ invocation: Invocation, _ meanings: Meanings) async throws {
    try await invocation.changeQuantities(
      request: nil, single: [batch], .inFull(meanings), tellsNothing: true
    ) { (edit, writer, one) in
      let lot =
        try invocation[batch].map {
          try one.survey.lot($0, of: one.item, withConsumed: true)
        } ?? one.lot
      guard case .quantity(let typed)? = one.typed.amount else {
        throw ErrorWords(
          .usage, "the amount of \(one.item.title) is missing",
          "write behind it how much is there: \(shellWord(one.item.title)) 3")
      }
      let quantity = try one.survey.quantity(typed, of: one.item, named: one.typed.name)
      let result = try edit.count(quantity, of: one.item, lot: lot, by: writer)
      return QuantityAct(
        change: result, subject: "count \(quantity) of \(one.item.title)", lot: lot)
    } line: { act, item, change in
      let lot = Set(act.lot?.batches.map(\.key) ?? [])
      return act.change.parts.contains { lot.contains($0.key) }
        ? countedLot(act.change, item, change) : counted(act.change, item, change)
    }
  }

  /// Returns the sentence `counted 4 of Eggs, 5 before`, and names batches that the count reduced.
  static func counted(_ result: QuantityChange, _ item: Entity, _ change: Outcome) -> String {
    let before = change.before.household[item.key].map { change.before.total(of: $0) }
    let difference = before.map { $0 == result.total ? ", as known" : ", \($0) before" } ?? ""
    let isLowered = result.parts.contains { $0.key.kind == .inventoryItem }
    let lowered = (isLowered ? result.parts : []).compactMap { part in
      change[part.key].map { entity in
        "\(part.quantity) less (\(change.after.words(for: entity)))"
      }
    }
    let sources = lowered.isEmpty ? "" : ": " + lowered.joined(separator: ", ")
    return "counted \(result.total) of \(item.title)\(difference)\(sources)"
  }

  /// Returns the count of a batch, with the item's new total.
  static func countedLot(_ result: QuantityChange, _ item: Entity, _ change: Outcome) -> String {
    guard let part = result.parts.first, let batch = change[part.key] else { return "" }
    let lot = change.after.words(for: batch)
    return "counted \(part.rest) of \(item.title) (\(lot)), \(result.total) in all"
  }
}

extension QuantityChange {
  /// Returns the sentence about a use: the quantity, its sources and the rest.
  ///
  /// An example is `used 1 l of Oat milk (batch of 2026-11-28, Fridge), 2 l left`.
  func sentence(_ verb: String, _ item: Entity, in change: Outcome) -> String {
    let unit = parts.first?.quantity.unit ?? item.unit
    let amount = "\(verb) \(self.amount(in: unit)) of \(item.title)"
    let rest = total.value == .zero ? "none left" : "\(total) left"
    let hasBatches = !change.before.stock.batches(of: item).isEmpty
    let sources = parts.map { part in
      change[part.key].map { source in
        source.kind == .inventoryItem
          ? [change.after.words(for: source), change.after.passedWords(for: source)]
            .compactMap(\.self).joined(separator: ", ") : "loose"
      } ?? "loose"
    }
    switch parts.count {
    case 0: return "\(amount), \(rest)"
    case 1: return hasBatches ? "\(amount) (\(sources[0])), \(rest)" : "\(amount), \(rest)"
    default:
      let each = zip(parts, sources).map { "\($0.quantity) (\($1))" }.joined(separator: ", ")
      return "\(amount): \(each); \(rest)"
    }
  }

  /// Returns the words about a request that was done before; empty for a new one.
  func words(onRequest request: String?) -> String {
    guard isRepeated else { return "" }
    let before = " (done before under \(request ?? "this request")"
    return before
      + (isTakenBack ? " and taken back since; another --request-id does it again)" : ")")
  }

  /// Returns the change for JSON output: the parts with what is left of each, and the total.
  func json(_ item: Entity) -> JSON {
    let parts = parts.map { part -> JSON in
      [
        "kind": .string(part.key.kind.rawValue), "id": .string(part.key.id),
        "quantity": part.quantity.json, "rest": part.rest.json,
      ]
    }
    return [
      "item": .string(item.id), "parts": .array(parts), "total": total.value.json,
      "unit": .string(total.unit.rawValue), "isRepeated": .bool(isRepeated),
      "isTakenBack": .bool(isTakenBack),
    ]
  }
}

/// `larder stock put`.
enum StockAdd {
  private static let new = Option("new", help: "make items of what nobody knows yet")

  static let command = Command(
    "stock put", formerly: "add", arguments: [StockCommand.things],
    options: [StockCommand.unit] + BatchOptions.details + [
      BatchOptions.notes, BatchOptions.confidence, BatchOptions.strict, new, StockCommand.request,
    ]
  ) { invocation in
    try refuseEmpty(invocation)
    try await invocation.makingUnknown(if: invocation.has(new)) { makes in
      try await invocation.askingWhich { try await add(invocation, makes, $0) }
    }
  }

  private static func add(
    _ invocation: Invocation, _ makes: Bool, _ meanings: Meanings
  ) async throws {
    try await invocation.changeQuantities(
      request: invocation[StockCommand.request], single: [], .toPut(makes: makes, meanings)
    ) { (edit, writer, one) in
      let quantity = try one.quantityToAdd()
      let subject = "put \(quantity) of \(one.item.title)"
      guard let details = try batch(of: one, invocation) else {
        // What lies loose has neither a day nor a place.
        let change =
          one.lot == nil
          ? try edit.add(quantity, to: one.item, request: one.request, by: writer)
          : try edit.add(
            quantity, to: one.item, expiry: .some(nil), place: .some(nil), request: one.request,
            by: writer)
        return QuantityAct(change: change, subject: subject)
      }
      let added = try edit.add(
        quantity, details, isComplete: one.lot != nil,
        strict: invocation.has(BatchOptions.strict), request: one.request, by: writer)
      return QuantityAct(change: added, subject: subject)
    } members: { result in
      let isBatch = result.parts.contains { $0.key.kind == .inventoryItem }
      return isBatch ? ["action": .string(result.isNewBatch ? "created" : "merged")] : [:]
    } line: { act, item, change in
      invocation.warn(act.change.warnings, about: item.title)
      warnIfOver(act.change, item, change, invocation)
      return sentence(act.change, item, change)
    }
  }

  /// Throws for empty texts, which are usually a script's mistake, and for a batch's options
  /// without a batch.
  private static func refuseEmpty(_ invocation: Invocation) throws {
    let options = BatchOptions.details + [BatchOptions.notes]
    let empty = options.filter { invocation[$0] != nil && invocation.text($0) == nil }
    guard empty.isEmpty else {
      throw UsageError(
        empty.map { .missingValue(option: $0.spelling, placeholder: $0.placeholder ?? "") },
        in: invocation.path)
    }
    guard !BatchOptions.details.contains(where: { invocation[$0] != nil }) else { return }
    for option in [BatchOptions.notes, BatchOptions.confidence] where invocation[option] != nil {
      throw ErrorWords(
        .usage, "\(option.spelling) is about a batch, and this would lie loose",
        "a date, a location or a lot code makes it a batch")
    }
  }

  private static func warnIfOver(
    _ result: QuantityChange, _ item: Entity, _ change: Outcome, _ invocation: Invocation
  ) {
    guard let batch = result.parts.first.flatMap({ change[$0.key] }), let day = batch.lastDay,
      day < change.after.calendar.today
    else { return }
    invocation.output.warn("\(item.title) keeps until \(day), and that day is over")
  }

  /// Returns the details of the batch that the options or the words behind the name say; nil if they
  /// say nothing of one, or that it lies loose.
  private static func batch(
    of one: CountedThing, _ invocation: Invocation
  ) throws -> BatchDetails? {
    let given = (BatchOptions.details + [BatchOptions.notes]).filter { invocation.text($0) != nil }
    if let lot = one.lot {
      if let option = given.first {
        throw ErrorWords(
          .usage, "'\(one.typed.name)' names a batch, and \(option.spelling) says another one",
          "leave one of them out")
      }
      return lot.first.kind == .stockItem ? nil : BatchDetails(of: lot.first)
    }
    guard !given.isEmpty || one.typed.place != nil else { return nil }
    let survey = one.survey
    let product = survey.product(named: one.typed.name, of: one.item)
    var details = try invocation.batchDetails(product ?? one.item.id, survey)
    if let place = one.typed.place {
      guard details.locationID ?? place == place else {
        let name = survey.household[.storageLocation, place]?.title ?? ""
        throw ErrorWords(
          .usage, "the words say \(name), and \(BatchOptions.location.spelling) another place",
          "leave one of them out")
      }
      details.locationID = place
    }
    return details
  }

  /// Returns the sentence `put 2 l of Oat milk, 5 l now`, which names a batch that was created or
  /// grew.
  private static func sentence(
    _ result: QuantityChange, _ item: Entity, _ change: Outcome
  ) -> String {
    let added = "put \(result.amount(in: item.unit)) of \(item.title)"
    guard let part = result.parts.first, part.key.kind == .inventoryItem,
      let batch = change[part.key]
    else { return "\(added), \(result.total) now" }
    let lot = change.after.words(for: batch)
    let place = result.isNewBatch ? "created: \(lot)" : "merged: \(lot), \(part.rest) in it"
    return "\(added) (\(place)), \(result.total) now"
  }
}

extension CountedThing {
  /// Returns the quantity to add, one if none was typed.
  fileprivate func quantityToAdd() throws -> Quantity {
    guard typed.amount != .all else {
      throw ErrorWords(
        .usage, "all of \(item.title) can't be put into the stock",
        "write how much came: \(shellWord(item.title)) 2")
    }
    return try quantity(orAllOf: nil) ?? single()
  }
}

extension Survey {
  /// Returns the product of an item that is named by its barcode, id or exact title.
  func product(named words: String, of item: Entity) -> String? {
    product(withNumber: words, of: item)
      ?? item.productIDs.first { id in
        household[.product, id].map { fold($0.title) } == fold(words)
      }
  }
}
