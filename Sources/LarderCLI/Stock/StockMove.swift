import LarderKit

/// `larder stock move` and `larder stock open`.
enum StockMove {
  private static let batch = Argument(
    "BATCH", values: .named(.item),
    help:
      "an item, or a batch by its lot code, day, location, file or id; 'milk 2026-12-01' is both")
  private static let location = Argument(
    "LOCATION", values: .named(.all(.storageLocation)), help: "the location's name")
  private static let amount = Argument(
    "AMOUNT", .zeroOrMore,
    help: "how much of it: 2, 500g, 1 pack; all that lies elsewhere if left out")
  private static let some = Argument(
    "AMOUNT", .zeroOrMore,
    help: "how much of it; if left out, one piece or pack, the product's pack size, or all")
  private static let keeps = Option(
    "keeps", value: "DAYS",
    help: "how long it keeps there from today, about: 10, 3w, 3m; in place of a day")
  private static let moment = Option(
    "at", value: "WHEN", help: "when it was opened; now if left out")

  static let move = Command(
    "stock move", arguments: [batch, location, amount],
    options: [StockCommand.unit, BatchOptions.batch] + BatchOptions.expiries + [
      keeps, BatchOptions.unchangedSince,
    ]
  ) { invocation in
    let words = [invocation[batch], invocation[location]] + invocation.all(amount)
    try await invocation.orTellingOrder(of: words, needsPlace: true) {
      try await runMove(invocation)
    }
  }

  static let open = Command(
    "stock open", arguments: [batch, some],
    options: [
      StockCommand.unit, BatchOptions.batch, moment, BatchOptions.strict,
      BatchOptions.unchangedSince,
    ]
  ) { invocation in
    let words = [invocation[batch]] + invocation.all(some)
    try await invocation.orTellingOrder(of: words) {
      try await runOpen(invocation)
    }
  }

  private static func runMove(_ invocation: Invocation) async throws {
    let typed =
      invocation.isAll(amount)
      ? nil : try invocation.quantity(amount, behind: location, StockCommand.unit)
    let version = try invocation.unchangedSince()
    let (expiry, standing) = try await newExpiry(invocation)
    let (moved, change) = try await invocation.commit { change in
      let survey = change.survey
      let place = try survey.location(named: invocation[location])
      let source = try survey.source(
        invocation[batch], lot: invocation[BatchOptions.batch], to: place.id,
        isDated: expiry != .keep)
      let quantity = try typed.map { typed in
        try source.item.flatMap { item in
          let packs = try survey.packs(typed, of: item, named: invocation[batch])
          if packs == nil { try survey.refuseUnclear(typed, of: item) }
          return packs
        } ?? typed.quantity(in: source.unit)
      }
      let part = quantity.map { "\($0) of " } ?? ""
      change.subject = "move \(part)\(source.title) to \(place.title)"
      let parts = try source.move(
        quantity, to: place.id, expiry, version, in: &change.edit, by: change.writer)
      return (parts: parts, quantity: quantity, isChoice: quantity != nil && source.isSeveral)
    }
    let batches = Set(moved.parts.map(\.batch)).compactMap { change[$0] }
      .sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    let first = batches.first
    let dated = expiry == .keep ? nil : first?.shownDay?.description
    let title = first.map(change.after.naming.title) ?? ""
    let sources = moved.parts.bySource(in: change.before)
    let each = sources.map { "\($0.sum) (\($0.words))" }.joined(separator: ", ")
    let line =
      "moved \(moved.quantity?.description ?? moved.parts.map(\.quantity).sum) of \(title) to "
      + (first.flatMap { change.after.place(of: $0) } ?? "")
      + (sources.count > 1 || moved.isChoice ? ": \(each)" : "")
      + (dated.map { ", keeps until \($0)" } ?? "")
    invocation.output.report(
      change, ["batches": .array(batches.map { change.after.listed($0) })],
      lines: change.isNothing ? [] : [line])
    if change.isNothing {
      invocation.output.note("nothing to move: it is there already")
    } else {
      if let standing { invocation.output.note(standing) }
      if moved.isChoice {
        invocation.output.note("--batch B moves some of the batch that it names")
      }
    }
  }

  /// Returns the new date of what is moved, from the options.
  ///
  /// For a move between a cold and another place, or into a freezer, it asks the user. If nobody can
  /// be asked, it also returns a note that says what becomes of the old date.
  private static func newExpiry(
    _ invocation: Invocation
  ) async throws -> (update: DateUpdate<Day>, standing: String?) {
    let survey = try await invocation.survey()
    let said = try invocation.expiryUpdate(survey.calendar, of: nil)
    if let text = invocation.trimmed(keeps) {
      if let option = BatchOptions.expiries.first(where: { invocation[$0] != nil }) {
        throw invocation.usage(.conflictingOptions(keeps.spelling, option.spelling))
      }
      let days = Int(try invocation.days(text, for: keeps).description) ?? 0
      return (.set(ExpiryInfo(guessed: survey.calendar.today.adding(days: days))), nil)
    }
    guard said == .keep, let place = try? survey.location(named: invocation[location]),
      let source = try? survey.source(
        invocation[batch], lot: invocation[BatchOptions.batch], to: place.id),
      let days = source.days(movedTo: place, in: survey)
    else { return (said, nil) }
    let isFreezer = place.isFreezer
    let question =
      "\(source.title) keeps until \(days); in \(place.title) until "
      + (isFreezer ? "(3m for three months, empty for no day):" : "(empty for the same day):")
    while !invocation.has(Rehearsal.option), let answer = invocation.prompt.line(question) {
      guard !answer.allSatisfy(\.isWhitespace) else { return (.keep, nil) }
      do {
        let day = try invocation.day(answer, for: "the day", survey.calendar)
        return (.set(ExpiryInfo(.expiry, day)), nil)
      } catch {
        invocation.output.warn(MessageWords().errorWords(for: error).message)
      }
    }
    let standing =
      isFreezer
      ? "in \(place.title), \(days) does not count any more; --keeps 3m says how long it keeps there"
      : "\(days.contains(",") ? "the days are" : "its day is") still \(days); --expiry DAY gives it another one for \(place.title)"
    return (.keep, standing)
  }

  private static func runOpen(_ invocation: Invocation) async throws {
    let isAll = invocation.isAll(some)
    let typed = isAll ? nil : try invocation.quantity(some, behind: batch, StockCommand.unit)
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
        quantity: isAll
          ? lot?.quantity ?? Quantity(survey.stock.total(of: item), item.unit)
          : typed.map { typed throws(RuleError) in
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

/// The source of a move: a lot, or all of an item that lies elsewhere.
struct MoveSource {
  let title: String
  let item: Entity?
  /// The lot; nil for what lies elsewhere of the item.
  let lot: Lot?
  /// The batches to move, and the item for its loose stock.
  let parts: [Entity]

  /// The unit of an amount without one.
  var unit: Unit { lot?.first.unit ?? item?.unit ?? .piece }

  /// Whether people can tell several things apart in it.
  var isSeveral: Bool {
    let batches = parts.filter { $0.kind == .inventoryItem }
    return Lot.grouped(batches).count + parts.count - batches.count > 1
  }

  /// Moves all or some of it.
  func move(
    _ quantity: Quantity?, to place: String, _ expiry: DateUpdate<Day>, _ version: Instant?,
    in edit: inout Edit, by writer: Writer
  ) throws(RuleError) -> [MovedPart] {
    if let lot {
      return try edit.move(
        lot, called: title, to: place, quantity: quantity, expiry: expiry,
        unchangedSince: version, by: writer)
    }
    guard let item else { return [] }
    return try edit.move(
      of: item, to: place, quantity: quantity, expiry: expiry, unchangedSince: version, by: writer)
  }

  /// Returns the days that a move to a location makes doubtful; nil if it leaves them as they are.
  func days(movedTo place: Entity, in survey: Survey) -> String? {
    let moved = parts.filter { batch in
      let from = batch.locationID.flatMap { survey.household[.storageLocation, $0] }
      return place.id != from?.id && [place, from].contains { $0?.isCold ?? false }
        && !(place.isFreezer && (from?.isFreezer ?? false))
    }
    let days = moved.compactMap { batch in
      batch.isKeptFrozen && place.isFreezer ? nil : batch.batchDay
    }.filter { !$0.kind.isOfOrigin }
    let words = Set(days).sorted { $0.day < $1.day }.map(\.description)
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }
}

extension [MovedPart] {
  /// Returns what was moved of each batch that people can tell apart, and of the loose stock.
  fileprivate func bySource(in survey: Survey) -> [(words: String, sum: String)] {
    var sources: [(words: String, parts: [Quantity])] = []
    for part in self {
      let words = survey.words(for: part.source)
      if let place = sources.firstIndex(where: { $0.words == words }) {
        sources[place].parts.append(part.quantity)
      } else {
        sources.append((words, [part.quantity]))
      }
    }
    return sources.map { ($0.words, $0.parts.sum) }
  }
}

extension [Quantity] {
  /// The sum in words, in the units of the first ones; those that don't convert are told apart.
  fileprivate var sum: String {
    var sums: [Quantity] = []
    for part in self {
      let place = sums.firstIndex { part.unit.converts(to: $0.unit) }
      if let place, let number = part.converted(to: sums[place].unit) {
        sums[place] = Quantity((sums[place].value + number).rounded, sums[place].unit)
      } else {
        sums.append(part)
      }
    }
    return sums.map(\.description).joined(separator: " and ")
  }
}

extension Entity {
  /// Whether things keep longer in a location than elsewhere.
  fileprivate var isCold: Bool { flag(.isColdStorage) || isFreezer }
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

  /// Returns the lot of a named item, or what the words name: of an item all that lies outside the
  /// destination, otherwise a lot.
  func source(
    _ words: String, lot: String?, to destination: String, isDated: Bool = false
  ) throws -> MoveSource {
    guard let lot else { return try source(words, to: destination, isDated) }
    let item = try naming.find(words, .stockItem)
    return source(try self.lot(lot, of: item), item.title)
  }

  private func source(_ lot: Lot, _ title: String) -> MoveSource {
    let first = lot.first
    let item = first.kind == .stockItem ? first : stock.item(of: first)
    return MoveSource(title: title, item: item, lot: lot, parts: lot.batches)
  }

  /// Returns the item with what lies elsewhere, or the lot that matches the words.
  ///
  /// If all of an item is there, it is the item without anything to move, or what gets another date.
  private func source(
    _ words: String, to destination: String, _ isDated: Bool
  ) throws -> MoveSource {
    let batches = stock.all(.inventoryItem)
    let full = batches.filter(\.hasSomethingLeft)
    do throws(NamingError) {
      if let item = try namedItem(words) {
        let parts = stock.elsewhere(item, than: destination)
        if !parts.isEmpty || !isDated && !self.batches(of: item).isEmpty {
          return MoveSource(title: item.title, item: item, lot: nil, parts: parts)
        }
      } else if let lot = try lot(words, among: full.filter { $0.locationID != destination }) {
        return lot
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

  /// Returns the item that words name; nil if they name none, or several, of which a lot may be meant.
  private func namedItem(_ words: String) throws(NamingError) -> Entity? {
    do throws(NamingError) {
      return try naming.item(words)
    } catch {
      if case .ambiguous = error { return nil }
      throw error
    }
  }

  private func lot(_ words: String, among batches: [Entity]) throws(NamingError) -> MoveSource? {
    try ifFound(try naming.lot(words, among: batches))
      .map { source($0, naming.title(of: $0.first)) }
  }
}
