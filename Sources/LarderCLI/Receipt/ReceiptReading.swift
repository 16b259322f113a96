import LarderJSON
import LarderKit
import LarderModel

/// The saving of a receipt that was read.
struct ReceiptReading {
  let invocation: Invocation
  let source: ReceiptSource
  let read: ReadReceipt
  /// The shop, if an option names it.
  let shop: String?
  /// The time of the payment, if an option has it.
  let paid: Instant?

  private typealias Making = (Survey, Writer) throws -> ReadPurchase

  /// Saves the receipt if it adds up; otherwise opens it in the editor for correction.
  func save(_ survey: Survey, inEditor: Bool) throws {
    if let known = survey.household[.receipt, read.id], !known.isTombstone {
      return tellKnown(known, survey)
    }
    let doubt = ReadingDoubt(read, hasShop: shop != nil, hasDay: paid != nil)
    guard inEditor || doubt != nil else {
      return try commit { survey, writer in
        try ReadPurchase(
          of: read, shop: shop ?? survey.shop(of: read),
          paid: paid ?? read.paid(survey.calendar) ?? writer.now, survey, writer,
          invocation.lineRules)
      }
    }
    if let doubt, !invocation.canEdit || invocation.has(Rehearsal.option) {
      throw doubt.commandError(in: source)
    }
    try edit(doubt, survey)
  }

  private func commit(_ make: Making) throws {
    var twin: CommandError?
    do {
      try commit(make, isAnother: false, &twin)
    } catch {
      guard let first = twin else { throw error }
      guard let isAnother = invocation.prompt.confirm("\(first.message); save another one?") else {
        throw CommandError(
          .failed, "nothing was saved: \(first.message)",
          hints: first.hints + ["--yes saves another one"])
      }
      guard isAnother else {
        throw CommandError(.failed, "nothing was saved", hints: first.hints)
      }
      try commit(make, isAnother: true, &twin)
    }
  }

  /// Commits the purchase.
  ///
  /// `found` is set to the error for a known receipt of the same shop, day and amount. The error is
  /// thrown unless `isAnother` says that this is another receipt.
  private func commit(_ make: Making, isAnother: Bool, _ found: inout CommandError?) throws {
    var told = LineNews()
    var twin: CommandError?
    defer { found = twin }
    var uncounted: [ReadPurchase.Uncounted] = []
    let change = try invocation.change { edit, writer, survey in
      let purchase = try make(survey, writer)
      let receipt = try purchase.save(in: &edit)
      told = LineNews(receipt: receipt, taken: purchase.taken, unknown: purchase.unknownNames)
      uncounted = purchase.uncounted
      if edit.before[receipt.key] == nil, !isAnother, let other = survey.twin(of: receipt) {
        let error = ReceiptSaving.savedTwice(other, survey)
        twin = error
        throw error
      }
      return "read a receipt of \(receipt.shop)"
    }
    guard let receipt = told.receipt.flatMap({ change[$0.key] }) else { return }
    guard !change.isNothing else {
      return tellKnown(receipt, change.after)
    }
    invocation.output.report(receipt, change, "saved", invocation)
    invocation.tell(told, in: change.after)
    tellAlias(of: told.unknown, on: Receipt(entity: receipt), change.after)
    for line in uncounted {
      invocation.output.note(
        "\(line.name) is on the receipt only: \(line.item) is counted in "
          + "\(line.unit == .piece ? "pieces" : line.unit.symbol ?? line.unit.noun(for: .zero)), "
          + (line.isInOtherUnit
            ? "and the receipt says it in another unit" : "and the receipt does not say how many")
          + "; 'larder put \(shellWord(line.item)) N' adds it")
    }
  }

  /// Tells how an unknown printed name can be linked to an item.
  private func tellAlias(of names: [String], on receipt: Receipt, _ survey: Survey) {
    guard let name = names.first.map(shellWord) else { return }
    invocation.output.note(
      "if you have \(names.count == 1 ? "it" : "one of them") by another name, 'larder stock edit ITEM "
        + "--alias \(name)' makes this one known, and 'larder receipt edit "
        + "\(shellWord(survey.reference(to: receipt))) --line \(name)' counts the line")
  }

  /// Says that a receipt was saved before.
  private func tellKnown(_ receipt: Entity, _ survey: Survey) {
    let output = invocation.output
    if output.mode == .human {
      output.line("unchanged: \(survey.heading(receipt))")
    } else if output.mode == .json {
      output.json([
        JSONMember("changed", .array([])), JSONMember("receipt", survey.listed(receipt)),
        survey.stock(of: receipt),
      ])
    }
    output.note("nothing was changed: it was saved before")
    let names = Receipt(entity: receipt).lines.filter { $0.itemID == nil }.map(\.itemName)
    guard invocation.lineRules.makesItems, let name = names.first else { return }
    let reference = shellWord(survey.reference(to: Receipt(entity: receipt)))
    output.note(
      "'larder receipt edit \(reference) --line \(shellWord(name)) --new' makes an item of a line")
  }
}

extension ReceiptReading {
  /// Opens the receipt in the editor, and saves the corrected one.
  private func edit(_ doubt: ReadingDoubt?, _ survey: Survey) throws {
    let form = ReceiptForm(
      of: read, shop: shop ?? survey.shop(of: read), paid: paid ?? read.paid(survey.calendar))
    let marks = read.doubtfulPlaces
    let text = form.text(
      in: survey, remarks: remarks(doubt),
      doubts: Dictionary(uniqueKeysWithValues: marks.map { ($0, "doubtful: " + printed($0)) }))
    let rules = invocation.lineRules
    // A receipt that adds up may be saved unchanged.
    let saved: Void? = try invocation.edited(form: text, takesUnchanged: doubt == nil) { text in
      try commit { survey, writer in
        let written = try ReceiptForm(text, in: survey)
        return try ReadPurchase(of: read, correctedTo: written, survey, writer, rules)
      }
    }
    if saved == nil { invocation.output.note("nothing was saved") }
  }

  private func printed(_ place: Int) -> String {
    let line = read.lines[place].line
    let lines = source.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return lines.indices.contains(line - 1) ? String(lines[line - 1]) : ""
  }

  private func remarks(_ doubt: ReadingDoubt?) -> [String] {
    let reasons = (doubt?.reasons ?? []).map { reason in
      let words = reason.words(read)
      return words.prefix(1).uppercased() + words.dropFirst() + "."
    }
    let lines = source.text.split(whereSeparator: \.isNewline)
    let text = lines.prefix(150).map { "  " + $0 }
    return reasons + ReceiptFormWords.remarks
      + ["A name that you change to an item's is known from then on."]
      + [
        doubt == nil
          ? "Empty the file, and nothing is saved." : "Without a change, nothing is saved."
      ]
      + ["", "The text of the receipt:"] + text
  }
}
