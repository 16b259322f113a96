import LarderKit

/// One thing of a command that changes quantities.
struct CountedThing {
  let typed: TypedThing
  /// The item after the changes of earlier things.
  let item: Entity
  /// The lot of the item, if the name includes one.
  let lot: Lot?
  /// The household after the changes of earlier things.
  let household: Household
  /// The household before the command.
  let survey: Survey
  let request: String?
  /// What was done before under the request's id, which must be this act.
  let served: ServedRequest?

  /// Returns the quantity to take; one if none was typed.
  ///
  /// If only the rounding of a fraction would be left, it is the whole quantity.
  func quantityToTake(_ lot: Lot?, usually: Quantity? = nil) throws -> Quantity {
    do {
      let quantity = try quantity(orAllOf: lot) ?? usually ?? single()
      return quantity.orAll(of: available(lot))
    } catch RuleError.amountNeeded(let title, let unit) {
      var refusal = RuleError.amountNeeded(item: title, unit: unit).errorWords
      let all = available(lot)
      if all.value > .zero {
        refusal.hints.append("'all' instead of an amount is all there is: \(all)")
      }
      throw refusal
    }
  }

  private func available(_ lot: Lot?) -> Quantity {
    served?.quantity ?? lot?.quantity ?? Quantity(Stock(household).total(of: item), item.unit)
  }

  /// Returns the lot of `--batch`, or of the thing's name; nil for the whole item.
  ///
  /// A request that was served may have used the lot up.
  func lot(named words: String?) throws -> Lot? {
    try words.map { try survey.lot($0, of: item, withConsumed: served != nil) } ?? lot
  }

  /// Returns the quantity that is meant without an amount.
  func single() throws(RuleError) -> Quantity { try survey.one(of: item, named: typed.name) }

  /// Returns the typed quantity, or all of a lot or of the item; nil if no amount was typed.
  ///
  /// Throws for `all` if there is nothing.
  func quantity(orAllOf lot: Lot?) throws -> Quantity? {
    switch typed.amount {
    case nil: return nil
    case .quantity(let quantity):
      return try survey.quantity(quantity, of: item, named: typed.name)
    case .all:
      let all = available(lot)
      guard all.value > .zero else { throw ErrorWords(.failed, "there is no \(item.title)") }
      return all
    }
  }
}

/// The change of one thing's quantity.
struct QuantityAct {
  let change: QuantityChange
  /// What the commit's subject says of it.
  let subject: String
  /// The lot that was meant; nil for the whole item.
  var lot: Lot?
}

extension Quantity {
  /// Returns `there` if this quantity is almost the same.
  fileprivate func orAll(of there: Quantity) -> Quantity {
    guard let all = there.converted(to: unit)?.rounded, all > .zero, isAlmost(all) else {
      return self
    }
    return Quantity(all, unit)
  }
}

extension Invocation {
  /// Changes the quantity of a thing; returns the subject of the commit, and the lot that was meant.
  typealias QuantityRule = @Sendable (inout Edit, Writer, CountedThing) throws -> QuantityAct

  /// Changes the quantities of the named things in one commit, and reports the results.
  ///
  /// `single` has the options that need a single thing. Rows of things of which there is nothing are
  /// left out, unless that is what is told (`tellsNothing`).
  func changeQuantities(
    request: String?, single: [Option], _ naming: NamesOfThings, tellsNothing: Bool = false,
    _ rule: QuantityRule,
    members: (QuantityChange) -> JSON = { _ in [:] },
    line: (QuantityAct, Entity, Outcome) -> String
  ) async throws {
    let lines = try lines(of: StockCommand.things)
    let (done, change) = try await commit(request: request) { change in
      let (survey, writer) = (change.survey, change.writer)
      var mistakes = ThingMistakes()
      var acts: [QuantityAct] = []
      var readings: [String] = []
      var things = try things(
        in: lines, of: StockCommand.things, .stockItem, .byFullNames, unit: StockCommand.unit,
        survey, noting: &mistakes)
      if !tellsNothing { things = try leavingOutNothing(things) }
      things = survey.joined(things, naming)
      try refuse(single, with: things)
      for (index, typed) in things.enumerated() {
        let done = mistakes.attempt(typed.name) {
          var typed = naming.meant(typed)
          var item: Entity
          var lot: Lot?
          if case .toPut(let makes, _) = naming {
            (item, lot) = try itemToPut(
              &typed, among: lines.words, makes, in: &change.edit, survey, writer)
          } else {
            (item, lot) = try survey.itemWithLot(of: typed, naming)
          }
          let id = request.map { Edit.request($0, act: index) }
          let after = change.edit.after
          let thing = CountedThing(
            typed: typed, item: after[item.key] ?? item, lot: lot, household: after,
            survey: survey, request: id, served: change.edit.served(under: id))
          return try rule(&change.edit, writer, thing)
        }
        guard let done else { continue }
        acts.append(done)
        readings += survey.readings(
          of: typed, as: done.change.item.flatMap { change.edit.after[$0] })
      }
      try refuse(mistakes, naming.meanings)
      try change.edit.checkIsWhole(request, acts.map(\.change))
      change.subject = inShort(acts.map(\.subject))
      return (acts: acts, things: things, readings: readings)
    }
    let told = done.acts.compactMap { act in
      act.change.item.flatMap { change[$0] }.map { (act: act, item: $0) }
    }
    let objects = told.map { members($0.act.change) + $0.act.change.json($0.item) }
    output.report(
      change, (objects.count == 1 ? objects[0] : [:]) + ["things": .array(objects)],
      lines: told.map { line($0.act, $0.item, change) + $0.act.change.words(onRequest: request) })
    for reading in Set(done.readings).sorted() { output.note(reading) }
    tellRemarks(done.things)
    if case .toPut = naming {} else { tellHalves(done.things, change) }
  }

  /// Tells what `half` was taken for, where half of what there was is another quantity.
  private func tellHalves(_ things: [TypedThing], _ change: Outcome) {
    for thing in things {
      guard let written = thing.written, fold(written) == "half",
        case .quantity(let typed)? = thing.amount, typed.unit == nil,
        let item = try? change.before.itemWithLot(thing.name)
      else { continue }
      let all =
        item.lot?.quantity ?? Quantity(change.before.stock.total(of: item.item), item.item.unit)
      guard let half = all.value.multiplied(by: typed.value)?.rounded, half > .zero,
        half != typed.value
      else { continue }
      let amount = Quantity(half, all.unit)
      output.note(
        "'\(written)' is \(typed.quantity(in: all.unit)); half of the \(all) that were there is "
          + "'larder undo', and '\(path.joined(separator: " ")) \(shellWord(thing.name)) \(amount)'"
      )
    }
  }

  /// Returns the things without the rows of those of which there is nothing.
  private func leavingOutNothing(_ things: [TypedThing]) throws -> [TypedThing] {
    let left = things.filter { !$0.isRowOfNothing }
    guard !left.isEmpty || things.isEmpty else {
      throw ErrorWords(.usage, "of none of these things there is anything")
    }
    return left
  }

  /// Returns the item with this full name, with the lot behind the name, or a new one if `makes`
  /// allows it; notes the place behind the name.
  ///
  /// A part of a name is not enough here: the quantity would be added to another thing.
  private func itemToPut(
    _ typed: inout TypedThing, among lines: [[String]], _ makes: Bool, in edit: inout Edit,
    _ survey: Survey, _ writer: Writer
  ) throws -> (Entity, Lot?) {
    if let known = try survey.known(&typed) { return known }
    let name = typed.name
    let made = edit.changed.compactMap { edit.after[$0] }.filter { $0.kind == .stockItem }
    if let item = made.first(where: { fold($0.title) == fold(name) }) { return (item, nil) }
    if !typed.isWhole {
      if let barcode = Barcode(written: name) { return (try item(of: barcode, typed, survey), nil) }
      try refuseNoName(typed, among: lines, survey)
    }
    guard makes else { return (try survey.naming.findInFull(name, .stockItem), nil) }
    var item = NewItem(try newName(name, for: StockCommand.things.name))
    if case .quantity(let quantity)? = typed.amount { item.unit = quantity.unit ?? .piece }
    return (try edit.add(item, by: writer), nil)
  }

  /// Returns the item of a barcode.
  ///
  /// Otherwise the error tells how to make one, as a barcode is not a name.
  private func item(of barcode: Barcode, _ typed: TypedThing, _ survey: Survey) throws -> Entity {
    do throws(NamingError) {
      return try survey.naming.find(typed.name, .stockItem)
    } catch {
      var refusal = MessageWords().errorWords(for: error)
      if barcode.isSound, case .notFound = error {
        let amount = typed.written.map { " \($0)" } ?? ""
        refusal.hints.insert(
          "'larder stock new NAME\(amount) --product \(typed.name)' makes an item of it", at: 0)
      }
      throw refusal
    }
  }

  /// Throws for words that are probably not the name of a new item.
  ///
  /// They look like a day, a unit or a location, or end with what looks like an amount.
  private func refuseNoName(_ typed: TypedThing, among lines: [[String]], _ survey: Survey) throws {
    let name = typed.name
    if survey.calendar.day(typed: name) != nil {
      throw ErrorWords(
        .usage, "'\(name)' is a day, not the name of a new item",
        "did you mean --expiry \(shellWord(name))?")
    }
    if let place = try survey.naming.exactly(name, .storageLocation) {
      throw ErrorWords(
        .usage, "'\(place.title)' is a location, not the name of a new item",
        "did you mean --location \(shellWord(place.title))?")
    }
    if typed.amount == nil, let number = Self.number(before: name, in: lines) {
      throw ErrorWords(
        .usage, "'\(name)' may be the unit of '\(number)', or another thing",
        "write '\(number), \(name)' if it is another thing; 'larder stock new THING \(number) \(shellWord(name))' "
          + "makes an item in this unit")
    }
    let isWhole = lines.contains { $0.contains(name) }
    guard !isWhole, let last = name.split(separator: " ").last, last.first?.isNumber ?? false else {
      return
    }
    throw ErrorWords(
      .usage, "'\(last)' is no amount (\(Unit.choices) are the units)",
      "if it is a part of the name, put the name in quotes: \(shellWord(name))")
  }

  /// Returns the number without a unit that stands before a word; the word could be its unit.
  private static func number(before word: String, in lines: [[String]]) -> String? {
    guard Unit(typed: word) != nil else { return nil }
    let pairs = lines.flatMap { zip($0, $0.dropFirst()) }
    return pairs.first { number, next in
      guard next == word, let quantity = try? TypedQuantity(number) else { return false }
      return quantity.unit == nil
    }?.0
  }

}

/// The words that are enough to name a thing whose quantity changes.
enum NamesOfThings {
  /// A part of a name too, if no other thing has it.
  case byPart
  /// A full name. What somebody said of parts is in the meanings.
  case inFull(Meanings)
  /// A full name, also with the place where it goes; with `makes`, what nobody knows becomes an item.
  case toPut(makes: Bool, Meanings)

  var meanings: Meanings {
    switch self {
    case .byPart: [:]
    case .inFull(let meanings), .toPut(_, let meanings): meanings
    }
  }

  var isInFull: Bool { if case .byPart = self { false } else { true } }

  /// Returns a thing by the name that somebody said it means.
  func meant(_ typed: TypedThing) -> TypedThing {
    var typed = typed
    typed.name = (meanings[fold(typed.name)] ?? nil) ?? typed.name
    return typed
  }
}

extension Survey {
  /// Returns the item of a thing, with its lot if the words name one.
  fileprivate func itemWithLot(
    of thing: TypedThing, _ naming: NamesOfThings
  ) throws -> (item: Entity, lot: Lot?) {
    if thing.isWhole, let item = self.naming.named(thing.name, .stockItem) { return (item, nil) }
    return try itemWithLot(thing.name, inFull: naming.isInFull)
  }

  /// Returns the known item of something to put, with the lot behind its name; nil if nobody knows it.
  ///
  /// A place behind the name is noted: more is not put into what lies there, which has its own day.
  fileprivate func known(_ thing: inout TypedThing) throws -> (Entity, Lot?)? {
    if thing.isWhole { return naming.named(thing.name, .stockItem).map { ($0, nil) } }
    if let item = try naming.itemInFull(thing.name) { return (item, nil) }
    let parts = thing.name.split(separator: " ").map(String.init)
    for end in parts.indices.dropFirst().reversed() {
      guard let item = try naming.itemInFull(parts[..<end].joined(separator: " ")),
        let place = place(named: parts[end...].joined(separator: " "))
      else { continue }
      thing.place = place.id
      return (item, nil)
    }
    do {
      return try itemWithLot(thing.name, inFull: true)
    } catch NamingError.notFound {
      return nil
    }
  }

  /// Returns the things with an item and the following name of its lot joined into one, and with the
  /// place behind something to put.
  ///
  /// In `milk 2026-12-01`, the day is not a thing of its own.
  fileprivate func joined(_ things: [TypedThing], _ naming: NamesOfThings) -> [TypedThing] {
    things.map { withLotInName($0, naming) }.reduce(into: []) { joined, thing in
      guard let before = joined.last, !before.isWhole, !thing.isWhole,
        before.amount == nil || thing.amount == nil,
        (try? item(thing.name, inFull: naming.isInFull)) == nil
      else { return joined.append(thing) }
      let name = "\(before.name) \(thing.name)"
      var both = before
      (both.written, both.amount) =
        before.amount == nil ? (thing.written, thing.amount) : (before.written, before.amount)
      if case .toPut = naming, before.place == nil, let place = place(named: thing.name) {
        both.place = place.id
      } else if let item = try? item(before.name, inFull: naming.isInFull),
        let lot = try? itemWithLot(name, inFull: naming.isInFull), lot.lot != nil,
        lot.item.key == item.key
      {
        both.name = name
      } else {
        return joined.append(thing)
      }
      joined[joined.count - 1] = both
    }
  }

  /// Returns a thing whose number is a part of the lot's name, as in `milk dec 24`, without it as an
  /// amount.
  private func withLotInName(_ thing: TypedThing, _ naming: NamesOfThings) -> TypedThing {
    guard !thing.isWhole, let written = thing.written,
      (try? itemWithLot(thing.name, inFull: naming.isInFull)) == nil
    else { return thing }
    let whole = "\(thing.name) \(written)"
    return (try? itemWithLot(whole, inFull: naming.isInFull))?.lot == nil
      ? thing : TypedThing(whole)
  }
}
