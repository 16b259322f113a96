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
  ) { try runMove($0) }

  static let open = Command(
    "stock open", arguments: [batch, some],
    options: [
      StockCommand.unit, BatchOptions.batch, moment, BatchOptions.strict,
      BatchOptions.unchangedSince,
    ]
  ) { try runOpen($0) }

  private static func runMove(_ invocation: Invocation) throws {
    try invocation.refuseUnquoted(
      [invocation[batch], invocation[location]] + invocation.all(amount))
    let typed = try invocation.quantity(amount, behind: location, StockCommand.unit)
    let version = try invocation.unchangedSince()
    let (expiry, standing) = try newExpiry(invocation)
    var moved: [EntityKey] = []
    var all: Quantity?
    var quantity: Quantity?
    let change = try invocation.change { edit, writer, survey in
      let place = try survey.location(named: invocation[location])
      let source = try survey.source(
        invocation[batch], lot: invocation[BatchOptions.batch], to: place.id)
      quantity = try typed.map { typed in
        try source.item(in: survey.stock).flatMap { item in
          let packs = try survey.packs(typed, of: item, named: invocation[batch])
          if packs == nil { try survey.refuseUnclear(typed, of: item) }
          return packs
        } ?? typed.quantity(in: source.quantity.unit)
      }
      all = source.quantity
      moved = try source.move(quantity, to: place.id, expiry, version, in: &edit, by: writer)
      let part = quantity.map { "\($0) of " } ?? ""
      return "move \(part)\(source.title) to \(place.title)"
    }
    let batches = moved.compactMap { change[$0] }
    guard let first = batches.first else { return }
    let title = change.after.naming.title(of: first)
    let place = change.after.place(of: first) ?? ""
    let dated = expiry == .keep ? nil : first.batchDay?.description
    let told = (quantity ?? all).map { "\($0) of \(title)" } ?? title
    invocation.output.report(
      change, ["batches": .array(batches.map { change.after.listed($0) })],
      lines: change.isNothing
        ? [] : ["moved \(told) to \(place)" + (dated.map { ", keeps until \($0)" } ?? "")])
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
  ) throws -> (update: DateUpdate<Day>, standing: String?) {
    let survey = try invocation.survey()
    let said = try invocation.expiryUpdate(survey.calendar, of: nil)
    guard said == .keep, let place = try? survey.location(named: invocation[location]),
      case .lot(let lot, let title)? = try? survey.source(
        invocation[batch], lot: invocation[BatchOptions.batch], to: place.id),
      let day = lot.first.lastDay
    else { return (said, nil) }
    let from = lot.first.locationID.flatMap { survey.household[.storageLocation, $0] }
    guard place.id != from?.id,
      [place, from].contains(where: { $0?.flag(.isColdStorage) ?? false })
    else { return (.keep, nil) }
    let question = "\(title) keeps until \(day); in \(place.title) until (empty for the same day):"
    while !invocation.has(Rehearsal.option), let answer = invocation.prompt.line(question) {
      guard !answer.allSatisfy(\.isWhitespace) else { return (.keep, nil) }
      do {
        let day = try invocation.day(answer, for: "the day", survey.calendar)
        return (.set(ExpiryInfo(.expiry, day)), nil)
      } catch {
        invocation.output.warn(MessageWords().commandError(for: error).message)
      }
    }
    return (
      .keep, "its day is still \(day); --expiry DAY gives it another one for \(place.title)"
    )
  }

  private static func runOpen(_ invocation: Invocation) throws {
    let typed = try invocation.quantity(some, behind: batch, StockCommand.unit)
    let version = try invocation.unchangedSince()
    var opening: Opening?
    let change = try invocation.change { edit, writer, survey in
      let (item, named) = try survey.itemOrLot(invocation[batch])
      let at = try invocation[moment].map {
        try invocation.moment($0, for: moment.spelling, survey.calendar)
      }
      let lot = try invocation[BatchOptions.batch].map { try survey.lot($0, of: item) } ?? named
      opening = try edit.open(
        item, lot,
        quantity: typed.map { typed throws(RuleError) in
          try survey.quantity(typed, of: item, named: invocation[batch])
        },
        at: at ?? writer.now,
        strict: invocation.has(BatchOptions.strict), unchangedSince: version, by: writer)
      return "open \(item.title)"
    }
    guard let opening, let batch = change[opening.batch] else { return }
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
    invocation.output.report(
      change, ["batch": change.after.listed(batch)], lines: [line])
  }
}
