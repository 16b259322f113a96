import LarderKit

/// The options for the details of a batch.
enum BatchOptions {
  static let batch = Option(
    "batch", short: "b", value: "B", values: .named(.batch),
    help:
      "this batch only: its day in any form, lot code, location, file or id; loose is what lies in none"
  )
  static let expiry = Option(
    "expiry", value: "DAY", takesEmpty: true, help: "the expiry day: 2026-12-01, +10d, fri")
  static let bestBefore = Option(
    "best-before", value: "DAY", takesEmpty: true, help: "the expiry day, as a best-before date")
  static let useBy = Option(
    "use-by", value: "DAY", takesEmpty: true, help: "the expiry day, as a use-by date")
  static let manufactured = Option(
    "manufactured", value: "DAY", takesEmpty: true,
    help: "the day it was made, where the package says no other")
  static let packaged = Option(
    "packaged", value: "DAY", takesEmpty: true,
    help: "the day it was packed, where the package says no other")
  static let rawText = Option(
    "raw-text", value: "TEXT", takesEmpty: true, help: "the date as it stands on the package")
  static let opened = Option(
    "opened", value: "WHEN", takesEmpty: true, help: "when it was opened: today, 18:30, 2026-11-20")
  static let location = Option(
    "location", short: "l", value: "L", values: .named(.all(.storageLocation)), takesEmpty: true,
    help: "the name of its location")
  static let lot = Option(
    "lot", value: "CODE", takesEmpty: true, help: "the code printed on the package")
  static let notes = Option("notes", value: "TEXT", takesEmpty: true, help: "anything else")
  static let confidence = Option(
    "confidence", value: "C", help: "how sure the dates are, from 0 to 1; 0.5 or less is a guess")
  static let strict = Option("strict", help: "refuse instead of only warning")
  static let unchangedSince = Option(
    "unchanged-since", value: "T", help: "refuse if the batch's updatedAt is no longer this time")

  /// The options for the last day, one for each kind.
  static let expiries = [expiry, bestBefore, useBy]
  /// The options for the date on the package, one for each kind.
  static let dates = expiries + [manufactured, packaged]
  /// The options that make a quantity a batch.
  static let details = dates + [rawText, opened, location, lot]
}

extension Invocation {
  /// Returns the details of a batch of a product from the options.
  func batchDetails(_ product: String, _ survey: Survey) throws -> BatchDetails {
    var details = BatchDetails(productID: product)
    details.expiry = try expiryUpdate(survey.calendar, of: nil).info
    details.opened = try openedUpdate(survey.calendar).info
    details.locationID = try location(survey)
    details.lotCode = text(BatchOptions.lot)
    details.notes = text(BatchOptions.notes)
    return details
  }

  /// Returns the change of the date on the package; an empty day removes the date.
  ///
  /// `known` is the batch's date; it keeps the parts that no option changes.
  func expiryUpdate(_ calendar: HouseholdCalendar, of known: ExpiryInfo?) throws -> DateUpdate<Day>
  {
    let update = try dayUpdate(calendar)
    guard let text = trimmed(BatchOptions.rawText) else { return try surer(update, known) }
    guard update != .remove else {
      throw usage(.conflictingOptions(BatchOptions.rawText.spelling, "an empty day"))
    }
    guard var info = update.info ?? known ?? (text.isEmpty ? nil : ExpiryInfo(.expiry, nil)) else {
      return .keep
    }
    info.rawText = text.isEmpty ? nil : text
    return try surer(.set(info), known)
  }

  /// Returns a change of the date with the given confidence, which may be all that changes.
  private func surer(_ update: DateUpdate<Day>, _ known: ExpiryInfo?) throws -> DateUpdate<Day> {
    guard let confidence = try confidence(), update != .remove, self[BatchOptions.opened] == nil,
      var info = update.info ?? known
    else { return update }
    info.confidence = confidence
    return .set(info)
  }

  /// Returns the change of the day.
  private func dayUpdate(_ calendar: HouseholdCalendar) throws -> DateUpdate<Day> {
    let given = BatchOptions.dates.filter { self[$0] != nil }
    guard let option = given.first, let text = self[option] else { return .keep }
    guard given.count == 1 else {
      throw ErrorWords(
        .usage, "only one of \(option.spelling) and \(given[1].spelling) can be given",
        hints: BatchOptions.expiries.contains(given[1])
          ? [] : ["the day until which it keeps says more than the day of its making"])
    }
    guard !text.isEmpty else { return .remove }
    let day = try day(text, for: option.spelling, calendar)
    let kinds: [String: DateKind] = [
      "best-before": .bestBefore, "use-by": .useBy, "manufactured": .manufactured,
      "packaged": .packaged,
    ]
    return .set(
      ExpiryInfo(kinds[option.name] ?? .expiry, day, confidence: try confidence() ?? Number(1)))
  }

  /// Returns the change from `--opened`; an empty text removes the date.
  func openedUpdate(_ calendar: HouseholdCalendar) throws -> DateUpdate<Instant> {
    guard let text = self[BatchOptions.opened] else { return .keep }
    guard !text.isEmpty else { return .remove }
    return .set(
      OpenedInfo(
        .opened, try moment(text, for: BatchOptions.opened.spelling, calendar),
        confidence: try confidence() ?? Number(1)))
  }

  /// Reads a typed moment.
  func moment(_ text: String, for option: String, _ calendar: HouseholdCalendar) throws -> Instant {
    let instant: Instant
    do throws(DayMistake) {
      instant = try calendar.instant(reading: text)
      if let completed = calendar.completed(text, .back) { output.warn(completed.words) }
    } catch {
      throw unreadable(
        text, for: option, HouseholdCalendar.momentReason(error), topic: Topics.dates)
    }
    // The format can't store other moments.
    guard Instant(instant.description) == instant else {
      throw unreadable(text, for: option, "a moment from the year 0 to 9998, in UTC, is needed")
    }
    return instant
  }

  private func confidence() throws -> Number? {
    try value(BatchOptions.confidence, "a number from 0 to 1 is needed") { text in
      Number(text).flatMap { $0 >= .zero && $0 <= Number(1) ? $0 : nil }
    }
  }

  /// Returns the version of the batch that the caller saw.
  func unchangedSince() throws -> Instant? {
    try value(
      BatchOptions.unchangedSince,
      "the updatedAt of its file is needed, like 2026-11-03T19:12:44.120Z"
    ) { Instant($0) }
  }

  /// Returns the id of the location that the option names; nil for an empty name.
  func location(_ survey: Survey) throws -> String? {
    guard let text = self[BatchOptions.location], !text.isEmpty else { return nil }
    return try survey.location(named: text).id
  }

  /// Returns an option's text without white space at its ends; nil if nothing is left.
  func text(_ option: Option) -> String? { trimmed(option).flatMap { $0.isEmpty ? nil : $0 } }

  /// Returns an option's text without white space at its ends, which may be empty; nil if the
  /// option is missing.
  func trimmed(_ option: Option) -> String? {
    guard let words = self[option]?.drop(while: \.isWhitespace) else { return nil }
    return String(words.reversed().drop(while: \.isWhitespace).reversed())
  }

  /// Returns the field that an option sets, and that an empty text takes away; none if the option is
  /// missing.
  func fields(_ option: Option, _ name: FieldName) -> [FieldValue] {
    trimmed(option).map { [(name, $0.isEmpty ? nil : .string($0))] } ?? []
  }

  /// Warns about unusual dates of a batch, which was written nevertheless.
  func warn(_ warnings: [BatchWarning], about title: String) {
    for case .openedAfterExpiry(let opened, let expiry) in warnings {
      output.warn("\(title) was opened on \(opened), and keeps until \(expiry)")
    }
  }
}

/// `larder stock edit ITEM --batch B`: changes a batch.
enum BatchEdit {
  static let options =
    [BatchOptions.batch] + BatchOptions.details + [
      BatchOptions.confidence, BatchOptions.notes, BatchOptions.strict, BatchOptions.unchangedSince,
    ]

  static func run(_ batch: String, _ invocation: Invocation) async throws {
    let words = invocation.all(StockEdit.targets)
    guard !words.contains(where: Filter.isFilter) else {
      throw ErrorWords(.usage, "--batch needs exactly one item")
    }
    if let other = StockEdit.itemOptions.first(where: { !invocation.all($0).isEmpty }) {
      throw ErrorWords(
        .usage, "\(other.spelling) is about the item, and --batch about one of its batches",
        "change one after the other")
    }
    let version = try invocation.unchangedSince()
    let (edited, change) = try await invocation.commit { change in
      let survey = change.survey
      var warnings: [BatchWarning] = []
      let item = try survey.itemOfBatch(words)
      let fields = try fields(invocation, survey)
      let opened = try invocation.openedUpdate(survey.calendar)
      let dates = BatchOptions.dates + [BatchOptions.rawText, BatchOptions.confidence]
      guard dates.contains(where: { invocation[$0] != nil }) || opened != .keep || !fields.isEmpty
      else {
        throw ErrorWords.nothingAsked(
          "give --expiry, --opened, --location, --lot, --notes or another; an empty text takes it off"
        )
      }
      for batch in try survey.lot(batch, of: item, withConsumed: true).batches {
        let expiry = try invocation.expiryUpdate(survey.calendar, of: batch.expiry)
        if invocation[BatchOptions.confidence] != nil, expiry == .keep, opened == .keep {
          throw ErrorWords(
            .usage, "this batch has no date that --confidence could be about",
            "--expiry, --best-before or --use-by gives it one")
        }
        warnings = try change.edit.date(
          batch, expiry: expiry, opened: opened, with: fields,
          strict: invocation.has(BatchOptions.strict), unchangedSince: version, by: change.writer)
      }
      change.subject = "edit a batch of \(item.title)"
      return (title: item.title, warnings: warnings)
    }
    invocation.warn(edited.warnings, about: edited.title)
    let batches = change.entities.filter { $0.kind == .inventoryItem }
    let lines = Lot.grouped(batches).map { lot in
      "\(edited.title): \(lot.quantity), \(change.after.words(for: lot.first))"
    }
    invocation.output.report(change, lines: lines, nothing: Invocation.nothingToChange)
  }

  private static func fields(_ invocation: Invocation, _ survey: Survey) throws -> [FieldValue] {
    let texts =
      invocation.fields(BatchOptions.lot, .lotOrBatchCode)
      + invocation.fields(BatchOptions.notes, .notes)
    guard invocation[BatchOptions.location] != nil else { return texts }
    return [(.storageLocationID, .string(try invocation.location(survey) ?? ""))] + texts
  }
}
