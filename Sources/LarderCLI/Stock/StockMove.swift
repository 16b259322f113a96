import LarderKit

/// `larder stock move` and `larder stock open`.
enum StockMove {
  private static let batch = Argument(
    "BATCH", values: .named(.item),
    help: "a batch by its item, lot code, day, location, file or id; 'milk 2026-12-01' is both")
  private static let location = Argument(
    "LOCATION", values: .named(.all(.storageLocation)), help: "the location's name")
  private static let amount = Argument(
    "AMOUNT", .zeroOrMore, help: "how much of it: 2, 500g, 1 pack; all if left out")
  private static let some = Argument(
    "AMOUNT", .zeroOrMore,
    help: "how much of it; if left out, one piece or pack, the product's pack size, or all")
  private static let moment = Option(
    "at", value: "WHEN", help: "when it was opened; now if left out")

  static let move = Command(
    "stock move", arguments: [batch, location, amount],
    options: [StockCommand.unit, BatchOptions.batch] + BatchOptions.expiries + [
      BatchOptions.unchangedSince
    ]
  ) { try await runMove($0) }

  static let open = Command(
    "stock open", arguments: [batch, some],
    options: [
      StockCommand.unit, BatchOptions.batch, moment, BatchOptions.strict,
      BatchOptions.unchangedSince,
    ]
  ) { try await runOpen($0) }

  private static func runMove(_ invocation: Invocation) async throws {
    try await invocation.refuseUnquoted(
      [invocation[batch], invocation[location]] + invocation.all(amount))
    let typed = try invocation.quantity(amount, behind: location, StockCommand.unit)
    let version = try invocation.unchangedSince()
    let (expiry, standing) = try await newExpiry(invocation)
    let (moved, change) = try await invocation.commit { change in
      let survey = change.survey
      let place = try survey.location(named: invocation[location])
      let source = try survey.source(
        invocation[batch], lot: invocation[BatchOptions.batch], to: place.id)
      let quantity = try typed.map { typed in
        try source.item.flatMap { item in
          let packs = try survey.packs(typed, of: item, named: invocation[batch])
          if packs == nil { try survey.refuseUnclear(typed, of: item) }
          return packs
        } ?? typed.quantity(in: source.quantity.unit)
      }
      let part = quantity.map { "\($0) of " } ?? ""
      change.subject = "move \(part)\(source.title) to \(place.title)"
      let keys = try source.move(
        quantity, to: place.id, expiry, version, in: &change.edit, by: change.writer)
      return (keys: keys, quantity: quantity ?? source.quantity)
    }
    let batches = moved.keys.compactMap { change[$0] }
    guard let first = batches.first else { return }
    let title = change.after.naming.title(of: first)
    let place = change.after.place(of: first) ?? ""
    let dated = expiry == .keep ? nil : first.batchDay?.description
    let what = "\(moved.quantity) of \(title)"
    invocation.output.report(
      change, ["batches": .array(batches.map { change.after.listed($0) })],
      lines: change.isNothing
        ? [] : ["moved \(what) to \(place)" + (dated.map { ", keeps until \($0)" } ?? "")])
    if change.isNothing {
      invocation.output.note("nothing to move: it is there already")
    } else if let standing {
      invocation.output.note(standing)
    }
  }

  /// Returns the new date of the moved batch, from the options.
  ///
  /// For a move between a cold and another place, it asks the user. If nobody can be asked, it also
  /// returns a note that the old date stays.
  private static func newExpiry(
    _ invocation: Invocation
  ) async throws -> (update: DateUpdate<Day>, standing: String?) {
    let survey = try await invocation.survey()
    let said = try invocation.expiryUpdate(survey.calendar, of: nil)
    guard said == .keep, let place = try? survey.location(named: invocation[location]),
      let source = try? survey.source(
        invocation[batch], lot: invocation[BatchOptions.batch], to: place.id),
      let lot = source.lot, let day = lot.first.lastDay
    else { return (said, nil) }
    let from = lot.first.locationID.flatMap { survey.household[.storageLocation, $0] }
    guard place.id != from?.id,
      [place, from].contains(where: { $0?.flag(.isColdStorage) ?? false })
    else { return (.keep, nil) }
    let question =
      "\(source.title) keeps until \(day); in \(place.title) until (empty for the same day):"
    while !invocation.has(Rehearsal.option), let answer = invocation.prompt.line(question) {
      guard !answer.allSatisfy(\.isWhitespace) else { return (.keep, nil) }
      do {
        let day = try invocation.day(answer, for: "the day", survey.calendar)
        return (.set(ExpiryInfo(.expiry, day)), nil)
      } catch {
        invocation.output.warn(MessageWords().errorWords(for: error).message)
      }
    }
    return (
      .keep, "its day is still \(day); --expiry DAY gives it another one for \(place.title)"
    )
  }

  private static func runOpen(_ invocation: Invocation) async throws {
    let typed = try invocation.quantity(some, behind: batch, StockCommand.unit)
    let version = try invocation.unchangedSince()
    let (opening, change) = try await invocation.commit { change in
      let survey = change.survey
      let (item, named) = try survey.itemOrLot(invocation[batch])
      let at = try invocation[moment].map {
        try invocation.moment($0, for: moment.spelling, survey.calendar)
      }
      let lot = try invocation[BatchOptions.batch].map { try survey.lot($0, of: item) } ?? named
      change.subject = "open \(item.title)"
      return try change.edit.open(
        item, lot,
        quantity: typed.map { typed throws(RuleError) in
          try survey.quantity(typed, of: item, named: invocation[batch])
        },
        at: at ?? change.writer.now,
        strict: invocation.has(BatchOptions.strict), unchangedSince: version, by: change.writer)
    }
    guard let batch = change[opening.batch] else { return }
    report(opening, batch, change, invocation)
  }

  private static func report(
    _ opening: Opening, _ batch: Entity, _ change: Outcome, _ invocation: Invocation
  ) {
    let title = change.after.naming.title(of: batch)
    invocation.warn(opening.warnings, about: title)
    var line = "opened \(opening.quantity) of \(title) (\(change.after.words(for: batch)))"
    if let expiry = opening.expiry, expiry != opening.expiryBefore {
      let before = opening.expiryBefore.map { ", not until \($0)" } ?? ""
      line += ": keeps until \(expiry) now\(before)"
    }
    invocation.output.report(change, ["batch": change.after.listed(batch)], lines: [line])
  }
}

/// The source of a move: a lot, or an item's loose stock.
struct MoveSource {
  let title: String
  /// The whole quantity.
  let quantity: Quantity
  let item: Entity?
  /// The lot; nil for loose stock.
  let lot: Lot?

  /// Moves all or some of it, and returns the batches in the new location.
  func move(
    _ quantity: Quantity?, to place: String, _ expiry: DateUpdate<Day>, _ version: Instant?,
    in edit: inout Edit, by writer: Writer
  ) throws(RuleError) -> [EntityKey] {
    if let lot {
      return try edit.move(
        lot, called: title, to: place, quantity: quantity, expiry: expiry,
        unchangedSince: version, by: writer)
    }
    guard let item else { return [] }
    return [
      try edit.moveLoose(
        quantity ?? self.quantity, of: item, to: place, expiry: expiry.info, by: writer)
    ]
  }
}

extension Survey {
  /// Returns the item that words name, or a lot with its item.
  ///
  /// A used-up lot counts only if no other matches.
  func itemOrLot(_ words: String) throws -> (item: Entity, lot: Lot?) {
    if let item = try ifFound(try naming.find(words, .stockItem)) { return (item, nil) }
    let used = naming.all(.inventoryItem).filter(\.isConsumed)
    for batches in [activeBatches.filter(\.hasSomethingLeft), used] {
      let lot = try ifFound(try naming.lot(words, among: batches))
      if let lot, let item = stock.item(of: lot.first) { return (item, lot) }
    }
    return (try naming.find(words, .stockItem), nil)
  }

  /// Returns what a search finds; nil if nothing has the name.
  private func ifFound<Value>(
    _ found: @autoclosure () throws(NamingError) -> Value
  ) throws(NamingError) -> Value? {
    do throws(NamingError) {
      return try found()
    } catch {
      if case .notFound = error { return nil }
      throw error
    }
  }

  /// Returns the item that words name, also with its lot behind the name, as in `milk 2026-12-01`.
  ///
  /// If several things are named, a day or a place alone is not enough, because it may be a stray
  /// number. With `inFull`, a part of a name is not enough.
  func itemWithLot(_ words: String, inFull: Bool = false) throws -> (item: Entity, lot: Lot?) {
    if let item = try ifFound(try item(words, inFull: inFull)) { return (item, nil) }
    let parts = words.split(separator: " ").map(String.init)
    for end in parts.indices.dropFirst().reversed() {
      let name = parts[..<end].joined(separator: " ")
      let rest = parts[end...].joined(separator: " ")
      guard let item = try? item(name, inFull: inFull) else { continue }
      do throws(NamingError) {
        return (item, try lot(rest, of: item, withConsumed: true, inFull: inFull))
      } catch {
        if case .ambiguous = error { throw error }
      }
    }
    return (try item(words, inFull: inFull), nil)
  }

  /// Returns the item that words name, in full or also by a part of its name.
  func item(_ words: String, inFull: Bool) throws(NamingError) -> Entity {
    try inFull ? naming.findInFull(words, .stockItem) : naming.find(words, .stockItem)
  }

  /// Returns the lot of a named item, or the lot or loose stock that the words name.
  ///
  /// Stock outside the destination is preferred.
  func source(_ words: String, lot: String?, to destination: String) throws -> MoveSource {
    guard let lot else { return try source(words, to: destination) }
    let item = try naming.find(words, .stockItem)
    return source(try self.lot(lot, of: item), item.title)
  }

  private func source(_ lot: Lot, _ title: String) -> MoveSource {
    MoveSource(title: title, quantity: lot.quantity, item: stock.item(of: lot.first), lot: lot)
  }

  /// Returns the lot that matches the words, or the item with loose stock.
  private func source(_ words: String, to destination: String) throws -> MoveSource {
    let batches = stock.all(.inventoryItem)
    let full = batches.filter(\.hasSomethingLeft)
    do throws(NamingError) {
      if let lot = try lot(words, among: full.filter { $0.locationID != destination }) {
        return lot
      }
      if let item = try naming.item(words).map(stock.withoutLack), item.quantity.value > .zero {
        return MoveSource(title: item.title, quantity: item.quantity, item: item, lot: nil)
      }
      if let lot = try lot(words, among: full) { return lot }
      if let lot = try lot(words, among: batches) { return lot }
    } catch {
      guard case .ambiguous(_, .inventoryItem, let candidates) = error,
        batches.filter(\.hasSomethingLeft).allSatisfy({ batch in
          !candidates.contains { $0.path == household.path(of: batch.key)?.text }
        })
      else { throw error }
      throw ErrorWords(
        .failed,
        "nothing is left of '\(words)': all \(candidates.count) batches of that name are used up",
        "'larder stock count ITEM N --batch B' says what is really there")
    }
    throw ErrorWords(
      .notFound, "no batch is called '\(words)', and no such item has loose stock",
      "'larder stock list --batches' lists the batches")
  }

  private func lot(_ words: String, among batches: [Entity]) throws(NamingError) -> MoveSource? {
    try ifFound(try naming.lot(words, among: batches))
      .map { source($0, naming.title(of: $0.first)) }
  }
}

extension Invocation {
  /// Throws if the words name a thing and a location only as names of several words, which need
  /// quotes.
  func refuseUnquoted(_ words: [String]) async throws {
    func isAmount(_ words: ArraySlice<String>) -> Bool {
      words.isEmpty || (try? TypedQuantity(words.joined(separator: " "))) != nil
    }
    guard words.count > 2, !isAmount(words[2...]) else { return }
    let survey = try await survey()
    func suggest(
      _ name: ArraySlice<String>, _ place: ArraySlice<String>, _ amount: ArraySlice<String>
    )
      throws
    {
      let name = name.joined(separator: " ")
      guard
        let place = try? survey.naming.find(place.joined(separator: " "), .storageLocation),
        (try? survey.itemOrLot(name)) != nil
      else { return }
      let meant = path + [shellWord(name), shellWord(place.title)] + amount
      throw ErrorWords(
        .usage, "the order is thing, location, amount, with quotes for a name of several words",
        "did you mean '\(meant.joined(separator: " "))'?")
    }
    for end in 1..<words.count {
      for start in end + 1...words.count {
        if isAmount(words[start...]) {
          try suggest(words[..<end], words[end..<start], words[start...])
        }
        if start < words.count, isAmount(words[end..<start]) {
          try suggest(words[..<end], words[start...], words[end..<start])
        }
      }
    }
  }
}
