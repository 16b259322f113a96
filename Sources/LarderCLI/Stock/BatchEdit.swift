import LarderKit

/// `larder stock edit ITEM --batch B`: changes a batch.
enum BatchEdit {
  static let options =
    [BatchOptions.batch] + BatchOptions.details + [
      BatchOptions.confidence, BatchOptions.notes, BatchOptions.strict, BatchOptions.unchangedSince,
    ]

  static func run(_ batch: String, _ invocation: Invocation) throws {
    let words = invocation.all(StockEdit.targets)
    guard !words.contains(where: Filter.isFilter) else {
      throw CommandError(.usage, "--batch needs exactly one item")
    }
    if let other = StockEdit.itemOptions.first(where: { !invocation.all($0).isEmpty }) {
      throw CommandError(
        .usage, "\(other.spelling) is about the item, and --batch about one of its batches",
        "change one after the other")
    }
    let version = try invocation.unchangedSince()
    var warnings: [BatchWarning] = []
    var title = ""
    let change = try invocation.change { edit, writer, survey in
      let item = try survey.itemOfBatch(words)
      title = item.title
      let fields = try fields(invocation, survey)
      let opened = try invocation.openedUpdate(survey.calendar)
      let dates = BatchOptions.dates + [BatchOptions.rawText, BatchOptions.confidence]
      guard dates.contains(where: { invocation[$0] != nil }) || opened != .keep || !fields.isEmpty
      else {
        throw CommandError.nothingAsked(
          "give --expiry, --opened, --location, --lot, --notes or another; an empty text takes it off"
        )
      }
      for batch in try survey.lot(batch, of: item, withConsumed: true).batches {
        let expiry = try invocation.expiryUpdate(survey.calendar, of: batch.expiry)
        if invocation[BatchOptions.confidence] != nil, expiry == .keep, opened == .keep {
          throw CommandError(
            .usage, "this batch has no date that --confidence could be about",
            "--expiry, --best-before or --use-by gives it one")
        }
        warnings = try edit.date(
          batch, expiry: expiry, opened: opened, strict: invocation.has(BatchOptions.strict),
          unchangedSince: version, by: writer)
        edit.write(fields, to: batch.key, now: writer.now)
      }
      return "edit a batch of \(item.title)"
    }
    invocation.warn(warnings, about: title)
    let lines = Lot.grouped(change.own.compactMap { change[$0] }).map { lot in
      "\(title): \(lot.quantity), \(change.after.words(for: lot.first))"
    }
    invocation.output.report(change, lines: lines, nothing: Invocation.nothingToChange)
  }

  private static func fields(
    _ invocation: Invocation, _ survey: Survey
  ) throws -> [FieldValue] {
    let texts =
      invocation.fields(BatchOptions.lot, .lotOrBatchCode)
      + invocation.fields(BatchOptions.notes, .notes)
    guard invocation[BatchOptions.location] != nil else { return texts }
    return [(.storageLocationID, .string(try invocation.location(survey) ?? ""))] + texts
  }
}
